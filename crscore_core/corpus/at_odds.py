"""Sentences on where predicted relevance and Rel contradict each other.

Whoever decides by one of the two measures is told where the other says the opposite, and which of
them agreed better with people.
"""

import itertools
from collections.abc import Mapping, Sequence

from crscore_core.predicted.model import BesideRel
from crscore_core.predicted.model_file import MEASURES, fitted_model
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.statistics import Estimate

Gap = tuple[float | None, float | None, Estimate]
"""A figure of one, that of another, and the first less the second."""

WIDE_GAP = 0.1
"""Gap, by both measures, from which two reviews of one change are in clearly different order."""

FIRST = 5
"""Names that a sentence lists before it counts the others."""

OWN = "these"
"""Name of the reviews at hand as data that agreement with people is measured on."""

STUDY_CLAIMS = "study"
"""Name of the study's own claims as the kind that reviews were compared with."""

_DATA = {
    OWN: "the {:,} rated reviews here",
    "study": "{:,} reviews of the human study",
    "clearcrc": "{:,} comments of ClearCRC",
}
_SEEN = {
    "change": ", predicted by models that did not see their changes",
    "nothing": ", which predicted relevance was not fitted to",
}


def agreement_words(agreement: Sequence[BesideRel]) -> list[str]:
    """Say which of the two measures agreed better with people, a sentence for each data set."""
    return [
        f"{('Neither', 'Predicted relevance', 'Rel')[beside.difference.sign]} agreed "
        f"{'better' if beside.difference.sign else 'clearly better'} with people on "
        f"{_DATA[beside.measured.data].format(beside.measured.reviews)}"
        f"{_SEEN.get(beside.measured.left_out, '')}: {MEASURES[beside.measured.measure]} of "
        "predicted relevance "
        f"{_against(beside.measured.estimate.value, beside.rel.value, beside.difference)}."
        for beside in agreement
    ]


def opposite_words(one: str, other: str, predicted: Gap, rel: Gap) -> str:
    """Say that the measures contradict each other about `one` and `other`."""
    place = "above" if (predicted[2].value or 0) > 0 else "below"
    return (
        f"By predicted relevance {one} is {place} {other}{if_unclear(predicted[2])}, "
        f"{_against(*predicted)}; Rel says the opposite{if_unclear(rel[2])}, {_against(*rel)}."
    )


def if_unclear(difference: Estimate) -> str:
    """Return `, not clearly` for a difference whose interval has zero in it."""
    return ", not clearly" if difference.interval and not difference.sign else ""


def reviews_at_odds(scores: Mapping[str, ReviewScore]) -> list[str]:
    """Say which reviews of one change the measures order oppositely, by `WIDE_GAP` or more each.

    `scores` are those of the reviews by name. Then the sentences say which measure agreed better
    with people; none where the measures do not disagree.
    """
    measured = [
        (name, score.predicted_relevance, score.relevance)
        for name, score in scores.items()
        if score.predicted_relevance is not None and score.relevance is not None
    ]
    pairs = [
        (better, worse)
        for better, worse in itertools.permutations(measured, 2)
        if min(better[1] - worse[1], worse[2] - better[2]) >= WIDE_GAP
    ]
    if not pairs:
        return []
    pairs.sort(key=lambda pair: pair[1][1] - pair[0][1])
    named = [(short_name(better[0]), short_name(worse[0])) for better, worse in pairs]
    better, worse = pairs[0]
    figures = _gap(better[1], worse[1]), _gap(better[2], worse[2])
    sentences = [opposite_words(*named[0], *figures)]
    if pairs[1:]:
        sentences.append(f"So they do about {listed([' and '.join(two) for two in named[1:]])}.")
    made_by = next(iter(scores.values())).signature
    published = published_agreement(made_by.encoder, made_by.claims)
    return [*sentences, *agreement_words(published)]


def published_agreement(encoder: str, claims: str) -> tuple[BesideRel, ...]:
    """Return agreement of both measures with people on reviews that no fit saw.

    The figures are those that `crscore data fit` wrote beside the model for the encoder, on the
    human study with pseudo-references of the kind given, else with symbolic claims.
    """
    fitted = fitted_model("relevance", encoder)
    kind = STUDY_CLAIMS if claims == STUDY_CLAIMS else "symbolic"
    return tuple(
        beside
        for beside in (fitted.provenance.beside_rel if fitted else ())
        if beside.measured.claims == kind or beside.measured.data != "study"
    )


def _gap(one: float, other: float) -> Gap:
    return one, other, Estimate(one - other, None)


def _against(one: float | None, other: float | None, difference: Estimate) -> str:
    return f"{_number(one)} against {_number(other)}, difference {_signed(difference)}"


def _signed(difference: Estimate) -> str:
    if difference.value is None or difference.interval is None:
        return _number(difference.value)
    low, high = difference.interval.low, difference.interval.high
    return f"{difference.value:.3f} (95 % interval {low:.3f} to {high:.3f})"


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def short_name(name: str, most: int = 60) -> str:
    """Return a name as one line of so many characters at most."""
    line = " ".join(name.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def listed(names: Sequence[str], more: int = 0) -> str:
    """List the first names, and say how many more there are."""
    more += max(0, len(names) - FIRST)
    return f"{'; '.join(names[:FIRST])}{f'; and {more:,} more' if more else ''}"
