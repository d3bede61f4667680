"""Studies in the layout of the released one: a tiny one, to be damaged, and the shipped part.

The tiny one has the same number of changes in each language, in this order: one before the switch
of annotators, the change (of JavaScript: the changes) at which it happens, more after it. Each
change has 10 rows: the first three hold claims of the first phase, the first two references of the
second, and all of them a review. Whoever counts filled in the cells, and the other one nothing.
"""

import csv
import io
import shutil
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from crscore_core.corpus.model import DIMENSIONS, Ratings
from crscore_core.datasets.study.corpus import GPT_4O_FILE
from crscore_core.datasets.study.location import (
    CONTEXT_FOLDER,
    DOUBLE_RATED_ROWS,
    GPT_4O_CLAIMS,
    PHASE_1,
    PHASE_2,
    RATINGS,
    Annotator,
    double_rating_files,
)
from crscore_core.datasets.study.model import (
    STUDY_LANGUAGES,
    SYSTEMS,
    ClaimCode,
    CodedClaim,
    StudyChange,
    StudyReference,
    StudyReview,
)
from crscore_core.datasets.study.shipped import SHIPPED, shipped_study
from crscore_core.datasets.study.write import study_archive
from crscore_core.scoring.references import ReferenceKind
from crscore_core.text import text_of_cell

Rows = list[dict[str, str]]

CODE = "Correctness"
UNRATED = dict.fromkeys(RATINGS, "")
"""The cells of a review that nobody rated."""

_RATINGS = [(1, 1, 1), (5, 3, 4), (4, 2, 3), *[(2, 1, 1)] * 6, (5, 2, 3)]
_ADDRESSED: list[tuple[int, ...]] = [(), (1, 2), (1,), *[()] * 6, (2,)]
"""What people say of the reviews of the ten systems, in the order of `SYSTEMS`."""


@dataclass
class Release:
    """The rows of each file, by its path; `headers` by path too. Change them, then `write`."""

    headers: dict[str, list[str]]
    files: dict[str, Rows]
    context: dict[str, str]

    def row(self, file: str, number: int) -> dict[str, str]:
        """A row by its number as errors give it: the header is row 1."""
        return self.files[file][number - 2]

    def set(self, files: tuple[str, ...], number: int, **cells: str) -> None:
        """Write cells of a row in several files, such as those of both people."""
        for file in files:
            self.row(file, number).update(cells)

    def write(self, folder: Path) -> Path:
        """Write the files under an empty or missing folder, and return the folder."""
        shutil.rmtree(folder, ignore_errors=True)
        for file, rows in self.files.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("w", encoding="utf-8", newline="") as stream:
                writer = csv.writer(stream, lineterminator="\n")
                writer.writerow(self.headers[file])
                writer.writerows([row[name] for name in self.headers[file]] for row in rows)
        for name, text in self.context.items():
            path = folder / CONTEXT_FOLDER / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return folder


def phase1(language: str) -> tuple[str, ...]:
    """Files of the first phase: Marcus's, Atharva's."""
    return tuple(PHASE_1.files(language).values())


def phase2(language: str) -> tuple[str, ...]:
    """Files of the second phase: Marcus's, Atharva's."""
    return tuple(PHASE_2.files(language).values())


def small_release(changes: int = 4) -> Release:
    """A valid release with so many changes of each language, and 11 doubly rated reviews."""
    study = []
    for number, language in enumerate(STUDY_LANGUAGES, start=1):
        switches = dict.fromkeys([PHASE_1.switch[language], PHASE_2.switch[language]])
        more = (f"{number}0{place}" for place in range(1, changes))
        indices = [f"{number}00", *switches, *more][:changes]
        study += [_small_change(language, index) for index in indices]
    # Rows 790 to 819 are rated, the last nine by Atharva alone: rows 800 to 810 count.
    double: list[Rows] = []
    for end in (811, 820):
        rows = [{"index": str(row // 10) if row % 10 == 0 else ""} for row in range(910)]
        for row in rows[790:end]:
            row.update(_cells(Ratings(3, 2, 2)))
        double.append(rows)
    release = _release_of(study, double)
    for change in study:
        for side in ("old", "new"):
            name = f"test{change.index}_{side}.{change.language}"
            release.context[name] = f"{side} {change.index}\n"
            for rows in release.files.values():
                for row in rows:
                    if row["index"] == change.index and f"{side}_file" in row:
                        row[f"{side}_file"] = name
    return release


def _small_change(language: str, index: str) -> StudyChange:
    codes = (ClaimCode.CORRECT, ClaimCode.INCOMPLETE, None)
    kinds = (ReferenceKind.CLAIM, ReferenceKind.SMELL)
    judged = zip(SYSTEMS, _RATINGS, _ADDRESSED, strict=True)
    return StudyChange(
        index,
        language,
        f"@@ -1 +1 @@\n-old {index}\n+\tnew, {index}",
        tuple(CodedClaim(f"Claim {at} of {index}.", code) for at, code in enumerate(codes, 1)),
        (f"Added to {index}.",),
        tuple(
            StudyReference(f"Reference {at} of {index}.", kind, is_necessary=at == 1)
            for at, kind in enumerate(kinds, 1)
        ),
        tuple(
            StudyReview(
                system,
                f"Review {at} of {index},\nin two lines." if at > 1 else "",
                Ratings(*rating),
                addressed,
            )
            for at, (system, rating, addressed) in enumerate(judged, 1)
        ),
        None,
        None,
    )  # fmt: skip


def write_shipped_release(folder: Path) -> Path:
    """Write every table, the answers of GPT-4o and the licence, but no context file."""
    study, last = shipped_study(), -1
    double: list[Rows] = [
        [{"index": "0" if row == 0 else ""} for row in range(DOUBLE_RATED_ROWS.start)] for _ in "ab"
    ]
    for one in study.double_ratings:
        index, last = str(one.change + 1) if one.change > last else "", one.change
        for rows, rating in zip(double, one.ratings, strict=True):
            rows.append({"index": index, **_cells(rating)})
    _release_of(study.changes, double).write(folder)
    answers = folder / GPT_4O_CLAIMS
    answers.parent.mkdir(parents=True)
    shutil.copy(SHIPPED / GPT_4O_FILE, answers)
    shutil.copy(SHIPPED / "LICENSE", folder)
    return folder


def _release_of(changes: Sequence[StudyChange], double: Iterable[Rows]) -> Release:
    """The tables of both annotators: whoever counts filled in the cells, the other nothing."""
    release = Release({}, {}, {})
    of_annotators: dict[str, list[StudyChange]] = {annotator: [] for annotator in Annotator}
    is_after: dict[tuple[str, int], bool] = {}
    for change in changes:
        for number, phase in enumerate((PHASE_1, PHASE_2)):
            is_after.setdefault((change.language, number), False)
            if change.index == phase.switch[change.language]:
                is_after[change.language, number] = True
        for annotator, of_annotator in of_annotators.items():
            coder, rater = (
                is_after[change.language, number] == (annotator == Annotator.ATHARVA)
                for number in (0, 1)
            )
            of_annotator.append(_seen(change, is_coder=coder, is_rater=rater))
    with zipfile.ZipFile(io.BytesIO(study_archive(of_annotators))) as archive:
        for file in archive.namelist():
            table = csv.DictReader(io.StringIO(archive.read(file).decode(), newline=""))
            release.headers[file] = [*(table.fieldnames or ())]
            release.files[file] = [
                {name: text_of_cell(cell) for name, cell in row.items()} for row in table
            ]
    for file, rows in zip(double_rating_files().values(), double, strict=True):
        release.headers[file] = ["index", "system", *RATINGS]
        release.files[file] = [{**UNRATED, "system": "knn_pred", **row} for row in rows]
    return release


def _seen(change: StudyChange, *, is_coder: bool, is_rater: bool) -> StudyChange:
    """A change with the material that both annotators saw, and the entries of who counts."""
    if not is_coder:
        coded = tuple(CodedClaim(claim.text, None) for claim in change.coded_claims)
        change = replace(change, coded_claims=coded, added_claims=("",) * len(change.added_claims))
    if not is_rater:
        reviews = tuple(replace(one, rating=None, addressed=()) for one in change.reviews)
        change = replace(change, reviews=reviews)
    return change


def _cells(rating: Ratings) -> dict[str, str]:
    values = (f"{getattr(rating, name):g}" for name in DIMENSIONS)
    return dict(zip(RATINGS, values, strict=True))
