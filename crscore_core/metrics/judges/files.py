"""Judge a file of reviews and write a file of judgements; interrupted runs can be resumed."""

import hashlib
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import BinaryIO

from filelock import FileLock, Timeout

from crscore_core.corpus.reading import LARGEST_FILE, RejectedRow, TableRow, guess_mapping
from crscore_core.corpus.run.judgements import (
    Judgement,
    judgement_file,
    read_judgements,
)
from crscore_core.corpus.run.sources import row_stream
from crscore_core.errors import InputError
from crscore_core.metrics.judges.judge import JudgedReview, ReviewJudge

_ROWS_AT_ONCE = 16
"""Number of reviews that are judged together before writing."""


@dataclass(slots=True)
class JudgedFile:
    """Numbers of rows: judged now, known from before, and those of both without a judgement.

    `failed` counts the rows judged now that the model did not answer; the next run asks again.
    `calls` counts answers of the model, `tokens` those of prompts in an estimate. `rejected` lists
    the reason for each unreadable row. `read` is the share of the source that was read. In an
    estimate nothing is judged, and `judged` counts what would be.
    """

    judged: int = 0
    known: int = 0
    without: int = 0
    failed: int = 0
    calls: int = 0
    tokens: int = 0
    rejected: list[str] = field(default_factory=list)
    read: float = 0.0
    is_estimate: bool = False


@dataclass(frozen=True, slots=True)
class _NewRow:
    """A row to judge, the review in it, and its key: a digest of its id and what the judge sees."""

    row: TableRow
    id: str
    review: JudgedReview
    key: str


class ReviewFile:
    """Reviews in a file or a run, and the JSON Lines that their judgements go to.

    A row of the target has the columns of a judgement, which start with `name`, and with them the
    columns of the source, except in the target of a run. Rows whose key is already in the target
    are not judged again, unless the model failed there.

    Args:
        source: the file or the folder of the run.
        target: the file of judgements; None for that of the run and `name`.
        judge: the judge.
        columns: column of each of the fields `id`, `diff`, `review` and `reference`; others are
            found by column name.
        name: what columns of judgements start with; by default see `column_name`.

    Raises:
        InputError: the source cannot be read or lacks a column, or the target is the source or
            its name does not end in .jsonl or .ndjson.
        InputError: the run is damaged.
        InputError: the model is not available.
    """

    def __init__(
        self,
        source: Path,
        target: Path | None,
        judge: ReviewJudge,
        columns: Mapping[str, str],
        name: str = "",
    ) -> None:
        self.name = name or column_name(judge.kind)
        self.target = target or judgement_file(source, self.name)
        if self.target.suffix.lower() not in {".jsonl", ".ndjson"}:
            raise InputError(
                f"{str(target)!r}: the output is JSON Lines; its name must end in .jsonl or .ndjson"
            )
        if source.resolve() == self.target.resolve():
            raise InputError(
                f"{str(source)!r} cannot be both input and output; name another output"
            )
        self._is_of_run = target is None
        self._judge = judge
        self._model = judge.name
        self._seen = ("id", "review", *judge.judge.needs)
        self._stream = row_stream(source)
        self._mapping = _mapping(self._stream.columns(), columns, self._seen[1:])

    def estimate(self, note: Callable[[JudgedFile], None] = lambda _: None) -> JudgedFile:
        """Count the reviews to judge, and the least calls and tokens that this takes.

        Answers that are cached count too. `note` gets the numbers so far; an exception from it ends
        the count.

        Raises:
            InputError: the target contains anything except judgements by this judge and model.
            InputError: the model is not available.
        """
        counts, runs = JudgedFile(is_estimate=True), self._judge.judge.runs
        with closing(self._new_rows(self._known(io.BytesIO()), counts)) as groups:
            for group in groups:
                tokens = self._judge.prompt_tokens([new.review for new in group])
                counts.judged += len(group)
                counts.calls += len(tokens) * runs
                counts.tokens += sum(tokens) * runs
                note(counts)
        return counts

    def run(self, note: Callable[[JudgedFile], None] = lambda _: None) -> JudgedFile:
        """Judge each review that the target lacks, and write it there.

        `note` gets the numbers so far; an exception from it ends the run.

        Raises:
            InputError: the target contains anything except judgements by this judge and model, or
                another program is at work on it.
            InputError: the run would have more judgements than can be read.
            InputError: the model is not available or failed; finished rows are in the target.
            OSError: the target cannot be written.
        """
        lock = FileLock(f"{self.target}.lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise InputError(
                f"{str(self.target)!r}: another judge is at work on it; wait until it is done"
            ) from error
        try:
            return self._run(note)
        finally:
            Path(lock.lock_file).unlink(missing_ok=True)
            lock.release()

    def _run(self, note: Callable[[JudgedFile], None]) -> JudgedFile:
        counts = JudgedFile()
        part = self.target.with_name(f"{self.target.name}.part")
        try:
            with part.open("wb") as kept:
                known = self._known(kept)
            part.replace(self.target)
        finally:
            part.unlink(missing_ok=True)
        with (
            closing(self._new_rows(known, counts)) as groups,
            self.target.open("ab") as output,
        ):
            for group in groups:
                judgements = self._judge.judge_each([new.review for new in group])
                for new, judgement in zip(group, judgements, strict=True):
                    cells = self._cells(new, judgement)
                    line = f"{json.dumps(cells, ensure_ascii=False, default=asdict)}\n".encode()
                    if self._is_of_run and output.tell() + len(line) > LARGEST_FILE:
                        raise InputError(
                            f"a run keeps at most {LARGEST_FILE:,} bytes of judgements; name a "
                            "file for them with -o"
                        )
                    output.write(line)
                    counts.judged += 1
                    counts.without += not judgement.is_made
                    counts.failed += judgement.failed
                    counts.calls += judgement.calls
                output.flush()
                note(counts)
        return counts

    def _known(self, kept: BinaryIO) -> dict[str, list[bool]]:
        """Copy the lines of the target that stay: not those about which the model failed.

        Return, by key, True for each row with a judgement, else False.
        """
        known: dict[str, list[bool]] = defaultdict(list)
        with self.target.open("rb") if self.target.exists() else io.BytesIO() as file:
            for line, one in read_judgements(self.target, file, self.name):
                if one.failed:
                    continue
                if one.model != self._model:
                    another = "give this judge a name" if self._is_of_run else "name another output"
                    raise InputError(
                        f"{str(self.target)!r} has judgements by {one.model!r}, not by "
                        f"{self._model!r}; {another}"
                    )
                kept.write(line)
                known[one.key].append(one.is_made)
        return known

    def _new_rows(
        self, known: Mapping[str, list[bool]], counts: JudgedFile
    ) -> Generator[list[_NewRow], None, None]:
        """Yield the rows still to be judged, in groups."""

        def note_place(place: int) -> None:
            counts.read = place / max(1, self._stream.size)

        group: list[_NewRow] = []
        for row in self._stream.rows(note_place):
            if isinstance(row, RejectedRow):
                counts.rejected.append(f"row {row.number}: {row.reason}")
                continue
            new = self._new_row(row)
            if is_made := known.get(new.key):
                counts.known += 1
                counts.without += not is_made.pop()
                continue
            group.append(new)
            if len(group) == _ROWS_AT_ONCE:
                yield group
                group = []
        if group:
            yield group

    def _new_row(self, row: TableRow) -> _NewRow:
        cells = {name: row.cells.get(self._mapping.get(name, "")) for name in self._seen}
        texts = {name: "" if cell is None else str(cell) for name, cell in cells.items()}
        digest = hashlib.sha256(json.dumps(list(texts.values())).encode()).hexdigest()
        own_id = texts.pop("id") or f"row {row.number}"
        return _NewRow(row, own_id, JudgedReview(**texts), digest[:32])

    def _cells(self, new: _NewRow, judgement: Judgement) -> dict[str, object]:
        """Return a row of the target; its first column marks it as a judgement."""
        names = (*self._judge.judge.gives, "reason", "calls", "failed")
        cells = {name: getattr(judgement, name) for name in names}
        cells |= {"model": self._model, "row": new.row.number, "key": new.key}
        return {
            f"{self.name}_key": new.key,
            "id": new.id,
            **({} if self._is_of_run else new.row.cells),
            **{f"{self.name}_{name}": cell for name, cell in cells.items()},
        }


def column_name(kind: str, name: str = "") -> str:
    """Return what columns of a judge of this kind start with; `name` tells several apart.

    Raises:
        InputError: the name is not of letters, digits and underscores.
    """
    if name and not re.fullmatch(r"[a-z0-9_]{1,40}", name):
        raise InputError(
            f"{name[:80]!r} is no name of a judge: up to 40 lower-case letters, digits and _"
        )
    return "_".join(filter(None, ["judge" if kind == "review" else kind, name]))


def _mapping(
    names: Sequence[str], chosen: Mapping[str, str], needed: Sequence[str]
) -> dict[str, str]:
    """Return the column of each field, those of `needed` included."""
    free = [name for name in names if name not in chosen.values()]
    mapping = {**guess_mapping(free), **chosen}
    for wanted in [*needed, *(name for name, column in chosen.items() if column)]:
        if mapping.get(wanted) not in names:
            raise InputError(
                f"no column holds the {wanted}; name one with --column {wanted}=COLUMN; the "
                f"columns are: {', '.join(names)[:500] or 'none'}"
            )
    return mapping
