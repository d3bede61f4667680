"""Files of reviews: what import needs to score the same again."""

import json
from pathlib import Path

import pandas as pd
import pytest

from crscore_eval.export.reviews import export_frame
from crscore_eval.run.parts import NO_REFERENCES_REASON
from crscore_eval.table import file_content, read_table
from tests.crscore_eval.ranking.runs_of_rows import TAU, run_of_systems


def reference(kind: str, source: str) -> dict[str, object]:
    return {"text": "one", "kind": kind, "source": source, "path": None, "line": None,
            "wordings": []}  # fmt: skip


@pytest.mark.parametrize(
    ("by", "references", "texts"),
    [
        ("symbolic+given", [reference("claim", "symbolic"), reference("smell", "ruff")], None),
        ("given", [reference("claim", "symbolic"), reference("smell", "ruff")], ["one"]),
        ("symbolic+given", [reference("claim", "given"), reference("smell", "ruff")], ["one"]),
        ("given", [reference("smell", "ruff")], []),  # the backend made no claims
    ],
)
def test_claims_are_exported_unless_import_makes_the_same(
    by: str, references: list[dict[str, object]], texts: list[str] | None
) -> None:
    run = run_of_systems({"alpha": 0.5}, 1)
    changes = run.changes.assign(references=pd.Series([references]))
    run = run._replace(changes=changes, settings={**run.settings, "claims": by})
    (cell,) = export_frame(run, TAU)["claims"]
    assert (None if pd.isna(cell) else [claim["text"] for claim in json.loads(cell)]) == texts


def test_a_symbolic_run_exports_no_claims() -> None:
    run = run_of_systems({"alpha": 0.5}, 1)
    changes = run.changes.assign(references=pd.Series([[reference("smell", "ruff")]]))
    run = run._replace(changes=changes, settings={**run.settings, "claims": "symbolic"})
    assert export_frame(run, TAU)["claims"].isna().all()


def test_claims_of_a_change_are_blank_if_they_failed_and_empty_if_there_are_none() -> None:
    run = run_of_systems({"alpha": 0.5}, 2)
    references = pd.Series([[], []])
    changes = run.changes.assign(
        references=references, left_out=["it failed", NO_REFERENCES_REASON]
    )
    claims = export_frame(run._replace(changes=changes), TAU)["claims"]
    assert claims.fillna("blank").tolist() == ["blank", "[]"]


def test_reviews_without_diffs_are_read_back(tmp_path: Path) -> None:
    run = run_of_systems({"alpha": 0.5}, 2)
    reviews = run.reviews.assign(reference="Why?")
    run = run._replace(reviews=reviews, changes=run.changes.assign(diff=""))
    path = tmp_path / "reviews.csv"
    path.write_bytes(file_content(export_frame(run, TAU), "csv"))
    assert read_table(path)[0]["reference"].tolist() == ["Why?", "Why?"]
    head, first = path.read_text().splitlines()[:2]
    assert head.startswith("signature,")
    assert first.startswith("crscore:0|")
