"""Files of reviews: what import needs to score the same again."""

import json

import pandas as pd
import pytest

from crscore_eval.export.reviews import exported
from tests.crscore_eval.ranking.made_runs import TAU, two_dimensional


def reference(kind: str, source: str) -> dict[str, object]:
    return {"text": "one", "kind": kind, "source": source, "path": None, "line": None,
            "wordings": []}  # fmt: skip


@pytest.mark.parametrize(
    ("references", "texts"),
    [
        ([reference("claim", "symbolic"), reference("smell", "ruff")], None),  # made again
        ([reference("claim", "given"), reference("smell", "ruff")], ["one"]),
        ([reference("smell", "ruff")], []),  # the backend made no claims
    ],
)
def test_claims_are_exported_unless_import_makes_the_same(
    references: list[dict[str, object]], texts: list[str] | None
) -> None:
    run = two_dimensional({"alpha": 0.5}, 1)
    run = run._replace(changes=run.changes.assign(references=pd.Series([references])))
    (cell,) = exported(run, TAU)["claims"]
    assert (None if pd.isna(cell) else [claim["text"] for claim in json.loads(cell)]) == texts
