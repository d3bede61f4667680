"""Files of reviews: they contain what import needs to reproduce the scores."""

import json
from pathlib import Path

import pandas as pd
import pytest

from crscore_eval.export.reviews import export_frame
from crscore_eval.run.parts import NO_REFERENCES_REASON
from crscore_eval.table import decide_layout, file_content
from crscore_eval.table.read import ReviewRow, read_reviews
from tests.crscore_eval.ranking.runs_of_rows import TAU, run_of_systems


def reference(kind: str, source: str) -> dict[str, object]:
    return {"text": "one", "kind": kind, "source": source, "path": None, "line": None,
            "wordings": []}  # fmt: skip


CLAIM, GIVEN, SMELL = map(reference, ("claim", "claim", "smell"), ("symbolic", "given", "ruff"))


@pytest.mark.parametrize(("references", "left_out", "claims", "texts"), [
    ([CLAIM, SMELL], None, "symbolic+given", None),  # import generates the same claims
    ([CLAIM, SMELL], None, "given", ["one"]),
    ([GIVEN, SMELL], None, "symbolic+given", ["one"]),
    ([GIVEN, SMELL], None, "given", ["one"]),
    ([SMELL], None, "given", []),  # the backend made no claims
    ([SMELL], None, "symbolic", None),
    ([], "it failed", "given", None),
    ([], NO_REFERENCES_REASON, "given", []),
])  # fmt: skip
def test_exports_claims_that_import_needs(
    references: list[object], left_out: str | None, claims: str, texts: list[str] | None
) -> None:
    run = run_of_systems({"alpha": 0.5}, 1)
    changes = run.changes.assign(references=pd.Series([references]), left_out=left_out)
    run = run._replace(changes=changes, settings={**run.settings, "claims": claims})
    (cell,) = export_frame(run, TAU)["claims"]
    assert (None if pd.isna(cell) else [claim["text"] for claim in json.loads(cell)]) == texts


def test_reviews_without_diffs_are_read_back(tmp_path: Path) -> None:
    run = run_of_systems({"alpha": 0.5}, 2)
    reviews = run.reviews.assign(reference="Why?")
    run = run._replace(reviews=reviews, changes=run.changes.assign(diff=""))
    path = tmp_path / "reviews.csv"
    path.write_bytes(file_content(export_frame(run, TAU), "csv"))
    rows = [row for row in read_reviews(path, decide_layout(path)) if isinstance(row, ReviewRow)]
    assert [row.reference for row in rows] == ["Why?", "Why?"]
    head, first = path.read_text().splitlines()[:2]
    assert head.startswith("signature,")
    assert first.startswith("crscore:0|")
