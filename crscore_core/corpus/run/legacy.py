"""Runs that the app of 0.1.0 saved: `run.json` and three tables, read and never written."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crscore_core.corpus.run.document import RunDocument, WrittenPart
from crscore_core.corpus.run.table import change_schema
from crscore_core.errors import CorpusError

if TYPE_CHECKING:
    import pyarrow as pa

LEGACY_DOCUMENT = "run.json"

_FILES = ("changes.parquet", "reviews.parquet", "remarks.parquet")
_LARGEST_DOCUMENT = 100_000
_COLUMNS = {"references": "pseudo_references", "n_references": "n_pseudo_references"}


def read_legacy_document(path: Path) -> RunDocument:
    """Read the description of the run in a folder.

    Raises:
        CorpusError: it cannot be read or is damaged, or a table is missing.
    """
    document = _description(path)
    missing = [name for name in _FILES if not (path / name).is_file()]
    if missing:
        raise CorpusError(f"{missing[0]} is missing")
    try:
        counts = {name: int(document[name]) for name in ("changes", "reviews", "left_out")}
        n_changes = counts["changes"] + counts["left_out"]
        return RunDocument(
            {name: str(document[name]) for name in ("encoder", "claims", "version")},
            n_changes,
            0,
            (WrittenPart(0, counts["reviews"], 0, ""),),
            (WrittenPart(0, n_changes, counts["left_out"], ""),),
            str(document["name"]),
            str(document["corpus"]),
            str(document["created"]),
            is_illustrative=document.get("is_illustrative") is True,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CorpusError("its description is damaged") from error


def legacy_tables(path: Path) -> tuple["pa.Table", "pa.Table", tuple[str, ...]]:
    """Read a run's changes and reviews in the columns of today, and its warnings.

    Raises:
        CorpusError: a file cannot be read, or is not what was saved.
    """
    import pyarrow as pa
    from pyarrow import parquet

    document = _description(path)
    try:
        changes, reviews, remarks = (
            parquet.read_table(pa.BufferReader(_checked(path / name, document))) for name in _FILES
        )
        said = remarks.to_pylist()
        left_out = [row for row in said if row["id"] is not None]
        rows = [
            *({**row, "left_out": None} for row in changes.to_pylist()),
            *({"id": row["id"], "left_out": row["text"], "references": []} for row in left_out),
        ]
        for number, row in enumerate(rows):
            row |= {"number": number, "warnings": [], "pseudo_references": row["references"]}
        renamed = [_COLUMNS.get(name, name) for name in reviews.column_names]
        return (
            pa.Table.from_pylist(rows, change_schema()),
            reviews.rename_columns(renamed),
            tuple(row["text"] for row in said if row["id"] is None),
        )
    except OSError as error:
        raise CorpusError(error.strerror or str(error)) from error
    except (pa.ArrowException, KeyError, TypeError, ValueError) as error:
        raise CorpusError("its tables are not those of a run") from error


def _description(path: Path) -> Mapping[str, Any]:
    try:
        with (path / LEGACY_DOCUMENT).open("rb") as file:
            document = json.loads(file.read(_LARGEST_DOCUMENT).decode("utf-8"))
    except OSError as error:
        raise CorpusError(error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise CorpusError("its description is no JSON") from error
    if not isinstance(document, dict) or document.get("format") != 1:
        raise CorpusError("it is not of format 1, in which 0.1.0 saved runs")
    return document


def _checked(file: Path, document: Mapping[str, Any]) -> bytes:
    """Read a table that was saved; a damaged Parquet file may abort the program that reads it."""
    content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() != document["checksums"].get(file.name):
        raise CorpusError(f"{file.name} is not what was saved")
    return content
