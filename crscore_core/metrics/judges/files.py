"""Judge a file of reviews and write a file of judgements; interrupted runs can be resumed."""

import hashlib
import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from crscore_core.corpus.reading import RejectedRow, Row, RowStream, TableRow, guess_mapping
from crscore_core.corpus.run.judgements import judgement_file
from crscore_core.corpus.run.sources import row_stream
from crscore_core.errors import CorpusError
from crscore_core.metrics.judges.judge import JudgedReview, Judgement
from crscore_core.metrics.judges.protocol import ReviewJudge

_ROWS_AT_ONCE = 32
"""Number of reviews that are judged together before writing."""

_ENDINGS = (".jsonl", ".ndjson")

_Known = defaultdict[str, list[bool]]
"""Rows of the output by key; True for a row with a judgement, else False."""


@dataclass(slots=True)
class JudgedFile:
    """Numbers of rows: judged now, known from before, and those of both without a judgement.

    `failed` counts the rows judged now that the model did not answer; the next run asks again.
    `others` counts rows of the output that are missing from the source or have changed there.
    `calls` counts answers of the model, `tokens` those of prompts in an estimate. `rejected` lists
    the reason for each unreadable row.
    """

    judged: int = 0
    known: int = 0
    without: int = 0
    failed: int = 0
    others: int = 0
    calls: int = 0
    tokens: int = 0
    rejected: list[str] = field(default_factory=list)


Note = Callable[[JudgedFile, float], None]
"""Gets the numbers so far and the share of the source that was read; an exception ends the run."""


class ReviewFile:
    """Reviews in a file or a run, and the JSON Lines that their judgements go to.

    A row of the target has the row of the source and the columns of its judgement, which start
    with `name`; one of them is a key, a digest of the id and of the texts that the judge sees. Rows
    whose key is already in the target are not judged again, unless the model failed there. In the
    target of a run, a row has its number in place of the source's columns.

    Args:
        source: the file or the folder of the run.
        target: the file of judgements; None for that of the run and `name`.
        judge: the judge.
        columns: column of each of the fields `id`, `diff`, `review` and `reference`; others are
            found by column name.
        name: what columns of judgements start with; by default see `column_name`.

    Raises:
        CorpusError: the source cannot be read or lacks a column, the target's name does not end
            in .jsonl or .ndjson, or the target contains anything except judgements by this judge
            and model.
        BatchError: the run is damaged.
        ClaimsError: the model is not available.
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
        self.of_run = target is None
        self.target = target or judgement_file(source, self.name)
        if self.target.suffix.lower() not in _ENDINGS:
            raise CorpusError(
                f"{str(target)!r}: the output is JSON Lines; its name must end in "
                f"{' or '.join(_ENDINGS)}"
            )
        if os.path.exists(self.target) and source.resolve() == self.target.resolve():
            raise CorpusError(
                f"{str(source)!r} cannot be both input and output; name another output"
            )
        self._judge = judge
        self._stream = row_stream(source)
        self._mapping = _mapping(self._stream.columns(), columns, ("review", *judge.judge.needs))
        self._model = judge.name

    def estimate(self) -> JudgedFile:
        """Count the reviews to judge, and the least calls and tokens that this takes.

        Answers that are cached count too.
        """
        counts = JudgedFile()
        known, _ = _known_rows(self.target, self.name, self._model)
        with closing(self._stream.rows()) as rows:
            new = self._new_rows(rows, known, counts)
            while group := [self._judged_review(row) for row, _ in islice(new, _ROWS_AT_ONCE)]:
                tokens = self._judge.prompt_tokens(group)
                counts.judged += len(group)
                counts.calls += len(tokens) * self._judge.judge.runs
                counts.tokens += sum(tokens) * self._judge.judge.runs
        return counts

    def run(self, note: Note = lambda *_: None) -> JudgedFile:
        """Judge each review that the target lacks, and write it there.

        Raises:
            ClaimsError: the model is not available or failed; finished rows are in the target.
            OSError: the target cannot be written.
        """
        counts, place = JudgedFile(), 0
        known, kept = _known_rows(self.target, self.name, self._model)
        if kept is not None:
            part = self.target.with_name(f"{self.target.name}.part")
            part.write_bytes(kept)
            part.replace(self.target)

        def read(size: int) -> None:
            nonlocal place
            place = size

        with (
            closing(self._stream.rows(read)) as rows,
            self.target.open("a", encoding="utf-8") as output,
        ):
            new = self._new_rows(rows, known, counts)
            while group := list(islice(new, _ROWS_AT_ONCE)):
                made = self._judge.judge_each([self._judged_review(row) for row, _ in group])
                for (row, key), judgement in zip(group, made, strict=True):
                    output.write(json.dumps(self._row(row, key, judgement), ensure_ascii=False))
                    output.write("\n")
                    counts.judged += 1
                    counts.without += not judgement.is_made
                    counts.failed += judgement.has_failed
                    counts.calls += judgement.calls
                output.flush()
                note(counts, place / max(1, self._stream.size))
        counts.others = sum(map(len, known.values()))
        return counts

    def _row(self, row: TableRow, key: str, judgement: Judgement) -> dict[str, object]:
        """Return a row of the target."""
        own_id = self._text(row, "id") or f"row {row.number}"
        fields = {field: judgement.values.get(field) for field in self._judge.judge.gives}
        fields |= {"reason": judgement.reason, "calls": judgement.calls}
        fields |= {"failed": judgement.has_failed, "model": self._model, "key": key}
        return {
            f"{self.name}_key": key,
            "id": own_id,
            **({"row": row.number} if self.of_run else row.cells),
            **{f"{self.name}_{field}": value for field, value in fields.items()},
        }

    def _new_rows(
        self, rows: Iterable[Row], known: _Known, counts: JudgedFile
    ) -> Iterator[tuple[TableRow, str]]:
        """Yield the rows still to be judged, each with the digest of what the judge sees."""
        for row in rows:
            if isinstance(row, RejectedRow):
                counts.rejected.append(f"row {row.number}: {row.reason}")
                continue
            seen = ("id", "review", *self._judge.judge.needs)
            texts = json.dumps([self._text(row, field) for field in seen])
            key = hashlib.sha256(texts.encode()).hexdigest()[:32]
            if with_judgement := known.get(key):
                counts.known += 1
                counts.without += not with_judgement.pop(0)
            else:
                yield row, key

    def _judged_review(self, row: TableRow) -> JudgedReview:
        return JudgedReview(*(self._text(row, name) for name in ("review", "diff", "reference")))

    def _text(self, row: TableRow, field: str) -> str:
        value = row.cells.get(self._mapping.get(field, ""))
        return "" if value is None else str(value)


def column_name(kind: str, name: str = "") -> str:
    """Return what columns of a judge of this kind start with; `name` tells several apart.

    Raises:
        CorpusError: the name is not of letters, digits and underscores.
    """
    if name and not re.fullmatch(r"[a-z0-9_]{1,40}", name):
        raise CorpusError(
            f"{name[:80]!r} is no name of a judge: up to 40 lower-case letters, digits and _"
        )
    return "_".join(filter(None, ["judge" if kind == "review" else kind, name]))


def _mapping(
    names: Sequence[str], chosen: Mapping[str, str], needed: Sequence[str]
) -> dict[str, str]:
    taken = set(chosen.values())
    mapping = {**guess_mapping([name for name in names if name not in taken]), **chosen}
    for wanted in [*needed, *(name for name, column in chosen.items() if column)]:
        if mapping.get(wanted) not in names:
            raise CorpusError(
                f"no column holds the {wanted}; name one with --column {wanted}=COLUMN; the "
                f"columns are: {', '.join(names)[:500] or 'none'}"
            )
    return mapping


def _known_rows(target: Path, name: str, model: str) -> tuple[_Known, bytes | None]:
    """Return the rows of the target by key, and its content without those to be judged again.

    These are an incomplete last line, and rows about which the model failed. The content is None
    where nothing has to go.
    """
    known: _Known = defaultdict(list)
    content = target.read_bytes() if target.exists() else b""
    lines, n_whole = content.split(b"\n"), content.count(b"\n")
    beginning = f'{{"{name}_key": "'.encode()
    is_torn = not n_whole and content[: len(beginning)] == beginning[: len(content)]
    rows: Iterable[Row] = () if is_torn else RowStream(target).rows()
    kept = []
    for row in islice(rows, max(n_whole, 1)):
        cells = row.cells if isinstance(row, TableRow) else {}
        key, maker = cells.get(f"{name}_key"), cells.get(f"{name}_model")
        if not key or maker != model:
            other = f"one by {maker!r}" if maker and maker != model else "something else"
            raise CorpusError(
                f"{str(target)!r}, row {row.number}: it is not a judgement by {model!r}, but "
                f"{other}; name another output"
            )
        if cells.get(f"{name}_failed") == "true":
            continue
        kept.append(row.number)
        fields = (f"{name}_grade", f"{name}_worth")
        known[str(key)].append(any(cells.get(field) is not None for field in fields))
    whole = b"".join(lines[number - 1] + b"\n" for number in kept)
    return known, None if whole == content else whole
