"""Two runs of the same reviews whose analyzers differ: the signature and the gate say so."""

import json
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from crscore_core import CRScorer
from crscore_core.analyzers import ANALYZERS
from crscore_core.analyzers.javascript import jshint
from crscore_core.analyzers.linter import Linter
from crscore_core.analyzers.python.ruff import Ruff
from crscore_core.analyzers.tool import NODE_MODULES
from crscore_core.claims import claim_backend
from crscore_core.errors import InputError
from crscore_eval.export.report import report
from crscore_eval.ranking.gate import check_run
from crscore_eval.run import grouping
from crscore_eval.run.batch import run_batch, score_file
from crscore_eval.run.folder import open_run
from crscore_eval.run.parts import BatchOptions
from crscore_eval.table import run_signature
from crscore_eval.table.one_review import review_score
from tests.crscore_eval.run.corpus import TAU, reopen, write_rows
from tests.word_encoder import WordEncoder

OPTIONS = BatchOptions(tau=TAU)
CHANGES = {
    "pmd": "--- a/Cache{0}.java\n+++ b/Cache{0}.java\n@@ -1,3 +1,4 @@\n class Cache{0} {{\n"
    "+    int size{0}, n;\n     void clear() {{ }}\n }}\n",
    "jshint": "--- a/open{0}.js\n+++ b/open{0}.js\n@@ -1 +1,2 @@\n open();\n+open(size{0} == 3);\n",
    "ruff": "--- a/m{0}.py\n+++ b/m{0}.py\n@@ -1 +1,2 @@\n x = 1\n+y = x{0} == None\n",
}
"""A diff on which each analyzer finds a smell."""


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """All analyzers, and a bag-of-words encoder."""
    monkeypatch.setattr(BatchOptions, "scorer", lambda _: CRScorer(encoder=WordEncoder(), tau=TAU))


def corpus(folder: Path, analyzer: str, n_changes: int = 8) -> Path:
    diffs = [CHANGES[analyzer].format(number) for number in range(n_changes)]
    rows = [{"diff": diff, "review": "Why is `size` unused, and `==` used?"} for diff in diffs]
    return write_rows(folder / f"{analyzer}.jsonl", rows)


def hide(program: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a search path that links to all other programs."""
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for file in Path(place).iterdir() if Path(place).is_dir() else ():
            if file.name != program and not (folder / file.name).is_symlink():
                (folder / file.name).symlink_to(file)
    monkeypatch.setenv("PATH", str(folder))


def no_ruff(_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ruff, "command", lambda _: ("/no/such/ruff",))


def version_of(analyzer: str) -> str:
    """The version of an analyzer; if there is none, skip the test."""
    program = {"pmd": "java", "jshint": "node"}.get(analyzer, "sh")
    linters = [one for ones in ANALYZERS.values() for one in ones if isinstance(one, Linter)]
    version = next(one.tool.version for one in linters if one.name == analyzer)
    if version is None or shutil.which(program) is None:
        pytest.skip(f"{analyzer} is not installed")
    return version


@pytest.mark.parametrize(("analyzer", "change"), [
    ("pmd", partial(hide, "java")),
    ("jshint", partial(hide, "node")),
    ("jshint", lambda to, patch: patch.setattr(jshint, "_PACKAGE", to)),
    ("ruff", no_ruff),
])  # fmt: skip
def test_runs_whose_analyzers_differ_are_not_compared(
    analyzer: str, change: Callable[[Path, pytest.MonkeyPatch], None],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    version, file = version_of(analyzer), corpus(tmp_path, analyzer)
    full = score_file(file, OPTIONS)
    assert f"{analyzer}={version}" in str(run_signature(full.settings))
    with monkeypatch.context() as patched:
        change(tmp_path / "other", patched)
        other = score_file(file, OPTIONS)
    assert f"{analyzer}={version}" not in str(run_signature(other.settings))
    assert (other.reviews["n_pseudo_references"] < full.reviews["n_pseudo_references"]).all()
    for run, baseline, lacks in ((other, full, "this run"), (full, other, "the baseline")):
        with pytest.raises(InputError, match=f"{analyzer} .*{version}") as raised:
            check_run(run, baseline=baseline)
        assert f"none in {lacks}" in str(raised.value)
    assert check_run(full, baseline=score_file(file, OPTIONS))["result"].iloc[-2] == "passed"


def test_other_versions_of_an_analyzer_may_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = score_file(corpus(tmp_path, "ruff"), OPTIONS)
    assert len(check_run(score_file(corpus(tmp_path, "ruff", 6), OPTIONS), baseline=full))
    monkeypatch.setattr(Ruff, "version", "0.99")
    assert len(check_run(score_file(corpus(tmp_path, "ruff"), OPTIONS), baseline=full))
    with pytest.raises(InputError, match=r"ruff .*0\.99 in this run"):  # other changes
        check_run(score_file(corpus(tmp_path, "ruff", 6), OPTIONS), baseline=full)


def test_given_claims_are_the_same_from_a_column_and_from_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scorer(options: BatchOptions) -> CRScorer:
        return CRScorer(claims=claim_backend(options.claims), encoder=WordEncoder(), tau=TAU)

    monkeypatch.setattr(BatchOptions, "scorer", scorer)
    claims = tmp_path / "claims.txt"
    claims.write_text("The size is unused.", encoding="utf-8")
    from_file, some, other = OPTIONS._replace(claims=str(claims)), tmp_path / "some.jsonl", claims
    file = corpus(tmp_path, "ruff")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    write_rows(some, [{**row, "claims": [claims.read_text()]} for row in rows[:4]] + rows[4:])
    runs = [score_file(file, from_file), score_file(some, from_file)]
    assert "|claims:given#" in str(run_signature(runs[0].settings))
    assert len({str(run_signature(run.settings)) for run in runs}) == 1
    assert check_run(runs[0], baseline=runs[1])["result"].iloc[-2] == "passed"
    other.write_text("The size is used.", encoding="utf-8")
    with pytest.raises(InputError, match="pseudo-references of 8 of 8 shared changes differ"):
        check_run(score_file(file, from_file), baseline=runs[0])


def test_a_tool_that_vanishes_changes_the_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grouping, "CHANGES_PER_PART", 2)
    file, out = corpus(tmp_path, "ruff", 4), tmp_path / "run"
    run_batch(file, out, OPTIONS)
    reopen(out)
    for lost in out.glob("*-00001.parquet"):
        lost.unlink()
    with monkeypatch.context() as patched:
        no_ruff(tmp_path, patched)
        run_batch(file, out, OPTIONS, resume=True)
    resumed = open_run(out)
    assert f"ruff={version_of('ruff')}[2/4]" in str(run_signature(resumed.settings))
    with pytest.raises(InputError, match="pseudo-references of 2 of 4 shared changes differ"):
        check_run(resumed, baseline=score_file(file, OPTIONS))


def test_a_language_that_changes_scores_changes_the_signature(tmp_path: Path) -> None:
    """Bare hunks have rules and analyzers only if a column names their language."""
    hunks = [CHANGES["ruff"].format(number).partition("+++ b/")[2] for number in range(8)]
    rows = [{"diff": hunk.partition("\n")[2], "review": "Why `==`?"} for hunk in hunks]
    given = [row | {"language": "python"} for row in rows]
    files = [write_rows(tmp_path / f"{len(of[0])}.jsonl", of) for of in (rows, given)]
    plain, known = (score_file(file, OPTIONS) for file in files)
    signatures = [
        [str(run_signature(run.settings)), str(review_score(run, 0).signature)]
        for run in (plain, known)
    ]
    claims = [{one.partition("|analyzers")[0] for one in of} for of in signatures]
    assert claims[0].isdisjoint(claims[1])
    assert known.reviews["n_pseudo_references"].sum() > plain.reviews["n_pseudo_references"].sum()
    with pytest.raises(InputError, match="8 of 8 shared changes differ"):
        check_run(known, baseline=plain)
    joined = score_file(files[0], OPTIONS._replace(group=True))
    with pytest.raises(InputError, match="is grouped: False in the baseline, True"):
        check_run(joined, baseline=plain)


def test_a_change_s_signature_names_only_its_own_analyzers(tmp_path: Path) -> None:
    lines = [corpus(tmp_path, name, 1).read_text() for name in ("ruff", "jshint")]
    (tmp_path / "both.jsonl").write_text("".join(lines))
    run = score_file(tmp_path / "both.jsonl", OPTIONS)
    python, javascript = (str(review_score(run, row).signature) for row in (0, 1))
    assert "ruff=" in python
    assert "ruff=" not in javascript
    assert "ruff=" in str(run_signature(run.settings))


def test_a_report_has_rejected_rows_and_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    file = corpus(tmp_path, "jshint", 2)
    with file.open("a", encoding="utf-8") as rows:
        rows.write(json.dumps({"review": "of nothing"}))
    text = report(score_file(file, OPTIONS))
    for words in ("1 row of jshint.jsonl rejected", "row 3 rejected: it has no diff",
                  "jshint analysed none of 2 files", "crscore doctor"):  # fmt: skip
        assert words in text
    assert str(NODE_MODULES.parent) not in text
