"""Files become runs: parts, kills, settings, odd corpora."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pandas as pd
import pytest

from crscore_core.errors import InputError, UnavailableError
from crscore_eval.data.ratings import Question, Ratings
from crscore_eval.export.reviews import export_frame
from crscore_eval.run import folder, grouping
from crscore_eval.run.batch import run_batch, score_file
from crscore_eval.run.folder import open_run
from crscore_eval.run.grouping import ReviewsByChange
from crscore_eval.run.parts import BatchOptions
from crscore_eval.table import GROUND_TRUTH, file_content
from tests.crscore_eval.run.corpus import (
    TAU,
    assert_same,
    diff_of,
    reopen,
    rows_of,
    word_scorer,
    write_rows,
)

OPTIONS = BatchOptions(tau=TAU)
GROUPED = OPTIONS._replace(group=True)
N_CHANGES = 6
NEW_FILE = "def new_0(a, b=None):\n    return a\n"


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three parts of two changes each, scored with a bag of words."""
    monkeypatch.setattr(grouping, "CHANGES_PER_PART", 2)
    monkeypatch.setattr(BatchOptions, "scorer", lambda options: word_scorer(float(options.tau)))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "corpus.jsonl", rows_of(N_CHANGES))


@pytest.fixture
def out(corpus: Path, tmp_path: Path) -> Path:
    """The folder of a finished run of the corpus."""
    run_batch(corpus, tmp_path / "run", OPTIONS)
    return tmp_path / "run"


def test_a_file_becomes_parts_that_pandas_reads(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    steps: list[Any] = []
    done = run_batch(corpus, out, OPTIONS, on_progress=lambda *step: steps.append(step))
    parts = (f"{name}-0000{n}.parquet" for name in ("_changes", "part") for n in range(3))
    assert {path.name for path in out.iterdir()} == {"_run.json", *parts}
    assert (done["n_reviews"], done["n_changes"], done["n_rejected"]) == (18, 6, 0)
    assert [done for done, _, step in steps if step == "scoring reviews"] == [0, 6, 12, 18]
    # Within the first part, progress moves with each of its two changes and with each step.
    assert [done for done, *_ in steps[2:6]] == [1, 3, 3, 4]
    run = open_run(out)
    assert run.reviews["id"].tolist() == [row["id"] for row in rows_of(N_CHANGES)]
    assert len(pd.read_parquet(out)) == 18
    assert run.changes["change"].is_unique
    assert set(run.reviews["change"]) == set(run.changes["change"])


KILLED = """
import os, signal, sys
from pathlib import Path
from shutil import copy
from crscore_eval.run import batch, grouping
from crscore_eval.run.parts import BatchOptions
from tests.crscore_eval.run.corpus import word_scorer
grouping.CHANGES_PER_PART = 2
BatchOptions.scorer = lambda options: word_scorer(float(options.tau))
write = batch.write_part
def write_or_die(out, number, *tables):
    os.kill(os.getpid(), signal.SIGKILL) if number else write(out, number, *tables)
batch.write_part = write_or_die
batch.run_batch(Path(sys.argv[1]), Path(sys.argv[2]), BatchOptions(tau={tau}))
"""


def test_a_killed_batch_is_resumed_with_the_same_scores(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    arguments = [sys.executable, "-c", KILLED.format(tau=TAU), str(corpus), str(out)]
    environment = os.environ | {"PYTHONPATH": "."}
    killed = subprocess.run(arguments, env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(list(out.glob("part-*"))) == 1
    with pytest.raises(InputError):
        open_run(out)
    kept = {path: path.stat().st_mtime_ns for path in out.glob("part-*")}
    run_batch(corpus, out, OPTIONS, resume=True)
    assert_same(open_run(out), score_file(corpus, OPTIONS))
    assert all(path.stat().st_mtime_ns == time for path, time in kept.items())


@pytest.mark.parametrize("is_finished", [True, False])
@pytest.mark.parametrize("lost", ["*-00001.parquet", "part-00002.*", "_changes-00000.*"])
def test_resume_scores_a_lost_part(
    corpus: Path, out: Path, lost: str, *, is_finished: bool
) -> None:
    if not is_finished:
        reopen(out)
    for path in out.glob(lost):
        path.unlink()
    with pytest.raises(InputError):
        open_run(out)
    run_batch(corpus, out, OPTIONS, resume=True)
    assert_same(open_run(out), score_file(corpus, OPTIONS))


def test_a_run_is_private_and_links_are_not_followed(corpus: Path, tmp_path: Path) -> None:
    out, mine = tmp_path / "run", tmp_path / "mine.txt"
    mine.write_text("mine", encoding="utf-8")
    umask = os.umask(0o022)
    try:
        run_batch(corpus, out, OPTIONS)
        reopen(out)
        (out / "part-00001.parquet").unlink()
        for name in ("_part-00001.parquet.new", "__changes-00001.parquet.new", "_run.json.new"):
            (out / name).symlink_to(mine)
        run_batch(corpus, out, OPTIONS, resume=True)
        Ratings(out).give("ann", Question("1", "relevance", (1, 2)), 2)
    finally:
        os.umask(umask)
    assert mine.read_text(encoding="utf-8") == "mine"
    assert out.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in out.iterdir()} == {0o600}
    assert not any(path.is_symlink() for path in out.iterdir())
    assert len(open_run(out).reviews) == 18


def test_redoes_half_a_part(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_file, replaced = Path.replace, list[str]()

    def replace_until_full(path: Path, target: Path) -> Path:
        if path.suffix == ".new" and "parquet" in path.name:
            replaced.append(target.name)
            if len(replaced) == 4:
                raise OSError(28, "No space left on device")
        return replace_file(path, target)

    out = tmp_path / "run"
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", replace_until_full)
        with pytest.raises(InputError, match="--resume"):
            run_batch(corpus, out, OPTIONS)
    assert folder.part_numbers(out) == [0]
    run_batch(corpus, out, OPTIONS, resume=True)
    assert_same(open_run(out), score_file(corpus, OPTIONS))


@pytest.mark.parametrize(("column", "values"), [
    ("claims", [["b is new."], ["The function is renamed."]]),
    ("language", ["py", "java"]),
    ("new_file", [NEW_FILE, NEW_FILE + "\n"]),
])  # fmt: skip
def test_different_references_make_a_different_change(
    column: str, values: list[Any], tmp_path: Path
) -> None:
    rows = [rows_of(1)[0] | {"id": str(value), column: value} for value in values]
    run = score_file(write_rows(tmp_path / "corpus.jsonl", rows), OPTIONS)
    assert run.settings["n_changes"] == 2
    assert run.reviews["change"].is_unique


@pytest.mark.parametrize("is_finished", [True, False])
def test_resuming_a_run_that_has_all_parts_loads_no_tools_and_keeps_them(
    corpus: Path, out: Path, monkeypatch: pytest.MonkeyPatch, *, is_finished: bool
) -> None:
    first = folder.read_settings(out)
    if not is_finished:
        reopen(out)
    times = {path: path.stat().st_mtime_ns for path in out.glob("*.parquet")}
    monkeypatch.setattr(BatchOptions, "scorer", lambda _: pytest.fail("nothing is missing"))
    renamed = run_batch(corpus, out, OPTIONS._replace(name="renamed"), resume=True)
    assert renamed == open_run(out).settings == first | {"name": "renamed"}
    assert {path: path.stat().st_mtime_ns for path in out.glob("*.parquet")} == times


@pytest.mark.parametrize(("changed", "started_with"), [
    ({"tau": 0.5}, "tau"),
    ({"analyzers": False}, "with_analyzers"),
    ({"columns": {"system": "text"}}, "chosen_columns"),
    ({}, "source"),
    ({}, "claims_file"),
])  # fmt: skip
def test_resume_rejects_changed_input(
    changed: dict[str, Any], started_with: str, corpus: Path, tmp_path: Path
) -> None:
    out, claims = tmp_path / "run", tmp_path / "claims.txt"
    claims.write_text("a parameter is added", encoding="utf-8")
    options = OPTIONS._replace(claims=str(claims))
    run_batch(corpus, out, options)
    if started_with == "source":
        write_rows(corpus, rows_of(1))
    elif started_with == "claims_file":
        claims.write_text("another claim", encoding="utf-8")
    with pytest.raises(InputError, match=f"another {started_with},"):
        run_batch(corpus, out, options._replace(**changed), resume=True)
    assert len(open_run(out).reviews) == 18


def test_changes_keep_their_names_and_titles_when_exported_and_read_again(tmp_path: Path) -> None:
    names = [{"change_id": "PR-1", "title": "Fix"}, {"change_id": "PR-1"}, {}, {}]
    rows = [row | names[number // 3] for number, row in enumerate(rows_of(4))]
    lacks_diff = rows[0] | {"diff": "see PR-1"}
    run = score_file(write_rows(tmp_path / "corpus.jsonl", [lacks_diff, *rows]), OPTIONS)
    assert any(text.endswith("count as independent: PR-1") for text in run.settings["warnings"])
    (tmp_path / "again.csv").write_bytes(file_content(export_frame(run, TAU), "csv"))
    for scored in (run, score_file(tmp_path / "again.csv", OPTIONS)):
        keys = ["PR-1 (change 1)", "PR-1", "PR-1 (change 3)", "change 4", "change 5"]
        assert scored.changes["change"].tolist() == keys
        assert scored.changes["title"].tolist()[1::2] == ["Fix", ""]
        assert scored.reviews["change"].unique().tolist() == keys


def test_a_run_is_renamed_and_a_blank_name_is_refused(out: Path) -> None:
    before = folder.read_settings(out)
    folder.rename_run(out, " a \n b " + "x" * folder.MAX_NAME)
    after = folder.read_settings(out)
    assert after["name"] == ("a b " + "x" * folder.MAX_NAME)[: folder.MAX_NAME]
    assert {**after, "name": ""} == {**before, "name": ""}
    with pytest.raises(InputError):
        folder.rename_run(out, " \n")


def test_a_full_disk_leaves_nothing(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(ReviewsByChange, "add", full)
    with pytest.raises(InputError, match="disk is full") as raised:
        run_batch(corpus, tmp_path / "run", OPTIONS)
    assert "--resume" not in str(raised.value)
    assert not (tmp_path / "run").exists()


def test_ids_are_unique(tmp_path: Path) -> None:
    nameless = {"diff": diff_of(0), "review": "x", "system": "bad"}
    rows = [row | {"id": 5} for row in rows_of(1)]
    odd = [rows[0] | {"id": name} for name in ("5", "5 (row 4)", "5", "5")]
    named, run = (
        score_file(write_rows(tmp_path / "corpus.jsonl", given), OPTIONS).reviews["id"]
        for given in ([*rows, nameless, rows[0]], odd)
    )
    assert named.tolist() == ["5", "5 (row 2)", "5 (row 3)", "4", "5 (row 5)"]
    assert (run.is_unique, len(run)) == (True, 4)


def test_repeated_rows_are_counted(tmp_path: Path) -> None:
    rows = [*rows_of(1), rows_of(1)[0]]
    rows[3]["review"] += " "
    corpus = write_rows(tmp_path / "corpus.jsonl", rows)
    for group, words in (
        (False, "(2 in all, 1 with the text of an earlier one)"),
        (True, "1 comment"),
    ):
        run = score_file(corpus, OPTIONS._replace(group=group))
        (warning,) = run.settings["warnings"]
        assert words in warning
        assert (len(run.reviews), run.reviews["review"][0]) == (4 - group, rows[0]["review"])


def test_rows_of_several_raters_are_one_review(tmp_path: Path) -> None:
    ratings = [("ann", 1, "yes", "x"), ("bo", 4, "no", "y"), ("", 5, "", "z")]
    names = ("rater", "useful", "correct", "note")
    rated = [row | dict(zip(names, one, strict=True)) for one in ratings for row in rows_of(3)]
    rated.append(rated[0] | {"useful": 3})
    corpus = write_rows(tmp_path / "corpus.jsonl", rated)
    run = score_file(corpus, OPTIONS)
    for words in ("28 rows by 3 raters (column rater) are 9 reviews", "same rater (1 row)",
                  "rows without a rater", "keep its first value: note (9)"):  # fmt: skip
        assert any(words in warning for warning in run.settings["warnings"])
    columns = [f"label_{of}:{who}" for who in ("ann", "bo", "unnamed") for of in ("worth", "right")]
    columns += ["label_worth", "label_right"]
    for table in (run.reviews, score_file(corpus, GROUPED).reviews):
        first, second = (table[columns].iloc[row].dropna().tolist() for row in range(2))
        assert first == pytest.approx([2, 1, 4, 0, 5, 11 / 3, 0.5])
        assert second == pytest.approx([1, 1, 4, 0, 5, 10 / 3, 0.5])


def test_a_reviewer_named_like_the_reference_reviews_is_named(tmp_path: Path) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", [{**rows_of(1)[0], "system": GROUND_TRUTH}])
    assert "reviews by 'msg' (1) count" in score_file(corpus, OPTIONS).settings["warnings"][0]


def test_references_without_diffs_become_a_run_without_scores(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"reference": f"r{n // 2}", "review": "x", "label_good": n % 2} for n in range(4)
    ]
    run = score_file(write_rows(tmp_path / "corpus.jsonl", [*rows, {"review": "y"}]), OPTIONS)
    assert (len(run.changes), run.settings["n_rejected"]) == (2, 1)
    assert run.reviews["reference"].tolist() == ["r0", "r0", "r1", "r1"]
    assert run.reviews["label_good"].tolist() == [0, 1, 0, 1]
    assert run.reviews["relevance"].isna().all()
    assert run.settings["warnings"]


def test_an_interrupted_run_without_a_part_starts_over(
    corpus: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reopen(out)
    for path in out.glob("part-*"):
        path.unlink()  # as if it was killed between the two files of its first part
    monkeypatch.setattr(BatchOptions, "scorer", Mock(side_effect=UnavailableError("it is gone")))
    with pytest.raises(InputError, match="gone"):
        run_batch(corpus, out, OPTIONS, resume=True)
    monkeypatch.setattr(BatchOptions, "scorer", lambda options: word_scorer(options.tau))
    run_batch(corpus, out, OPTIONS)
    assert_same(open_run(out), score_file(corpus, OPTIONS))


def test_other_files_in_the_folder_of_a_run_are_not_parts(tmp_path: Path) -> None:
    names = ("part-00000 2.parquet", "part-notes.txt", "part-00001.parquet", "part-00002.parquet")
    for name in (*names, "_changes-00001.parquet"):
        (tmp_path / name).touch()
    assert folder.part_numbers(tmp_path) == [1]
