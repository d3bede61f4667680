"""Conditions on a finished run: a mean that is high enough, and one no lower than a baseline's."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.measures import (
    DEFAULT_MEASURE,
    measure_named,
    scores_by_change,
    unchecked,
)
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.reading.mapping import judge_figure
from crscore_core.corpus.reviews import SAME
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.errors import InputError
from crscore_core.ranking.verdict import difference_words, no_lower
from crscore_core.text import listed
from crscore_eval.statistics import ScoresByChange, mean_difference


@dataclass(frozen=True, slots=True)
class Check:
    """A condition on a run by its name, whether the run meets it, and the figures in words.

    `is_told` is False where there was too little to compare, which passes.
    """

    name: str
    is_met: bool
    words: str
    figures: dict[str, Any]
    is_told: bool = True

    @property
    def result(self) -> str:
        """`passed`, `failed`, or `not told`."""
        return ("passed" if self.is_told else "not told") if self.is_met else "failed"

    @property
    def document(self) -> dict[str, Any]:
        """The check as a JSON object."""
        result = {"name": self.name, "passed": self.is_met, "told": self.is_told}
        return {**result, "words": self.words, **self.figures}


def check_scored(run: FinishedRun, most: float, system: str | None = None) -> Check:
    """Check that no larger share of the reviews than `most` has no score.

    Rows that were set aside count too, but for those of one system. Empty reviews have no score.

    Raises:
        InputError: the run cannot be read.
    """
    reviews = without = run.document.rejected if system is None else 0
    for part in run.parts(["system", "relevance"]):
        of = _is_of(np.array(part.column("system").to_pylist(), dtype=np.str_), system)
        reviews += int(of.sum())
        without += int(np.isnan(part.column("relevance").to_numpy()[of]).sum())
    return Check(
        f"at most {most:.0%} of the reviews without a score",
        without <= most * reviews,
        f"{without:,} of {reviews:,} reviews have none",
        {"reviews": reviews, "without_score": without, "most": most},
    )


def check_floor(run: FinishedRun, measure: str, least: float, system: str | None = None) -> Check:
    """Check that the mean of a measure is at least so high.

    Raises:
        InputError: the run cannot be read, or no review has a value.
        InputError: there is no such measure.
    """
    ((scores, _),) = _scores([run], measure, system)
    remark = f"; {words}" if (words := unchecked(run.reviews(), measure)) else ""
    mean = scores.mean
    changes = f"{int(scores.counts.sum()):,} reviews of {scores.change.size:,} changes"
    return Check(
        f"{measure} at least {least:g}",
        mean >= least,
        f"mean {mean:.3f} over {changes}{remark}",
        {"measure": measure, "mean": mean, "least": least},
    )


def check_baseline(
    run: FinishedRun,
    before: FinishedRun,
    margin: float | None = None,
    system: str | None = None,
    measure: str = DEFAULT_MEASURE,
) -> Check:
    """Check that the mean of a measure is no lower than that of an earlier run.

    The difference is over the changes, by their diff, that both runs have, or where these are too
    few over all changes of either. Without a `margin` the run fails where it is lower beyond
    chance; with one, unless it is shown to be lower by less than the margin.

    Raises:
        InputError: a run cannot be read, no review has a value, the runs were scored in different
            ways, or are one.
        InputError: there is no such measure.
    """
    if run.folder.path.resolve() == before.folder.path.resolve():
        raise InputError(f"the baseline {str(before.folder.path)!r} is the run itself")
    now, then = run.document.settings, before.document.settings
    for name in SAME:
        if now.get(name) != then.get(name):
            raise InputError(
                f"the baseline was scored with another {name} ({str(then.get(name))!r} and not "
                f"{str(now.get(name))!r}), so the two cannot be compared; score it again"
            )
    (one, names), (other, names_before) = _scores([run, before], measure, system)
    if of_judge := judge_figure(measure):
        models, earlier = (
            {one.model for one in each.judgements.by_name().get(of_judge[0], {}).values()}
            for each in (run, before)
        )
        if models != earlier:
            raise InputError(
                f"another model judged the baseline ({listed(sorted(earlier))} and not "
                f"{listed(sorted(models))}), so the two cannot be compared; judge it again"
            )
    of = mean_difference(one, other)
    is_met, reason = no_lower(of, margin)
    of_measure = measure_named(measure, run.labels)
    note = ""
    if run.document.parts == before.document.parts:
        note = "; both runs hold the same scores"
    if names != names_before:
        new, gone = (listed(sorted(each)) for each in (names - names_before, names_before - names))
        note += f"; other systems wrote the reviews (new: {new or 'none'}; gone: {gone or 'none'})"
    elif len(names) > 1:
        note += f"; of {len(names)} systems together, see --system"
    if now.get("version") != then.get("version"):
        note += "; other versions of crscore scored them"
    if words := unchecked(run.reviews(), measure):
        note += f"; {words}"
    if not is_met and of_measure.is_score:
        note += "; that says nothing about whether the reviews are right"
    return Check(
        f"{of_measure.title} no lower than the baseline's"
        + ("" if margin is None else f" by {margin:g} or more"),
        is_met,
        f"{reason}: {difference_words(of, of_measure)}{note}",
        {
            "measure": measure,
            "mean": of.one,
            "baseline": of.other,
            "difference": of.estimate.value,
            "ci": of.estimate.ends,
            "p": of.p,
            "changes": of.changes,
            "same_changes": of.is_paired,
            "margin": margin,
        },
        is_told=of.p is not None,
    )


def _is_of(systems: NDArray[np.str_], system: str | None) -> NDArray[np.bool_]:
    is_of: NDArray[np.bool_] = systems != GROUND_TRUTH if system is None else systems == system
    return is_of


def _scores(
    runs: list[FinishedRun], measure: str, system: str | None
) -> list[tuple[ScoresByChange, set[str]]]:
    """Return the values and systems of each run; equal diffs have the same number in all."""
    if (of_judge := judge_figure(measure)) and of_judge[1] == "wrong":
        raise InputError(f"more of {measure} is worse; gate on {of_judge[0]}_right")
    chosen = []
    for run in runs:
        measured = run.measured(measure)
        reviews = measured.reviews
        wanted = _is_of(reviews.system, system) & ~np.isnan(measured.values)
        is_silent = measured.measure.is_score and bool(reviews.is_empty[wanted].all())
        if is_silent or not wanted.any():
            of = "" if system is None else f" by {system!r}"
            there = "" if system in {None, *reviews.systems} else listed(reviews.systems)
            raise InputError(
                f"no review{of} in {str(run.folder.path)!r} has a value of {measure}"
                + (f"; its systems are: {there}" if there else "")
            )
        chosen.append((measured, wanted))
    systems = ({*measured.reviews.system[wanted].tolist()} for measured, wanted in chosen)
    return list(zip(scores_by_change(chosen), systems, strict=True))
