"""The folder of a run: `part-NNNNN.parquet`, `_changes-NNNNN.parquet`, `_run.json`.

Readers of Parquet folders skip names that begin with `_`: `pandas.read_parquet(folder)` reads the
reviews.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crscore_core.errors import InputError
from crscore_eval.table import REVIEW_COLUMNS, Run, change_schema, own_columns, to_frame

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

REVIEWS, CHANGES, SETTINGS = "part", "_changes", "_run.json"


def part_path(folder: Path, kind: str, number: int) -> Path:
    """Return the path of a part; `kind` is `REVIEWS` or `CHANGES`."""
    return folder / f"{kind}-{number:05}.parquet"


def has_part(folder: Path, number: int) -> bool:
    """Return True if a part is complete: its reviews are written last."""
    return part_path(folder, REVIEWS, number).is_file()


def write_part(
    folder: Path,
    number: int,
    changes: "pd.DataFrame",
    reviews: "pd.DataFrame",
    types: "Mapping[str, pa.DataType] | None" = None,
) -> None:
    """Write a part, each file whole or not at all, the reviews last.

    `types` are those of the columns that not every table of reviews has; None takes the frame's.
    """
    import pyarrow as pa

    from crscore_eval.table import review_schema

    if types is None:
        own = pa.Schema.from_pandas(reviews[own_columns(reviews)], preserve_index=False)
        types = {field.name: field.type for field in own}
    _write_table(part_path(folder, CHANGES, number), changes, change_schema())
    _write_table(part_path(folder, REVIEWS, number), reviews, review_schema(types))


def write_settings(folder: Path, settings: Mapping[str, Any]) -> None:
    """Write the settings, whole or not at all."""
    path = folder / SETTINGS
    temporary = path.with_name(f"{SETTINGS}.new")
    temporary.write_text(json.dumps(settings, ensure_ascii=False, indent=1), encoding="utf-8")
    temporary.replace(path)


def write_run(run: Run, folder: Path) -> None:
    """Write a run in memory as a folder of one part."""
    folder.mkdir(parents=True, exist_ok=True)
    write_part(folder, 0, run.changes, run.reviews)
    write_settings(folder, run.settings)


def read_settings(folder: Path) -> dict[str, Any]:
    """Return the settings of a run, finished or not.

    Raises:
        InputError: the folder is missing, or not a run.
    """
    path = folder / SETTINGS
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(
            f"{str(folder)!r} is not a run: it has no {SETTINGS}; `crscore batch` makes one"
        ) from error
    except (OSError, ValueError) as error:
        raise InputError(f"{str(path)!r} cannot be read: {error}") from error
    if not isinstance(settings, dict):
        raise InputError(f"{str(path)!r} is damaged: it is not a JSON object")
    return settings


def open_run(path: Path | str) -> Run:
    """Read a finished run into memory.

    Raises:
        InputError: the folder is not a run, or an unfinished or damaged one.
    """
    folder = Path(path)
    settings = read_settings(folder)
    if not settings.get("is_finished", True):
        raise InputError(f"the run {str(folder)!r} is unfinished; go on with --resume")
    changes = _read_parts(folder, CHANGES)
    reviews = _read_parts(folder, REVIEWS)
    n_reviews = settings.get("n_reviews", len(reviews))
    if REVIEW_COLUMNS.keys() - {*reviews.columns} or len(reviews) != n_reviews:
        raise InputError(f"the run {str(folder)!r} is damaged: parts or columns are missing")
    return Run(reviews.sort_values("row", kind="stable", ignore_index=True), changes, settings)


def part_numbers(folder: Path) -> list[int]:
    """Return the numbers of the parts of a run, in order."""
    return sorted(int(path.stem.rpartition("-")[2]) for path in folder.glob(f"{REVIEWS}-*.parquet"))


def read_part(folder: Path, number: int) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Return the changes and the reviews of a part.

    Raises:
        InputError: a file is missing or damaged.
    """
    changes, reviews = (_read_parts(folder, kind, f"{number:05}") for kind in (CHANGES, REVIEWS))
    return changes, reviews


def list_runs(folder: Path) -> list[dict[str, Any]]:
    """Return the settings of the finished runs in a folder, newest first, each with its `path`."""
    runs = []
    for path in folder.iterdir() if folder.is_dir() else ():
        try:
            settings = read_settings(path)
        except InputError:
            continue
        if settings.get("is_finished", True):
            runs.append({**settings, "path": path})
    return sorted(runs, key=lambda run: run.get("created") or "", reverse=True)


def count_left_out(folder: Path) -> int:
    """Return the number of changes that cannot be scored."""
    from pyarrow import parquet

    paths = folder.glob(f"{CHANGES}-*.parquet")
    columns = (parquet.read_table(path, columns=["left_out"])["left_out"] for path in paths)
    return sum(len(column) - column.null_count for column in columns)


def _write_table(path: Path, frame: "pd.DataFrame", schema: "pa.Schema") -> None:
    import pyarrow as pa
    from pyarrow import parquet

    temporary = path.with_name(f"_{path.name}.new")
    table = pa.Table.from_pandas(frame[schema.names], schema=schema, preserve_index=False)
    # Without the metadata of pandas, which cannot read lists of Arrow by it.
    parquet.write_table(table.replace_schema_metadata(None), temporary, compression="zstd")
    temporary.replace(path)


def _read_parts(folder: Path, kind: str, number: str = "*") -> "pd.DataFrame":
    import pyarrow as pa
    from pyarrow import parquet

    try:
        paths = sorted(folder.glob(f"{kind}-{number}.parquet"))
        tables = [parquet.read_table(path, partitioning=None) for path in paths]
        whole = pa.concat_tables(tables, promote_options="permissive")
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"the run {str(folder)!r} is damaged: {reason[:200]}") from error
    return to_frame(whole)
