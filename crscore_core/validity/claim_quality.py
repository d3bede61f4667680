"""How good generated claims are, as people coded them (section 4.1, Table 1)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from crscore_core.datasets.study.model import STUDY_LANGUAGES, ClaimCode, HumanStudy, StudyChange
from crscore_core.errors import StudyError
from crscore_core.statistics import ClusterBootstrap, Estimate, clustered_ratio

__all__ = ["ClaimQuality", "claim_quality", "claim_quality_by_language"]

_COUNTED = (ClaimCode.CORRECT, ClaimCode.INCORRECT, ClaimCode.UNVERIFIABLE)


@dataclass(frozen=True, slots=True)
class ClaimQuality:
    """Rates in percent of the `claims` that count.

    Accuracy, error rate and unverifiable rate are the shares that people call correct, incorrect
    and unverifiable: they sum to 100. The missing rate is how many claims people added, for every
    100 that count; it may exceed 100. Claims that nobody coded, and those that the code book
    calls incomplete or ambiguous (Table 8), count nowhere.
    """

    claims: int
    accuracy: Estimate
    error_rate: Estimate
    unverifiable_rate: Estimate
    missing_rate: Estimate


def claim_quality(study: HumanStudy, n_resamples: int = 1000) -> ClaimQuality:
    """The quality of the claims of all languages together; intervals resample changes.

    Raises:
        StudyError: the study has no change.
    """
    return _quality(study.changes, n_resamples)


def claim_quality_by_language(
    study: HumanStudy, n_resamples: int = 1000
) -> Mapping[str, ClaimQuality]:
    """Table 1: the quality of claims by language, each key of `STUDY_LANGUAGES` with changes.

    Intervals resample the changes of one language.
    """
    found = {}
    for language in STUDY_LANGUAGES:
        changes = [change for change in study.changes if change.language == language]
        if changes:
            found[language] = _quality(changes, n_resamples)
    return found


def _quality(changes: Sequence[StudyChange], n_resamples: int) -> ClaimQuality:
    if not changes:
        raise StudyError("the study has no change whose claims people could have coded")
    bootstrap = ClusterBootstrap(len(changes), n_resamples)
    counted = [_number_of(change, *_COUNTED) for change in changes]

    def percent(number_of: Callable[[StudyChange], int]) -> Estimate:
        hundredfold = [100 * number_of(change) for change in changes]
        return clustered_ratio(hundredfold, counted, bootstrap)

    return ClaimQuality(
        sum(counted),
        percent(lambda change: _number_of(change, ClaimCode.CORRECT)),
        percent(lambda change: _number_of(change, ClaimCode.INCORRECT)),
        percent(lambda change: _number_of(change, ClaimCode.UNVERIFIABLE)),
        percent(lambda change: len(change.added_claims)),
    )


def _number_of(change: StudyChange, *codes: ClaimCode) -> int:
    return sum(claim.code in codes for claim in change.coded_claims)
