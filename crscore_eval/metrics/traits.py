"""Traits of reviews, such as their length, and differences between groups of reviews."""

import re
from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from crscore_eval.figures import capitalize_first, format_figure
from crscore_eval.metrics.columns import metric_values
from crscore_eval.statistics import (
    MIN_CHANGES,
    MeanDifference,
    ScoresByChange,
    correct_p_values,
    mean_difference,
)
from crscore_eval.table import Run

_CODE = re.compile(r"`[^`\n]+`|^ {0,3}(?:```|~~~)", re.MULTILINE)

TRAITS_NOTE = (
    "The others are reviews of the same changes, or of all changes if too few changes have both. "
    "Shared identifiers: the share of a review's identifiers that the change has, 0% without "
    "identifiers. "
    "p is corrected for the number of traits by Holm's method."
)
"""How to read the rows of `compare_traits`."""


class _Trait(NamedTuple):
    """The words for a trait; `more` and `less` are predicates for a higher and a lower mean."""

    name: str
    more: str
    less: str
    template: str
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
    """Return True if a review quotes code in backticks or in a fenced block of Markdown."""
    return _CODE.search(review) is not None


def trait_values(run: Run, name: str) -> "pd.Series[float]":
    """Return a trait of all reviews, indexed as `run.reviews`.

    `name` is `inline_code` (1 if a review quotes code, else 0), `sentences`, `pseudo_references`,
    or a simple metric.
    """
    if name == "inline_code":
        return run.reviews["review"].map(has_inline_code).astype(float)
    if name in {"sentences", "pseudo_references"}:
        return run.reviews[f"n_{name}"].astype(float)
    return metric_values(run, name)


def review_traits(run: Run) -> "Mapping[str, pd.Series[float]]":
    """Return the traits that `compare_traits` compares, by name."""
    return {name: trait_values(run, name) for name in _TRAITS}


def compare_traits(
    run: Run,
    traits: "Mapping[str, pd.Series[float]]",
    groups: "Mapping[str, pd.Series[bool]]",
    others: "pd.Series[bool]",
) -> tuple[list[str], list[dict[str, str]]]:
    """Compare named groups of reviews with the other reviews in each trait.

    A group is compared over the changes that it shares with the others; see `mean_difference`. p is
    corrected for the number of traits by Holm's method.

    Returns:
        A sentence for each group about the traits that differ significantly, and the rows of a
        table of all means and p-values.
    """
    change = run.reviews["change"]
    sentences, rows = [], []
    for name, group in groups.items():
        differences: dict[str, MeanDifference] = {}
        if group.any() and others.any():
            for trait, values in traits.items():
                scores, other_scores = (
                    ScoresByChange.of(values[chosen], change[chosen]) for chosen in (group, others)
                )
                differences[trait] = mean_difference(scores, other_scores)
        corrected = correct_p_values(differences)
        sentences.append(_sentence(name, corrected))
        rows += [_row(name, trait, difference) for trait, difference in corrected.items()]
    return sentences, rows


def _sentence(group: str, differences: Mapping[str, MeanDifference]) -> str:
    """Return a sentence about the traits in which a group differs significantly."""
    if not differences:
        return f"There are no {group} to compare with others."
    if all(difference.p is None for difference in differences.values()):
        return f"Too few changes have {group} to compare them: {MIN_CHANGES} are needed."
    predicates = []
    for name, difference in differences.items():
        _, more, less, template, unit = _TRAITS[name]
        if difference.sign:
            mean, others_mean = map(template.format, (difference.first, difference.second))
            predicate = more if difference.sign > 0 else less
            predicates.append(f"{predicate} ({mean}{unit}; others {others_mean})")
    if not predicates:
        return f"{capitalize_first(group)} do not differ significantly from the others."
    *first, last = predicates
    return f"On average, {group} {' and '.join([', '.join(first), last] if first else [last])}."


def _row(group: str, name: str, difference: MeanDifference) -> dict[str, str]:
    """Return the row of a trait."""
    trait = _TRAITS[name]
    return {
        "reviews": group,
        "trait": trait.name,
        "mean": trait.template.format(difference.first),
        "mean of the others": trait.template.format(difference.second),
        "p": "too few changes" if difference.p is None else format_figure(difference.p),
    }
