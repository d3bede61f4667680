"""The folder of a run: one program at a time, and every file whole or not there."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from crscore_core.corpus.run.units import Reject, WrittenPart
from crscore_core.errors import BatchError

__all__ = ["REJECTS", "RunFolder", "part_name"]

_LOCK = "_lock"
_WORK = "_work.sqlite"
_DOCUMENT = "_run.json"

_PART = re.compile(r"part-[0-9]{6,}\.parquet")

REJECTS = "_rejects.jsonl"
"""The rows set aside. Readers of Parquet pass over files whose names begin with `_`."""


def part_name(number: int) -> str:
    """The file of a part."""
    return f"part-{number:06}.parquet"


class RunFolder:
    """Files of a run by what they hold; `path` is where it lies."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.work = path / _WORK

    @property
    def is_free(self) -> bool:
        """Whether nothing is here, or an empty folder."""
        if not os.path.lexists(self.path):
            return True
        return self.path.is_dir() and not any(self.path.iterdir())

    @contextmanager
    def held(self, *, resume: bool) -> Iterator[None]:
        """Nobody else writes here meanwhile; with `resume` something may be here already.

        A folder in which nothing is left is removed.

        Raises:
            BatchError: something is here, another program is at work on it, or it cannot be made.
        """
        with self._guarded("be made"):
            self._check_free(resume=resume)
            self.path.mkdir(exist_ok=True)
        lock = FileLock(self.path / _LOCK, timeout=0)
        try:
            with self._guarded("be locked"):
                lock.acquire()
        except Timeout as error:
            raise BatchError(
                f"another program is at work on the run {str(self.path)!r}; wait until it has "
                "ended, or choose another name"
            ) from error
        try:
            yield
        finally:
            with suppress(OSError):  # what went wrong before is what people should read
                if {one.name for one in self.path.iterdir()} == {_LOCK}:
                    (self.path / _LOCK).unlink()
                    self.path.rmdir()
            lock.release()

    def write(self, name: str, content: Iterable[bytes]) -> str:
        """Write a file that is either whole or not there, whatever happens meanwhile.

        The result is its checksum, SHA-256 in hexadecimal digits.

        Raises:
            BatchError: it cannot be written.
        """
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

    def rejects(self, most: int) -> list[Reject]:
        """The first rows that were set aside.

        Raises:
            BatchError: they cannot be read.
        """
        try:
            with (self.path / REJECTS).open(encoding="utf-8") as file:
                return [Reject(**json.loads(line)) for line in islice(file, most)]
        except (OSError, ValueError, TypeError) as error:
            raise BatchError(f"{str(self.path / REJECTS)!r} cannot be read: {error}") from error

    def write_rejects(self, rejects: Iterable[Reject]) -> None:
        """Write the rows that are set aside, one JSON object a line.

        Raises:
            BatchError: they cannot be written.
        """
        self.write(REJECTS, (f"{json.dumps(asdict(one))}\n".encode() for one in rejects))

    def finish(self, document: dict[str, Any]) -> None:
        """Say of the run what is known once it is complete, and drop what it took to get there.

        Raises:
            BatchError: it cannot be written.
        """
        self.write(_DOCUMENT, [json.dumps(document, ensure_ascii=False, indent=1).encode()])
        self.drop_work()

    def parts(self) -> list[str]:
        """The files of parts that are there.

        Raises:
            BatchError: the folder cannot be read.
        """
        with self._guarded("be read"):
            return sorted(one.name for one in self.path.iterdir() if _PART.fullmatch(one.name))

    def clear(self) -> None:
        """Remove what a run has written: parts, rows set aside, and its work.

        Raises:
            BatchError: it cannot be removed.
        """
        with self._guarded("be cleared"):
            for name in (REJECTS, *self.parts()):
                (self.path / name).unlink(missing_ok=True)
        self.drop_work()

    def drop_work(self) -> None:
        """Remove what is needed only while the run goes on."""
        with self._guarded("drop its work"):
            for ending in ("", "-wal", "-shm"):
                self.work.with_name(_WORK + ending).unlink(missing_ok=True)

    def read_part(self, part: WrittenPart) -> bytes:
        """The content of a part.

        Raises:
            BatchError: it cannot be read, or is not what was written, by its checksum.
        """
        path = self.path / part_name(part.number)
        with self._guarded(f"give {path.name}"):
            content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != part.sha256:
            raise BatchError(
                f"{str(path)!r} is damaged: it is not what was written there. Move it away and "
                "go on with --resume, which makes it again while the run is not finished; a "
                "finished one is to be made anew, in another folder"
            )
        return content

    def holds(self, part: WrittenPart) -> bool:
        """Whether a part is there.

        Raises:
            BatchError: it is, and cannot be read or is damaged.
        """
        if not os.path.lexists(self.path / part_name(part.number)):
            return False
        self.read_part(part)
        return True

    def finished(self) -> dict[str, Any] | None:
        """What `finish` said, None while the run is not complete.

        Raises:
            BatchError: it cannot be read.
        """
        try:
            text = (self.path / _DOCUMENT).read_text(encoding="utf-8")
            document = json.loads(text)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            raise BatchError(f"{str(self.path / _DOCUMENT)!r} cannot be read: {error}") from error
        if not isinstance(document, dict):
            raise BatchError(f"{str(self.path / _DOCUMENT)!r} is not that of a run")
        return document

    def _check_free(self, *, resume: bool) -> None:
        if self.is_free:
            return
        is_run = any(os.path.lexists(self.path / name) for name in (_LOCK, _WORK, _DOCUMENT))
        if not is_run:
            raise BatchError(
                f"{str(self.path)!r} is there already and is no run; choose another name"
            )
        if not resume:
            raise BatchError(
                f"{str(self.path)!r} holds a run already; go on with it by --resume, or choose "
                "another name"
            )

    def _keep_names(self) -> None:
        """See that the names of files outlast a loss of power, where the system can do that."""
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
        except Timeout:
            raise
        except OSError as error:
            raise BatchError(
                f"the folder {str(self.path)!r} cannot {what}: {error.strerror or error}; mend "
                "that and go on with --resume: nothing that was done is lost"
            ) from error
