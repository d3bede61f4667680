"""The Data page without a browser: a file and pull requests, their scoring, saved runs."""

import csv
import io
import stat
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from crscore_core.corpus.progress import CorpusProgress, Note
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run import Recipe, RunDocument
from crscore_core.corpus.run import imports as imports_of_core
from crscore_core.corpus.run.imports import Import
from crscore_core.corpus.run.store import RunStore, runs_folder
from crscore_core.job import Job, JobState, JobStatus
from pages.components.data_pulls import _board
from pages.components.source.load import imports, run_labels
from pages.components.source.model import Source

from crscore_core.errors import UnavailableError
from crscore_core.scoring import Embeddings
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.corpus.run.made_run import made_run
from tests.crscore_core.datasets.pull_hosts import BASE, FakePull, Remark, hosting
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring
from tests.pages.app_page import AppPage, app_page, data_page, opened
from tests.word_encoder import WordEncoder

WITHIN = 60
ONE_REVIEW = made_comparison(scoring(0, 0.5, 3))
HOSTILE = "<b>x</b> **y** ![z](http://127.0.0.1/z) :red[w]"
RUNS = "Saved runs"


def _scored_here(place: Path, note: Note, stopping: threading.Event) -> RunDocument:
    """Score an import in this process, where a test leads the encoder."""

    def tell(progress: CorpusProgress) -> None:
        if stopping.is_set():
            raise CancelledError
        note(progress)

    return imports_of_core.score_import(place, tell)


pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture(autouse=True)
def _fast_encoder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Words in common instead of a model, and nothing kept of other tests."""
    st.cache_resource.clear()
    monkeypatch.setattr(Recipe, "cached_encoder", lambda _: WordEncoder())
    monkeypatch.setattr("crscore_core.corpus.run.recipe.encoder_digest", str)
    monkeypatch.setattr(imports_of_core, "scored_in_child", _scored_here)
    yield
    st.cache_resource.clear()


def file_of(*rows: tuple[str, ...], header: str = "id,diff,review,system,relevance") -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([header.split(","), *rows])
    return text.getvalue().encode()


def diff(number: int) -> str:
    return f"@@ -1 +1 @@\n-x = {number}\n+x = {number + 1}\n"


GOOD = file_of(
    ("1", diff(1), 'The value of x,\n"quoted"', "ours", "4"),
    ("2", diff(1), "Looks good.", HOSTILE, "1"),
    ("3", "no diff", "Something", "ours", "2"),
    ("4", diff(2), "Why is x another value?", "ours", "9"),
)
ONE = diff(1), "One.", "Two."
UNDERSTOOD = "What is understood of mine\\.csv"


def given(content: bytes, name: str = "mine.csv") -> AppPage:
    """The page with a file."""
    return data_page().upload("data_upload", name, content)


def wait(key: str) -> Import:
    """Wait for the scoring of an import, which may have been done before."""
    found = imports().find(key)
    assert found
    if found.job:
        found.job.wait(WITHIN)
    return found


def ended(page: AppPage) -> AppPage:
    wait(page.session_state["import"])
    return page.run()


def imported(page: AppPage) -> Reviews:
    """What the page shows once its file is scored."""
    source: Source = ended(page).session_state["imported_source"]
    return source.comparison


@pytest.mark.parametrize(
    ("content", "words", "can_be_scored"),
    [
        (file_of(("1", "no diff", "Something", "ours", "2")), "no diff found", False),
        (file_of(ONE, header="diff,review,label_x"), "takes a number", False),
        (file_of(ONE, header="patch,one,two"), "no column holds the review", False),
        (file_of(ONE, header="patch,comment,message"), "could both hold the review", True),
        (b"", "it is empty", False),
        (b"PK\x03\x04...", "workbook", False),
        (b"one column\nx\n", "two columns", False),
    ],
)
def test_of_a_file_that_is_not_plain_the_page_says_why_or_asks(
    content: bytes, words: str, *, can_be_scored: bool
) -> None:
    page = given(content, f"{HOSTILE[:20]}.csv")
    assert page.lacks(words) == []
    assert "<b>" not in (page.said() + page.markup()).replace("\\<b\\>", "")
    assert ("Score" in page.labels()) is can_be_scored
    assert "import" not in page.query_params


def test_of_a_file_that_is_not_json_lines_the_page_says_so_with_the_line() -> None:
    page = given(b"\nno JSON\n{]\n", "mine.jsonl")
    assert page.lacks("is not JSON Lines, with one object a line; line 2") == []
    assert "no column" not in page.said()


def test_a_plain_file_is_scored_at_once_and_all_pages_of_this_session_show_it() -> None:
    page = given(GOOD)
    assert page.query_params["import"] == page.session_state["import"]
    assert [box.label for box in page.expander] == [UNDERSTOOD]
    assert page.lacks(
        "**2 reviews** of **1 change**", "**2 rows** set aside", "no diff found",
        "a rating is a number from 1 to 5", "The value of x, &#34;quoted&#34;",
    ) == []  # fmt: skip
    assert page.box("Review *").value == "review"
    found = imported(page)
    assert [review.system for review in found] == ["ours", HOSTILE]
    assert found.is_judged.any()
    assert "is scored: 2 reviews of 1 change." in page.success[0].value
    assert "Rows of the file set aside: 2" in {box.label for box in page.expander}
    assert page.session_state["data_wanted"] == "file"
    assert {link.proto.label for link in page.get("page_link")} >= {"Rankings", "Heatmap"}
    assert not {"Score", "Score again"} & set(page.labels())
    assert "imported_source" not in data_page().session_state


def test_other_columns_are_chosen_and_scored_on_a_person_s_word() -> None:
    rows = (diff(1), "One.", "1", "0"), (diff(2), "Two.", "", "1")
    page = ended(given(file_of(*rows, header="diff,review,label_useful,relevance")))
    (chosen,) = page.multiselect
    assert chosen.value == ["label_useful"]
    assert "1 row** set aside" in page.said()  # 0 is no rating
    chosen.set_value(["label_useful", "relevance"]).run()
    assert page.box("Relevance").value is None
    assert "0 rows** set aside" in page.said()
    first = page.session_state["import"]
    found = imported(page.press("Score again with these columns"))
    assert [review.labels for review in found] == [
        {"useful": 1, "relevance": 0}, {"relevance": 1},
    ]  # fmt: skip
    assert page.session_state["import"] != first
    page.box("Review *").set_value("diff").run()
    assert "cannot be both" in page.said()
    page.press("Remove it").box("Review *").set_value("review").run()
    assert "is scored:" not in page.said()
    assert "Score again with these columns" not in page.labels()
    assert len(imported(page.press("Score again"))) == 2


class _LedEncoder(WordEncoder):
    """Encodes nothing until it may; then it fails with an error, if it has one."""

    may, begun = threading.Event(), threading.Event()
    error: UnavailableError | None = None

    def encode(self, texts: Sequence[str]) -> Embeddings:
        self.begun.set()
        assert self.may.wait(WITHIN)
        if self.error is not None:
            raise self.error
        return super().encode(texts)


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> AppPage:
    """The page while it scores a file."""
    monkeypatch.setattr(_LedEncoder, "error", None)
    for event in (_LedEncoder.may, _LedEncoder.begun):
        event.clear()
    monkeypatch.setattr(Recipe, "cached_encoder", lambda _: _LedEncoder())
    page = given(GOOD)
    assert _LedEncoder.begun.wait(WITHIN)
    return page


def test_scoring_is_shown_stopped_and_gone_on_with(waiting: AppPage) -> None:
    assert "**Scoring mine" in waiting.said()
    assert "Stopping" in waiting.press("Stop").said()
    _LedEncoder.may.set()
    assert "the scoring was stopped" in ended(waiting).said()
    assert "imported_source" not in waiting.session_state
    assert "2 reviews of 1 change." in ended(waiting.press("Go on")).success[0].value


def test_another_file_takes_the_place_of_one_that_is_scored(waiting: AppPage) -> None:
    first = waiting.session_state["import"]
    waiting.upload("data_upload", "other.csv", file_of(ONE, header="diff,review,system"))
    _LedEncoder.may.set()
    assert [review.text for review in imported(waiting)] == ["One."]
    assert imports().find(first) is None


def test_anyone_with_the_address_sees_an_import_also_after_a_restart_until_it_is_removed(
    waiting: AppPage,
) -> None:
    key = waiting.session_state["import"]
    url = {"import": key, "data": "file"}
    assert "No file is imported" in app_page("heatmap", "file", {"import": "x" * 22}).said()
    page = data_page(None, url)  # a reload
    assert page.query_params["import"] == key
    for shown in (page, app_page("heatmap", "file", url)):
        assert "**Scoring mine" in shown.said()
    assert not opened(**{"import": key}).sidebar.success
    _LedEncoder.may.set()
    wait(key)
    assert opened(**{"import": key}).sidebar.success[0].value == "**mine\\.csv** is scored."
    st.cache_resource.clear()  # another server
    for name in ("heatmap", "data"):
        page = app_page(name, "file", url)
        assert page.session_state["imported_source"].label == "mine.csv"
    assert "import" not in opened(**url).query_params  # Score does not show it
    assert stat.S_IMODE((runs_folder() / ".imports" / key).stat().st_mode) == 0o700
    page.press("Remove it")
    assert not list((runs_folder() / ".imports").iterdir())
    assert "No file is imported" in app_page("heatmap", "file", url).said()


@pytest.mark.parametrize("is_stopped", [True, False])
@pytest.mark.parametrize("seen_at_work", range(2))  # a page looks twice before it watches
def test_a_scoring_may_end_or_be_stopped_at_any_point_of_a_page(
    waiting: AppPage, seen_at_work: int, is_stopped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = imports().find(waiting.session_state["import"]).job  # type: ignore[union-attr]
    assert job
    if is_stopped:
        job.stop()
    _LedEncoder.may.set()
    at_work: JobStatus[CorpusProgress, RunDocument] = JobStatus(JobState.RUNNING)
    looks, end = iter([at_work] * seen_at_work), job.wait(WITHIN)
    monkeypatch.setattr(Job, "now", lambda _: next(looks, end))
    assert ("was stopped" in waiting.run().said()) == is_stopped
    assert ("imported_source" in waiting.session_state) != is_stopped


def test_scoring_that_fails_is_a_message(waiting: AppPage, monkeypatch: pytest.MonkeyPatch) -> None:
    _LedEncoder.error = UnavailableError(f"it is {HOSTILE}")
    _LedEncoder.may.set()
    assert "\\<b\\>x" in ended(waiting).error[0].value
    assert "imported_source" not in waiting.session_state
    monkeypatch.setattr(imports_of_core, "MOST_BYTES", 0)
    page = given(GOOD)
    assert "keeps 0 bytes" in page.error[0].value
    assert "Score again" in page.run().labels()


def test_an_import_is_shown_on_all_pages_by_the_first_session_that_finds_it_scored() -> None:
    columns = {name: name for name in ("id", "diff", "review", "system", "relevance")}
    key = imports().begin("mine.csv", GOOD, columns, ())
    wait(key)
    pages = [data_page(None, {"import": key}) for _ in range(2)]
    assert all("is scored: 2 reviews" in page.said() for page in pages)
    assert pages[0].session_state["data_wanted"] == "file"
    assert "data_wanted" not in pages[1].session_state  # its address says what it shows


def write_in(page: AppPage, label: str, text: str) -> None:
    fields = [*page.text_area, *page.text_input]
    next(field for field in fields if field.label.startswith(label)).set_value(text)


def test_pull_requests_are_fetched_scored_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("GH_ENTERPRISE_TOKEN", "operator")
    remarks = [
        Remark(1, HOSTILE, "Line 3 is wrong", resolved=True),
        Remark(2, "ann", "Line 4 is right"),
    ]
    with hosting(FakePull(1, {"new": ["changed", *BASE[1:]]}, remarks)) as hosts:
        page = data_page("Pull requests")
        for names, message in (
            ("", "name pull requests"),
            ("prose", "is not a pull request"),
            ("https://hub.example/o/r/pull/1", "is not github\\.com"),
        ):
            write_in(page, "Names or links", names)
            assert message in page.press("Fetch").error[0].value
        write_in(page, "Names or links", "octo/stuff#1")
        write_in(page, "API", hosts.github)
        with monkeypatch.context() as shared:
            shared.setattr("pages.components.operator.is_shared", lambda: True)
            assert "operator lists what can be named" in page.press("Fetch").error[0].value
            shared.setattr("pages.components.data_pulls.is_shared", lambda: True)
            shared.setenv("CRSCORE_ALLOWED", hosts.github)
            _fetched(page.press("Fetch"))
        assert hosts.tokens == {None}  # that of the operator is not for visitors
        assert not (tmp_path / "caches" / "crscore" / "pulls").exists()
        first = page.session_state["import"]
        write_in(page, "Token", "mine")
        _fetched(page.press("Fetch"))
        assert hosts.tokens == {None, "Bearer mine"}
        assert page.session_state["import"] != first  # what is resolved is new
        asked = page.session_state["pulls_asked"]
        job = _board().find(asked)
        assert "mine" not in f"{asked}{vars(job)}"
        assert "_work" not in vars(job)
    assert "**2 comments** of **1 pull request** by **2 reviewers**" in page.said()
    assert "<b>x</b>" not in page.markup()
    assert [review.labels["outcome_resolved"] for review in imported(page)] == [1, 0]
    assert page.session_state["imported_source"].label == "octo/stuff#1.jsonl"


def _fetched(page: AppPage) -> None:
    """Wait for the download that was begun."""
    job = _board().find(page.session_state["pulls_asked"])
    assert job is not None
    assert job.wait(WITHIN).error is None
    page.run()


def save_as(page: AppPage, name: str) -> AppPage:
    write_in(page, "Name of the run", name)
    return page.press("Save as a run")


def test_what_is_shown_is_saved_as_a_run(store: RunStore) -> None:
    page = data_page(RUNS)
    assert "no saved runs yet" in page.said()
    assert "needs a name" in save_as(page, " ").error[0].value
    save_as(page, HOSTILE)
    (saved,) = store.list()
    assert (saved.name, saved.reviews, saved.changes) == (HOSTILE, 1829, 183)
    assert page.session_state["data_run"] == page.query_params["data_run"] == saved.id
    assert any("\\*\\*y\\*\\*" in one.value for one in page.header)
    assert "1,829 reviews" in page.said()
    assert list(page.dataframe[0].value["name"]) == [HOSTILE]


def test_an_import_is_saved_with_all_that_its_run_holds_and_once(store: RunStore) -> None:
    page = ended(given(GOOD)).press("Save as a run")
    assert page.radio[0].value == RUNS
    assert "needs a name" in page.press("Save as a run").error[0].value
    (saved,) = store.list()
    kept = store.run(saved.id).document
    document = wait(page.session_state["import"]).run().document
    assert kept == replace(document, name="mine.csv", corpus="mine.csv", created=kept.created)
    assert len(kept.settings) == 12


def damage(store: RunStore, run_id: str) -> None:
    (store.folder / run_id / "part-000000.parquet").unlink()


@pytest.mark.parametrize("is_damaged", [False, True])
def test_a_run_is_shown_on_all_pages_unless_it_is_damaged_and_deleted(
    store: RunStore, is_damaged: bool
) -> None:
    saved = store.save("One", ONE_REVIEW)
    if is_damaged:
        damage(store, saved.id)
    page = data_page(RUNS, data_run=saved.id)
    if is_damaged:
        assert "part-000000.parquet is missing" in page.dataframe[0].value["damage"][0]
        assert "cannot be shown" in page.said()
        assert not any(box.label == "Compare with" for box in page.selectbox)
    else:
        page.press("Show it on all pages")
        assert page.session_state["data_wanted"] == f"run-{saved.id}"
        assert "All pages show it" in page.said()
    page.press("Delete for good")
    assert store.list() == ()
    assert is_damaged or page.session_state["data_wanted"] == "study"
    assert page.session_state["data_run"] is None
    assert "no saved runs yet" in page.said()


def test_a_run_that_is_gone_is_said_to_be(store: RunStore) -> None:
    gone = f"run-{'0' * 16}"
    page = data_page(RUNS, data=gone)
    assert "Save as a run" not in page.labels()
    run_id = store.save("One", ONE_REVIEW).id
    deleted, shown = data_page(RUNS, data_run=run_id), app_page("heatmap", f"run-{run_id}")
    store.delete(run_id)
    deleted.press("Delete for good")
    shown.run()
    for where in (page, deleted, shown, data_page(RUNS, {"data_run": "../../etc"})):
        assert "no such saved run" in where.said()
    switch = opened(data=gone).sidebar.selectbox(key="data")
    assert (switch.options[-1], switch.value) == ("Missing data", gone)


def test_a_batch_run_is_shown_wherever_it_lies(
    store: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.folder.mkdir()
    made_run(store.folder / "inside.parquet", ONE_REVIEW)
    made_run(tmp_path / "outside.parquet", ONE_REVIEW)
    monkeypatch.setenv("CRSCORE_RUN", str(tmp_path / "outside.parquet"))
    page = data_page(RUNS, data_run="inside.parquet")
    assert set(page.dataframe[0].value["name"]) == {"inside", "outside"}
    assert "Chosen in the sidebar: **outside**" in page.said()
    page.press("Show it on all pages")
    assert page.session_state["data_wanted"] == "run-inside.parquet"
    assert opened().sidebar.selectbox(key="data").value == f"run-{store.opened}"


def test_runs_with_the_same_name_can_be_told_apart(store: RunStore) -> None:
    ids = [store.save("Same", ONE_REVIEW).id for _ in range(2)]
    page = data_page(RUNS)
    options = page.selectbox(key="data_run").options
    assert len(set(options)) == 2
    assert set(run_labels().values()) == {f"Run: {option}" for option in options}
    assert page.put(data_run=ids[0]).query_params["data_run"] == ids[0]


def compared(store: RunStore, one: Reviews, other: Reviews) -> AppPage:
    first, second = store.save(f"A {HOSTILE}", one), store.save("B", other)
    return data_page(RUNS, {"data_run": first.id, "data_other": second.id})


def test_two_runs_are_compared(store: RunStore) -> None:
    one, other = (
        made_comparison(scoring(0, 0.2, 1), scoring(1, share, 3), scoring(2, 0.8, 5))
        for share in (0.4, 0.9)
    )
    page = compared(store, one, other)
    assert page.lacks(
        "Encoder, precision, claims, analyzers and tau are the same",
        "**1 review** with other scores", "have: 3 reviews", "Too few changes",
        "relevance 0\\.6333 against 0\\.4667, difference 0\\.1667, 1 change",
        "+0.167",  # (0.9 - 0.4) / 3
        "Rank correlation",
    ) == []  # fmt: skip
    means = next(table for table in page.typed_tables() if "mean of A" in table).iloc[0]
    assert (means["mean of A"], means["mean of B"]) == ("0.467", "0.633")
    assert "conciseness 0\\." in page.put(by="conciseness").said()
    assert page.query_params["by"] == "conciseness"


def test_a_run_is_not_compared_with_itself_or_with_a_damaged_one(store: RunStore) -> None:
    page = compared(store, ONE_REVIEW, ONE_REVIEW)
    one, other = (page.query_params[key] for key in ("data_run", "data_other"))
    comparing = "A and B"
    assert comparing in [heading.value for heading in page.header]
    page.put(data_run=other)
    assert page.selectbox(key="data_other").options == [store.find(one).name]
    damage(store, other)
    for shown in (page, data_page(RUNS, {"data_run": one, "data_other": other})):
        assert comparing not in [heading.value for heading in shown.header]
        assert shown.selectbox(key="data_other").value is None
        assert "data_other" not in shown.query_params


def test_runs_that_differ_in_a_setting_or_have_no_common_review_say_so(store: RunStore) -> None:
    other = made_comparison(Made(0, (1, 1, 1), [[0.5]], "other", "Other text."))
    page = compared(store, made_comparison(scoring(0, 0.2, 1)), altered(other, encoder="another"))
    assert page.lacks(
        "no review in common", "Settings that differ", "only in A: 1 review; only in B: 1 review"
    ) == []  # fmt: skip


def test_a_folder_that_cannot_be_used_is_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").touch()
    monkeypatch.setenv("CRSCORE_RUNS", str(tmp_path / "taken"))
    assert "cannot be read" in data_page(RUNS).said()
