"""One review has one score: by Python, by `crscore score`, and in a run."""

import json
from itertools import chain
from pathlib import Path

import pytest

from crscore_cli import main
from crscore_core import CRScorer
from crscore_eval.run import open_run
from crscore_eval.table import DIMENSIONS
from tests.crscore_core.changes import PYTHON

REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks!"


def test_every_entry_point_gives_the_same_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = CRScorer().score(PYTHON, REVIEW)
    scores = {name: getattr(expected, name) for name in DIMENSIONS}
    similarity = expected.similarity.ravel().tolist()

    diff = tmp_path / "change.diff"
    diff.write_text(PYTHON, encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["score", "--diff", str(diff), "--review", REVIEW, "--json"])
    (printed,) = json.loads(capsys.readouterr().out)["reviews"]
    assert {name: printed[name] for name in DIMENSIONS} == pytest.approx(scores)
    assert [*chain.from_iterable(printed["similarity"])] == pytest.approx(similarity, abs=1e-5)

    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps({"diff": PYTHON, "review": REVIEW}), encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["batch", str(corpus), "-o", str(tmp_path / "run")])
    row = open_run(tmp_path / "run").reviews.iloc[0]
    assert {name: row[name] for name in DIMENSIONS} == pytest.approx(scores)
    assert list(row["similarity"]) == pytest.approx(similarity, abs=1e-5)
