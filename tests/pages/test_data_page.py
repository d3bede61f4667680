"""The Data page: uploads become runs, jobs, links to runs, and shared servers."""

import fcntl
import re
import shutil
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pandas as pd
import pytest

from crscore_core.scoring import DEFAULT_ENCODER
from crscore_eval.data.ratings import Question, Ratings
from crscore_eval.run.folder import open_run
from crscore_eval.table.files import PACKED
from pages.components import jobs
from pages.components.jobs import Job
from tests.pages.app_page import AppPage, opened
from tests.pages.runs import small_run, write_run

DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-timeout = 5\n+timeout = {}\n"
ROWS = [(f"{change}", DIFF.format(change), f"Why {change} seconds?", system)
        for change in range(3) for system in ("one", "two")]  # fmt: skip


@pytest.fixture(autouse=True)
def folder(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the runs; jobs finish as soon as they are started."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    at_once = SimpleNamespace(Thread=lambda target, **_: SimpleNamespace(start=target))
    monkeypatch.setattr("pages.components.jobs.threading", at_once)
    return runs


def table(head: str, rows: Iterable[tuple[str, ...]]) -> bytes:
    return pd.DataFrame(rows, columns=head.split()).to_csv(index=False).encode()


def upload(content: bytes) -> AppPage:
    page = opened("data")
    page.file_uploader[0].set_value(("mine.csv", content, "text/csv"))
    return page.run()


def test_an_uploaded_file_becomes_the_run_that_pages_show(folder: Path) -> None:
    cut = "--- a/a.rs\n+++ b/a.rs\n@@ -1,9 +1,9 @@\n-let a = 5;\n+let a = {};\n"
    excerpts = [(f"{at}", cut.format(at), "Why so many?", "one") for at in range(3)]
    bad = [("8", DIFF, "", "one"), ("9", "no diff", "Why?", "one"), ("10", "", "Why?", "")]
    page = upload(table("id diff review system", [*ROWS, *excerpts, *bad]))
    assert not page.error
    key = page.query_params["data"]
    assert page.box("Reviews shown").value == key
    run = open_run(folder / key)
    assert (run.settings["name"], run.settings["encoder"]) == ("mine.csv", DEFAULT_ENCODER)
    assert {"one", "two"} <= set(run.reviews["system"])
    shown = page.dataframe
    unscored = next(one.value for one in shown if {"change", "reason"} <= {*one.value})
    assert len(unscored) == run.changes["left_out"].notna().sum() > 0  # one without a diff
    rejected = [one.value for one in shown if {"row", "reason"} <= {*one.value}]
    assert sum(map(len, rejected)) == run.settings["n_rejected"] > 0
    assert f"Rejected rows: {run.settings['n_rejected']}." in page.warning[0].value
    assert "ejected" not in page.success[0].value
    columns = page.text_table("read as")
    assert columns["column"].tolist() == ["id", "diff", "review", "system"]
    uploads = jobs.uploads_folder()
    assert [path.name for path in uploads.iterdir()] == [".lock"]
    modes = [path.stat().st_mode & 0o777 for path in (uploads, uploads.parent, folder)]
    assert modes == [0o700] * 3
    kinds = page.text_tables()[0].set_index("for example")  # what limits the scores
    excerpt = kinds[kinds.index.str.contains("shorter than")]
    assert excerpt[["reviews", "changes"]].to_numpy().tolist() == [["3", "3"]]
    assert excerpt.index.str.contains("line 3 ").all()
    page.press("Open the ranking")
    assert "one" in page.text_tables()[0]["reviewer"].tolist()
    page.visit("data")
    assert page.query_params["data"] == key
    assert len(page.text_tables()[0]) == len(kinds)
    assert "Open it" not in page.labels()


@pytest.mark.parametrize("opens_by_button", [True, False])
def test_an_upload_scored_in_the_meantime_waits_to_be_opened(opens_by_button: bool) -> None:
    with patch("pages.components.jobs.threading.Thread") as waiting:
        page = upload(table("id diff review system", ROWS))
        assert any("Next, the page asks" in caption.value for caption in page.caption)
        page.visit("rankings")
    waiting.call_args.kwargs["target"]()
    assert "Open it" in page.run().labels()
    assert "data" not in page.query_params
    page = page.press("Open it") if opens_by_button else page.visit("data")
    assert page.query_params["data"] != "study"
    assert "Open it" not in page.labels()


def test_a_run_is_renamed_and_deleted(folder: Path) -> None:
    write_run(folder / "mine", small_run())
    page = opened("data", {"data": "mine"})
    page.text_input(key="name_of_mine").set_value("  After the\tnew prompt ").run()
    assert page.dataframe[-1].value["name"].tolist() == ["After the new prompt"]
    assert "After the new prompt" in page.box("Reviews shown").options
    Ratings(folder / "mine").give("ann", Question("0/good/0", "right", ()), 1)
    page.run()
    assert not page.lacks("with people's answers\\: 1")
    page.press("Delete permanently")
    assert not list(folder.iterdir())
    assert page.box("Reviews shown").value == "study"
    assert not page.error


def test_the_study_has_nine_systems_besides_its_reference_reviews() -> None:
    page = opened("data", {"data": "study"})
    assert re.findall(r"\d[\d,]*", page.success[0].value) == ["1,647", "183", "9", "78", "182"]
    assert {f".{ending}" for ending in PACKED} <= {*page.file_uploader[0].proto.type}


def test_a_file_that_cannot_be_read_says_why_to_its_browser_until_it_is_dismissed(
    folder: Path, cookies: dict[str, str]
) -> None:
    cookies["crscore_browser"] = "of this test"
    page = upload(bytes(range(256)) * 20)
    assert "UTF" in page.error[0].value
    assert not page.text_input  # other names of columns would not help
    assert not list(folder.glob("*"))
    page = opened("guide")  # a reload
    assert "mine.csv" in page.error[0].value.replace("\\", "")
    cookies["crscore_browser"] = "of another"
    assert not opened("guide").error
    cookies["crscore_browser"] = "of this test"
    assert not page.press("Dismiss").error
    assert not page.visit("rankings").error


def test_the_user_is_asked_about_uncertain_columns(folder: Path) -> None:
    rows = [(*row, f"{7 + at // 2}", "false", "4x"[at % 2]) for at, row in enumerate(ROWS)]
    page = upload(table("nr delta bemerkung autor my_rating outdated relevance", rows))
    assert not page.error
    guesses = {box.label.replace("\\", ""): box.value for box in page.selectbox}
    assert guesses.items() >= {
        "nr": "text", "delta": "diff", "bemerkung": "review", "autor": "system",
        "my_rating": "worth", "outdated": "text", "relevance": "relevance",
    }.items()  # fmt: skip
    assert page.selectbox[0].label == "relevance"  # the column that loses cells comes first
    page.visit("rankings").visit("data")  # the question stays
    assert [box.value for box in page.selectbox if box.label == "Scale"] == ["1-5", "1-10"]
    assert any("one | two" in caption.value.replace("\\", "") for caption in page.caption)
    page.box("autor").set_value("diff")
    assert page.press("Score the reviews").error
    page.box("autor").set_value("system")
    assert not page.press("Score the reviews").error
    reviews = open_run(folder / page.query_params["data"]).reviews
    assert set(reviews["system"]) == {"one", "two"}
    assert any("3 cells left blank" in warning.value for warning in page.warning)
    assert sorted(set(reviews["label_worth"])) == pytest.approx([11 / 3, 37 / 9, 41 / 9])


def test_comments_of_one_reviewer_on_one_change_are_joined_on_demand(folder: Path) -> None:
    rows = [*ROWS, ("9", DIFF.format(0), "And why no constant?", "one")]
    page = upload(table("id diff review system", rows))
    assert any("several comments" in warning.value for warning in page.warning)
    page.put(data_group=True)
    assert any("1 comment joined" in warning.value for warning in page.warning)
    assert len(open_run(folder / page.query_params["data"]).reviews) == len(ROWS)


def test_a_link_shows_a_run_and_an_invalid_link_shows_none(rated: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "secret").symlink_to(rated)
    page = opened("rankings", {"data": "secret"})
    assert page.text_tables()[0]["reviewer"].tolist() == ["good", "middling", "bad"]
    for key in ("unknown", "given", "x" * 300, "ü" * 150, "a\0b", "..", "../secret", "a/b"):
        page = opened("rankings", {"data": key})
        assert page.error
        assert not page.text_tables()
    assert opened("rankings", {"data": ""}).text_tables()  # the study


def test_a_job_that_is_stopped_while_it_waits_for_others_leaves_nothing(tmp_path: Path) -> None:
    job = Job("key", "mine.csv", ["batch"], run_key="key", run_folder=tmp_path / "run")
    (tmp_path / "run").mkdir()
    thread = threading.Thread(target=job.run)
    with patch("pages.components.jobs._SLOTS", threading.BoundedSemaphore(1)) as slots, slots:
        thread.start()
        job.stop()
        assert (job.is_finished, str(job.error)) == (True, "stopped")
    thread.join(timeout=240)
    assert (thread.is_alive(), str(job.error)) == (False, "stopped")
    assert not (tmp_path / "run").exists()


def test_a_job_that_cannot_start_is_finished(tmp_path: Path) -> None:
    upload = tmp_path / "mine.csv"
    upload.touch()
    job = Job("key", "mine.csv", ["batch"], run_key="key", upload=upload)
    with patch("pages.components.jobs.browser_jobs", return_value={"key": job}):
        assert not opened("data").success  # a summary of the study would look like the job's
    with patch("subprocess.Popen", side_effect=OSError("Too many open files")):
        job.run()
    assert (job.is_finished, str(job.error)) == (True, "Too many open files")
    assert not upload.exists()


def test_output_of_libraries_does_not_stop_a_job(tmp_path: Path) -> None:
    command = tmp_path / "python"
    words = "import sys; sys.stdout.buffer.write(b'\\xff no JSON'); "
    words += "sys.stderr.write('x' * 200_000 + '\\nlast words\\n')"
    command.write_text(f"#!{sys.executable}\n{words}; sys.exit(1)\n")
    command.chmod(0o700)
    job = Job("key", "mine.csv", [], run_key="key")
    with patch.object(sys, "executable", str(command)):
        job.run()
    assert str(job.error) == "last words"


def test_a_folder_that_cannot_be_read_is_a_row_with_its_reason(folder: Path, rated: Path) -> None:
    """Every page still opens; a damaged run that a link names says what is wrong."""
    shutil.copytree(rated, folder / "fine")
    damaged = {"brackets": "[" * 200_000, "number": '{"created": 5}', "half": '{"name": "half"}'}
    for name, content in damaged.items():
        (folder / name).mkdir()
        (folder / name / "_run.json").write_text(content)
    shutil.copytree(rated, folder / "flipped")
    shutil.copytree(rated, folder / "hollow", ignore=shutil.ignore_patterns("part-*"))
    for part in (folder / "flipped").glob("part-*"):
        part.write_bytes(part.read_bytes()[:-1])
    page = opened("data")
    rows = page.dataframe[0].value.set_index("name")["problem"]
    assert set(rows[rows != ""].index) == {*damaged, "hollow"}
    assert "recursion" in rows["brackets"]
    page.visit("score", "rate", "heatmap", "failures", "rankings", "thresholds", "validity")
    for name in ("half", "flipped", "hollow"):
        page = opened("rankings", {"data": name})
        assert "half" in page.error[0].value or "damaged" in page.error[0].value
        assert not page.text_tables()


def test_users_of_a_shared_server_enter_no_urls_and_see_only_their_runs(
    rated: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir(parents=True)
    (folder / "another").symlink_to(rated)

    def labels() -> set[str]:
        page = opened("data", run=rated)
        return {one.label for one in page.text_input} | set(page.box("Reviews shown").options)

    assert {"Base URL", "Synthetic"} <= labels()
    monkeypatch.setattr("pages.components.current_run.is_shared", lambda: True)
    monkeypatch.setattr("pages.components.model_options.is_shared", lambda: True)
    assert not {"Base URL", "API key", "Model", "Synthetic"} & labels()


@pytest.mark.parametrize(("url", "key", "sent"), [
    ("", "", {}),  # the environment's address gets the environment's key
    ("http://typed:1/v1", "", {"OPENAI_API_KEY": ""}),
    ("http://typed:1/v1", "typed", {"OPENAI_API_KEY": "typed"}),
])  # fmt: skip
def test_key_in_the_environment_is_not_sent_to_a_typed_url(
    rated: Path, monkeypatch: pytest.MonkeyPatch, url: str, key: str, sent: dict[str, str]
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://own:1/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    page = opened("data", run=rated)
    fields = {field.label: field for field in page.text_input}
    for label, text in {"Base URL": url, "Model": "small", "API key": key}.items():
        fields[label].set_value(text)
    with patch("pages.components.model_options.start_job") as started:
        page.run().press("Judge")
    (job,) = started.call_args.args
    assert dict(job.environment) == sent


def test_uploads_are_private_and_those_of_killed_servers_are_removed(
    folder: Path, tmp_path: Path
) -> None:
    base, modes = tmp_path / "cache" / "crscore" / "uploads", []
    running, killed = base / "running", base / "killed"
    write_run(folder / "done", small_run())
    for name in ("running", "killed"):
        (folder / name).mkdir()
        (folder / name / "_run.json").write_text("{")
    for server, uploads in ((running, ["running.csv"]), (killed, ["killed.csv", "done.csv"])):
        server.mkdir(parents=True)
        for name in (".lock", *uploads):
            (server / name).touch()

    def record(job: Job) -> None:
        modes.append((job.upload or tmp_path).stat().st_mode & 0o777)

    with patch("pages.components.jobs.Job.run", record), (running / ".lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        upload(b"a")
    assert modes == [0o600]
    assert (running / "running.csv").exists()
    assert not killed.exists()
    assert {path.name for path in folder.iterdir()} == {"running", "done"}
