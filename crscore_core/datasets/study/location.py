"""Files of the study as the authors released them, their columns, and who counts in each."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from platformdirs import user_data_path

from crscore_core.errors import InputError

INDEX, SYSTEM = "index", "system"
"""Columns that the files of both annotators must agree on, so that their rows stand side by side.

An index that is not empty starts a change.
"""

MATERIAL = ("diff", "claim", "old_file", "new_file")
"""Columns with the material that both annotators saw, in either phase."""

CODE, ADDED = "Correctness", "additional claims"
"""Columns of the first phase that annotators fill in."""

RATINGS = ("Con (P)", "Comp (R)", "Rel (F)")
"""Columns of ratings, in the order of `Ratings`."""

NECESSARY, ADDRESSED = "necessary?", "claims addressed"
"""Columns of the second phase that annotators fill in beside the ratings."""


class Annotator(StrEnum):
    """The two annotators, as the names of their files call them."""

    MARCUS = "marcus"
    ATHARVA = "atharva"


@dataclass(frozen=True, slots=True)
class Phase:
    """Files of one phase of the study.

    `file_name` has places for a language and an annotator. Both annotators' files have the same
    rows. `switch` is, by language, the index of the first change for which Atharva's entries
    count; Marcus's entries count for the changes before it. The columns `filled` tell who worked on
    a change.
    """

    file_name: str
    switch: Mapping[str, str]
    columns: tuple[str, ...]
    filled: tuple[str, ...]

    def files(self, language: str) -> dict[Annotator, str]:
        """Paths of both annotators' files, relative to the release."""
        return {
            annotator: self.file_name.format(language=language, annotator=annotator)
            for annotator in Annotator
        }


PHASE_1 = Phase(
    "human_study/phase1/{language}_claim_acc_annot_{annotator}.csv",
    {"py": "125", "java": "3740", "js": "1668"},
    (INDEX, *MATERIAL, ADDED, CODE),
    (CODE, ADDED),
)
"""Generated claims, with the annotators' codes (paper, section 4.1)."""

PHASE_2 = Phase(
    "human_study/phase2/{language}_{annotator}_review_qual_final.csv",
    {"py": "125", "java": "3740", "js": "6873"},
    (INDEX, SYSTEM, *MATERIAL, "review", "type", NECESSARY, ADDRESSED, *RATINGS),
    RATINGS,
)
"""Pseudo-references as the annotators edited them, and rated reviews (paper, section 4.2)."""

CONTEXT_FOLDER = "human_study/phase1/context_files"
"""Folder of the whole files before and after the changes."""

DOUBLE_RATED_ROWS = slice(800, 900)
"""Rows that both annotators rated on their own, counted from 0 below the header."""

GPT_4O_CLAIMS = "experiments/code_change_summ_finetune_impl/gpt-4o.jsonl"
"""Answers of GPT-4o with claims about the changes."""


def double_rating_files() -> dict[Annotator, str]:
    """Paths of both annotators' files of doubly rated reviews, relative to the release."""
    return {
        annotator: f"human_study/phase2/phase2_agreement_annot_last100_{annotator.capitalize()}.csv"
        for annotator in Annotator
    }


def default_study_folder() -> Path:
    """Return the folder that `CRSCORE_STUDY` names, or a folder among this user's data."""
    named = os.environ.get("CRSCORE_STUDY")
    return Path(named) if named else user_data_path("crscore") / "study"


def check_folder(folder: Path) -> Path:
    """Return `folder` with `~` expanded; the folder need not exist.

    Raises:
        InputError: no folder can have this name, or this user cannot reach it.
    """
    try:
        expanded = folder.expanduser()
        expanded.stat()
    except (FileNotFoundError, NotADirectoryError):
        return expanded
    except OSError as error:
        raise InputError(f"folder {str(folder)[:80]!r}: {error.strerror}") from error
    except (RuntimeError, ValueError) as error:  # no such user, or no name of any file system
        raise InputError(f"no folder can be called {str(folder)[:80]!r}") from error
    return expanded


def find_release(folder: Path) -> Path:
    """Find the folder that holds `human_study`; `folder` may also be `human_study` itself.

    Raises:
        InputError: there is no study here.
    """
    # os.path.isdir is False for impossible names; Path.is_dir raises.
    if os.path.isdir(folder / "human_study"):
        return folder
    if folder.absolute().name == "human_study" and os.path.isdir(folder):
        return folder.absolute().parent
    raise InputError(
        f"{folder}: there is no folder human_study here; download the study with "
        "'crscore study fetch', or name the folder that holds it"
    )


def release_state(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Name, size and modification time of every table; they change when the study does.

    Raises:
        InputError: there is no study here.
    """
    tables = sorted(find_release(folder).glob("human_study/phase*/*.csv"))
    stats = [(path, path.stat()) for path in tables]
    return tuple((str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats)
