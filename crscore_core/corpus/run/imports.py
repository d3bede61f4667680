"""Files that people give to the app, each scored as a run in a folder that nobody else can name."""

import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from crscore_core.claims import DEFAULT_CLAIMS
from crscore_core.corpus.progress import CorpusProgress, Note
from crscore_core.corpus.reading import FIELDS
from crscore_core.corpus.run.batch import BatchJob, run_batch
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.folder import DOCUMENT, RunDocument
from crscore_core.corpus.run.recipe import LocalEngine, Recipe
from crscore_core.corpus.run.store import runs_folder
from crscore_core.errors import InputError
from crscore_core.job import Job, JobBoard, Line
from crscore_core.scoring import DEFAULT_ENCODER, usual_tau
from crscore_core.text import whole_text

AT_ONCE = 2
"""Imports that are scored at the same time; the others wait in line."""

KEPT_HOURS = 24
"""Hours for which an unused import stays."""

MOST_BYTES = 5_000_000_000
"""Limit of all imports together, on disk, and of each file that is written while one is scored."""

_REQUEST, _CORPUS, _RUN, _SEEN = "import.json", "corpus", "run", "seen"
_KEY = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_ENDING = re.compile(r"(?:\.(?:jsonl|ndjson|json|csv|tsv|tab|parquet|gz)){1,2}$", re.ASCII)

_CHILD = (sys.executable, "-P", "-m", "crscore_core.corpus.run.imports")
_BETWEEN_LOOKS = 0.1
_NICENESS = 3

ImportJob = Job[CorpusProgress, RunDocument]


@dataclass(frozen=True, slots=True)
class Import:
    """A file by the name that people gave it; `job` scores it, None once it is scored."""

    name: str
    folder: Path
    job: ImportJob | None

    def run(self) -> FinishedRun:
        """Open the run that the job made.

        Raises:
            InputError: it is not finished, or damaged.
        """
        return FinishedRun.open(self.folder)


class Imports:
    """Imports by keys that nobody can guess; whoever knows a key sees the import and can end it.

    An import outlasts the server: it goes on when it is looked for again. Its folder is this
    user's alone and is removed `KEPT_HOURS` after somebody looked for it.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Use `folder`, or a hidden one among the runs; remove unused imports from it."""
        self.folder = folder or runs_folder() / ".imports"
        self._board: JobBoard[CorpusProgress, RunDocument] = JobBoard(Line(AT_ONCE))
        self._sweep()

    def begin(
        self, name: str, content: bytes, columns: Mapping[str, str], labels: tuple[str, ...]
    ) -> str:
        """Keep a file and score it with symbolic claims; return the key of the import.

        `columns` has the column of each field that has one, `labels` the columns of labels.

        Raises:
            InputError: the file cannot be kept.
        """
        if self._sweep() + len(content) > MOST_BYTES:
            raise InputError(
                f"this server keeps {MOST_BYTES:,} bytes of imports at most; try again later, or "
                "remove an import that nobody needs"
            )
        key = secrets.token_urlsafe(16)
        place = self.folder / key
        ending = _ENDING.search(name.lower())
        request = {
            "name": whole_text(name),
            "file": f"{_CORPUS}{ending[0] if ending else ''}",
            "columns": {field.name: columns.get(field.name, "") for field in FIELDS},
            "labels": labels,
        }
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            place.mkdir(mode=0o700)
            (place / str(request["file"])).write_bytes(content)
            (place / _REQUEST).write_text(json.dumps(request), encoding="utf-8")
            self._begin(key)
        except OSError as error:
            self.remove(key)
            reason = error.strerror or error
            raise InputError(f"the file cannot be kept on this server: {reason}") from error
        return key

    def find(self, key: str, *, again: bool = False) -> Import | None:
        """Return an import, which goes on if the server ended meanwhile; None if there is none.

        `again` begins anew where the job was stopped or has failed: what was done is kept.

        Raises:
            InputError: it cannot be read.
        """
        place = self.folder / key
        if not _KEY.fullmatch(key):
            return None
        try:
            request = json.loads((place / _REQUEST).read_text(encoding="utf-8"))
            os.utime(place / _REQUEST)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise InputError(f"the import cannot be read at the moment: {error}") from error
        if (place / _RUN / DOCUMENT).exists():
            return Import(request["name"], place / _RUN, None)
        job = self._board.find(key)
        if job is None or (again and job.status.is_over):
            job = self._begin(key)
        return Import(request["name"], place / _RUN, job)

    def is_first_look(self, key: str) -> bool:
        """Return True if nobody has looked at the result of an import before."""
        try:
            (self.folder / key / _SEEN).touch(exist_ok=False)
        except OSError:
            return False
        return True

    def remove(self, key: str) -> None:
        """Remove an import, and stop the job that is at work on it."""
        if _KEY.fullmatch(key):
            if (job := self._board.find(key)) is not None:
                job.stop()
            shutil.rmtree(self.folder / key, ignore_errors=True)

    def _begin(self, key: str) -> ImportJob:
        place = self.folder / key
        return self._board.begin(
            key, lambda note, stopping: scored_in_child(place, note, stopping), "the scoring"
        )

    def _sweep(self) -> int:
        """Remove imports unused for `KEPT_HOURS`; return the bytes that stay."""
        kept = 0
        for place in self.folder.glob("*"):
            with suppress(OSError):  # files of a run at work come and go
                stats = [path.stat() for path in (place, *place.rglob("*"))]
                if time.time() - max(stat.st_mtime for stat in stats) > KEPT_HOURS * 3600:
                    shutil.rmtree(place, ignore_errors=True)
                else:
                    kept += sum(stat.st_size for stat in stats)
        return kept


def scored_in_child(place: Path, note: Note, stopping: threading.Event) -> RunDocument:
    """Score an import in a process that yields to the pages of the server, and ends with it.

    Raises:
        CancelledError: `stopping` was set; what was done by then is kept.
        InputError: the import cannot be scored.
        MemoryError: the system had no memory left for the process.
    """
    ours, theirs = Pipe()
    command = [*_CHILD, str(place), str(theirs.fileno())]
    with (
        ours,
        subprocess.Popen(  # noqa: S603 - our own words
            command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
        ) as child,
    ):
        theirs.close()
        try:
            while not stopping.is_set():
                if not ours.poll(_BETWEEN_LOOKS):
                    continue
                message = ours.recv()
                if isinstance(message, RunDocument):
                    return message
                if isinstance(message, str):
                    raise InputError(message)
                note(message)
        except EOFError:
            if child.wait() == -signal.SIGKILL:
                raise MemoryError from None
            raise
        finally:
            ours.close()  # the child ends
    raise CancelledError


def score_import(place: Path, note: Note) -> RunDocument:
    """Score the import in a folder, or go on with it.

    Raises:
        InputError: it cannot be scored.
    """
    request = json.loads((place / _REQUEST).read_text(encoding="utf-8"))
    corpus, labels = place / request["file"], tuple(request["labels"])
    recipe = Recipe(usual_tau(DEFAULT_ENCODER, DEFAULT_CLAIMS))
    job = BatchJob(corpus, place / _RUN, recipe, request["columns"], labels, resume=True)
    document = run_batch(job, LocalEngine(), note)
    corpus.unlink(missing_ok=True)  # the run holds every row that could be read
    return document


def _main(place: str, descriptor: str) -> None:
    import resource  # of POSIX alone, like the rest of this function

    server: Connection[Any, Any] = Connection(int(descriptor))

    def end_with_server() -> None:
        server.poll(None)  # nothing ever comes
        signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=end_with_server, daemon=True).start()
    os.nice(_NICENESS)
    # A file of 100 MB may hold any number of rows: a text that repeats takes no room in Parquet.
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    most = MOST_BYTES if hard == resource.RLIM_INFINITY else min(MOST_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        server.send(score_import(Path(place), server.send))
    except InputError as error:
        server.send(str(error))
    except Exception as error:  # noqa: BLE001 - its message may quote what people gave
        traceback.print_tb(error.__traceback__)
        sys.exit(f"{type(error).__qualname__} while an import was scored")


if __name__ == "__main__":
    _main(*sys.argv[1:])
