"""One review has one score: by Python, by `crscore score` and `batch`, and in the app."""

import json
from itertools import chain
from pathlib import Path

import pytest
from crscore_core.cli.main import main
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.imports import Imports

from crscore_core import CRScorer
from tests.crscore_core.changes import PYTHON
from tests.pages.app_page import own_form

REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks!"


@pytest.fixture(autouse=True)
def own_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))


def test_every_door_gives_the_same_digits(
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
    assert {name: printed[name] for name in DIMENSIONS} == scores
    assert [*chain.from_iterable(printed["similarity"])] == pytest.approx(similarity, abs=1e-6)

    corpus, out = tmp_path / "corpus.jsonl", tmp_path / "out.parquet"
    corpus.write_text(json.dumps({"diff": PYTHON, "review": REVIEW}), encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["batch", str(corpus), "-o", str(out)])

    imports = Imports(tmp_path / "imports")
    columns = {"diff": "diff", "review": "review"}
    found = imports.find(imports.begin("corpus.jsonl", corpus.read_bytes(), columns, ()))
    assert found is not None
    if found.job is not None:
        assert found.job.wait(240).error is None
    for run in (FinishedRun.open(out), found.run()):
        (row,) = next(run.parts()).to_pylist()
        assert {name: row[name] for name in DIMENSIONS} == scores
        assert row["similarity"] == pytest.approx(similarity, abs=1e-6)

    page = own_form().put(diff=PYTHON, review_1=REVIEW)
    (shown,) = page.press("Score").session_state["outcome"].scores
    at_tau = shown.at(expected.tau)
    assert {name: getattr(at_tau, name) for name in DIMENSIONS} == scores
    assert at_tau.similarity.ravel().tolist() == pytest.approx(similarity, abs=1e-6)
