"""The Data page without a browser: the import of a file, its scoring, saved runs."""

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
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button, Selectbox

from crscore_core.corpus.progress import CorpusProgress, Note
from crscore_core.corpus.run import Recipe, RunDocument
from crscore_core.corpus.run import imports as imports_of_core
from crscore_core.corpus.run.store import RunStore, runs_folder
from crscore_core.errors import EncoderError
from crscore_core.job import Job, JobState, JobStatus
from crscore_core.scoring import Embeddings
from pages.components.data_pulls import _board
from pages.components.source.imported import imports
from pages.components.source.load import run_labels
from pages.components.source.model import Source
from tests.crscore_core.corpus.run.made_run import made_run
from tests.crscore_core.datasets.pull_hosts import BASE, FakePull, Remark, hosting
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring
from tests.pages.app_page import APP, app_page, data_page, labels, markup, press, said
from tests.word_encoder import WordEncoder

WITHIN = 60
ONE_REVIEW = made_comparison(scoring(0, 0.5, 3))
HOSTILE = "<b>x</b> **y** ![z](http://127.0.0.1/z) :red[w]"


def _scored_here(place: Path, note: Note, stopping: threading.Event) -> RunDocument:
    def tell(progress: CorpusProgress) -> None:
        if stopping.is_set():
            raise CancelledError
        note(progress)

    return imports_of_core.score_import(place, tell)


@pytest.fixture(autouse=True)
def _fast_encoder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Words in common instead of a model, and nothing kept of other tests."""
    st.cache_resource.clear()
    monkeypatch.setattr("pages.components.source.load.default_encoder", WordEncoder)
    monkeypatch.setattr(Recipe, "cached_encoder", lambda _: WordEncoder())
    for module in ("recipe", "engine"):
        monkeypatch.setattr(f"crscore_core.corpus.run.{module}.encoder_digest", str)
    monkeypatch.setattr(imports_of_core, "scored_in_child", _scored_here)
    yield
    st.cache_resource.clear()


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunStore:
    """The folder in which the page keeps runs."""
    monkeypatch.setenv("CRSCORE_RUNS", str(tmp_path / "runs"))
    return RunStore()


def app(**state: object) -> AppTest:
    """The whole app, with the switch in its sidebar."""
    page = AppTest.from_file(APP, default_timeout=WITHIN)
    for key, value in state.items():
        page.session_state[key] = value
    page.run()
    assert not page.exception
    return page


def file_of(*rows: tuple[str, ...], header: str = "id,diff,review,system,relevance") -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(header.split(","))
    writer.writerows(rows)
    return text.getvalue().encode()


def diff(number: int) -> str:
    return f"@@ -1 +1 @@\n-x = {number}\n+x = {number + 1}\n"


GOOD = file_of(
    ("1", diff(1), 'The value of x,\n"quoted"', "ours", "4"),
    ("2", diff(1), "Looks good.", HOSTILE, "1"),
    ("3", "no diff", "Something", "ours", "2"),
    ("4", diff(2), "Why is x another value?", "ours", "9"),
)


def given(content: bytes, name: str = "mine.csv", page: AppTest | None = None) -> AppTest:
    """The page with a file."""
    page = page or data_page()
    page.file_uploader[0].set_value((name, content, "text/csv")).run()
    assert not page.exception
    return page


def ended(page: AppTest) -> None:
    """Wait for the scoring, which may have been done by the time the page was."""
    found = imports().find(page.session_state["import"])
    if found and found.job:
        found.job.wait(WITHIN)
    page.run()
    assert not page.exception


def chosen_column(page: AppTest, label: str) -> Selectbox[str]:
    return next(box for box in page.selectbox if box.label == label)


def score_button(page: AppTest) -> Button:
    return next(button for button in page.button if button.label == "Score")


def test_a_file_is_understood_and_bad_rows_are_named() -> None:
    page = given(GOOD)
    assert "**2 reviews** of **1 change**" in said(page)
    assert "**2 rows** set aside" in said(page)
    assert [box.value for box in page.selectbox[:4]] == ["id", "diff", "review", "system"]
    shown = markup(page)
    assert "no diff found" in shown
    assert "a rating is a number from 1 to 5" in shown
    assert "The value of x,\n&#34;quoted&#34;" in shown
    assert "<b>x</b>" not in shown


def test_it_is_scored_and_becomes_the_source_of_this_session_alone() -> None:
    page = given(GOOD)
    ended(press(page, "Score"))
    assert "is imported and scored: 2 reviews of 1 change." in page.success[0].value
    source: Source = page.session_state["imported_source"]
    assert source.label == "mine.csv"
    assert [review.system for review in source.comparison.reviews] == ["ours", HOSTILE]
    assert source.comparison.is_judged.any()
    assert page.session_state["data_wanted"] == "file"
    assert "imported_source" not in data_page().session_state


def test_columns_are_labels_by_their_names_or_by_choice() -> None:
    rows = (diff(1), "One.", "1", "0"), (diff(2), "Two.", "", "1")
    page = given(file_of(*rows, header="diff,review,label_useful,relevance"))
    (chosen,) = page.multiselect
    assert chosen.value == ["label_useful"]
    assert "1 row** set aside" in said(page)  # 0 is no rating
    chosen.set_value(["label_useful", "relevance"]).run()
    assert chosen_column(page, "Relevance").value is None
    assert "0 with ratings, 1 labelled useful, 2 labelled relevance; **0 rows** set" in said(page)
    ended(press(page, "Score"))
    source: Source = page.session_state["imported_source"]
    found = [review.labels for review in source.comparison.reviews]
    assert found == [{"useful": 1, "relevance": 0}, {"relevance": 1}]
    given(file_of((diff(1), "One.", "soon"), header="diff,review,label_useful"), page=page)
    assert "label_useful is &#39;soon&#39;" in markup(page)
    page.multiselect[0].set_value([]).run()
    assert "0 rows** set aside" in said(page)


def test_a_mapping_is_guessed_and_changed() -> None:
    page = given(file_of((diff(1), "First.", "Second."), header="patch,one,two"))
    assert "no column holds the review" in page.warning[0].value
    assert "Score" not in labels(page)
    review = chosen_column(page, "Review *")
    assert review.value is None
    review.set_value("two").run()
    assert "Second." in markup(page)
    chosen_column(page, "Review *").set_value("patch").run()
    assert "cannot be both" in page.warning[0].value


def test_a_file_without_a_usable_row_cannot_be_scored() -> None:
    page = given(file_of(("1", "no diff", "Something", "ours", "2")))
    assert score_button(page).disabled


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "it is empty"), (b"PK\x03\x04...", "workbook"), (b"one column\nx\n", "two columns")],
)
def test_a_file_that_cannot_be_read_is_a_message(content: bytes, message: str) -> None:
    page = given(content, f"{HOSTILE[:20]}.csv")
    assert message in page.error[0].value
    assert "<b>" not in page.error[0].value.replace("\\<b\\>", "")
    assert not page.selectbox


def test_a_file_and_its_columns_stay_until_it_is_taken_away() -> None:
    page = given(GOOD, page=app_page("data"))
    chosen_column(page, "Reference").set_value("relevance").run()
    assert "cannot be both" in page.warning[0].value
    page.switch_page("pages/guide.py").run()
    page.switch_page("pages/data.py").run()
    assert "is still here" in said(page)
    assert "cannot be both" in page.warning[0].value
    assert chosen_column(page, "Reference").value == "relevance"
    press(page, "Forget it")
    assert not page.exception
    assert not page.selectbox
    given(GOOD, page=page)
    page.file_uploader[0].clear().run()
    assert not page.selectbox


class _LedEncoder(WordEncoder):
    """Encodes nothing until it may; then it fails with an error, if it has one."""

    may, begun = threading.Event(), threading.Event()
    error: EncoderError | None = None

    def encode(self, texts: Sequence[str]) -> Embeddings:
        self.begun.set()
        assert self.may.wait(WITHIN)
        if self.error is not None:
            raise self.error
        return super().encode(texts)


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page while it scores a file."""
    monkeypatch.setattr(_LedEncoder, "error", None)
    _LedEncoder.may.clear()
    _LedEncoder.begun.clear()
    monkeypatch.setattr(Recipe, "cached_encoder", lambda _: _LedEncoder())
    page = press(given(GOOD), "Score")
    assert _LedEncoder.begun.wait(WITHIN)
    return page


def test_scoring_is_shown_whatever_columns_are_chosen_meanwhile_stopped_and_gone_on_with(
    waiting: AppTest,
) -> None:
    page = waiting
    assert "**Scoring mine" in said(page)
    assert score_button(page).disabled
    for column in ("diff", "review"):
        chosen_column(page, "Review *").set_value(column).run()
        assert ("cannot be both" in said(page)) == (column == "diff")
        assert "**Scoring mine" in said(page)
    press(page, "Stop")
    assert "Stopping" in said(page)
    _LedEncoder.may.set()
    ended(page)
    assert "the scoring was stopped" in said(page)
    assert "imported_source" not in page.session_state
    assert not score_button(page).disabled
    ended(press(page, "Go on"))
    assert "is imported and scored: 2 reviews of 1 change." in page.success[0].value


def test_whoever_has_the_address_sees_it_also_after_a_restart_until_it_is_removed(
    waiting: AppTest,
) -> None:
    key = waiting.session_state["import"]
    url = {"import": key, "data": "file"}
    assert "No file is imported" in said(app_page("heatmap", "file", {"import": "x" * 22}))
    page = data_page("Import", url)  # a reload
    assert "**Scoring mine" in said(page)
    assert page.query_params["import"] == key == waiting.query_params["import"]
    assert not app(**{"import": key}).sidebar.success
    _LedEncoder.may.set()
    found = imports().find(key)
    assert found
    assert found.job
    found.job.wait(WITHIN)
    assert app(**{"import": key}).sidebar.success[0].value == "**mine\\.csv** is scored."
    st.cache_resource.clear()  # another server
    for name in ("heatmap", "data"):
        page = app_page(name, "file", url)
        assert "nobody who does not have this page" in said(page)
        assert page.session_state["imported_source"].label == "mine.csv"
    assert "import" not in app(**url).query_params  # Score does not show it
    assert stat.S_IMODE((runs_folder() / ".imports" / key).stat().st_mode) == 0o700
    press(page, "Remove it")
    assert not list((runs_folder() / ".imports").iterdir())
    assert "No file is imported" in said(app_page("heatmap", "file", url))


BEFORE_PROGRESS = range(3)
"""Looks of a page at a run before it shows progress, which looks again by itself."""


@pytest.mark.parametrize("is_stopped", [True, False])
@pytest.mark.parametrize("seen_at_work", BEFORE_PROGRESS)
def test_a_scoring_may_end_or_be_stopped_at_any_point_of_a_page(
    waiting: AppTest, seen_at_work: int, is_stopped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = imports().find(waiting.session_state["import"])
    assert found
    assert found.job
    if is_stopped:
        found.job.stop()
    _LedEncoder.may.set()
    found.job.wait(WITHIN)
    left = iter(range(seen_at_work))
    at_work: JobStatus[CorpusProgress, RunDocument] = JobStatus(JobState.RUNNING)
    now = Job.now
    monkeypatch.setattr(Job, "now", lambda job: now(job) if next(left, None) is None else at_work)
    waiting.run()
    assert not waiting.exception
    assert ("was stopped" in said(waiting)) == is_stopped
    assert ("imported_source" in waiting.session_state) != is_stopped
    assert not score_button(waiting).disabled


def test_scoring_that_fails_is_a_message(waiting: AppTest) -> None:
    _LedEncoder.error = EncoderError(f"it is {HOSTILE}")
    _LedEncoder.may.set()
    ended(waiting)
    assert "\\<b\\>x" in waiting.error[0].value
    assert "imported_source" not in waiting.session_state


def write_in(page: AppTest, label: str, text: str) -> None:
    next(box for box in [*page.text_area, *page.text_input] if box.label == label).set_value(text)


NAMES, API = "Names or links, one a line", "API of a server of your own"


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
            write_in(page, NAMES, names)
            assert message in press(page, "Fetch").error[0].value
        write_in(page, NAMES, "octo/stuff#1")
        write_in(page, API, hosts.github)
        with monkeypatch.context() as shared:
            shared.setattr("pages.components.operator.is_shared", lambda: True)
            assert "operator lists what can be named" in press(page, "Fetch").error[0].value
            shared.setattr("pages.components.data_pulls.is_shared", lambda: True)
            shared.setenv("CRSCORE_ALLOWED", hosts.github)
            _fetched(press(page, "Fetch"))
        assert hosts.tokens == {None}  # that of the operator is not for visitors
        assert not (tmp_path / "caches" / "crscore" / "pulls").exists()
        write_in(page, "Token", "mine")
        _fetched(press(page, "Fetch"))
        assert hosts.tokens == {None, "Bearer mine"}
        asked = page.session_state["pulls_asked"]
        job = _board().find(asked)
        assert "mine" not in f"{asked}{vars(job)}"
        assert "_work" not in vars(job)
    assert "**2 comments** of **1 pull request**" in said(page)
    assert "weak label" in said(page)
    assert "1 of 1" in markup(page)
    assert "<b>x</b>" not in markup(page)
    ended(press(page, "Score"))
    source: Source = page.session_state["imported_source"]
    assert source.label == "octo/stuff#1.jsonl"
    assert [review.labels["outcome_resolved"] for review in source.comparison.reviews] == [1, 0]


def _fetched(page: AppTest) -> None:
    """Wait for the download that was begun."""
    job = _board().find(page.session_state["pulls_asked"])
    assert job is not None
    assert job.wait(WITHIN).error is None
    page.run()
    assert not page.exception


def test_what_is_shown_is_saved_as_a_run(store: RunStore) -> None:
    page = data_page("Saved runs")
    assert "no saved runs yet" in said(page)
    press(page, "Save as a run")
    assert "a run needs a name" in page.error[0].value
    page.text_input(key="data_run_name").set_value(HOSTILE)
    press(page, "Save as a run")
    (run,) = store.list()
    assert run.name == HOSTILE
    assert (run.reviews, run.changes) == (1829, 183)
    assert page.session_state["data_run"] == run.id
    assert page.query_params["data_run"] == run.id
    heading = next(one.value for one in page.header if "x" in one.value)
    assert "\\*\\*y\\*\\*" in heading
    assert "1,829 reviews of 183 changes" in said(page)
    assert list(page.dataframe[0].value["name"]) == [HOSTILE]


def test_an_import_is_shown_on_all_pages_by_the_first_session_that_finds_it_scored() -> None:
    columns = {name: name for name in ("id", "diff", "review", "system", "relevance")}
    key = imports().begin("mine.csv", GOOD, columns, ())
    found = imports().find(key)
    assert found is not None
    if found.job is not None:
        found.job.wait(WITHIN)
    pages = [data_page("Import", {"import": key}) for _ in range(2)]
    assert all("is imported and scored" in said(page) for page in pages)
    assert pages[0].session_state["data_wanted"] == "file"
    assert "data_wanted" not in pages[1].session_state  # its address says what it shows


def test_an_import_is_saved_with_all_that_its_run_holds_and_once(store: RunStore) -> None:
    page = given(GOOD)
    ended(press(page, "Score"))
    scored = imports().find(page.session_state["import"])
    assert scored is not None
    page.session_state["data"] = "file"
    page.session_state["data_section"] = "Saved runs"
    page.run()
    page.text_input(key="data_run_name").set_value("Mine")
    press(page, "Save as a run")
    press(page, "Save as a run")
    assert "a run needs a name" in page.error[0].value
    (run,) = store.list()
    assert (run.name, run.corpus) == ("Mine", "mine.csv")
    kept, document = store.run(run.id).document, scored.run().document
    assert kept == replace(document, name="Mine", corpus="mine.csv", created=kept.created)
    assert len(kept.settings) == 12


def test_a_run_is_shown_on_all_pages_and_deleted(store: RunStore) -> None:
    run = store.save("One", ONE_REVIEW)
    page = data_page("Saved runs", data_run=run.id)
    press(page, "Show it on all pages")
    assert page.session_state["data_wanted"] == f"run-{run.id}"
    assert "All pages show it" in said(page)
    press(page, "Delete for good")
    assert store.list() == ()
    assert page.session_state["data_wanted"] == "study"
    assert page.session_state["data_run"] is None
    assert "no saved runs yet" in said(page)


def test_a_run_that_is_gone_is_said_to_be() -> None:
    gone = f"run-{'0' * 16}"
    page = data_page("Saved runs", {"data_run": "../../etc"})
    assert "no such saved run" in said(page)
    page = data_page("Saved runs", data=gone)
    assert "no such saved run" in said(page)
    assert "Save as a run" not in labels(page)
    switch = app(data=gone).sidebar.selectbox(key="data")
    assert switch.options[-1] == "Missing data"
    assert switch.value == gone


def test_a_batch_run_is_shown_wherever_it_lies(
    store: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.folder.mkdir()
    made_run(store.folder / "inside.parquet", ONE_REVIEW)
    made_run(tmp_path / "outside.parquet", ONE_REVIEW)
    monkeypatch.setenv("CRSCORE_RUN", str(tmp_path / "outside.parquet"))
    page = data_page("Saved runs", data_run="inside.parquet")
    assert set(page.dataframe[0].value["name"]) == {"inside", "outside"}
    assert any("Chosen in the sidebar: **outside**" in text.value for text in page.markdown)
    press(page, "Show it on all pages")
    assert page.session_state["data_wanted"] == "run-inside.parquet"
    assert app().sidebar.selectbox(key="data").value == f"run-{store.opened}"


def test_a_batch_run_is_copied_by_its_path_where_the_operator_allows_it(
    store: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_run(tmp_path / "outside.parquet", ONE_REVIEW)

    def take(path: object) -> AppTest:
        page = data_page("Saved runs", data_run_folder=str(path))
        return press(page, "Save a copy as a run")

    for name in ("", "x\0", "~nobody", tmp_path, "/" * 5000):
        assert take(name).error, name
    monkeypatch.setattr("pages.components.operator.is_shared", lambda: True)
    assert "Save a copy as a run" not in labels(data_page("Saved runs"))
    monkeypatch.setenv("CRSCORE_ALLOWED", str(tmp_path / "outside.parquet"))
    assert "CRSCORE" in take(tmp_path / "other.parquet").error[0].value
    page = take(tmp_path / "outside.parquet")
    assert not page.error
    (run,) = store.list()
    assert run.name == "outside"
    assert page.session_state["data_run"] == run.id


def test_a_damaged_run_is_listed_and_deleted(store: RunStore) -> None:
    run = store.save("Broken", ONE_REVIEW)
    (store.folder / run.id / "part-000000.parquet").unlink()
    page = data_page("Saved runs", data_run=run.id)
    assert "part-000000.parquet is missing" in page.dataframe[0].value["damage"][0]
    assert "This run cannot be shown" in said(page)
    assert not any(box.label == "Compare with" for box in page.selectbox)
    press(page, "Delete for good")
    assert store.list() == ()


def test_a_run_deleted_meanwhile_is_a_message(store: RunStore) -> None:
    run = store.save("One", ONE_REVIEW)
    page = data_page("Saved runs", data_run=run.id)
    store.delete(run.id)
    press(page, "Delete for good")
    assert "no such saved run" in said(page)


def test_runs_with_the_same_name_can_be_told_apart(store: RunStore) -> None:
    ids = [store.save("Same", ONE_REVIEW).id for _ in range(2)]
    page = data_page("Saved runs")
    box = page.selectbox(key="data_run")
    assert len(set(box.options)) == 2
    assert set(run_labels().values()) == {f"Run: {option}" for option in box.options}
    box.set_value(ids[0]).run()
    assert page.query_params["data_run"] == ids[0]


def test_two_runs_are_compared(store: RunStore) -> None:
    one = made_comparison(scoring(0, 0.2, 1), scoring(1, 0.4, 3), scoring(2, 0.8, 5))
    other = made_comparison(scoring(0, 0.2, 1), scoring(1, 0.9, 3), scoring(2, 0.8, 5))
    first, second = store.save(f"A {HOSTILE}", one), store.save("B", other)
    page = data_page("Saved runs", data_run=first.id, data_other=second.id)
    assert "Encoder, precision, claims, analyzers and tau are the same" in said(page)
    assert "**1 review** with other scores" in said(page)
    shown = markup(page)
    assert "Means of what both runs have: 3 reviews" in shown
    assert "Too few changes to compare A and B" in said(page)
    assert "relevance 0\\.6333 against 0\\.4667, difference 0\\.1667, 1 change" in said(page)
    assert "+0.167" in shown  # (0.9 - 0.4) / 3
    assert "Rank correlation" in shown
    page.number_input(key="data_tau_b").set_value(0.9).run()
    assert not page.exception
    assert "Settings that differ" in markup(page)
    page.selectbox(key="by").select("conciseness").run()
    assert "conciseness 0\\." in said(page)
    assert page.query_params["by"] == "conciseness"


def compares(page: AppTest) -> bool:
    return any(heading.value == "A and B" for heading in page.header)


def test_a_run_is_not_compared_with_itself_or_with_a_damaged_one(store: RunStore) -> None:
    one, other = (store.save(name, ONE_REVIEW) for name in "AB")
    url = {"data_run": one.id, "data_other": other.id}
    page = data_page("Saved runs", url)
    assert compares(page)
    page.selectbox(key="data_run").set_value(other.id).run()
    assert not page.exception
    assert page.selectbox(key="data_other").options == ["A"]
    (store.folder / other.id / "part-000000.parquet").unlink()
    for not_comparing in (page, data_page("Saved runs", url)):
        assert not compares(not_comparing)
        assert not_comparing.selectbox(key="data_other").value is None
        assert "data_other" not in not_comparing.query_params


def test_looking_at_a_run_of_another_encoder_leaves_tau_as_it_is(store: RunStore) -> None:
    made = ONE_REVIEW
    run = store.save("Other", replace(made, encoder="another"))
    page = data_page("Saved runs", data_run=run.id, tau=0.42, tau_encoder=made.encoder)
    assert page.number_input(key="data_tau_download").placeholder.startswith("0.500")
    assert page.session_state["tau"] == 0.42
    assert page.session_state["tau_encoder"] == made.encoder


def test_runs_without_a_common_review_say_so(store: RunStore) -> None:
    one = store.save("A", made_comparison(scoring(0, 0.2, 1)))
    other = store.save("B", made_comparison(Made(0, (1, 1, 1), [[0.5]], "other", "Other text.")))
    page = data_page("Saved runs", data_run=one.id, data_other=other.id)
    assert "no review in common" in said(page)
    assert [box.label for box in page.expander if "only in" in box.label] == [
        "Reviews only in A: 1",
        "Reviews only in B: 1",
    ]


def test_a_folder_that_cannot_be_used_is_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").touch()
    monkeypatch.setenv("CRSCORE_RUNS", str(tmp_path / "taken"))
    page = data_page("Saved runs")
    assert "cannot be read" in said(page)
