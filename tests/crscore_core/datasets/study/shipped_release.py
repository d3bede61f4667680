"""The shipped part of the human study in the layout of the released one.

Whoever counts filled in the cells of a change, and the other annotator nothing.
"""

import io
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from crscore_core.corpus.model import DIMENSIONS, Ratings
from crscore_core.datasets.study.corpus import GPT_4O_FILE
from crscore_core.datasets.study.location import (
    DOUBLE_RATED_ROWS,
    GPT_4O_CLAIMS,
    PHASE_1,
    PHASE_2,
    RATINGS,
    Annotator,
    double_rating_files,
)
from crscore_core.datasets.study.model import CodedClaim, StudyChange
from crscore_core.datasets.study.shipped import SHIPPED, shipped_study
from crscore_core.datasets.study.write import study_archive
from tests.crscore_core.datasets.study.small_release import Release


def write_shipped_release(folder: Path) -> Path:
    """Write every table, the answers of GPT-4o and the licence, but no context file."""
    study, release = shipped_study(), Release({}, {}, {})
    indices = [change.index for change in study.changes]
    for number, file in enumerate(double_rating_files().values()):
        pairs = [(one.change, one.ratings[number]) for one in study.double_ratings]
        release.headers[file] = ["index", "diff", "system", *RATINGS]
        release.files[file] = [
            {"index": "", "diff": "", **dict.fromkeys(RATINGS, ""), **row, "system": "knn_pred"}
            for row in _double_rows(pairs)
        ]
    release.write(folder)
    of_annotators: dict[str, list[StudyChange]] = {annotator: [] for annotator in Annotator}
    for at, change in enumerate(study.changes):
        is_after = [at >= indices.index(one.switch[change.language]) for one in (PHASE_1, PHASE_2)]
        for annotator, of_annotator in of_annotators.items():
            counts = [after == (annotator == Annotator.ATHARVA) for after in is_after]
            of_annotator.append(_seen(change, is_coder=counts[0], is_rater=counts[1]))
    with zipfile.ZipFile(io.BytesIO(study_archive(of_annotators))) as archive:
        archive.extractall(folder)
    answers = folder / GPT_4O_CLAIMS
    answers.parent.mkdir(parents=True)
    shutil.copy(SHIPPED / GPT_4O_FILE, answers)
    shutil.copy(SHIPPED / "LICENSE", folder)
    return folder


def _seen(change: StudyChange, *, is_coder: bool, is_rater: bool) -> StudyChange:
    """A change with the material that both annotators saw, and the entries of who counts."""
    if not is_coder:
        coded = tuple(CodedClaim(claim.text, None) for claim in change.coded_claims)
        change = replace(change, coded_claims=coded, added_claims=("",) * len(change.added_claims))
    if not is_rater:
        reviews = tuple(replace(one, rating=None, addressed=()) for one in change.reviews)
        change = replace(change, reviews=reviews)
    return change


def _double_rows(pairs: Sequence[tuple[int, Ratings]]) -> Iterator[dict[str, str]]:
    """Rows before those that count, then a rated one for each pair of change and rating."""
    yield {"index": "0"}
    yield from ({} for _ in range(1, DOUBLE_RATED_ROWS.start))
    last = -1
    for change, rating in pairs:
        start = {"index": str(change + 1)} if change > last else {}
        last = change
        values = (f"{getattr(rating, name):g}" for name in DIMENSIONS)
        yield {**start, **dict(zip(RATINGS, values, strict=True))}
