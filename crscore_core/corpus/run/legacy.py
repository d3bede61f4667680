"""Runs that the app of 0.1.0 saved: `run.json` and three tables, read and never written."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.run.contents import comparison_of_tables
from crscore_core.corpus.run.document import RunDocument, WrittenPart
from crscore_core.corpus.run.table import change_schema
from crscore_core.errors import BatchError

if TYPE_CHECKING:
    import pyarrow as pa

LEGACY_DOCUMENT = "run.json"

_FILES = ("changes.parquet", "reviews.parquet", "remarks.parquet")
_LARGEST_DOCUMENT = 100_000
_COLUMNS = {"references": "pseudo_references", "n_references": "n_pseudo_references"}


@dataclass(frozen=True, slots=True)
class LegacyRun:
    """The folder of such a run and its description."""

    path: Path
    document: RunDocument
    checksums: dict[str, str]

    @classmethod
    def open(cls, path: Path) -> "LegacyRun":
        """Open the run in a folder, its tables still unread.

        Raises:
            BatchError: the description cannot be read or is damaged, or a table is missing.
        """
        found = _description(path)
        missing = [name for name in _FILES if not (path / name).is_file()]
        if missing:
            raise BatchError(f"{missing[0]} is missing")
        try:
            n_left_out = int(found["left_out"])
            n_changes = int(found["changes"]) + n_left_out
            document = RunDocument(
                {name: str(found[name]) for name in ("encoder", "claims", "version")},
                n_changes,
                0,
                (WrittenPart(0, int(found["reviews"]), 0, ""),),
                (WrittenPart(0, n_changes, n_left_out, ""),),
                str(found["name"]),
                str(found["corpus"]),
                str(found["created"]),
                is_illustrative=found.get("is_illustrative") is True,
            )
            return cls(path, document, dict(found["checksums"]))
        except (KeyError, TypeError, ValueError) as error:
            raise BatchError("its description is damaged") from error

    def comparison(self) -> CorpusComparison:
        """Read every review with the pseudo-references of its change.

        Raises:
            BatchError: a table cannot be read, or is not what was saved.
        """
        import pyarrow as pa

        try:
            changes, reviews, remarks = map(self._table, _FILES)
            said = remarks.to_pylist()
            rows = [
                *({**row, "left_out": None} for row in changes.to_pylist()),
                *(
                    {"id": row["id"], "left_out": row["text"], "references": []}
                    for row in said
                    if row["id"] is not None
                ),
            ]
            for number, row in enumerate(rows):
                row |= {"number": number, "warnings": [], "pseudo_references": row["references"]}
            renamed = [_COLUMNS.get(name, name) for name in reviews.column_names]
            return comparison_of_tables(
                self.document,
                [pa.Table.from_pylist(rows, change_schema())],
                [reviews.rename_columns(renamed)],
                [row["text"] for row in said if row["id"] is None],
            )
        except OSError as error:
            raise BatchError(error.strerror or str(error)) from error
        except (pa.ArrowException, LookupError, TypeError, ValueError) as error:
            raise BatchError("its tables are not those of a run") from error

    def _table(self, name: str) -> "pa.Table":
        """Read a table that was saved; a damaged file may abort the program that reads it."""
        import pyarrow as pa
        from pyarrow import parquet

        content = (self.path / name).read_bytes()
        if hashlib.sha256(content).hexdigest() != self.checksums.get(name):
            raise BatchError(f"{name} is not what was saved")
        return parquet.read_table(pa.BufferReader(content))


def _description(path: Path) -> dict[str, Any]:
    try:
        with (path / LEGACY_DOCUMENT).open("rb") as file:
            document = json.loads(file.read(_LARGEST_DOCUMENT).decode("utf-8"))
    except OSError as error:
        raise BatchError(error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise BatchError("its description is no JSON") from error
    if not isinstance(document, dict) or document.get("format") != 1:
        raise BatchError("it is not of format 1, in which 0.1.0 saved runs")
    return document
