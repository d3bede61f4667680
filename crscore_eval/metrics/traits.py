"""Traits of reviews, such as their length, and how groups of reviews differ in them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from crscore_core.text import capital, format_figure
from crscore_eval.metrics.columns import metric_values
from crscore_eval.statistics import (
    MIN_CHANGES,
    MeanDifference,
    ScoresByChange,
    holm,
    mean_difference,
)
from crscore_eval.table import Run

if TYPE_CHECKING:
    Numbers = pd.Series[float]
    Chosen = pd.Series[bool]

_CODE = re.compile(r"`[^`\n]+`|^ {0,3}(?:```|~~~)", re.MULTILINE)

TRAITS_NOTE = (
    "The others are reviews of the same changes, or of all changes if too few changes have both. "
    "Shared identifiers: the share of a review's identifiers that the change has, 0% without any. "
    "p is corrected for the number of traits by Holm's method."
)
"""How to read the figures of `compare_traits`."""


class _Trait(NamedTuple):
    """A trait in words: its name, what reviews with more or less of it do, format and unit."""

    name: str
    more: str
    less: str
    form: str
    unit: str = ""


_TRAITS = {
    "words": _Trait("length", "are longer", "are shorter", "{:.0f}", " words"),
    "sentences": _Trait(
        "number of sentences", "have more sentences", "have fewer sentences", "{:.1f}"
    ),
    "inline_code": _Trait(
        "quoted code", "quote code more often", "quote code less often", "{:.0%}"
    ),
    "shared_identifiers": _Trait(
        "shared identifiers",
        "share more identifiers with the change",
        "share fewer identifiers with the change",
        "{:.0%}",
    ),
}


def has_inline_code(review: str) -> bool:
    """Return True if a review quotes code as Markdown does: in backticks or a fenced block."""
    return _CODE.search(review) is not None


def review_traits(run: Run) -> "Mapping[str, Numbers]":
    """Return traits of all reviews, each indexed as `run.reviews`.

    They are words, sentences, inline_code (1 if the review quotes code, else 0) and
    shared_identifiers (the share of its identifiers that the diff has; 0 without identifiers).
    """
    return {
        "words": metric_values(run, "words"),
        "sentences": run.reviews["n_sentences"].astype(float),
        "inline_code": run.reviews["review"].map(has_inline_code).astype(float),
        "shared_identifiers": metric_values(run, "shared_identifiers"),
    }


def compare_traits(
    run: Run, traits: "Mapping[str, Numbers]", groups: "Mapping[str, Chosen]", others: "Chosen"
) -> tuple[list[str], list[dict[str, str]]]:
    """Compare named groups of reviews with the others in each of `review_traits`.

    Return a sentence for each group, on the traits that clearly differ, and the rows of a table of
    all figures. A group is compared over the changes that it shares with the others, see
    `mean_difference`; p is after Holm's correction for the number of traits.
    """
    change = pd.Series(pd.factorize(run.reviews["change"])[0], run.reviews.index)

    def by_change(values: "Numbers", chosen: "Chosen") -> ScoresByChange:
        return ScoresByChange.of(values[chosen], change[chosen])

    sentences, figures = [], []
    for name, group in groups.items():
        found = {
            trait: mean_difference(by_change(values, group), by_change(values, others))
            for trait, values in traits.items()
            if group.any() and others.any()
        }
        p = holm({trait: result.p for trait, result in found.items()})
        compared = {trait: replace(result, p=p.get(trait)) for trait, result in found.items()}
        sentences.append(_finding(name, compared))
        figures += [_figures(name, trait, result) for trait, result in compared.items()]
    return sentences, figures


def _finding(group: str, compared: Mapping[str, MeanDifference]) -> str:
    """Say in which traits a group of reviews clearly differs from the others."""
    if not compared:
        return f"No {group} here, or no others to compare them with."
    if all(result.p is None for result in compared.values()):
        return f"Too few changes have {group} to compare them: {MIN_CHANGES} are needed."
    clear = []
    for name, result in compared.items():
        _, more, less, form, unit = _TRAITS[name]
        if result.sign:
            means = f"{form.format(result.first)}{unit}; others {form.format(result.second)}"
            clear.append(f"{more if result.sign > 0 else less} ({means})")
    if not clear:
        names = _joined([trait.name for trait in _TRAITS.values()], "or")
        return f"{capital(group)} do not clearly differ from the others in {names}."
    return f"On average, {group} {_joined(clear, 'and')}."


def _figures(group: str, name: str, result: MeanDifference) -> dict[str, str]:
    """Return a row of the table of figures."""
    trait = _TRAITS[name]
    return {
        "reviews": group,
        "trait": trait.name,
        "mean": trait.form.format(result.first),
        "mean of the others": trait.form.format(result.second),
        "p": "too few changes" if result.p is None else format_figure(result.p),
    }


def _joined(parts: Sequence[str], word: str) -> str:
    *first, last = parts
    return f"{', '.join(first)} {word} {last}" if first else last
