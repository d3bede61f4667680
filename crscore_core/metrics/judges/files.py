"""Judge a file of reviews and write a file of judgements; interrupted runs can be resumed."""

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from crscore_core.corpus.reading import RejectedRow, Row, RowStream, TableRow, guess_mapping
from crscore_core.corpus.run.sources import row_stream
from crscore_core.errors import CorpusError
from crscore_core.metrics.judges.judge import JudgedReview
from crscore_core.metrics.judges.protocol import ReviewJudge

_ROWS_AT_ONCE = 32
"""Number of reviews that are judged together before writing."""

_ENDINGS = (".jsonl", ".ndjson")

_Known = defaultdict[str, list[bool]]
"""Rows of the output by key; True for a row with a grade or verdict, else False."""


@dataclass(slots=True)
class JudgedFile:
    """Numbers of rows: judged now, known from before, and those of both without a judgement.

    `others` counts rows of the output that are missing from the source or have changed there.
    `calls` counts answers of the model. `rejected` lists the reason for each unreadable row.
    """

    judged: int = 0
    known: int = 0
    without: int = 0
    others: int = 0
    calls: int = 0
    rejected: list[str] = field(default_factory=list)


def judge_file(
    source: Path,
    target: Path,
    judge: ReviewJudge,
    columns: Mapping[str, str],
    note: Callable[[JudgedFile, float], None] = lambda *_: None,
) -> JudgedFile:
    """Judge each review in `source`; write its row with the judgement to `target`.

    The target is JSON Lines. The columns of a judgement start with the judge's name; one of them
    is a key, a digest of the id and of the texts that the judge sees. Rows whose key is already in
    `target` are not judged again. `columns` maps the fields `id`, `diff`, `review` and `reference`
    to columns; other fields are found by column name. `note` is called from time to time with the
    numbers so far and the share of the source that was read.

    Raises:
        CorpusError: the source cannot be read or lacks a column, the target's name does not end
            in .jsonl or .ndjson, or the target contains anything except judgements by this judge
            and model.
        ClaimsError: the model is not available or failed; finished rows are in the target.
        OSError: the target cannot be written.
    """
    if target.suffix.lower() not in _ENDINGS:
        raise CorpusError(
            f"{str(target)!r}: the output is JSON Lines; its name must end in "
            f"{' or '.join(_ENDINGS)}"
        )
    if os.path.exists(target) and source.resolve() == target.resolve():
        raise CorpusError(f"{str(source)!r} cannot be both input and output; name another output")
    stream, counts, place = row_stream(source), JudgedFile(), 0
    mapping = _mapping(stream.columns(), columns, ("review", *judge.judge.needs))
    name, model = judge.kind, judge.name
    known = _known_rows(target, name, model)

    def read(size: int) -> None:
        nonlocal place
        place = size

    with closing(stream.rows(read)) as rows, target.open("a", encoding="utf-8") as output:
        new = _new_rows(rows, mapping, ("id", "review", *judge.judge.needs), known, counts)
        while group := list(islice(new, _ROWS_AT_ONCE)):
            made = judge.judge_each([_judged_review(row, mapping) for row, _ in group])
            for (row, key), judgement in zip(group, made, strict=True):
                given = (*judge.judge.gives, "reason", "calls")
                fields = {field: getattr(judgement, field) for field in given}
                fields |= {"model": model, "key": key}
                own_id = _text(row, mapping, "id") or f"row {row.number}"
                document = {f"{name}_key": key, "id": own_id, **row.cells}
                document |= {f"{name}_{field}": value for field, value in fields.items()}
                output.write(json.dumps(document, ensure_ascii=False) + "\n")
                counts.judged += 1
                counts.without += not judgement.is_made
                counts.calls += judgement.calls
            output.flush()
            note(counts, place / max(1, stream.size))
    counts.others = sum(map(len, known.values()))
    return counts


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


def _known_rows(target: Path, name: str, model: str) -> _Known:
    """Return the rows of the target by key; cut off an incomplete last line."""
    known: _Known = defaultdict(list)
    content = target.read_bytes() if target.exists() else b""
    lines, beginning = content.count(b"\n"), f'{{"{name}_key": "'.encode()
    is_torn = not lines and content[: len(beginning)] == beginning[: len(content)]
    rows: Iterable[Row] = () if is_torn else RowStream(target).rows()
    for row in islice(rows, max(lines, 1)):
        cells = row.cells if isinstance(row, TableRow) else {}
        key, maker = cells.get(f"{name}_key"), cells.get(f"{name}_model")
        if not key or maker != model:
            other = f"one by {maker!r}" if maker and maker != model else "something else"
            raise CorpusError(
                f"{str(target)!r}, row {row.number}: it is not a judgement by {model!r}, but "
                f"{other}; name another output"
            )
        fields = (f"{name}_grade", f"{name}_verdict")
        known[str(key)].append(any(cells.get(field) is not None for field in fields))
    if content and not content.endswith(b"\n"):
        os.truncate(target, content.rfind(b"\n") + 1)
    return known


def _new_rows(
    rows: Iterable[Row],
    mapping: Mapping[str, str],
    fields: Sequence[str],
    known: _Known,
    counts: JudgedFile,
) -> Iterator[tuple[TableRow, str]]:
    """Yield the rows still to be judged, each with the digest of its `fields`."""
    for row in rows:
        if isinstance(row, RejectedRow):
            counts.rejected.append(f"row {row.number}: {row.reason}")
            continue
        texts = json.dumps([_text(row, mapping, field) for field in fields])
        key = hashlib.sha256(texts.encode()).hexdigest()[:32]
        if with_judgement := known.get(key):
            counts.known += 1
            counts.without += not with_judgement.pop()
        else:
            yield row, key


def _judged_review(row: TableRow, mapping: Mapping[str, str]) -> JudgedReview:
    return JudgedReview(*(_text(row, mapping, name) for name in ("review", "diff", "reference")))


def _text(row: TableRow, mapping: Mapping[str, str], field: str) -> str:
    value = row.cells.get(mapping.get(field, ""))
    return "" if value is None else str(value)
