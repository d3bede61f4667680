"""One review has one score: by Python, by `crscore score`, and in a run."""

import json
from itertools import chain
from pathlib import Path

import pytest

from crscore_cli import main
from crscore_core import CRScorer
from crscore_eval.export.report import report
from crscore_eval.export.reviews import export_frame
from crscore_eval.run.folder import open_run
from crscore_eval.table import DIMENSIONS, run_signature
from crscore_eval.table.one_review import review_score
from tests.crscore_core.changes import PYTHON

REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks!"


def test_every_entry_point_scores_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = CRScorer().score(PYTHON, REVIEW)
    scores = {name: getattr(expected, name) for name in DIMENSIONS}
    similarity = expected.similarity.ravel().tolist()

    diff = tmp_path / "change.diff"
    diff.write_text(PYTHON, encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["score", "--diff", str(diff), "--review", REVIEW, "--json"])
    document = json.loads(capsys.readouterr().out)
    (printed,) = document["reviews"]
    assert {name: printed[name] for name in DIMENSIONS} == pytest.approx(scores)
    assert [*chain.from_iterable(printed["similarity"])] == pytest.approx(similarity, abs=1e-5)

    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps({"diff": PYTHON, "review": REVIEW}), encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["batch", str(corpus), "-o", str(tmp_path / "run")])
    run = open_run(tmp_path / "run")
    row = run.reviews.iloc[0]
    assert {name: row[name] for name in DIMENSIONS} == pytest.approx(scores)
    assert list(row["similarity"]) == pytest.approx(similarity, abs=1e-5)

    signature = str(expected.signature)
    assert document["signature"]["text"] == signature
    assert str(review_score(run, 0).signature) == str(run_signature(run.settings)) == signature
    assert signature in report(run)
    assert export_frame(run, run.settings["tau"])["signature"].tolist() == [signature]
    capsys.readouterr()
    for arguments in (f"rank {tmp_path}/run", f"batch {corpus} -o {tmp_path}/run --resume"):
        with pytest.raises(SystemExit):
            main([*arguments.split(), "--json"])
        assert json.loads(capsys.readouterr().out)["signature"] == signature
