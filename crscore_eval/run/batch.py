"""A file of any size becomes a run, in parts; memory does not grow with the file."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

import pandas as pd

from crscore_core.claims import DEFAULT_CLAIMS, claim_generator
from crscore_core.errors import InputError
from crscore_core.scoring import canonical_name, resolve_tau
from crscore_core.scoring.signature import package_version
from crscore_eval.run.folder import (
    SETTINGS,
    count_left_out,
    open_run,
    part_numbers,
    read_settings,
    write_part,
    write_settings,
)
from crscore_eval.run.scoring import CHANGE_KEY, CHANGES_PER_PART, Frames, Settings, score_part
from crscore_eval.table import Columns, RejectedRow, ReviewRow, Run, decide_columns, read_reviews

REVIEWS_PER_PART = 1_000
"""Reviews that fill a part, unless a single change has more."""

SLOW_CHANGES_PER_PART = 20
"""Changes that fill a part if a language model makes the claims, which takes seconds each."""

MOST_REJECTED = 1_000
"""Rejected rows that the settings list; `n_rejected` counts all."""


class Progress(NamedTuple):
    """Progress of a batch: rows read, or reviews scored of `total`."""

    stage: Literal["reading", "scoring"]
    done: int
    total: int | None


Report = Callable[[Progress], None]

_TABLES = """
CREATE TABLE changes (change INTEGER PRIMARY KEY, key BLOB UNIQUE, cells TEXT);
CREATE TABLE reviews (row INTEGER PRIMARY KEY, change INTEGER, id TEXT UNIQUE, cells TEXT);
CREATE INDEX reviews_of_change ON reviews (change);
"""


def run_batch(  # noqa: PLR0913 - choices of its caller
    source: Path,
    out: Path,
    settings: Settings | None = None,
    *,
    engine: Literal["local", "ray"] = "local",
    resume: bool = False,
    on_progress: Report = lambda _: None,
) -> dict[str, Any]:
    """Score a file of reviews into the folder `out`, and return what its `_run.json` says.

    A part is on disk when it is scored, so a run that is killed goes on with `resume`: it scores
    the parts that are missing. Rows that cannot be used are rejected (`rejected`, `n_rejected`);
    reviews that cannot be scored stay, without scores, with the reason in `warnings`.

    Raises:
        InputError: the file, a tool or the disk cannot be used; the folder is not empty and
            `resume` is false; or settings or file differ from those of the unfinished run.
    """
    chosen = settings or Settings()
    known = _known(source, chosen)
    if resume and (out / SETTINGS).is_file():
        before = read_settings(out)
        known["created"] = before.get("created")
        if differing := [name for name in known if before.get(name) != known[name]]:
            raise InputError(
                f"the run was started with another {', '.join(differing)}; give the same, or "
                "choose another folder"
            )
        if before.get("is_finished"):
            return before
    elif out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(
            f"{str(out)!r} is not an empty folder; choose another, or --resume an unfinished run"
        )
    columns = decide_columns(source, chosen.columns)
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_settings(out, {**known, "is_finished": False})
        with closing(sqlite3.connect("")) as rows:  # a temporary file
            known |= _read_in(rows, source, columns, on_progress)
            parts, complete = _cut(rows, chosen), {*part_numbers(out)}
            missing = [number for number in range(len(parts)) if number not in complete]
            frames = ((number, _frames(rows, columns, *parts[number][:2])) for number in missing)
            total = known["n_reviews"]
            done = total - sum(parts[number][2] for number in missing)
            on_progress(Progress("scoring", done, total))
            score = score_here
            if engine == "ray":
                from crscore_eval.run.ray_engine import score_with_ray

                score = score_with_ray
            for number, changes, reviews in score(chosen, frames) if missing else ():
                write_part(out, number, changes, reviews, columns.types)
                done += len(reviews)
                on_progress(Progress("scoring", done, total))
        known |= {"n_left_out": count_left_out(out), "is_finished": True}
        write_settings(out, known)
    except (OSError, sqlite3.Error) as error:
        raise InputError(
            f"{str(out)!r} cannot be written: {error}. Finished parts are kept: go on with --resume"
        ) from error
    except InputError:
        if not part_numbers(out):  # no part to resume from
            (out / SETTINGS).unlink(missing_ok=True)
            with suppress(OSError):
                out.rmdir()
        raise
    return known


def score_file(
    source: Path, settings: Settings | None = None, on_progress: Report = lambda _: None
) -> Run:
    """Score a file of reviews in memory; see `run_batch`."""
    with TemporaryDirectory() as folder:
        run_batch(source, Path(folder), settings, on_progress=on_progress)
        return open_run(folder)


def _known(source: Path, settings: Settings) -> dict[str, Any]:
    """Return what is known before the file is read; all that scores depend on is part of it."""
    if not source.is_file():
        raise InputError(f"there is no file {str(source)[:200]!r}; give one, a row a review")
    encoder = canonical_name(settings.encoder)
    claims = claim_generator(settings.claims, settings.claim_options).name
    with source.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "name": settings.name or source.stem,
        "encoder": encoder,
        "claims": claims,
        "analyzers": settings.analyzers,
        "tau": resolve_tau(settings.tau, encoder, claims),
        "version": package_version(),
        "chosen_columns": dict(settings.columns),
        "source": {"name": source.name, "sha256": digest},
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _read_in(
    rows: sqlite3.Connection, source: Path, columns: Columns, on_progress: Report
) -> dict[str, Any]:
    """Read the file into a database on disk, which groups it by change; return what was read."""
    rows.executescript(_TABLES)
    rejected: list[dict[str, Any]] = []
    n_rejected = n_reviews = n_changes = 0
    for review in read_reviews(source, columns):
        if isinstance(review, RejectedRow):
            n_rejected += 1
            if n_rejected <= MOST_REJECTED:
                rejected.append(review._asdict())
        else:
            n_reviews += 1
            n_changes += _add(rows, review, n_changes + 1)
        if (n_reviews + n_rejected) % 1_000 == 0:
            on_progress(Progress("reading", n_reviews + n_rejected, None))
    if not n_reviews:
        reason = f": row {rejected[0]['row']}: {rejected[0]['reason']}" if rejected else ""
        raise InputError(f"file {source.name[:80]!r}: no row can be used{reason}")
    return {
        "rejected": rejected,
        "n_rejected": n_rejected,
        "columns": [column._asdict() for column in columns.report],
        "warnings": [] if "diff" in columns.fields else ["the file has no diffs, so no scores"],
        "n_reviews": n_reviews,
        "n_changes": n_changes,
    }


def _add(rows: sqlite3.Connection, review: ReviewRow, new: int) -> bool:
    """Add a review, and its change, with the number `new`, if it is new; return whether it is."""
    change = review.model_dump(include={*CHANGE_KEY, "title"})
    key = [*map(change.get, CHANGE_KEY), "" if review.diff else [review.change, review.reference]]
    digest = hashlib.sha256(json.dumps(key).encode()).digest()
    found = rows.execute("SELECT change FROM changes WHERE key = ?", (digest,)).fetchone()
    if not found:
        change |= {"change": f"change {new}", "title": review.title or review.change}
        rows.execute("INSERT INTO changes VALUES (?, ?, ?)", (new, digest, json.dumps(change)))
    number = found[0] if found else new
    texts = review.model_dump(include={"row", "system", "language", "review", "reference"})
    name = review.id or str(review.row)
    for free in (name, f"{name}/{review.system}", f"{name} (row {review.row})"):
        cells = json.dumps({"id": free, "change": f"change {number}", **texts, **review.own})
        values = (review.row, number, free, cells)
        if rows.execute("INSERT OR IGNORE INTO reviews VALUES (?, ?, ?, ?)", values).rowcount:
            return not found
    raise InputError(f"row {review.row}: its id {name[:80]!r} is there several times")


def _cut(rows: sqlite3.Connection, settings: Settings) -> list[tuple[int, int, int]]:
    """Return the first and last change and the number of reviews of each part."""
    most = CHANGES_PER_PART if settings.claims == DEFAULT_CLAIMS else SLOW_CHANGES_PER_PART
    parts: list[tuple[int, int, int]] = []
    for change, count in rows.execute("SELECT change, count(*) FROM reviews GROUP BY change"):
        first, _, n_reviews = parts[-1] if parts else (change, change, REVIEWS_PER_PART)
        if n_reviews >= REVIEWS_PER_PART or change - first >= most:
            parts.append((change, change, count))
        else:
            parts[-1] = (first, change, n_reviews + count)
    return parts


def _frames(rows: sqlite3.Connection, columns: Columns, first: int, last: int) -> Frames:
    """Return some changes and their reviews as `score_part` takes them."""
    changes, reviews = (
        pd.DataFrame(
            json.loads(cells)
            for (cells,) in rows.execute(
                f"SELECT cells FROM {table} WHERE change BETWEEN ? AND ? ORDER BY {order}",  # noqa: S608 - our own words
                (first, last),
            )
        )
        for table, order in (("changes", "change"), ("reviews", "change, row"))
    )
    if "reference" not in columns.fields:
        reviews = reviews.drop(columns="reference")
    return changes, reviews.astype(
        {name: "float64" for name, kind in columns.types.items() if str(kind) == "double"}
    )


def score_here(
    settings: Settings, parts: Iterator[tuple[int, Frames]]
) -> Iterator[tuple[int, pd.DataFrame, pd.DataFrame]]:
    """Score numbered parts in this process, one after another."""
    tools = None
    for number, (changes, reviews) in parts:
        tools = tools or settings.tools()
        yield number, *score_part(changes, reviews, tools, is_first=number == 0)
