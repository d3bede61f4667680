"""The files of the study as its authors released them, and which annotator counts where."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from crscore_core.errors import StudyError

__all__ = [
    "CONTEXT_FOLDER",
    "DOUBLE_RATED_ROWS",
    "GPT_4O_CLAIMS",
    "PHASE_1",
    "PHASE_2",
    "Annotator",
    "Phase",
    "double_rating_file",
    "find_release",
    "release_state",
]


class Annotator(StrEnum):
    """The two people who annotated, as the names of their files call them."""

    MARCUS = "marcus"
    ATHARVA = "atharva"


@dataclass(frozen=True, slots=True)
class Phase:
    """Where a phase of the study lies.

    `file_name` has places for a language and an annotator. Both people's files have the same
    rows. `switch` is, by language, the index of the change from which on Atharva's entries
    count; before it Marcus's do.
    """

    file_name: str
    switch: Mapping[str, str]

    def file(self, language: str, annotator: Annotator) -> str:
        """The path of one person's file, relative to the release."""
        return self.file_name.format(language=language, annotator=annotator)


PHASE_1 = Phase(
    "human_study/phase1/{language}_claim_acc_annot_{annotator}.csv",
    {"py": "125", "java": "3740", "js": "1668"},
)
"""Claims as they were generated, coded (paper, section 4.1)."""

PHASE_2 = Phase(
    "human_study/phase2/{language}_{annotator}_review_qual_final.csv",
    {"py": "125", "java": "3740", "js": "6873"},
)
"""Pseudo-references as people edited them, and rated reviews (paper, section 4.2)."""

CONTEXT_FOLDER = "human_study/phase1/context_files"
"""Whole files before and after the changes."""

DOUBLE_RATED_ROWS = slice(800, 900)
"""The rows, counted from 0 below the header, that both people rated on their own."""


def double_rating_file(annotator: Annotator) -> str:
    """The path of one person's file of doubly rated reviews, relative to the release."""
    return f"human_study/phase2/phase2_agreement_annot_last100_{annotator.capitalize()}.csv"


GPT_4O_CLAIMS = "experiments/code_change_summ_finetune_impl/gpt-4o.jsonl"
"""Claims that GPT-4o made about the changes, as it answered."""


def find_release(folder: Path) -> Path:
    """The folder that holds `human_study`: this one, or the one above `human_study` itself.

    Raises:
        StudyError: there is no study here.
    """
    # os.path.isdir is False for what can be no name; Path.is_dir raises.
    if os.path.isdir(folder / "human_study"):
        return folder
    if folder.absolute().name == "human_study" and os.path.isdir(folder):
        return folder.absolute().parent
    raise StudyError(
        f"{folder}: there is no folder human_study here; download the study with "
        "'crscore study fetch', or name the folder that holds it"
    )


def release_state(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Name, size and time of every table of a release: other ones, another study.

    Raises:
        StudyError: there is no study here.
    """
    release = find_release(folder)
    tables = sorted(release.glob("human_study/phase*/*.csv"))
    stats = [(path, path.stat()) for path in tables]
    return tuple((str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats)
