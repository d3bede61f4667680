"""Runs as `crscore batch` of version 0.1.0 wrote them."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyarrow import parquet

from crscore_core.corpus.run.table import TEXT_COLUMNS
from crscore_core.predicted.ratings import PREDICTED_COLUMNS


def forget_texts(path: Path) -> None:
    """Make the run of a batch what `crscore batch` of 0.1.0 wrote, without texts and changes."""
    file = path / "_run.json"
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    for part in document["parts"]:
        place = path / f"part-{part['number']:06}.parquet"
        table = parquet.ParquetFile(place).read()
        parquet.write_table(table.drop_columns([*TEXT_COLUMNS, *PREDICTED_COLUMNS]), place)
        part["sha256"] = hashlib.sha256(place.read_bytes()).hexdigest()
    for changes in path.glob("_changes-*"):
        changes.unlink()
    kept = {name: document[name] for name in ("settings", "changes", "rejected", "parts")}
    settings: Mapping[str, Any] = {**kept["settings"], "matrices": False}
    file.write_text(json.dumps({"format": 1, **kept, "settings": settings}), encoding="utf-8")
