"""Folders as version 0.1.0 wrote them: runs of its app, and runs of its `crscore batch`."""

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS


def write_app_run(path: Path, comparison: CorpusComparison, name: str) -> None:
    """Write what the app of 0.1.0 saved: `run.json` and three tables."""
    path.mkdir(parents=True)
    files = {
        "changes.parquet": _changes(comparison),
        "reviews.parquet": _reviews(comparison),
        "remarks.parquet": pa.table(
            {
                "id": [
                    *(one.id for one in comparison.left_out),
                    *(None for _ in comparison.warnings),
                ],
                "text": [*(one.reason for one in comparison.left_out), *comparison.warnings],
            },
            schema=pa.schema([("id", pa.string()), ("text", pa.string())]),
        ),
    }
    checksums = {}
    for file, table in files.items():
        content = io.BytesIO()
        parquet.write_table(table, content, compression="zstd")
        (path / file).write_bytes(content.getvalue())
        checksums[file] = hashlib.sha256(content.getvalue()).hexdigest()
    document = {
        "format": 1, "created": "2026-01-02T03:04:05+00:00", "name": name, "corpus": "my.csv",
        "encoder": comparison.encoder, "claims": comparison.claims, "version": "0.1.0",
        "changes": len(comparison.changes), "reviews": len(comparison.reviews),
        "left_out": len(comparison.left_out), "is_illustrative": True, "checksums": checksums,
    }  # fmt: skip
    (path / "run.json").write_text(json.dumps(document), encoding="utf-8")


def forget_texts(path: Path) -> None:
    """Make the run of a batch what `crscore batch` of 0.1.0 wrote, without texts and changes."""
    file = path / "_run.json"
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    for part in document["parts"]:
        place = path / f"part-{part['number']:06}.parquet"
        table = parquet.ParquetFile(place).read()
        parquet.write_table(
            table.drop_columns(["text", "sentences", "pseudo_references", "similarity"]), place
        )
        part["sha256"] = hashlib.sha256(place.read_bytes()).hexdigest()
    for changes in path.glob("_changes-*"):
        changes.unlink()
    kept = {name: document[name] for name in ("settings", "changes", "rejected", "parts")}
    settings: Mapping[str, Any] = {**kept["settings"], "matrices": False}
    file.write_text(json.dumps({"format": 1, **kept, "settings": settings}), encoding="utf-8")


def _changes(comparison: CorpusComparison) -> pa.Table:
    text = pa.string()
    reference = pa.struct(
        [("text", text), ("kind", text), ("source", text), ("path", text), ("line", pa.int64())]
    )
    schema = {
        "id": text, "language": text, "diff": text, "title": text,
        "references": pa.list_(reference),
    }  # fmt: skip
    columns = {
        name: [getattr(change, name) for change in comparison.changes] for name in list(schema)[:4]
    }
    references = [[asdict(one) for one in change.references] for change in comparison.changes]
    return pa.table({**columns, "references": references}, schema=pa.schema(list(schema.items())))


def _reviews(comparison: CorpusComparison) -> pa.Table:
    texts = [tuple(one.text for one in change.references) for change in comparison.changes]
    rows = [
        {
            "change": review.change, "id": review.id, "system": review.system, "text": review.text,
            **{f"human_{name}": getattr(review.ratings, name) for name in DIMENSIONS},
            "references": (
                None if review.references == texts[review.change] else list(review.references)
            ),
            "sentences": list(review.sentences),
            "n_references": review.similarity.shape[0], "n_sentences": review.similarity.shape[1],
            "similarity": np.ravel(review.similarity),
        }
        for review in comparison.reviews
    ]  # fmt: skip
    strings = pa.list_(pa.string())
    schema = {
        "change": pa.int32(), "id": pa.string(), "system": pa.string(), "text": pa.string(),
        **{f"human_{name}": pa.float64() for name in DIMENSIONS},
        "references": strings, "sentences": strings, "n_references": pa.int32(),
        "n_sentences": pa.int32(), "similarity": pa.list_(pa.float32()),
    }  # fmt: skip
    return pa.Table.from_pylist(rows, pa.schema(list(schema.items())))
