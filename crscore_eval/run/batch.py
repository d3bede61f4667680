"""A file of any size becomes a run, in parts; memory does not grow with the file."""

import hashlib
import json
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

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
from crscore_eval.run.progress import Progress, ignore_progress
from crscore_eval.run.ray_engine import score_with_ray
from crscore_eval.run.scoring import CHANGE_KEY, CHANGES_PER_PART, Frames, Settings, score_here
from crscore_eval.table import Columns, RejectedRow, Run, decide_columns, read_reviews
from crscore_eval.table.columns import NUMBER, TEXT
from crscore_eval.table.files import no_usable_row_error

SLOW_CHANGES_PER_PART = 20
"""Changes of a part if a language model makes the claims, which takes seconds each."""

MAX_REJECTED = 1_000
"""Rejected rows that the settings list; `n_rejected` counts all."""

_TABLES = """
CREATE TABLE changes (change INTEGER PRIMARY KEY, key BLOB UNIQUE, cells TEXT);
CREATE TABLE reviews (row INTEGER PRIMARY KEY, change INTEGER, id TEXT UNIQUE, cells TEXT);
CREATE INDEX reviews_of_change ON reviews (change);
"""
_INSERT_CHANGE = "INSERT OR IGNORE INTO changes (key, cells) VALUES (?, ?)"
_INSERT_REVIEW = "INSERT OR IGNORE INTO reviews VALUES (?, ?, ?, ?)"
_FIND_CHANGE = "SELECT change FROM changes WHERE key = ?"
_CHANGES = "SELECT change, cells FROM changes WHERE change BETWEEN ? AND ? ORDER BY change"
_REVIEWS = "SELECT change, cells FROM reviews WHERE change BETWEEN ? AND ? ORDER BY change, row"
_COUNT_REVIEWS = "SELECT (change - 1) / ?, count(*) FROM reviews GROUP BY 1"


def run_batch(  # noqa: PLR0913 - choices of its caller
    source: Path,
    out: Path,
    settings: Settings | None = None,
    *,
    engine: Literal["local", "ray"] = "local",
    resume: bool = False,
    on_progress: Progress = ignore_progress,
) -> dict[str, Any]:
    """Score a file of reviews into the folder `out`, and return what its `_run.json` says.

    A part is on disk when it is scored, so a run that is killed goes on with `resume`: it scores
    the parts that are missing. Rows that cannot be used are rejected (`rejected`, `n_rejected`);
    reviews that cannot be scored stay, without scores, with the reason in `warnings`.

    Raises:
        InputError: the file, a tool or the disk cannot be used; the folder is not empty and
            `resume` is false; or settings or file differ from those of the unfinished run.
    """
    settings = settings or Settings()
    columns = decide_columns(source, settings.columns)
    facts = _facts(source, settings)
    if resume and (out / SETTINGS).is_file():
        earlier = read_settings(out)
        facts["created"] = earlier.get("created")
        if differing := [name for name in facts if earlier.get(name) != facts[name]]:
            names = ", ".join("file" if name == "source" else name for name in differing)
            raise InputError(
                f"the run was started with another {names}; give the same, or choose another folder"
            )
        if earlier.get("is_finished"):
            return earlier
    elif out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(
            f"{str(out)!r} is not an empty folder; choose another, or --resume an unfinished run"
        )
    part_size = CHANGES_PER_PART if settings.claims == DEFAULT_CLAIMS else SLOW_CHANGES_PER_PART
    score = score_with_ray if engine == "ray" else score_here
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_settings(out, {**facts, "is_finished": False})
        with closing(sqlite3.connect("")) as database:  # a temporary file
            facts |= _group_by_change(database, source, columns, on_progress)
            sizes = dict(database.execute(_COUNT_REVIEWS, (part_size,)).fetchall())
            missing = sorted(sizes.keys() - {*part_numbers(out)})
            parts = ((number, _part(database, columns, number, part_size)) for number in missing)
            total = facts["n_reviews"]
            done = total - sum(sizes[number] for number in missing)
            on_progress(done, total, "scoring reviews")
            for number, (changes, reviews) in score(settings, parts) if missing else ():
                write_part(out, number, changes, reviews)
                done += len(reviews)
                on_progress(done, total, "scoring reviews")
        facts |= {"n_left_out": count_left_out(out), "is_finished": True}
        write_settings(out, facts)
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
    return facts


def score_file(
    source: Path, settings: Settings | None = None, on_progress: Progress = ignore_progress
) -> Run:
    """Score a file of reviews in memory; see `run_batch`."""
    with TemporaryDirectory() as folder:
        run_batch(source, Path(folder), settings, on_progress=on_progress)
        return open_run(folder)


def _facts(source: Path, settings: Settings) -> dict[str, Any]:
    """Return the settings of the run and the identity of its file: all that scores depend on."""
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


def _group_by_change(
    database: sqlite3.Connection, source: Path, columns: Columns, on_progress: Progress
) -> dict[str, Any]:
    """Read the file into a database on disk, by change; return what the settings say about it."""
    database.executescript(_TABLES)
    kept = {"row", "system", "language", "review", *({"reference"} & columns.fields.keys())}
    rejected: list[RejectedRow] = []
    n_rejected = n_reviews = 0
    for row in read_reviews(source, columns):
        if (n_reviews + n_rejected) % 1_000 == 0:
            on_progress(n_reviews + n_rejected, None, "reading rows")
        if isinstance(row, RejectedRow):
            n_rejected += 1
            rejected += [row] if n_rejected <= MAX_REJECTED else []
            continue
        n_reviews += 1
        change = row.model_dump(include={*CHANGE_KEY})
        key = [*change.values(), "" if row.diff else [row.change, row.reference]]
        digest = hashlib.sha256(json.dumps(key).encode()).digest()
        cells = json.dumps({**change, "title": row.title or row.change})
        database.execute(_INSERT_CHANGE, (digest, cells))
        (number,) = database.execute(_FIND_CHANGE, (digest,)).fetchone()
        name, texts = row.id or str(row.row), row.model_dump(include=kept)
        for unique in (name, f"{name}/{row.system}", f"{name} (row {row.row})"):
            review = json.dumps({"id": unique, **texts, **row.own})
            if database.execute(_INSERT_REVIEW, (row.row, number, unique, review)).rowcount:
                break
        else:
            raise InputError(f"row {row.row}: the id {name[:80]!r} is not unique")
    if not n_reviews:
        raise no_usable_row_error(source, next(iter(rejected), None))
    return {
        "rejected": [row._asdict() for row in rejected],
        "n_rejected": n_rejected,
        "columns": [column._asdict() for column in columns.report],
        "warnings": [] if "diff" in columns.fields else ["the file has no diffs, so no scores"],
        "n_reviews": n_reviews,
        "n_changes": database.execute("SELECT count(*) FROM changes").fetchone()[0],
    }


def _part(database: sqlite3.Connection, columns: Columns, number: int, size: int) -> Frames:
    """Return the changes of a part and their reviews as `score_part` takes them."""
    numbers = (number * size + 1, (number + 1) * size)
    changes, reviews = (
        pd.DataFrame(
            {"change": f"change {change}", **json.loads(cells)}
            for change, cells in database.execute(query, numbers)
        )
        for query in (_CHANGES, _REVIEWS)
    )
    kinds = {NUMBER: "float64", TEXT: "string"}  # of columns without a value in this part, too
    return changes, reviews.astype({name: kinds[kind] for name, kind in columns.own.values()})
