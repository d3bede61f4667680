"""Small data sets in the layouts of the published ones."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

PATCH = "@@ -1 +1 @@\n-retries = 3\n+retries = {}\n"

COMMENTS = (
    ("Why does `retries` grow to 4?", ".cs", "1", "1", "1"),
    ("lol", "py", "0", "0", "0"),
    ("`retries` should be a setting, as 6 is much for slow servers.", "go", "1", "1", "1"),
    ("nit", "go", "1", "0", "1"),
)

GRADED = (
    (7, "Use a constant here", "void f() {}", ("Use a constant here", 5), ("why?", 1),
     ("make it a constant", 4), ("null", 1)),
    (9, "Is `count` ever null?", "int count;", ("done", 1), ("can count be null", 4),
     ("spelling", 1), ("check `count`", 3)),
)  # fmt: skip


def write_clearcrc(folder: Path, comments: Sequence[Sequence[str]] = COMMENTS) -> Path:
    """Write a folder with comments on patches; the last two are on one patch."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "crc_labelled_data.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["patch", "msg", "lang", "relevance", "informativeness", "expression"])
        for number, (msg, *rest) in enumerate(comments):
            writer.writerow([PATCH.format(min(number, len(comments) - 2) + 4), msg, *rest])
    return folder


GradedRow = tuple[int, str, str, *tuple[tuple[str, int], ...]]
"""Name, reference, code, and a review with its grade for each system."""


def write_graded(folder: Path, rows: Sequence[GradedRow] = GRADED, *, grade: object = 5) -> Path:
    """Write a folder with graded reviews; `grade` is the first of them."""
    from openpyxl import Workbook

    folder.mkdir(parents=True, exist_ok=True)
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    systems = ("Tufano's", "commentFinder", "Auger", "LLaMA-Reviewer")
    sheet.append(
        ["ID", "groundTruth", "relatedCode"]
        + [cell for name in systems for cell in (name, "Grade")]
    )
    for number, (name, reference, code, *reviews) in enumerate(rows):
        cells: list[object] = [cell for review in reviews for cell in review]
        if number == 0:
            cells[1] = grade
        sheet.append([name, reference, code, *cells])
    book.save(folder / "dataset.xlsx")
    return folder


def write_own(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    """Write reviews of changes as JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
