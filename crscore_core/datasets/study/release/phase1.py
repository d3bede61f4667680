"""The first phase: what people said of the claims that were generated."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from crscore_core.datasets.study.model import ClaimCode, CodedClaim
from crscore_core.datasets.study.release.annotators import (
    INDEX,
    MATERIAL,
    ChangeRows,
    Columns,
    counting,
    read_phase,
)
from crscore_core.datasets.study.release.layout import PHASE_1, Annotator
from crscore_core.datasets.study.release.tables import Row

__all__ = ["CodedChange", "read_phase1"]

_CODE = "Correctness"  # the header goes on with what the codes mean
_ADDED = "additional claims"
_COLUMNS = Columns(shared=(INDEX,), own=(*MATERIAL, _ADDED), prefixed=(_CODE,))
_CODES = {str(code.value): code for code in ClaimCode}


@dataclass(frozen=True, slots=True)
class CodedChange:
    """What the first phase says of a change.

    `start` is the row that starts it; `oddities` are as in `HumanStudy`.
    """

    start: Row
    coded_claims: tuple[CodedClaim, ...]
    added_claims: tuple[str, ...]
    oddities: tuple[str, ...]


def read_phase1(
    release: Path, language: str, known: Mapping[str, Annotator]
) -> dict[str, CodedChange]:
    """The changes of one language by index, in the order of the file.

    `known` says whose entries count where the files cannot (see `counting`).

    Raises:
        StudyError: a file is missing or damaged.
    """
    changes = read_phase(release, PHASE_1, language, _COLUMNS)
    counts = counting(changes, PHASE_1.switch[language], [_CODE, _ADDED], known)
    return {change.index: _coded_change(change, counts[change.index]) for change in changes}


def _coded_change(change: ChangeRows, counts: Annotator) -> CodedChange:
    oddities: list[str] = []
    claims = [_claim(row, oddities) for row in change.rows[counts]]
    return CodedChange(
        change.first,
        tuple(claim for claim in claims if claim),
        tuple(row[_ADDED].strip() for row in change.rows[counts] if row.has(_ADDED)),
        tuple(oddities),
    )


def _claim(row: Row, oddities: list[str]) -> CodedClaim | None:
    cell = row.whole(_CODE)
    if cell and cell not in _CODES:
        oddities.append(row.odd_cell(_CODE, f"one of {', '.join(_CODES)}"))
    elif cell and not row.has("claim"):
        oddities.append(row.says("it has a code but no claim"))
    return CodedClaim(row["claim"].strip(), _CODES.get(cell)) if row.has("claim") else None
