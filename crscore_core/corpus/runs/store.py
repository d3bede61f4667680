"""Saved runs in a folder: listed, saved, loaded and deleted."""

import hashlib
import re
import secrets
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.runs.info import LONGEST_NAME, RunInfo, info_of_json, json_of_info
from crscore_core.corpus.runs.location import runs_folder
from crscore_core.corpus.runs.tables import FILES, comparison_of_files, files_of_comparison
from crscore_core.errors import CorpusError
from crscore_core.scoring.signature import package_version
from crscore_core.text import whole_text

__all__ = ["RunStore"]

_DESCRIPTION = "run.json"
_LARGEST_DESCRIPTION = 100_000
_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)


class RunStore:
    """Saved runs, a folder each, in one that several processes may share.

    A run is there as a whole or not at all, and never changes. A folder that the store makes is
    this user's alone.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Use `folder`, made when it is needed, else that of `runs_folder`."""
        self.folder = folder or runs_folder()

    def list(self) -> tuple[RunInfo, ...]:
        """Every run, the newest first, those that are damaged included.

        Raises:
            CorpusError: the folder cannot be read.
        """
        try:
            names = [
                entry.name
                for entry in self.folder.iterdir()
                if _ID.fullmatch(entry.name) and entry.is_dir() and not entry.is_symlink()
            ]
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise self._failure("saved runs cannot be read in", error) from error
        runs = (self._info(name) for name in names)
        there = [run for run in runs if run is not None]
        return tuple(sorted(there, key=lambda run: (run.created, run.id), reverse=True))

    def find(self, run_id: str) -> RunInfo:
        """The run with this id.

        Raises:
            CorpusError: there is none.
        """
        is_id = _ID.fullmatch(run_id) and not (self.folder / run_id).is_symlink()
        found = self._info(run_id) if is_id else None
        if found is None:
            raise CorpusError("there is no such saved run; it was deleted, or saved elsewhere")
        return found

    def save(
        self,
        name: str,
        comparison: CorpusComparison,
        corpus: str = "",
        *,
        is_illustrative: bool = False,
    ) -> RunInfo:
        """Keep a comparison under a name, which need not be unlike others.

        `corpus` names what its reviews came from.

        Raises:
            CorpusError: the name is blank or too long, or the run cannot be written.
        """
        files = files_of_comparison(comparison)
        info = RunInfo(
            secrets.token_hex(8),
            _checked_name(name),
            datetime.now(UTC),
            whole_text(corpus),
            comparison.encoder,
            comparison.claims,
            package_version(),
            len(comparison.changes),
            len(comparison.reviews),
            len(comparison.left_out),
            is_illustrative,
            checksums={name: _checksum(content) for name, content in files.items()},
        )
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".saving-", dir=self.folder) as around:
                run = Path(around) / info.id
                run.mkdir(mode=0o700)
                for file, content in files.items():
                    (run / file).write_bytes(content)
                (run / _DESCRIPTION).write_text(json_of_info(info), encoding="utf-8")
                run.rename(self.folder / info.id)
        except OSError as error:
            raise self._failure("the run cannot be saved in", error) from error
        return info

    def load(self, run_id: str) -> CorpusComparison:
        """The comparison of a run, as it was saved.

        Raises:
            CorpusError: there is no such run, or it is damaged.
        """
        info = self.find(run_id)
        if info.damage is not None:
            raise _damaged(info, info.damage)
        try:
            files = {name: (self.folder / info.id / name).read_bytes() for name in FILES}
        except OSError as error:
            raise _damaged(info, _reason(error)) from error
        # Nothing but what was written is read: a damaged file may abort the program that does.
        for name, content in files.items():
            if _checksum(content) != info.checksums.get(name):
                raise _damaged(info, f"{name} is not what was saved")
        try:
            return comparison_of_files(info.encoder, info.claims, files)
        except CorpusError as error:
            raise _damaged(info, str(error)) from error

    def delete(self, run_id: str) -> None:
        """Delete a run, damaged or not.

        Raises:
            CorpusError: there is no such run, or it cannot be deleted.
        """
        info = self.find(run_id)
        try:
            with tempfile.TemporaryDirectory(prefix=".deleting-", dir=self.folder) as around:
                # First it is gone for everybody, then its files go one by one.
                moved = (self.folder / info.id).rename(Path(around) / info.id)
                shutil.rmtree(moved)
        except OSError as error:
            raise self._failure("the run cannot be deleted in", error) from error

    def _info(self, run_id: str) -> RunInfo | None:
        """What a run says of itself; None where it is not there (any more)."""
        run = self.folder / run_id
        try:
            made = datetime.fromtimestamp(run.stat().st_mtime, UTC)
        except OSError:
            return None
        try:
            info = info_of_json(run_id, _description(run))
            _check_files(run)
        except OSError as error:
            if not run.is_dir():
                return None
            return RunInfo(run_id, "", made, damage=_reason(error))
        except CorpusError as error:
            return RunInfo(run_id, "", made, damage=str(error))
        return info

    def _failure(self, what: str, error: OSError) -> CorpusError:
        return CorpusError(
            f"{what} {self.folder}: {_reason(error)}; another folder can be named in CRSCORE_RUNS"
        )


def _description(run: Path) -> str:
    with (run / _DESCRIPTION).open("rb") as file:
        content = file.read(_LARGEST_DESCRIPTION)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError("its description is not UTF-8") from error


def _check_files(run: Path) -> None:
    missing = [name for name in FILES if not (run / name).is_file()]
    if missing:
        raise CorpusError(f"{missing[0]} is missing")


def _checked_name(name: str) -> str:
    whole = " ".join(whole_text(name).replace("\0", "").split())
    if not whole:
        raise CorpusError("a run needs a name")
    if len(whole) > LONGEST_NAME:
        raise CorpusError(f"the name of a run has at most {LONGEST_NAME} characters")
    return whole


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _damaged(info: RunInfo, reason: str) -> CorpusError:
    name = f"the saved run {info.name!r}" if info.name else f"the saved run of {info.created:%c}"
    return CorpusError(f"{name} is damaged: {reason}; delete it and score again")


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
