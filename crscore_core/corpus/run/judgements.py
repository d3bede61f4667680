"""Judgements of reviews by language models; a run keeps a file for each judge in its folder."""

import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

from pydantic import Field, TypeAdapter

from crscore_core.corpus.reading import LARGEST_FILE
from crscore_core.corpus.reading.mapping import JUDGED
from crscore_core.corpus.reviews import ComparedReview, Reviews
from crscore_core.corpus.run.folder import DOCUMENT, RunFolder
from crscore_core.errors import InputError

_FILE = re.compile(r"_(judge(?:_[a-z0-9_]{1,40})?)\.jsonl")
_LONGEST_LINE = 100_000_000
"""Bytes of a line, which may hold the row that was judged, escaped."""

_Grade = Annotated[float, Field(ge=1, le=5)] | None


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a review, the judge's verdict on it, and the line of the diff that shows it."""

    finding: Annotated[str, Field(min_length=1)]
    verdict: Literal["right", "wrong", "cannot tell"]
    line: str


@dataclass(frozen=True, slots=True)
class WrongFinding:
    """A finding of a review that a judge calls wrong, and the line of the diff that shows it."""

    judge: str
    review: ComparedReview
    finding: str
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A judge's answer about a review: its findings and two grades, or a single grade.

    Grades are from 1 to 5. The judge `review` gives `findings`, `worth` and `relevance`, other
    judges give `grade`; all are None if there is no judgement. `reason` says why there is none, or
    warns about one. `calls` counts the answers used, including cached ones. `failed` is True if the
    model did not answer, so that asking again may help.
    """

    findings: tuple[Finding, ...] | None = None
    worth: _Grade = None
    relevance: _Grade = None
    grade: _Grade = None
    reason: str = ""
    calls: int = 0
    failed: bool = False

    @property
    def is_made(self) -> bool:
        """True if there is a judgement."""
        return self.findings is not None or self.grade is not None

    @property
    def right(self) -> float | None:
        """Share of the findings that are right among those that are right or wrong."""
        right, wrong = self._count("right"), self._count("wrong")
        return right / (right + wrong) if right + wrong else None

    @property
    def wrong(self) -> int | None:
        """Number of wrong findings."""
        return None if self.findings is None else self._count("wrong")

    def _count(self, verdict: str) -> int:
        return sum(found.verdict == verdict for found in self.findings or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredJudgement(Judgement):
    """A judgement in a file: its model, and the number and the key of the row that it is about."""

    model: str
    row: int
    key: str


_STORED = TypeAdapter(StoredJudgement)


def read_judgements(
    path: Path, file: BinaryIO, name: str
) -> Iterator[tuple[bytes, StoredJudgement]]:
    """Yield each line of a file of judgements, open at its start, with the judgement in it.

    Columns of the judge start with `name`. A last line that was not written to its end is left out.

    Raises:
        InputError: a line is something else.
    """
    beginning = f'{{"{name}_key": "'.encode()
    for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), 1):
        is_cut = line[-1:] != b"\n" and len(line) < _LONGEST_LINE
        if is_cut and line.startswith(beginning[: len(line)]):
            return
        try:
            cells = {
                column.removeprefix(f"{name}_"): cell
                for column, cell in json.loads(line).items()
                if column.startswith(f"{name}_")
            }
            yield line, _STORED.validate_json(json.dumps(cells), strict=True)
        except (ValueError, AttributeError, RecursionError) as error:
            raise InputError(
                f"{str(path)!r}, line {number}, is no judgement of a review by {name!r}; move the "
                "file away, and judge again"
            ) from error


def judgement_file(path: Path, name: str) -> Path:
    """Return the file of judgements in the folder of a finished run.

    Raises:
        InputError: it is no run, or the name is not that of a judge of reviews.
    """
    if not (path / DOCUMENT).is_file():
        raise InputError(f"{str(path)!r} is no finished run; name a file to write with -o")
    file = path / f"_{name}.jsonl"
    if not _FILE.fullmatch(file.name):
        raise InputError(
            f"a run holds judgements of the judge `review` alone; name a file for {name} with -o"
        )
    return file


class RunJudgements:
    """The judgements in the folder of a run.

    Raises:
        InputError: anywhere, if a file cannot be read or holds something else.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder

    @property
    def state(self) -> tuple[tuple[str, int, int], ...]:
        """Name, time of the last change and size of each file."""
        try:
            found = [(path.name, path.lstat()) for path in self._folder.path.glob("_judge*.jsonl")]
        except OSError as error:
            raise InputError(f"the judgements of a run cannot be read: {error}") from error
        return tuple(
            sorted(
                (name, of.st_mtime_ns, of.st_size) for name, of in found if _FILE.fullmatch(name)
            )
        )

    def by_name(self) -> Mapping[str, Mapping[int, StoredJudgement]]:
        """Return the judgements of each judge by row; names are those of columns."""
        by_name = {_name(state[0]): _read(self._folder.path, state) for state in self.state}
        return {name: judged for name, judged in by_name.items() if judged}

    def values(self) -> Mapping[str, Mapping[int, float]]:
        """Return the figures of each judge by label, such as `judge_right`, and row."""
        return {
            f"{name}_{number}": {
                row: float(value)
                for row, one in judged.items()
                if (value := getattr(one, number)) is not None
            }
            for name, judged in self.by_name().items()
            for number in JUDGED
        }

    def wrong(self, reviews: Reviews) -> list[WrongFinding]:
        """Return the findings of the run's reviews that judges call wrong."""
        return [
            WrongFinding(name, reviews[position], found.finding, found.line)
            for name, judged in self.by_name().items()
            for position, row in enumerate(reviews.rows.tolist())
            if row in judged
            for found in judged[row].findings or ()
            if found.verdict == "wrong"
        ]

    def copy(self, folder: RunFolder) -> None:
        """Copy all judgements to another folder."""
        for name, *_ in self.state:
            folder.write(name, self._folder.pieces(name))


def _name(file: str) -> str:
    return file.removeprefix("_").removesuffix(".jsonl")


@lru_cache(8)
def _read(path: Path, state: tuple[str, int, int]) -> Mapping[int, StoredJudgement]:
    """Read a file of judgements, which `state` tells from an earlier one."""
    name, _, size = state
    if size > LARGEST_FILE:
        raise InputError(
            f"{str(path / name)!r} is larger than {LARGEST_FILE:,} bytes; move it away"
        )
    content = io.BytesIO(b"".join(RunFolder(path).pieces(name)))
    return {one.row: one for _, one in read_judgements(path / name, content, _name(name))}
