"""The folder of a run: `part-NNNNN.parquet`, `_changes-NNNNN.parquet`, `_run.json`.

Readers of Parquet folders skip names that begin with `_`, so `pandas.read_parquet` reads reviews.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from crscore_core.errors import InputError, quoted
from crscore_core.text import read_at_most
from crscore_eval.run.checks import checked_changes, checked_reviews
from crscore_eval.table import EXPORTS, Run, RunSettings, extra_columns
from crscore_eval.table.schema import CHANGE_SCHEMA, from_arrow, review_schema
from crscore_eval.table.scores import all_scores
from crscore_eval.table.settings import parse_settings

REVIEWS, CHANGES, SETTINGS = "part", "_changes", "_run.json"

MAX_NAME = 120
"""Maximum number of characters in the new name of a run."""


def is_new(folder: Path) -> bool:
    """Return True if a folder is missing or empty; raise an InputError for the name of a file."""
    if folder.suffix.lower()[1:] in EXPORTS:
        raise InputError(
            f"{str(folder)!r} names a file, not a run", "`crscore export` writes files"
        )
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def part_path(folder: Path, kind: str, number: int) -> Path:
    """Return the path of a part; `kind` is `REVIEWS` or `CHANGES`."""
    return folder / f"{kind}-{number:05}.parquet"


def part_numbers(folder: Path) -> list[int]:
    """Return the numbers of the complete parts, which have both files."""
    suffixes = (path.stem[len(REVIEWS) + 1 :] for path in folder.glob(f"{REVIEWS}-*.parquet"))
    numbers = sorted(int(suffix) for suffix in suffixes if suffix.isdecimal())
    return [number for number in numbers if part_path(folder, CHANGES, number).is_file()]


def read_part(folder: Path, number: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the reviews and the changes of a part.

    Raises:
        InputError: the part is missing or damaged.
    """
    with _reading(folder, CHANGES, number) as table:
        changes = checked_changes(table.read())
    with _reading(folder, REVIEWS, number) as table:
        return from_arrow(checked_reviews(table.read(), changes)), from_arrow(changes)


def write_part(folder: Path, number: int, reviews: pd.DataFrame, changes: pd.DataFrame) -> None:
    """Write a part, each of its files atomically, and the file of reviews last."""
    extra_fields = pa.Schema.from_pandas(reviews[extra_columns(reviews)], preserve_index=False)
    for kind, table, schema in (
        (CHANGES, changes, CHANGE_SCHEMA),
        (REVIEWS, reviews, review_schema(extra_fields)),
    ):
        path = part_path(folder, kind, number)
        temporary = create_private(path.with_name(f"_{path.name}.new"))
        rows = pa.Table.from_pandas(table[schema.names], schema=schema, preserve_index=False)
        # pandas cannot read Arrow lists if the file has pandas' own metadata.
        rows = rows.replace_schema_metadata(None)
        with temporary.open("wb") as file:  # pyarrow takes only paths in UTF-8
            parquet.write_table(rows, file, compression="zstd", write_page_checksum=True)
        temporary.replace(path)


def create_private(path: Path) -> Path:
    """Create an empty file that only this user can read; a link in its place is removed."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600, exist_ok=False)
    return path


def write_settings(folder: Path, settings: RunSettings) -> None:
    """Write the settings atomically."""
    temporary = create_private(folder / f"{SETTINGS}.new")
    temporary.write_text(json.dumps(settings, ensure_ascii=False, indent=1), encoding="utf-8")
    temporary.replace(folder / SETTINGS)


def write_run(folder: Path, run: Run) -> None:
    """Write a run from memory as a run with a single part, created now."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_part(folder, 0, run.reviews, run.changes)
    written: RunSettings = {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "n_reviews": len(run.reviews),
        "n_changes": len(run.changes),
        "is_finished": True,
    }
    write_settings(folder, {**run.settings, **written})


def read_settings(folder: Path) -> RunSettings:
    """Return the settings of a run, finished or not; see `parse_settings`.

    Raises:
        InputError: the folder is missing, or not a run.
    """
    path = folder / SETTINGS
    try:
        if path.is_file():
            return parse_settings(read_at_most(path))
        reason: object = "it is not a file" if path.exists() else "it is missing"
    except (OSError, ValueError, InputError) as error:
        reason = error
    problem = f"{quoted(str(folder))} is not a run, {SETTINGS}: {reason}"
    raise InputError(problem, "`crscore batch` writes runs")


def finished_settings(folder: Path) -> RunSettings:
    """Return the settings of a run; raise an InputError if it is unfinished or not a run."""
    settings = read_settings(folder)
    if not settings["is_finished"]:
        raise InputError(f"the run {str(folder)!r} is unfinished", "resume it with --resume")
    return settings


def open_run(path: Path | str) -> Run:
    """Read a finished run into memory.

    Raises:
        InputError: the folder is not a run, or the run is unfinished or damaged.
    """
    folder = Path(path)
    settings = finished_settings(folder)
    parts = [read_part(folder, number) for number in _part_numbers(folder)]
    reviews, changes = (pd.concat(tables, ignore_index=True) for tables in zip(*parts, strict=True))
    for table, key, count in ((reviews, "id", "n_reviews"), (changes, "change", "n_changes")):
        if len(table) != settings.get(count, len(table)) or table[key].duplicated().any():
            raise _damaged(folder, f"parts are missing or occur twice, see {count} in {SETTINGS}")
    scores = all_scores(reviews, settings["tau"]).assign(tau=settings["tau"])
    if not np.allclose(reviews[[*scores]], scores, equal_nan=True):
        raise _damaged(folder, f"its scores do not follow from its similarities and {SETTINGS}")
    return Run(reviews.sort_values("row", kind="stable", ignore_index=True), changes, settings)


def list_runs(folder: Path) -> list[dict[str, Any]]:
    """Return the settings and the `path` of each finished run in a folder, the newest first.

    For a folder that is not a run or has no parts, return its `name`, `path` and `problem`.
    """
    runs: list[dict[str, Any]] = []
    for path in folder.iterdir() if folder.is_dir() else ():
        try:
            settings = read_settings(path)
            if settings["is_finished"]:
                _part_numbers(path)
                runs.append({**settings, "path": path})
        except InputError as error:
            if path.is_dir():
                runs.append({"name": path.name, "path": path, "problem": str(error)})
    return sorted(runs, key=lambda run: run.get("created") or "", reverse=True)


def rename_run(folder: Path, name: str) -> None:
    """Give a run another name, one line of at most `MAX_NAME` characters.

    Raises:
        InputError: the folder is not a run, or the name is blank.
    """
    name = " ".join(name.split())[:MAX_NAME]
    if not name:
        raise InputError("the name of a run cannot be blank")
    write_settings(folder, {**read_settings(folder), "name": name})


def iter_parts(folder: Path, kind: str, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
    """Yield the given columns of the reviews or changes (`kind`), part by part."""
    for number in part_numbers(folder):
        with _reading(folder, kind, number) as table:
            part = from_arrow(table.read(columns))
        yield part


def _part_numbers(folder: Path) -> list[int]:
    numbers = part_numbers(folder)
    if not numbers or len(numbers) < len([*folder.glob(f"{REVIEWS}-*.parquet")]):
        raise _damaged(folder, "parts are missing")
    return numbers


@contextmanager
def _reading(folder: Path, kind: str, number: int) -> Iterator[parquet.ParquetFile]:
    """Open a file of a part; raise an InputError if it is damaged or a check in the block fails."""
    path = part_path(folder, kind, number)
    if not path.is_file():
        raise _damaged(folder, f"{path.name}: the file is missing")
    try:
        with (
            path.open("rb") as file,
            parquet.ParquetFile(file, page_checksum_verification=True) as table,
        ):
            yield table
    except Exception as error:  # damaged files raise various errors
        reason = str(error).partition("\n")[0][:200]
        raise _damaged(folder, f"{path.name}: {reason}") from error


def _damaged(folder: Path, reason: str) -> InputError:
    problem = f"the run {quoted(str(folder))} is damaged: {reason}"
    return InputError(problem, "score its file again into another folder")
