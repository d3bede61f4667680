"""A file of reviews through a judge into a file of judgements, which may be begun and gone on."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from crscore_core.corpus.reading import RejectedRow, Row, RowStream, TableRow, guess_mapping
from crscore_core.errors import CorpusError
from crscore_core.metrics.judges.judge import JudgedReview
from crscore_core.metrics.judges.protocol import ReviewJudge

_ROWS_AT_ONCE = 32
"""Reviews between two writings; the model is asked about all of them together."""

_BEGINNING = b'{"id": '
"""Beginning of each line that is written."""


@dataclass(slots=True)
class JudgedFile:
    """Numbers of rows: judged now, known from before, and of all these without a judgement.

    `rejected` are the reasons of rows that cannot be read; `calls` counts answers of the model.
    """

    judged: int = 0
    known: int = 0
    without: int = 0
    calls: int = 0
    rejected: list[str] = field(default_factory=list)


def judge_file(
    source: Path,
    target: Path,
    judge: ReviewJudge,
    columns: Mapping[str, str],
    note: Callable[[JudgedFile, float], None] = lambda *_: None,
) -> JudgedFile:
    """Judge each review of `source`, and write its row with the judgement to `target`.

    The columns of a judgement begin with the judge's name. Rows that `target` has already are not
    judged again. `columns` says by field (`id`, `diff`, `review`, `reference`) which column holds
    it; for others the columns' names decide. `note` is told now and then what is done, and which
    share of the source was read.

    Raises:
        CorpusError: the source cannot be read or lacks a column, or the target holds something
            else than judgements of this judge and model.
        ClaimsError: the model cannot be had or failed; what is done is in the target.
        OSError: the target cannot be written.
    """
    if os.path.exists(target) and source.resolve() == target.resolve():
        raise CorpusError(f"{str(source)!r} cannot be both input and output; name another output")
    stream, counts, place = RowStream(source), JudgedFile(), 0
    mapping = _mapping(stream.columns(), columns, ("review", *judge.judge.needs))
    name, model = judge.kind, judge.name
    known = _known_ids(target, name, model, counts)

    def read(size: int) -> None:
        nonlocal place
        place = size

    with closing(stream.rows(read)) as rows, target.open("a", encoding="utf-8") as output:
        new = _new_rows(rows, mapping, known, counts)
        while group := list(islice(new, _ROWS_AT_ONCE)):
            made = judge.judge_each([_judged_review(row, mapping) for row, _ in group])
            for (row, key), judgement in zip(group, made, strict=True):
                fields = {field: getattr(judgement, field) for field in judge.judge.gives}
                fields |= {"reason": judgement.reason, "calls": judgement.calls, "model": model}
                document = {"id": key, **row.cells}
                document |= {f"{name}_{field}": value for field, value in fields.items()}
                output.write(json.dumps(document, ensure_ascii=False) + "\n")
                counts.judged += 1
                counts.without += not judgement.is_made
                counts.calls += judgement.calls
            output.flush()
            note(counts, place / max(1, stream.size))
    return counts


def _mapping(
    names: Sequence[str], chosen: Mapping[str, str], needed: Sequence[str]
) -> dict[str, str]:
    taken = set(chosen.values())
    mapping = {**guess_mapping([name for name in names if name not in taken]), **chosen}
    for wanted in [*needed, *(name for name, column in chosen.items() if column)]:
        if mapping.get(wanted) not in names:
            raise CorpusError(
                f"no column holds the {wanted}; name one by --column {wanted}=COLUMN; the columns "
                f"are: {', '.join(names)[:500] or 'none'}"
            )
    return mapping


def _known_ids(target: Path, name: str, model: str, counts: JudgedFile) -> Counter[str]:
    """Count the rows of the target by id; cut off a last line that was not written whole."""
    grade, verdict, maker_column = f"{name}_grade", f"{name}_verdict", f"{name}_model"
    ids: Counter[str] = Counter()
    content = target.read_bytes() if target.exists() else b""
    lines = content.count(b"\n")
    if not content or (not lines and content.startswith(_BEGINNING)):
        rows: Iterable[Row] = ()
    else:
        rows = RowStream(target).rows()
    for row in islice(rows, max(lines, 1)):
        maker = row.cells.get(maker_column) if isinstance(row, TableRow) else None
        if not isinstance(row, TableRow) or maker != model:
            raise CorpusError(
                f"{str(target)!r}, row {row.number}: it is no judgement by {model!r}, but "
                f"{f'one by {maker!r}' if maker else 'something else'}; name another output"
            )
        ids[str(row.cells["id"])] += 1
        counts.without += row.cells.get(grade) is None and row.cells.get(verdict) is None
    if content and not content.endswith(b"\n"):
        os.truncate(target, content.rfind(b"\n") + 1)
    return ids


def _new_rows(
    rows: Iterable[Row],
    mapping: Mapping[str, str],
    known: Counter[str],
    counts: JudgedFile,
) -> Iterator[tuple[TableRow, str]]:
    """Yield the rows that are still to be judged, each with its id."""
    for row in rows:
        if isinstance(row, RejectedRow):
            counts.rejected.append(f"row {row.number}: {row.reason}")
            continue
        key = _text(row, mapping, "id") or f"row {row.number}"
        if known[key]:
            known[key] -= 1
            counts.known += 1
        else:
            yield row, key


def _judged_review(row: TableRow, mapping: Mapping[str, str]) -> JudgedReview:
    return JudgedReview(*(_text(row, mapping, name) for name in ("review", "diff", "reference")))


def _text(row: TableRow, mapping: Mapping[str, str], field: str) -> str:
    value = row.cells.get(mapping.get(field, ""))
    return "" if value is None else str(value)
