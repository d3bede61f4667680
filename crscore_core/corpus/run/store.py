"""Runs in a folder, as the app sees them: listed, saved, opened and deleted."""

import hashlib
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from platformdirs import user_data_path

from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run.answers import RunAnswers
from crscore_core.corpus.run.finished import FinishedRun, write_reviews
from crscore_core.corpus.run.folder import DOCUMENT, RunFolder
from crscore_core.errors import InputError
from crscore_core.text import whole_text

LONGEST_NAME = 100
"""Limit of a run's name, in characters."""

_RUNS, _OPENED = "CRSCORE_RUNS", "CRSCORE_RUN"
_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A run without its reviews.

    `id` names the run to the store. `name` and `corpus`, what the reviews came from, are as people
    typed them. `created` is in UTC. `changes`, `reviews`, `left_out` (changes) and `unscored`
    (reviews) are numbers, `tau` is that of the scores in its files. `damage` says why the run
    cannot be shown, None where it can; a damaged run has only id, name and time.
    """

    id: str
    name: str
    created: datetime
    corpus: str = ""
    encoder: str = ""
    claims: str = ""
    version: str = ""
    changes: int = 0
    reviews: int = 0
    left_out: int = 0
    damage: str | None = None
    tau: float | None = None
    unscored: int = 0

    @property
    def origin(self) -> str:
        """Say where the reviews are from, as far as the run knows."""
        return f"Reviews of {self.corpus}." if self.corpus else ""


def runs_folder() -> Path:
    """Return the folder that `CRSCORE_RUNS` names, or one among this user's data."""
    named = os.environ.get(_RUNS)
    return Path(named) if named else user_data_path("crscore") / "runs"


def run_info(path: Path) -> RunInfo:
    """Describe the run in a folder, which has its name.

    Raises:
        InputError: there is none.
    """
    if (info := _info(path.name, path.resolve())) is None:
        raise InputError(f"there is no run {str(path)!r}")
    return info


def open_for_app(path: Path) -> None:
    """Have the app of this process and its children show the run at `path`, wherever it lies.

    Raises:
        InputError: there is no finished run.
    """
    FinishedRun.open(path)
    os.environ[_OPENED] = str(path.resolve())


class RunStore:
    """Runs, a folder each, in one folder that several processes may share.

    What `crscore batch` wrote there is among them, and so is the run of `open_for_app`. A run that
    the store saves is there as a whole or not at all, and never changes. A folder that the store
    makes is this user's alone.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Use `folder`, made when it is needed, else that of `runs_folder`."""
        self.folder = folder or runs_folder()

    @property
    def opened(self) -> str | None:
        """The id of the run of `open_for_app`, None without one."""
        path = os.environ.get(_OPENED)
        if not path or not Path(path).exists():
            return None
        if Path(path).parent == self.folder.resolve():
            return Path(path).name
        return f"opened.{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"

    def list(self) -> tuple[RunInfo, ...]:
        """Return every run, the newest first, with those that cannot be shown.

        Raises:
            InputError: the folder cannot be read.
        """
        infos = (_info(run_id, path) for run_id, path in self._places().items())
        known = [info for info in infos if info is not None]
        return tuple(sorted(known, key=lambda info: (info.created, info.id), reverse=True))

    def find(self, run_id: str) -> RunInfo:
        """Return the run with this id.

        Raises:
            InputError: there is none.
        """
        return self._found(run_id)[0]

    def save(
        self,
        name: str,
        comparison: Reviews,
        corpus: str = "",
    ) -> RunInfo:
        """Keep a comparison under a name, which other runs may have too.

        `corpus` names what its reviews came from. Its scores are at the tau of its encoder.

        Raises:
            InputError: the name is blank or too long, or the run cannot be written.
        """
        name = _checked_name(name)

        def write(folder: RunFolder) -> None:
            write_reviews(folder, comparison, name, corpus, created=datetime.now(UTC))

        return self._keep(write)

    def take(self, path: Path, name: str | None = None, corpus: str = "") -> RunInfo:
        """Keep a copy of the run in a folder, `~` expanded: all its files, and its settings.

        Its name and what its reviews came from, `corpus`, are the run's own unless given.

        Raises:
            InputError: there is no finished run, it cannot be shown, or one of its files is a link.
            InputError: the name is blank or too long, or the run cannot be written.
        """
        try:
            path = path.expanduser()
            info, run = run_info(path), _opened_run(path)
        except (OSError, RuntimeError, ValueError) as error:  # no such user, or no name of a file
            raise InputError(f"no run can be read at {str(path)[:80]!r}") from error
        name = _checked_name(info.name[:LONGEST_NAME] if name is None else name)
        run.reviews().loaded()  # a run that cannot be shown is not kept
        return self._keep(lambda folder: run.copy(folder, name, corpus))

    def _keep(self, write: Callable[[RunFolder], None]) -> RunInfo:
        """Have a run written to a new folder of the store, which is there as a whole or not."""
        run_id = secrets.token_hex(8)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".saving-", dir=self.folder) as around:
                run = Path(around) / run_id
                run.mkdir(mode=0o700)
                write(RunFolder(run))
                run.rename(self.folder / run_id)
        except OSError as error:
            raise self._failure("the run cannot be saved in", error) from error
        except InputError as error:
            if isinstance(error.__cause__, OSError):
                raise self._failure("the run cannot be saved in", error.__cause__) from error
            raise  # the run that is copied is at fault
        return self.find(run_id)

    def load(self, run_id: str) -> Reviews:
        """Open a run: the comparison that was saved, or what was scored.

        Raises:
            InputError: there is no such run, or it cannot be shown.
        """
        try:
            return self.run(run_id).reviews().loaded()
        except InputError as error:
            raise _unusable(self.find(run_id), str(error)) from error

    def run(self, run_id: str) -> FinishedRun:
        """Open a run as its files are.

        Raises:
            InputError: there is no such run, or it cannot be shown.
        """
        info, path = self._found(run_id)
        if info.damage is not None:
            raise _unusable(info, info.damage)
        return FinishedRun.open(path)

    def answers(self, run_id: str) -> RunAnswers:
        """Return what people who rate a run said.

        Raises:
            InputError: there is no such run.
        """
        return RunAnswers(self._found(run_id)[1])

    def delete(self, run_id: str) -> None:
        """Delete a run, damaged or not.

        Raises:
            InputError: there is no such run, or it cannot be deleted.
        """
        _, path = self._found(run_id)
        try:
            with tempfile.TemporaryDirectory(prefix=".deleting-", dir=path.parent) as around:
                # Rename the run first, so that no reader finds half of its files.
                shutil.rmtree(path.rename(Path(around) / "run"))
        except OSError as error:
            raise self._failure("the run cannot be deleted in", error) from error

    def _places(self) -> Mapping[str, Path]:
        """Return the folders of runs by id; ids in `folder` are names of folders."""
        places = {}
        try:
            if self.opened is not None:
                places[self.opened] = Path(os.environ[_OPENED])
            for path in self.folder.iterdir() if self.folder.exists() else ():
                if path.is_dir() and not path.is_symlink() and _is_run(path):
                    places[path.name] = path
        except OSError as error:
            raise self._failure("saved runs cannot be read in", error) from error
        return places

    def _found(self, run_id: str) -> tuple[RunInfo, Path]:
        path = self._places().get(run_id)
        info = None if path is None else _info(run_id, path)
        if path is None or info is None:
            raise InputError("there is no such saved run; it was deleted, or saved elsewhere")
        return info, path

    def _failure(self, what: str, error: OSError) -> InputError:
        return InputError(
            f"{what} {self.folder}: {error.strerror or error}; another folder can be named in "
            f"{_RUNS}"
        )


def _is_run(path: Path) -> bool:
    """Return True for the folder of a finished run, and for one of the store, even if damaged."""
    if path.name.startswith("."):
        return False
    return (path / DOCUMENT).exists() or bool(_ID.fullmatch(path.name))


def _info(run_id: str, path: Path) -> RunInfo | None:
    """Describe a run, None if it is not there (any more)."""
    name = "" if _ID.fullmatch(path.name) else path.name.removesuffix(".parquet")
    description = path / DOCUMENT
    try:
        made = datetime.fromtimestamp(
            (description if description.exists() else path).stat().st_mtime, UTC
        )
    except OSError:
        return None
    try:
        document = _opened_run(path).document
        created = made if document.created is None else _time(document.created)
    except InputError as error:
        return RunInfo(run_id, name, made, damage=str(error)) if path.is_dir() else None
    settings = document.settings
    return RunInfo(
        run_id,
        document.name or name,
        created,
        document.corpus,
        str(settings.get("encoder", "")),
        str(settings.get("claims", "")),
        str(settings.get("version", "")),
        document.changes - document.left_out,
        document.reviews,
        document.left_out,
        tau=None if (tau := settings.get("tau")) is None else float(str(tau)),
        unscored=document.unscored,
    )


def _opened_run(path: Path) -> FinishedRun:
    """Open a run that can be shown.

    Raises:
        InputError: it cannot be shown.
    """
    run = FinishedRun.open(path)
    if missing := run.missing_files():
        raise InputError(f"{missing[0]} is missing")
    return run


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError("its description has no time") from error
    if time.tzinfo is None:
        raise InputError("its description has no time zone")
    return time


def _checked_name(name: str) -> str:
    whole = " ".join(whole_text(name).replace("\0", "").split())
    if not whole:
        raise InputError("a run needs a name")
    if len(whole) > LONGEST_NAME:
        raise InputError(f"the name of a run has at most {LONGEST_NAME} characters")
    return whole


def _unusable(info: RunInfo, reason: str) -> InputError:
    name = f"the saved run {info.name!r}" if info.name else f"the saved run of {info.created:%c}"
    return InputError(f"{name} cannot be shown: {reason}")
