"""A file of any size becomes a run, in parts; memory does not grow with the file."""

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from crscore_core.claims import DEFAULT_CLAIMS, ClaimOptions, claim_generator
from crscore_core.errors import InputError
from crscore_core.scoring import DEFAULT_ENCODER, canonical_name, resolve_tau
from crscore_core.scoring.pipeline import Tools
from crscore_core.scoring.signature import package_version
from crscore_eval.run.folder import (
    SETTINGS,
    count_left_out,
    has_part,
    open_run,
    read_settings,
    write_part,
    write_settings,
)
from crscore_eval.run.scoring import (
    CHANGE_KEY,
    CHANGES_PER_PART,
    REVIEWS_PER_PART,
    SLOW_CHANGES_PER_PART,
    make_tools,
    score_part,
)
from crscore_eval.table import (
    Columns,
    RejectedRow,
    ReviewRow,
    Run,
    decide_columns,
    read_reviews,
)

if TYPE_CHECKING:
    import pandas as pd

MOST_REJECTED = 1_000
"""Rejected rows that the settings list; `n_rejected` counts all."""

Frames = tuple["pd.DataFrame", "pd.DataFrame"]
"""Changes and their reviews."""

_CHARACTERS_PER_PART = 8_000_000
_ROWS = "_rows.sqlite"
_TABLES = """
CREATE TABLE changes (number INTEGER PRIMARY KEY, key BLOB UNIQUE, name TEXT UNIQUE, size INTEGER,
                      cells TEXT);
CREATE TABLE reviews (row INTEGER PRIMARY KEY, change INTEGER, id TEXT UNIQUE, size INTEGER,
                      cells TEXT);
"""


class Settings(NamedTuple):
    """How a run is scored: what the command's options say, and what Ray's workers receive.

    `tau` is a number, a preset's name, or None for the preset of encoder and claims. `columns`
    names the column of some fields (see `decide_columns`).
    """

    claims: str = DEFAULT_CLAIMS
    claim_options: ClaimOptions = ClaimOptions()
    encoder: str = DEFAULT_ENCODER
    tau: float | str | None = None
    analyzers: bool = True
    columns: Mapping[str, str] = {}

    def tools(self) -> Tools:
        """Load what scores are made with.

        Raises:
            InputError: something is unavailable, or there is no preset of tau.
        """
        generator = claim_generator(self.claims, self.claim_options)
        tools = make_tools(generator, self.encoder, self.tau)
        return tools if self.analyzers else replace(tools, analyzers={})


class Progress(NamedTuple):
    """What a batch has done: rows read, or reviews scored of `total`."""

    stage: Literal["reading", "scoring"]
    done: int
    total: int | None


Engine = Callable[
    [Settings, Iterator[tuple[int, Frames]]], Iterator[tuple[int, "pd.DataFrame", "pd.DataFrame"]]
]
"""Scores numbered parts, in any order."""


def run_batch(  # noqa: PLR0913 - choices of its caller
    source: Path,
    out: Path,
    settings: Settings | None = None,
    *,
    engine: Literal["local", "ray"] = "local",
    resume: bool = False,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> dict[str, Any]:
    """Score a file of reviews into the folder `out`, and return what its `_run.json` says.

    A part is on disk when it is scored, so a run that is killed goes on with `resume`: it scores
    the parts that are missing. Rows that cannot be used are set aside (`rejected`, `n_rejected`);
    reviews that cannot be scored stay, without scores, with the reason in `warnings`.

    Raises:
        InputError: the file, a tool or the disk cannot be used; the folder exists and `resume` is
            false; or the settings or the file differ from those of the unfinished run.
    """
    chosen = settings or Settings()
    known = _known(source, chosen)
    if resume and (out / SETTINGS).is_file():
        before = read_settings(out)
        _check_same(before, known)
        if before.get("is_finished"):
            return before
        known["created"] = before["created"]
    elif out.exists() and any(out.iterdir()):
        raise InputError(
            f"{str(out)!r} is not empty; choose another folder"
            + ("" if resume else ", or go on with an unfinished run by --resume")
        )
    columns = decide_columns(source, chosen.columns)
    try:
        if not out.exists():
            out.mkdir(parents=True)
        write_settings(out, known)
        (out / _ROWS).unlink(missing_ok=True)
        with closing(sqlite3.connect(out / _ROWS, isolation_level=None)) as rows:
            known |= _read_in(rows, source, columns, on_progress)
            known |= _score(rows, out, chosen, columns, engine, on_progress)
        (out / _ROWS).unlink()
        write_settings(out, known | {"is_finished": True})
    except (OSError, sqlite3.Error) as error:
        raise InputError(
            f"{str(out)!r} cannot be written: {error}. Finished parts are kept: go on with --resume"
        ) from error
    except InputError:
        if not any(out.glob("part-*")):
            shutil.rmtree(out, ignore_errors=True)  # there is nothing to go on with
        raise
    return known | {"is_finished": True}


def score_file(
    source: Path,
    settings: Settings | None = None,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> Run:
    """Score a file of reviews in memory; see `run_batch`."""
    with TemporaryDirectory() as folder:
        run_batch(source, Path(folder), settings or Settings(), on_progress=on_progress)
        return open_run(folder)


def _known(source: Path, settings: Settings) -> dict[str, Any]:
    """Return what is known before the file is read; all that scores depend on is part of it."""
    if not source.is_file():
        raise InputError(f"there is no file {str(source)[:200]!r}; give one row a review")
    encoder = canonical_name(settings.encoder)
    claims = claim_generator(settings.claims, settings.claim_options).name
    with source.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "name": source.stem,
        "encoder": encoder,
        "claims": claims,
        "analyzers": settings.analyzers,
        "tau": resolve_tau(settings.tau, encoder, claims),
        "version": package_version(),
        "chosen_columns": dict(settings.columns),
        "source": {"name": source.name, "sha256": digest},
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "is_finished": False,
    }


def _check_same(before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise if the settings differ from those of the run that is there."""
    differing = [
        f"{name} was {before.get(name)!r} and is {value!r}"
        for name, value in now.items()
        if name not in {"created", "is_finished", "name"} and before.get(name) != value
    ]
    if differing:
        raise InputError(
            f"the run was started with other settings: {'; '.join(differing)[:500]}. Give the same "
            "settings, or another folder"
        )


def _read_in(
    rows: sqlite3.Connection,
    source: Path,
    columns: Columns,
    on_progress: Callable[[Progress], None],
) -> dict[str, Any]:
    """Read the file into a database on disk, from which parts are cut; return what was read."""
    rows.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_TABLES}")
    rejected: list[dict[str, Any]] = []
    n_rejected = n_read = n_changes = 0
    rows.execute("BEGIN")
    for review in read_reviews(source, columns):
        if isinstance(review, RejectedRow):
            n_rejected += 1
            if n_rejected <= MOST_REJECTED:
                rejected.append(review._asdict())
        else:
            n_changes += _add(rows, review, n_changes)
            n_read += 1
        if (n_read + n_rejected) % 1_000 == 0:
            on_progress(Progress("reading", n_read + n_rejected, None))
    rows.execute("COMMIT")
    rows.execute("CREATE INDEX reviews_of_change ON reviews (change, row)")
    if not n_read:
        reason = f": row {rejected[0]['row']}: {rejected[0]['reason']}" if rejected else ""
        raise InputError(f"file {source.name[:80]!r}: no row can be used{reason}")
    return {
        "rejected": rejected,
        "n_rejected": n_rejected,
        "columns": [column._asdict() for column in columns.report],
        "warnings": [] if "diff" in columns.fields else ["the file has no diffs, so no scores"],
        "n_reviews": n_read,
        "n_changes": n_changes,
    }


def _add(rows: sqlite3.Connection, review: ReviewRow, n_changes: int) -> bool:
    """Add a review, and its change if it is new; return whether it is."""
    key = [getattr(review, name) for name in CHANGE_KEY]
    if not review.diff:
        key += [review.change, review.reference]
    digest = hashlib.sha256(json.dumps(key).encode()).digest()
    found = rows.execute("SELECT number FROM changes WHERE key = ?", (digest,)).fetchone()
    number = found[0] if found else n_changes + 1
    if not found:
        cells = {name: getattr(review, name) for name in (*CHANGE_KEY, "title")}
        size = sum(map(len, filter(None, cells.values())))
        name = review.change or f"change {number}"
        free = (name, f"{name} (change {number})")
        _insert(rows, "changes", (number, digest), free, (size, json.dumps(cells)))
    text = {name: getattr(review, name) for name in ("system", "language", "review")}
    cells = {**text, "reference": review.reference, **review.own}
    name = review.id or str(review.row)
    names = (name, f"{name}/{review.system}", f"{name} (row {review.row})")
    size = len(review.review)
    _insert(rows, "reviews", (review.row, number), names, (size, json.dumps(cells)))
    return not found


def _insert(
    rows: sqlite3.Connection,
    table: str,
    before: Sequence[object],
    names: Sequence[str],
    after: Sequence[object],
) -> None:
    """Insert a row under the first of its names that is free."""
    for name in names:
        values = (*before, name, *after)
        added = rows.execute(f"INSERT OR IGNORE INTO {table} VALUES (?, ?, ?, ?, ?)", values)  # noqa: S608 - our own names
        if added.rowcount:
            return
    raise InputError(f"row {before[0]}: its id {names[0][:80]!r} is there several times")


def _score(  # noqa: PLR0913, PLR0917 - all that a part depends on
    rows: sqlite3.Connection,
    out: Path,
    settings: Settings,
    columns: Columns,
    engine: str,
    on_progress: Callable[[Progress], None],
) -> dict[str, Any]:
    """Score the parts that are missing."""
    is_slow = settings.claims != DEFAULT_CLAIMS
    parts = _cut(rows, SLOW_CHANGES_PER_PART if is_slow else CHANGES_PER_PART)
    counts = [count for _, count in parts]
    missing = [number for number in range(len(parts)) if not has_part(out, number)]
    done = sum(counts) - sum(counts[number] for number in missing)
    on_progress(Progress("scoring", done, sum(counts)))
    frames = ((number, _frames(rows, columns, *parts[number])) for number in missing)
    for number, changes, reviews in _engine(engine)(settings, frames) if missing else ():
        new = changes.iloc[_continues(rows, *parts[number][0]) :]
        write_part(out, number, new, reviews, columns.types)
        done += counts[number]
        on_progress(Progress("scoring", done, sum(counts)))
    return {"n_parts": len(parts), "n_left_out": count_left_out(out)}


def _engine(name: str) -> Engine:
    if name != "ray":
        return score_here
    from crscore_eval.run.ray_engine import score_with_ray

    return score_with_ray


def score_here(
    settings: Settings, frames: Iterator[tuple[int, Frames]]
) -> Iterator[tuple[int, "pd.DataFrame", "pd.DataFrame"]]:
    """Score parts in this process."""
    tools = settings.tools()
    for number, (changes, reviews) in frames:
        yield number, *score_part(changes, reviews, tools, is_first=number == 0)


def _cut(rows: sqlite3.Connection, most_changes: int) -> list[tuple[tuple[int, int], int]]:
    """Return the first change and row of each part, and its number of reviews.

    A change with more reviews than a part may have goes on in the next one.
    """
    parts: list[tuple[tuple[int, int], int]] = []
    n_changes = n_reviews = size = 0
    last = None
    query = (
        "SELECT change, row, reviews.size, changes.size, count(*) OVER (PARTITION BY change) "
        "FROM reviews JOIN changes ON number = change ORDER BY change, row"
    )
    for change, row, of_review, of_change, n_of_change in rows.execute(query):
        needed = min(n_of_change, REVIEWS_PER_PART) if change != last else 1
        n_changes += change != last
        size += of_review + (of_change if change != last else 0)
        n_reviews += 1
        is_full = n_changes > most_changes or n_reviews + needed - 1 > REVIEWS_PER_PART
        if not parts or is_full or size > _CHARACTERS_PER_PART:
            parts.append(((change, row), 0))
            n_changes, n_reviews, size = 1, 1, of_review + of_change
        parts[-1] = (parts[-1][0], n_reviews)
        last = change
    return parts


def _continues(rows: sqlite3.Connection, change: int, row: int) -> int:
    """Return 1 if the change of a part's first review is in the part before already, else 0."""
    query = "SELECT count(*) FROM (SELECT 1 FROM reviews WHERE change = ? AND row < ? LIMIT 1)"
    return int(rows.execute(query, (change, row)).fetchone()[0])


def _frames(
    rows: sqlite3.Connection, columns: Columns, start: tuple[int, int], count: int
) -> Frames:
    """Return the changes and the reviews of a part as `score_part` takes them."""
    import pandas as pd

    query = (
        "SELECT change, name, row, id, reviews.cells FROM reviews JOIN changes ON number = change "
        "WHERE (change, row) >= (?, ?) ORDER BY change, row LIMIT ?"
    )
    reviews: list[dict[str, Any]] = []
    numbers: dict[int, str] = {}
    for number, change, row, name, cells in rows.execute(query, (*start, count)):
        numbers[number] = change
        reviews.append({"row": row, "id": name, "change": change, **json.loads(cells)})
    query = "SELECT cells FROM changes WHERE number = ?"
    changes = [
        {"change": change, **json.loads(rows.execute(query, (number,)).fetchone()[0])}
        for number, change in numbers.items()
    ]
    frame = pd.DataFrame(reviews)
    if "reference" not in columns.fields:
        frame = frame.drop(columns="reference")
    types = {name: "float64" for name, kind in columns.types.items() if str(kind) == "double"}
    return pd.DataFrame(changes), frame.astype(types)
