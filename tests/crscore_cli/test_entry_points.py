"""A review has the same score in Python, with `crscore score`, and in a run."""

from itertools import chain
from pathlib import Path

import pytest

from crscore_core import CRScorer
from crscore_eval import open_run
from crscore_eval.export.report import report
from crscore_eval.export.reviews import export_frame
from crscore_eval.table import DIMENSIONS, run_signature
from crscore_eval.table.one_review import review_score
from tests.crscore_cli.conftest import Command
from tests.crscore_core.changes import PYTHON
from tests.crscore_eval.run.corpus import write_rows

REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks!"


def test_every_entry_point_scores_alike(crscore: Command) -> None:
    expected = CRScorer().score(PYTHON, REVIEW)
    scores = {name: getattr(expected, name) for name in DIMENSIONS}
    similarity = expected.similarity.ravel().tolist()

    Path("change.diff").write_text(PYTHON, encoding="utf-8")
    document = crscore(f"score --diff change.diff --review '{REVIEW}' --json").json
    (printed,) = document["reviews"]
    assert {name: printed[name] for name in DIMENSIONS} == pytest.approx(scores)
    assert [*chain.from_iterable(printed["similarity"])] == pytest.approx(similarity, abs=1e-5)

    write_rows(Path("corpus.jsonl"), [{"diff": PYTHON, "review": REVIEW}])
    crscore("batch corpus.jsonl -o run")
    run = open_run(Path("run"))
    row = run.reviews.iloc[0]
    assert {name: row[name] for name in DIMENSIONS} == pytest.approx(scores)
    assert list(row["similarity"]) == pytest.approx(similarity, abs=1e-5)

    signature = str(expected.signature)
    assert document["signature"]["text"] == signature
    assert str(review_score(run, 0).signature) == str(run_signature(run.settings)) == signature
    assert signature in report(run)
    assert export_frame(run, run.settings["tau"])["signature"].tolist() == [signature]
    for line in ("rank run", "batch corpus.jsonl -o run --resume"):
        assert crscore(f"{line} --json").json["signature"] == signature
