"""Score a file of any size in parts; memory does not grow with the file."""

import hashlib
import json
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import pandas as pd

from crscore_core.claims import DEFAULT_CLAIMS, GIVEN, claim_generator
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
from crscore_eval.run.scoring import CHANGE_KEY, CHANGES_PER_PART, Part, Settings, score_here
from crscore_eval.table import Columns, RejectedRow, Run, decide_columns, read_reviews
from crscore_eval.table.columns import NUMBER, TEXT
from crscore_eval.table.files import no_usable_row_error

SLOW_CHANGES_PER_PART = 20
"""Changes in a part if a language model generates the claims, which takes seconds per change."""

MAX_LISTED_REJECTIONS = 1_000
"""Maximum number of rejected rows that the settings list; `n_rejected` counts all of them."""

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


def run_batch(  # noqa: PLR0913 - options of the command
    source: Path,
    out: Path,
    settings: Settings | None = None,
    *,
    engine: Literal["local", "ray"] = "local",
    resume: bool = False,
    on_progress: Progress = ignore_progress,
) -> dict[str, Any]:
    """Score a file of reviews into the folder `out`, and return the settings in its `_run.json`.

    Each part is written when it is scored. If a run was killed, `resume` scores only the missing
    parts. A row that cannot be used is rejected (`rejected`, `n_rejected`). A review that cannot
    be scored is kept without scores, with the reason in `warnings`.

    Raises:
        InputError: the file, a tool or the disk cannot be used; the folder is not empty and
            `resume` is false; or the settings or the file differ from the unfinished run's.
    """
    settings = settings or Settings()
    columns = decide_columns(source, settings.columns)
    run_settings = _run_settings(source, settings, columns)
    settings = settings._replace(tau=run_settings["tau"])
    if resume and (out / SETTINGS).is_file():
        earlier = read_settings(out)
        run_settings["created"] = earlier.get("created")
        if differing := [name for name in run_settings if earlier.get(name) != run_settings[name]]:
            names = ", ".join("file" if name == "source" else name for name in differing)
            raise InputError(
                f"{str(out)!r} was started with another {names}; give the same or another folder"
            )
        if earlier.get("is_finished"):
            return earlier
    elif out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(
            f"{str(out)!r} is not an empty folder; choose another, or resume its run with --resume"
        )
    part_size = CHANGES_PER_PART if settings.claims == DEFAULT_CLAIMS else SLOW_CHANGES_PER_PART
    score = score_with_ray if engine == "ray" else score_here
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_settings(out, {**run_settings, "is_finished": False})
        with closing(sqlite3.connect("")) as database:  # a temporary file
            run_settings |= _group_by_change(database, source, columns, on_progress)
            sizes = dict(database.execute(_COUNT_REVIEWS, (part_size,)).fetchall())
            missing = sorted(sizes.keys() - {*part_numbers(out)})
            parts = ((number, _part(database, columns, number, part_size)) for number in missing)
            total = run_settings["n_reviews"]
            done = total - sum(sizes[number] for number in missing)
            on_progress(done, total, "scoring reviews")
            for number, (changes, reviews) in score(settings, parts) if missing else ():
                write_part(out, number, changes, reviews)
                done += len(reviews)
                on_progress(done, total, "scoring reviews")
        run_settings |= {"n_left_out": count_left_out(out), "is_finished": True}
        write_settings(out, run_settings)
    except (OSError, sqlite3.Error) as error:
        raise InputError(
            f"{str(out)!r} cannot be written: {error}; finished parts are kept for --resume"
        ) from error
    except InputError:
        if not part_numbers(out):  # no part to resume from
            (out / SETTINGS).unlink(missing_ok=True)
            with suppress(OSError):
                out.rmdir()
        raise
    return run_settings


def score_file(
    source: Path, settings: Settings | None = None, on_progress: Progress = ignore_progress
) -> Run:
    """Score a file of reviews, and return the run without keeping a folder; see `run_batch`."""
    with TemporaryDirectory() as folder:
        run_batch(source, Path(folder), settings, on_progress=on_progress)
        return open_run(folder)


def _run_settings(source: Path, settings: Settings, columns: Columns) -> dict[str, Any]:
    """Return the settings of a run and the hash of its file, which determine its scores."""
    encoder = canonical_name(settings.encoder)
    backend = claim_generator(settings.claims, settings.claim_options).name
    share_given = columns.share_filled("claims")
    claims = GIVEN if share_given == 1 else f"{backend}+{GIVEN}" if share_given else backend
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
    """Read the file into a database on disk, by change; return the settings about its content."""
    database.executescript(_TABLES)
    kept_fields = {"row", "system", "language", "review", *({"reference"} & columns.fields.keys())}
    rejected: list[RejectedRow] = []
    n_rejected = n_reviews = 0
    for row in read_reviews(source, columns):
        if (n_reviews + n_rejected) % 1_000 == 0:
            on_progress(n_reviews + n_rejected, None, "reading rows")
        if isinstance(row, RejectedRow):
            n_rejected += 1
            rejected += [row] if n_rejected <= MAX_LISTED_REJECTIONS else []
            continue
        n_reviews += 1
        change = row.model_dump(include={*CHANGE_KEY})
        key = [*change.values(), "" if row.diff else [row.change, row.reference]]
        digest = hashlib.sha256(json.dumps(key).encode()).digest()
        cells = json.dumps({**change, "title": row.title or row.change})
        database.execute(_INSERT_CHANGE, (digest, cells))
        (number,) = database.execute(_FIND_CHANGE, (digest,)).fetchone()
        name, fields = row.id or str(row.row), row.model_dump(include=kept_fields)
        for unique_id in (name, f"{name}/{row.system}", f"{name} (row {row.row})"):
            review = json.dumps({"id": unique_id, **fields, **row.own})
            if database.execute(_INSERT_REVIEW, (row.row, number, unique_id, review)).rowcount:
                break
        else:
            raise InputError(f"file {source.name[:80]!r}, row {row.row}: id {name!r} is not unique")
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


def _part(database: sqlite3.Connection, columns: Columns, number: int, size: int) -> Part:
    """Return the changes and reviews of a part, in the form that `score_part` takes."""
    numbers = (number * size + 1, (number + 1) * size)
    changes, reviews = (
        pd.DataFrame(
            {"change": f"change {change}", **json.loads(cells)}
            for change, cells in database.execute(query, numbers)
        )
        for query in (_CHANGES, _REVIEWS)
    )
    kinds = {NUMBER: "float64", TEXT: "string"}  # a column may be empty in this part
    return changes, reviews.astype({name: kinds[kind] for name, kind in columns.own.values()})
