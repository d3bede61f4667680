"""The folder of a run and its description: one program at a time, every file whole or not there."""

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from filelock import FileLock, Timeout

from crscore_core.corpus.part import ScoredPart
from crscore_core.corpus.reading.table import RejectedRow
from crscore_core.corpus.table import parquet_of_table
from crscore_core.errors import InputError
from crscore_core.text import whole_text

FORMAT = 2
"""Version of the files of a run; no other is read."""


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """A file of a run: its number, rows, those of them without scores, and its SHA-256."""

    number: int
    rows: int
    unscored: int
    sha256: str


@dataclass(frozen=True, slots=True)
class WrittenPair:
    """The two files of a part: its reviews, and those of its changes that begin in it."""

    reviews: WrittenPart
    changes: WrittenPart


@dataclass(frozen=True, slots=True)
class RunDocument:
    """Description of a finished run.

    `settings` has at least `encoder`, `precision`, `claims`, `analyzers`, `tau` and `version`; a
    batch run has all of `settings_of`. `changes` counts distinct changes, `rejected` the rows that
    were set aside. `parts` are the files of reviews, `change_parts` those of changes. `name` is
    empty and `created` None for a batch run, which goes by the name and the time of its files, so
    that the same corpus gives the same bytes. `corpus` names what the reviews came from, `warnings`
    are about the whole run. `labels` names the labels that reviews have a column of.
    """

    settings: Mapping[str, Any]
    changes: int
    rejected: int
    parts: tuple[WrittenPart, ...]
    change_parts: tuple[WrittenPart, ...] = ()
    name: str = ""
    corpus: str = ""
    created: str | None = None
    warnings: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    format: int = FORMAT

    @property
    def reviews(self) -> int:
        """Number of reviews, those without scores included."""
        return sum(part.rows for part in self.parts)

    @property
    def unscored(self) -> int:
        """Number of reviews that could not be scored."""
        return sum(part.unscored for part in self.parts)

    @property
    def left_out(self) -> int:
        """Number of changes whose reviews cannot be scored."""
        return sum(part.unscored for part in self.change_parts)

    @property
    def files(self) -> dict[str, WrittenPart]:
        """Files of reviews and changes by their names."""
        return {
            **{part_name(part.number): part for part in self.parts},
            **{changes_name(part.number): part for part in self.change_parts},
        }

    def as_json(self) -> dict[str, Any]:
        """Return the document, from which `of_json` makes the same."""
        counts = {"reviews": self.reviews, "unscored": self.unscored, "left_out": self.left_out}
        return {"format": self.format, **counts, **asdict(self)}

    @classmethod
    def of_json(cls, document: Mapping[str, Any]) -> "RunDocument":
        """Read what `as_json` gave.

        Raises:
            InputError: it is something else, or of another version.
        """
        from pydantic import TypeAdapter, ValidationError

        if document.get("format") != FORMAT:
            raise InputError(
                f"the run is not of format {FORMAT}, which this version reads; score its reviews "
                "again with `crscore batch`"
            )
        try:
            return TypeAdapter(cls).validate_python(document)
        except ValidationError as error:
            raise InputError("what the run says of itself is damaged") from error


DOCUMENT = "_run.json"
"""The description of a finished run."""

REJECTS = "_rejects.jsonl"
"""The rows set aside. Readers of Parquet pass over files whose names begin with `_`."""

_LOCK = "_lock"
_WORK = "_work.sqlite"
_PART = re.compile(r"(?:part|_changes)-[0-9]{6,}\.parquet")
_LARGEST_DOCUMENT = 100_000_000
_LARGEST_FILE = 2_000_000_000
_PIECE = 2**20
_LONGEST_REJECT = 100_000_000  # a row of `LONGEST_LINE` characters, escaped
_REJECTED = ("row", "reason", "content")


def part_name(number: int) -> str:
    """Return the name of the file of a part of reviews."""
    return f"part-{number:06}.parquet"


def changes_name(number: int) -> str:
    """Return the name of the file of a part of changes."""
    return f"_changes-{number:06}.parquet"


class RunFolder:
    """Files of a run at `path`.

    Raises:
        InputError: anywhere, where a file cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.work = path / _WORK

    @property
    def is_free(self) -> bool:
        """Return True if the folder is missing or empty."""
        if not os.path.lexists(self.path):
            return True
        return self.path.is_dir() and not any(self.path.iterdir())

    @contextmanager
    def held(self, *, resume: bool) -> Iterator[None]:
        """Keep other programs from writing here; with `resume` a run may be here already.

        A folder in which nothing is left is removed.

        Raises:
            InputError: something is here, another program is at work on it, or it cannot be made.
        """
        with self._guarded("be made"):
            self._check_free(resume=resume)
            self.path.mkdir(exist_ok=True)
        lock = FileLock(self.path / _LOCK, timeout=0)
        with self._guarded("be locked"):
            lock.acquire()
        try:
            yield
        finally:
            with suppress(OSError):  # people should read what went wrong before
                if {entry.name for entry in self.path.iterdir()} == {_LOCK}:
                    (self.path / _LOCK).unlink()
                    self.path.rmdir()
            lock.release()

    def write(self, name: str, content: Iterable[bytes]) -> str:
        """Write a file that is either whole or not there, and return its SHA-256."""
        temporary = self.path / f".{name}.new"
        digest = hashlib.sha256()
        with self._guarded(f"take {name}"):
            try:
                with temporary.open("wb") as file:
                    for piece in content:
                        file.write(piece)
                        digest.update(piece)
                    file.flush()
                    os.fsync(file.fileno())
                temporary.replace(self.path / name)
            except OSError:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)
                raise
            self._keep_names()
        return digest.hexdigest()

    def read(self, name: str, sha256: str) -> bytes:
        """Read a file that was written here.

        Raises:
            InputError: it cannot be read, or its checksum is not `sha256`.
        """
        content = b"".join(self.pieces(name))
        if hashlib.sha256(content).hexdigest() != sha256:
            raise InputError(
                f"{str(self.path / name)!r} is damaged: it is not what was written there. Move it "
                "away and go on, which makes it again while the run is not finished; a finished "
                "run has to be made anew, in another folder"
            )
        return content

    def pieces(self, name: str) -> Iterator[bytes]:
        """Read a file piece by piece; a link is not followed.

        Raises:
            InputError: it cannot be read, is no regular file, or is too large.
        """
        try:
            yield from self._pieces(name, _LARGEST_FILE)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"{str(self.path / name)!r} cannot be read: {reason}") from None

    def _pieces(self, name: str, most: int) -> Iterator[bytes]:
        with self._regular(name) as file:
            while piece := file.read(_PIECE):
                most -= len(piece)
                if most < 0:
                    raise InputError(f"{str(self.path / name)!r} is too large for a file of a run")
                yield piece

    @contextmanager
    def _regular(self, name: str) -> Iterator[BinaryIO]:
        """Open a file of the run itself, which no link leads to."""
        path = self.path / name
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{str(path)!r} is a link or no file; a run holds its files itself")
        with path.open("rb") as file:
            if not os.path.samestat(found, os.fstat(file.fileno())):
                raise InputError(f"{str(path)!r} changed while it was read")
            yield file

    def write_part(self, part: ScoredPart) -> WrittenPair:
        """Write the changes of a part, then its reviews."""
        changes, reviews = (
            WrittenPart(
                part.number, len(table), unscored, self.write(name, [parquet_of_table(table)])
            )
            for name, table, unscored in (
                (
                    changes_name(part.number),
                    part.changes,
                    len(part.changes) - part.changes["left_out"].null_count,
                ),
                (part_name(part.number), part.reviews, part.reviews["relevance"].null_count),
            )
        )
        return WrittenPair(reviews, changes)

    def write_rejects(self, rejects: Iterable[RejectedRow]) -> None:
        """Write the rows that are set aside, one JSON object a line."""
        documents = (dict(zip(_REJECTED, astuple(row), strict=True)) for row in rejects)
        self.write(REJECTS, (f"{json.dumps(document)}\n".encode() for document in documents))

    def rejects(self, most: int) -> list[RejectedRow]:
        """Read the first rows that were set aside."""
        try:
            with self._regular(REJECTS) as file:
                lines = iter(lambda: file.readline(_LONGEST_REJECT), b"")
                documents = map(json.loads, islice(lines, most))
                return [RejectedRow(*(row[name] for name in _REJECTED)) for row in documents]
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise InputError(f"{str(self.path / REJECTS)!r} cannot be read: {error}") from error

    def finish(self, document: RunDocument) -> None:
        """Write the description of the complete run, and remove its working files."""
        text = json.dumps(document.as_json(), ensure_ascii=False, indent=1)
        self.write(DOCUMENT, [whole_text(text).encode()])
        self.drop_work()

    def finished(self) -> RunDocument | None:
        """Read what `finish` wrote, None while the run is not complete.

        Raises:
            InputError: it cannot be read, or is damaged.
        """
        path = self.path / DOCUMENT
        try:
            content = b"".join(self._pieces(DOCUMENT, _LARGEST_DOCUMENT))
            document = json.loads(content.decode("utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(f"{str(path)!r} cannot be read: {error}") from error
        if not isinstance(document, dict):
            raise InputError(f"{str(path)!r} does not describe a run")
        return RunDocument.of_json(document)

    def has(self, name: str) -> bool:
        """Return True if something of this name is in the folder."""
        return os.path.lexists(self.path / name)

    def parts(self) -> list[str]:
        """Return the names of the files of reviews and changes that are there."""
        with self._guarded("be read"):
            names = (entry.name for entry in self.path.iterdir())
            return sorted(name for name in names if _PART.fullmatch(name))

    def clear(self) -> None:
        """Remove what an unfinished run has written."""
        with self._guarded("be cleared"):
            for name in (REJECTS, *self.parts()):
                (self.path / name).unlink(missing_ok=True)
        self.drop_work()

    def drop_work(self) -> None:
        """Remove what is needed only while the run goes on."""
        with self._guarded("drop its work"):
            for ending in ("", "-wal", "-shm"):
                self.work.with_name(_WORK + ending).unlink(missing_ok=True)

    def _check_free(self, *, resume: bool) -> None:
        if self.is_free:
            return
        if not any(os.path.lexists(self.path / name) for name in (_LOCK, _WORK, DOCUMENT)):
            raise InputError(
                f"{str(self.path)!r} is there already and is no run; choose another name"
            )
        if not resume:
            raise InputError(
                f"{str(self.path)!r} holds a run already; go on with it by --resume, or choose "
                "another name"
            )

    def _keep_names(self) -> None:
        """Make the names of files outlast a loss of power, where the system can do that."""
        with suppress(OSError):
            folder = os.open(self.path, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    @contextmanager
    def _guarded(self, what: str) -> Iterator[None]:
        try:
            yield
        except Timeout as error:
            raise InputError(
                f"another program is at work on the run {str(self.path)!r}; wait until it has "
                "ended, or choose another name"
            ) from error
        except OSError as error:
            raise InputError(
                f"the folder {str(self.path)!r} cannot {what}: {error.strerror or error}; fix "
                "that and try again"
            ) from error
