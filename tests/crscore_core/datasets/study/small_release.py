"""A tiny study in the layout of the released one, invented for tests: build it, damage it, load it.

Each language has the same number of changes, in this order: one before the switch of annotators,
the change (of JavaScript: the changes) at which it happens, more after it. Each change has 10 rows:
the first three hold claims of the first phase, the first two references of the second, and all
of them a review. Whoever counts filled in the cells, and the other one nothing.
"""

import csv
import shutil
from dataclasses import dataclass
from pathlib import Path

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.datasets.study.location import (
    CONTEXT_FOLDER,
    PHASE_1,
    PHASE_2,
    Annotator,
    double_rating_files,
)
from crscore_core.datasets.study.model import STUDY_LANGUAGES, SYSTEMS

Rows = list[dict[str, str]]

CODE = "Correctness\n0 - incorrect\n1 - correct\n-1 - unverifiable\n-2 - incomplete"
PHASE_1_HEADER = ["id", "index", "diff", "claim", CODE, "additional claims", "old_file", "new_file"]
PHASE_2_HEADER = [
    "id", "index", "diff", "claim_no", "claim", "necessary?", "type", "review", "system",
    "claims addressed", "Con (P)", "Comp (R)", "Rel (F)", "old_file", "new_file",
]  # fmt: skip

CODES = ("1", "-2", "")
"""Codes of the three claims of each change by the annotator who counts."""

RATINGS = [
    ("1", "1", "1"),
    ("5", "3", "4"),
    ("4", "2", "3"),
    *[("2", "1", "1")] * 6,
    ("5", "2", "3"),
]
"""The ratings of the ten systems, in the order of `SYSTEMS`."""

UNRATED = {"Con (P)": "", "Comp (R)": "", "Rel (F)": ""}
"""The cells of a review that nobody rated."""

ADDRESSED = ["-", "1,2", "1", *["-"] * 6, "2"]
"""Claims that the ten reviews address, in the same order."""


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
    release = Release({}, {}, {})
    for number, language in enumerate(STUDY_LANGUAGES, start=1):
        indices = _indices(language, number, changes)
        for index in indices:
            for side in ("old", "new"):
                release.context[f"test{index}_{side}.{language}"] = f"{side} {index}\n"
        for phase, header in ((PHASE_1, PHASE_1_HEADER), (PHASE_2, PHASE_2_HEADER)):
            rows_of = _phase1_rows if phase is PHASE_1 else _phase2_rows
            switch = phase.switch[language]
            at = indices.index(switch) if switch in indices else len(indices)
            for annotator, file in phase.files(language).items():
                release.headers[file] = [*header]
                release.files[file] = [
                    row
                    for position, index in enumerate(indices)
                    for row in rows_of(
                        language, index, counts=(position < at) == (annotator is Annotator.MARCUS)
                    )
                ]
    for annotator, file in double_rating_files().items():
        release.headers[file] = [*PHASE_2_HEADER]
        # Rows 790 to 819 are rated, 0 to 9 of them too early to count, the last ten of Atharva's
        # not rated by Marcus: rows 800 to 810 count.
        first, last = (790, 811) if annotator is Annotator.MARCUS else (790, 820)
        release.files[file] = [
            row
            for change in range(91)
            for row in _phase2_rows("py", str(5000 + change), counts=False)
        ]
        for row in release.files[file][first:last]:
            row.update({"Con (P)": "3", "Comp (R)": "2", "Rel (F)": "2"})
    return release


def _indices(language: str, number: int, changes: int) -> list[str]:
    switches = dict.fromkeys([PHASE_1.switch[language], PHASE_2.switch[language]])
    return [f"{number}00", *switches, *(f"{number}0{more}" for more in range(1, changes))][:changes]


def _start(language: str, index: str, position: int) -> dict[str, str]:
    """The cells that only the first row of a change fills."""
    if position:
        return dict.fromkeys(("id", "index", "diff", "old_file", "new_file"), "")
    return {
        "id": f"9{index}",
        "index": index,
        "diff": f"@@ -1 +1 @@\n-old {index}\n+\tnew, {index}",
        "old_file": f"test{index}_old.{language}",
        "new_file": f"test{index}_new.{language}",
    }


def _phase1_rows(language: str, index: str, *, counts: bool) -> Rows:
    return [
        {
            **_start(language, index, position),
            "claim": f"Claim {position + 1} of {index}.",
            CODE: code if counts else "",
            "additional claims": f"Added to {index}." if counts and position == 0 else "",
        }
        for position, code in enumerate(CODES)
    ]


def _phase2_rows(language: str, index: str, *, counts: bool) -> Rows:
    rows = []
    for position, system in enumerate(SYSTEMS):
        rating = RATINGS[position] if counts else ("", "", "")
        rows.append(
            {
                **_start(language, index, position),
                "claim_no": str(position + 1),
                "claim": f"Reference {position + 1} of {index}." if position < 2 else "",
                "necessary?": "0" if counts and position == 1 else "",
                "type": ("claim", "issue")[position] if position < 2 else "",
                "review": f"Review {position + 1} of {index},\nin two lines." if position else "",
                "system": system if system == GROUND_TRUTH else f"{system}_pred",
                "claims addressed": ADDRESSED[position] if counts else "",
                **dict(zip(("Con (P)", "Comp (R)", "Rel (F)"), rating, strict=True)),
            }
        )
    return rows
