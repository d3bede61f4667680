"""The folder of a run: `part-NNNNN.parquet`, `_changes-NNNNN.parquet`, `_run.json`.

Readers of Parquet folders skip names that begin with `_`, so `pandas.read_parquet` reads reviews.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from crscore_core.errors import InputError
from crscore_eval.table import REVIEW_COLUMNS, Run, RunSettings, extra_columns
from crscore_eval.table.schema import change_schema, review_schema, to_frame

REVIEWS, CHANGES, SETTINGS = "part", "_changes", "_run.json"
_DEFAULTS: dict[str, Any] = {"is_finished": True, "rejected": [], "columns": [], "warnings": []}


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
    reviews, changes = (_read(folder, [number], kind) for kind in (REVIEWS, CHANGES))
    return reviews, changes


def write_part(folder: Path, number: int, reviews: pd.DataFrame, changes: pd.DataFrame) -> None:
    """Write a part: each file completely or not at all, the file of reviews last."""
    extra_fields = pa.Schema.from_pandas(reviews[extra_columns(reviews)], preserve_index=False)
    for kind, table, schema in (
        (CHANGES, changes, change_schema()),
        (REVIEWS, reviews, review_schema(extra_fields)),
    ):
        path = part_path(folder, kind, number)
        temporary = create_private(path.with_name(f"_{path.name}.new"))
        rows = pa.Table.from_pandas(table[schema.names], schema=schema, preserve_index=False)
        # pandas cannot read lists of Arrow if the file has pandas' own metadata.
        parquet.write_table(rows.replace_schema_metadata(None), temporary, compression="zstd")
        temporary.replace(path)


def create_private(path: Path) -> Path:
    """Create an empty file that only this user can read; a link in its place is removed."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600, exist_ok=False)
    return path


def write_settings(folder: Path, settings: RunSettings) -> None:
    """Write the settings, completely or not at all."""
    path = folder / SETTINGS
    temporary = create_private(path.with_name(f"{SETTINGS}.new"))
    temporary.write_text(json.dumps(settings, ensure_ascii=False, indent=1), encoding="utf-8")
    temporary.replace(path)


def read_settings(folder: Path) -> RunSettings:
    """Return the settings of a run, finished or not; missing ones have their defaults.

    Raises:
        InputError: the folder is missing, or not a run.
    """
    try:
        stored = dict(json.loads((folder / SETTINGS).read_text(encoding="utf-8")))
        settings = _DEFAULTS | {"n_rejected": len(stored.get("rejected", ()))} | stored
        return cast("RunSettings", settings | {"name": str(stored["name"] or "")})
    except (OSError, ValueError, TypeError, KeyError) as error:
        reason = f"cannot be read ({error})" if (folder / SETTINGS).exists() else "is missing"
        raise InputError(
            f"{str(folder)!r} is not a run: {SETTINGS} {reason}; `crscore batch` writes runs"
        ) from error


def open_run(path: Path | str) -> Run:
    """Read a finished run into memory.

    Raises:
        InputError: the folder is not a run, or the run is unfinished or damaged.
    """
    folder = Path(path)
    settings = read_settings(folder)
    if not settings["is_finished"]:
        raise InputError(f"the run {str(folder)!r} is unfinished; resume it with --resume")
    changes, reviews = (_read(folder, part_numbers(folder), kind) for kind in (CHANGES, REVIEWS))
    has_all_rows = len(reviews) == settings.get("n_reviews", len(reviews))
    if not has_all_rows or REVIEW_COLUMNS.keys() - {*reviews.columns}:
        raise InputError(f"the run {str(folder)!r} is damaged: parts or columns are missing")
    return Run(reviews.sort_values("row", kind="stable", ignore_index=True), changes, settings)


def list_runs(folder: Path) -> list[dict[str, Any]]:
    """Return the settings and the `path` of each finished run in a folder, the newest first."""
    runs = []
    for path in folder.iterdir() if folder.is_dir() else ():
        try:
            settings = read_settings(path)
        except InputError:
            continue
        if settings["is_finished"]:
            runs.append({**settings, "path": path})
    return sorted(runs, key=lambda run: run.get("created") or "", reverse=True)


def iter_parts(folder: Path, kind: str, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
    """Yield some columns of the reviews or changes (`kind`), one part after another."""
    return (_read(folder, [number], kind, columns) for number in part_numbers(folder))


def count_filled(folder: Path, kind: str, column: str) -> int:
    """Return the number of values in a column that are not missing."""
    return sum(int(part[column].count()) for part in iter_parts(folder, kind, [column]))


def _read(
    folder: Path, numbers: Sequence[int], kind: str, columns: Sequence[str] | None = None
) -> pd.DataFrame:
    paths = [part_path(folder, kind, number) for number in numbers]
    if not paths:
        raise InputError(f"the run {str(folder)!r} is damaged: its parts are missing")
    try:
        tables = [parquet.read_table(path, columns=columns) for path in paths]
        return to_frame(pa.concat_tables(tables, promote_options="permissive"))
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"the run {str(folder)!r} is damaged: {reason[:200]}") from error
