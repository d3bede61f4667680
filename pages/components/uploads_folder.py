"""The folder of this server's uploads, and what servers that were killed left behind."""

import fcntl
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import IO

from platformdirs import user_cache_path

from crscore_core.errors import InputError
from crscore_eval.run.folder import read_settings
from pages.components.current_run import runs_folder

_LOCK = ".lock"
"""A file that a server locks as long as it lives."""


def uploads_folder() -> Path:
    """Return the folder of this server's uploads, which nobody else can read.

    The first call removes the uploads of servers that were killed, and their unfinished runs.
    """
    base = user_cache_path("crscore") / "uploads"
    return Path(_locked_folder(base).name).parent


@cache
def _locked_folder(base: Path) -> IO[bytes]:
    """Return the open lock in a new folder for this server's uploads."""
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    for folder in base.iterdir():
        with suppress(OSError), (folder / _LOCK).open("rb") as lock_of_other:
            fcntl.flock(lock_of_other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(folder)
    lock = Path(mkdtemp(dir=base), _LOCK).open("xb")  # noqa: SIM115 - until this server ends
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def _remove(folder: Path) -> None:
    """Remove uploads, and runs of them that are not finished."""
    for upload in folder.iterdir():
        run = runs_folder() / upload.stem
        try:
            is_finished = read_settings(run)["is_finished"]
        except InputError:
            is_finished = False
        if not is_finished and upload.name != _LOCK:
            shutil.rmtree(run, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
