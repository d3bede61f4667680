"""What sets failures of the metric apart, in sentences."""

from collections.abc import Iterator

from crscore_core.statistics import Estimate
from crscore_core.validity.failure_traits import FailureStudy, ReviewTraits

__all__ = ["FEW", "failures_in_words"]

FEW = 10
"""With fewer cases a mean says little."""

_TRAITS = {
    "pseudo_references": "are compared with {word} pseudo-references ({numbers})",
    "words": "have {word} words ({numbers})",
    "sentences": "have {word} sentences ({numbers})",
}


def failures_in_words(found: FailureStudy) -> tuple[str, ...]:
    """A sentence for each trait in which failures differ from the rest, and on correlations.

    They differ where their intervals do not overlap, which asks for more than a test of the
    difference would.
    """
    return (
        *_about("Underestimated", found.underestimated, found.rest),
        *_about("Overestimated", found.overestimated, found.rest),
        *_correlations(found),
    )


def _about(name: str, traits: ReviewTraits, rest: ReviewTraits) -> Iterator[str]:
    if not traits.cases:
        yield f"No review is {name.lower()} under this rule."
        return
    differing = [
        *(
            form.format(word=word, numbers=f"{_number(own)}; the rest: {_number(usual)}")
            for trait, form in _TRAITS.items()
            for own, usual in [(getattr(traits, trait), getattr(rest, trait))]
            if (word := _apart(own, usual, "fewer", "more"))
        ),
        *(
            f"quote code {word} ({_percent(traits.inline_code)}; the rest: "
            f"{_percent(rest.inline_code)})"
            for word in [_apart(traits.inline_code, rest.inline_code, "less often", "more often")]
            if word
        ),
    ]
    reviews = "review" if traits.cases == 1 else "reviews"
    if differing:
        yield f"{name} {reviews} {_listed(differing)}."
    else:
        yield (
            f"In nothing that is looked at do {name.lower()} {reviews} clearly differ from the "
            "rest: the intervals overlap."
        )
    if traits.cases < FEW:
        yield f"There {'is' if traits.cases == 1 else 'are'} only {traits.cases} {name.lower()}."


def _correlations(found: FailureStudy) -> Iterator[str]:
    without = found.without.spearman if found.without else None
    if without and without.value is not None:
        yield (
            f"Without these cases Spearman's rho of score and ratings is {_number(without, 3)} "
            f"over {found.without.n if found.without else 0:,} reviews."
        )
    within = found.within.spearman if found.within else None
    if within and within.value is not None:
        yield (
            f"Among them alone it is {_number(within, 3)}, which says no more than how they were "
            "chosen: low scores rated well and high scores rated badly."
        )


def _apart(one: Estimate, other: Estimate, less: str, more: str) -> str:
    """Which of the words is true, none where intervals overlap or one is not known."""
    if one.interval is None or other.interval is None:
        return ""
    if one.interval.high < other.interval.low:
        return less
    return more if one.interval.low > other.interval.high else ""


def _number(estimate: Estimate, digits: int = 1) -> str:
    if estimate.interval is None:
        return f"{estimate.value:.{digits}f}"
    return (
        f"{estimate.value:.{digits}f}, {estimate.interval.level:.0%} interval "
        f"{estimate.interval.low:.{digits}f} to {estimate.interval.high:.{digits}f}"
    )


def _percent(estimate: Estimate) -> str:
    if estimate.interval is None:
        return f"{estimate.value:.0%}"
    return (
        f"{estimate.value:.0%}, {estimate.interval.level:.0%} interval "
        f"{estimate.interval.low:.0%} to {estimate.interval.high:.0%}"
    )


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
