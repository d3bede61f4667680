"""The shipped part of the human study in the layout of the released one.

Whoever counts filled in the cells of a change, and the other annotator nothing.
"""

import itertools
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH, Ratings
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
from crscore_core.datasets.study.model import STUDY_LANGUAGES, StudyChange
from crscore_core.datasets.study.shipped import SHIPPED, shipped_study
from crscore_core.scoring.references import ReferenceKind
from tests.crscore_core.datasets.study.small_release import (
    CODE,
    PHASE_1_HEADER,
    PHASE_2_HEADER,
    Release,
    Rows,
)

_MATERIAL = {"id", "index", "diff", "claim", "review", "system", "type", "old_file", "new_file"}


def write_shipped_release(folder: Path) -> Path:
    """Write every table, the answers of GPT-4o and the licence, but no context file."""
    study, release = shipped_study(), Release({}, {}, {})
    for language in STUDY_LANGUAGES:
        changes = [change for change in study.changes if change.language == language]
        indices = [change.index for change in changes]
        for phase, header in ((PHASE_1, PHASE_1_HEADER), (PHASE_2, PHASE_2_HEADER)):
            rows_of = _coded_rows if phase is PHASE_1 else _rated_rows
            switch = indices.index(phase.switch[language])
            for annotator, file in phase.files(language).items():
                release.headers[file] = [*header]
                release.files[file] = [
                    _filled(row, header, counts=(at < switch) == (annotator is Annotator.MARCUS))
                    for at, change in enumerate(changes)
                    for row in rows_of(change)
                ]
    for number, file in enumerate(double_rating_files().values()):
        pairs = [(one.change, one.ratings[number]) for one in study.double_ratings]
        release.headers[file] = [*PHASE_2_HEADER]
        release.files[file] = [
            _filled(row, PHASE_2_HEADER, counts=True) for row in _double_rows(pairs)
        ]
    release.write(folder)
    answers = folder / GPT_4O_CLAIMS
    answers.parent.mkdir(parents=True)
    shutil.copy(SHIPPED / GPT_4O_FILE, answers)
    shutil.copy(SHIPPED / "LICENSE", folder)
    return folder


def _filled(row: dict[str, str], header: Sequence[str], *, counts: bool) -> dict[str, str]:
    """All cells of a row; without `counts` only the material that both annotators saw."""
    return {name: row.get(name, "") if counts or name in _MATERIAL else "" for name in header}


def _coded_rows(change: StudyChange) -> Rows:
    rows: Rows = [
        {
            **({"claim": claim.text} if claim else {}),
            **({CODE: str(int(claim.code))} if claim and claim.code is not None else {}),
            "additional claims": added or "",
        }
        for claim, added in itertools.zip_longest(change.coded_claims, change.added_claims)
    ] or [{}]
    rows[0] |= {"index": change.index, "diff": change.diff}
    return rows


def _rated_rows(change: StudyChange) -> Rows:
    rows: Rows = []
    for reference, review in itertools.zip_longest(change.references, change.reviews):
        row: dict[str, str] = {}
        if reference:
            kind = "issue" if reference.kind is ReferenceKind.SMELL else "claim"
            necessary = str(int(reference.is_necessary))
            row |= {"claim": reference.text, "necessary?": necessary, "type": kind}
        if review:
            name = review.system
            row |= {
                "review": review.text,
                "system": name if name == GROUND_TRUTH else f"{name}_pred",
                "claims addressed": ",".join(map(str, review.addressed)),
                **(_cells(review.rating) if review.rating else {}),
            }
        rows.append(row)
    rows[0] |= {"index": change.index, "diff": change.diff}
    return rows


def _double_rows(pairs: Sequence[tuple[int, Ratings]]) -> Iterator[dict[str, str]]:
    """Rows before those that count, then a rated one for each pair of change and rating."""
    yield {"index": "0", "diff": "@@ -1 +1 @@\n-a\n+b", "system": "knn_pred"}
    yield from ({"system": "knn_pred"} for _ in range(1, DOUBLE_RATED_ROWS.start))
    last = -1
    for change, rating in pairs:
        start = {"index": str(change + 1), "diff": "@@ -1 +1 @@\n-a\n+b"} if change > last else {}
        last = change
        yield {**start, "system": "knn_pred", **_cells(rating)}


def _cells(rating: Ratings) -> dict[str, str]:
    values = (getattr(rating, name) for name in DIMENSIONS)
    return {column: f"{value:g}" for column, value in zip(RATINGS, values, strict=True)}
