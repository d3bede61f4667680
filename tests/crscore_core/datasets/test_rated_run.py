"""People rate a run: who is asked what, what is kept, and what becomes of it."""

import io
import operator
import re
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Timer

import pytest

from crscore_core.corpus.model import DIMENSIONS, UNRATED, Ratings
from crscore_core.corpus.run.answers import (
    ANSWERS,
    CANNOT_TELL,
    QUESTIONS,
    RIGHT,
    WORTH,
    Answer,
    RatingPlan,
    RunAnswers,
)
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.rescore import rescore
from crscore_core.corpus.run.store import RunStore
from crscore_core.datasets.rated_run import CLAIM, UNNECESSARY, Question, RatedRun, raters_of
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.model import ClaimCode, CodedClaim
from crscore_core.datasets.study.write import study_archive
from crscore_core.errors import InputError
from crscore_core.scoring.references import ReferenceKind
from crscore_core.validity.annotations import agreement_on, claim_quality
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison
from tests.crscore_core.datasets.study.small_release import small_release

SYSTEMS = ("gpt3.5", "knn", "msg")
RUN = made_comparison(
    *(
        Made(change, (1, 1, 1), [[0.9], [0.1]], system, f"{system} of {change}.")
        for change in range(6)
        for system in SYSTEMS
    )
)


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path)


@pytest.fixture
def run_id(store: RunStore) -> str:
    reviews = tuple(replace(review, ratings=UNRATED) for review in RUN)
    none = reviews[0].similarity[:, :0]
    empty = replace(RUN[0], id="empty", text="", sentences=(), similarity=none)
    changes = tuple(replace(one, diff=f"@@ -1 +1 @@\n-a\n+{one.id}") for one in RUN.changes)
    return store.save("A run", altered(RUN, changes=changes, reviews=(empty, *reviews))).id


@pytest.fixture
def rated(store: RunStore, run_id: str) -> RatedRun:
    return RatedRun(store.run(run_id))


def ask(rated: RatedRun, rater: str) -> Question | None:
    return rated.question(rater, rated.answers.list(), rated.answers.plan)


def reply(rated: RatedRun, rater: str, value: int, *, is_blind: bool = True) -> Question | None:
    question = ask(rated, rater)
    if question is not None:
        change = question.of.number
        value = min(value, question.values[-1])
        rated.answers.give(Answer(rater, change, question.item, question.name, value, is_blind))
    return question


def reply_to_all(rated: RatedRun, rater: str, value: int, most: int = 1000) -> list[Question]:
    replies = (reply(rated, rater, value) for _ in range(most))
    return [question for question in replies if question is not None]


def test_everybody_rates_the_overlap_and_the_rest_is_dealt_out(rated: RatedRun) -> None:
    rated.answers.set_plan(RatingPlan(1 / 3))
    n_shared, a_change = 2, len(SYSTEMS) * len(QUESTIONS)
    common = {one.number for one in rated.changes[:n_shared]}
    for one in rated.changes:  # a first answer to a review takes its change from nobody
        glance = Answer("eve", one.number, one.reviews[0].row, DIMENSIONS[0], 1, is_blind=True)
        rated.answers.give(glance)
    asked = {rater: reply_to_all(rated, rater, 4, 4 * a_change) for rater in ("ann", "bob")}
    changes = {
        rater: list(dict.fromkeys(question.of.number for question in questions))
        for rater, questions in asked.items()
    }
    assert changes["ann"][:n_shared] == changes["bob"][:n_shared]
    assert {*changes["ann"][:n_shared]} == common
    assert {*changes["ann"]} & {*changes["bob"]} == common
    assert {*changes["ann"]} | {*changes["bob"]} == set(range(6))
    given = rated.answers.list()
    assert rated.progress("ann", given, rated.answers.plan).rated == 12
    assert rated.progress("ann", given, rated.answers.plan).share == 12
    for rater, questions in asked.items():
        names = [question.name for question in questions]
        assert names == list(QUESTIONS) * (len(names) // 5), rater
        assert len(reply_to_all(rated, rater, 4)) == 2 * a_change  # those of the other, last
        assert ask(rated, rater) is None


def test_each_rater_has_an_order_of_their_own_and_no_empty_review_is_asked_about(
    rated: RatedRun,
) -> None:
    rated.answers.set_plan(RatingPlan(1.0))
    orders = {
        rater: [question.item for question in reply_to_all(rated, rater, 3)][:: len(QUESTIONS)]
        for rater in ("ann", "bob")
    }
    assert orders["ann"] != orders["bob"]
    assert sorted(orders["ann"]) == sorted(orders["bob"]) == list(range(2, 20))
    rated.answers.set_plan(RatingPlan(0.0))
    first = [ask(rated, rater) for rater in "cdefgh"]
    assert len({question.of.number for question in first if question}) > 1


def test_smells_are_no_claims_pauses_no_time_and_of_many_changes_some_are_drawn(
    store: RunStore, run_id: str, rated: RatedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = rated.changes[0]
    smell = replace(one.change.references[0], kind=ReferenceKind.SMELL)
    references = (smell, *one.change.references[1:])
    with_smell = replace(one, change=replace(one.change, references=references))
    assert with_smell.claims_to_code() == [1]
    times = (0.0, 10.0, 5000.0)
    given = [Answer("ann", 0, row, QUESTIONS[-1], 3, True, at) for row, at in enumerate(times)]
    assert rated.progress("ann", given, RatingPlan()).seconds == 10
    monkeypatch.setattr("crscore_core.datasets.rated_run.MOST_CHANGES", 2)
    assert RatedRun(store.run(run_id)).changes == rated.changes[:2]


def test_an_answer_waits_for_another_raters(rated: RatedRun, store: RunStore, run_id: str) -> None:
    reply(rated, "ann", 2)
    with closing(
        sqlite3.connect(store.folder / run_id / ANSWERS, check_same_thread=False)
    ) as other:
        other.execute("BEGIN IMMEDIATE")
        Timer(0.1, other.rollback).start()
        assert reply(rated, "ann", 2)
    assert len(rated.answers.list()) == 2


def test_an_answer_is_kept_at_once_changed_taken_back_and_removed(
    store: RunStore, run_id: str, rated: RatedRun
) -> None:
    first = reply(rated, "ann", 2)
    assert first
    again = RatedRun(store.run(run_id))  # as after an end of the server
    assert ask(again, "ann") == replace(first, name=DIMENSIONS[1], given={DIMENSIONS[0]: 2})
    (kept,) = again.answers.list()
    again.answers.give(replace(kept, value=5, is_blind=False))
    assert [(one.value, one.is_blind) for one in again.answers.list()] == [(5, False)]
    reply(again, "bob", 1)
    again.answers.take_back("ann")
    assert ask(again, "ann") == first
    assert [one.rater for one in again.answers.list()] == ["bob"]
    again.answers.add_missing("bob", 0, ("It leaks.",))
    again.answers.remove("bob")
    assert (again.answers.list(), again.answers.missing()) == ((), {})


def test_ratings_are_those_of_the_run_wherever_it_is_read(
    store: RunStore, run_id: str, rated: RatedRun
) -> None:
    before = RunAnswers(store.folder / run_id).state
    first = ask(rated, "ann")
    assert first
    said = replace(first, name=DIMENSIONS[-1], given={DIMENSIONS[0]: 4, DIMENSIONS[1]: 2})
    assert said.values == range(2, 5)  # relevance lies between the other two
    assert rated.came_rated == 1  # the empty one, whose rating no longer counts
    for rater, values in (("ann", (5, 2, 3)), ("bob", (4, 2, 2))):
        for name, value in zip(DIMENSIONS, values, strict=True):
            answer = Answer(rater, first.of.number, first.item, name, value, is_blind=True)
            rated.answers.give(answer)
    assert store.answers(run_id).state != before
    half = Answer("cid", first.of.number, first.item, DIMENSIONS[0], 1, is_blind=True)
    rated.answers.give(half)  # a rating that is not whole does not count
    for rater, right in (("ann", 1), ("bob", 0), ("cid", CANNOT_TELL)):
        rated.answers.give(Answer(rater, first.of.number, first.item, RIGHT, right, is_blind=True))
    run = store.run(run_id)
    comparison = run.reviews()
    (review,) = (one for one in comparison if one.ratings != UNRATED)
    assert first.review
    assert review.text == first.review.text
    assert review.ratings == Ratings(4.5, 2.0, 2.5)
    assert review.labels == {RIGHT: 0.5}
    assert comparison.labels == run.labels == (RIGHT,)
    assert run.measured(RIGHT).values.tolist().count(0.5) == 1
    (row,) = (row.cells for row in run.corpus_rows() if row.cells["label_right"] is not None)
    assert (row["label_right"], row["human_relevance"]) == (0.5, 2.5)
    copy = store.take(store.folder / run_id)
    assert store.load(copy.id).labels == (RIGHT,)
    rescore(run, 0.5, store.folder / "rescored")
    again = FinishedRun.open(store.folder / "rescored").reviews()
    assert [one.labels for one in again if one.labels] == [{RIGHT: 0.5}]
    assert run.measured("people").values.tolist().count(2.5) == 1
    assert (run.reviews().ratings == [4.5, 2.0, 2.5]).all(axis=1).sum() == 1
    table = next(run.parts(["id", "human_relevance"]))
    assert table.column_names == ["id", "human_relevance"]


def test_labels_that_a_run_came_with_give_way_to_answers_also_where_nobody_can_tell(
    store: RunStore, run_id: str
) -> None:
    labelled = [replace(review, labels={RIGHT: 1.0, WORTH: 3.0}) for review in RUN]
    run = store.run(store.save("Labelled", altered(RUN, reviews=tuple(labelled))).id)
    run.answers.give(Answer("ann", 0, 1, RIGHT, CANNOT_TELL, is_blind=True))
    assert {*next(run.parts(["label_right"]))["label_right"].to_pylist()} == {None}
    assert {*next(run.parts(["label_worth"]))["label_worth"].to_pylist()} == {3.0}
    bare = store.run(run_id)  # the only answer is taken back after somebody saw its label
    assert {*next(bare.parts(["id", "label_worth"]))["label_worth"].to_pylist()} == {None}


def test_claims_are_coded_first_and_those_that_are_wrong_do_not_count(rated: RatedRun) -> None:
    rated.answers.set_plan(RatingPlan(codes_claims=True))
    first, second = reply(rated, "ann", ClaimCode.INCORRECT), reply(rated, "ann", UNNECESSARY)
    assert first
    assert second
    assert [first.name, second.name] == [CLAIM, CLAIM]
    third = reply(rated, "ann", 5)
    assert third
    assert third.name == DIMENSIONS[0]
    assert third.left_out == {0, 1}
    reply(rated, "ann", 1)
    reply(rated, "ann", 3)
    rated.answers.add_missing("ann", first.of.number, ("It leaks.",))
    (change,) = rated.study_changes("ann", rated.answers.list())
    assert [claim.code for claim in change.coded_claims] == [ClaimCode.INCORRECT, ClaimCode.CORRECT]
    texts = [(one.text, one.is_necessary) for one in change.references]
    assert texts == [("Reference 1.", False), ("It leaks.", True)]
    assert [review.rating for review in change.reviews if review.rating] == [Ratings(5, 1, 3)]
    reply(rated, "bob", ClaimCode.CORRECT)
    for _ in range(5):  # to the change that both have begun, wherever it stands
        reply_to_all(rated, "bob", ClaimCode.CORRECT)
    correct = ClaimCode.CORRECT  # unnecessary claims are correct ones
    shared = [[ClaimCode.INCORRECT, correct], [correct, correct]]
    assert [codes for _, codes in rated.shared(rated.answers.list(), CLAIM)] == shared
    quality = claim_quality(rated.coded_changes(rated.answers.list()))
    assert quality.claims == 14
    assert quality.error_rate.value == pytest.approx(100 / 14)
    assert quality.missing_rate.value == pytest.approx(100 / 14)


def test_claims_are_not_coded_once_their_change_is_rated(rated: RatedRun) -> None:
    reply(rated, "ann", 4)
    rated.answers.set_plan(RatingPlan(codes_claims=True))
    asked = [question.name for question in reply_to_all(rated, "ann", 4, 16)]
    assert asked == [*QUESTIONS[1:], *QUESTIONS * 2, CLAIM, CLAIM]
    rated.answers.set_plan(RatingPlan(codes_claims=False))
    assert reply_to_all(rated, "ann", 4, 1)[0].name == DIMENSIONS[0]


def test_agreement_is_over_what_two_or_more_rated(rated: RatedRun) -> None:
    rated.answers.set_plan(RatingPlan(1.0, codes_claims=True))
    for rater in ("ann", "bob", "cid"):
        while (question := ask(rated, rater)) is not None:
            value = 1 + question.item % 2 if question.name == CLAIM else 1 + question.item % 5
            reply(rated, rater, value)
    given = rated.answers.list()
    shared = {name: rated.shared(given, name) for name in (*QUESTIONS, CLAIM)}
    assert {len(shared[name]) for name in QUESTIONS} == {18}
    assert len({change for change, _ in shared[WORTH]}) == 6
    assert {agreement_on(shared[name]).value for name in (*DIMENSIONS, WORTH)} == {1}
    assert agreement_on(shared[CLAIM], is_nominal=True).value == 1
    worse = agreement_on([(0, [1, 5]), *shared[WORTH][1:]]).value
    assert worse
    assert worse < 1


def test_agreement_on_right_or_wrong_is_nominal_and_who_cannot_tell_does_not_count(
    rated: RatedRun,
) -> None:
    answers = {  # by rater, of item 1 of change 0 and item 2 of change 1
        "ann": (1, 1),
        "bob": (0, 1),
        "cid": (CANNOT_TELL, 1),
        "dot": (CANNOT_TELL, CANNOT_TELL),
    }
    given = [
        Answer(rater, change, change + 1, RIGHT, value, is_blind=True)
        for rater, values in answers.items()
        for change, value in enumerate(values)
    ]
    shared = rated.shared(given, RIGHT)
    assert shared == [(0, [1, 0]), (1, [1, 1, 1])]
    by_hand = 0  # 1 - (5 - 1) * 2 / (2 * 4 * 1)
    assert agreement_on(shared, is_nominal=True).value == pytest.approx(by_hand)


def test_the_archive_is_what_the_studys_reader_reads(rated: RatedRun, tmp_path: Path) -> None:
    rated.answers.set_plan(RatingPlan(1.0, codes_claims=True))
    reply_to_all(rated, "marcus", ClaimCode.CORRECT)
    rated.answers.add_missing("marcus", rated.changes[0].number, ("=cmd()", "Two."))
    of_marcus = rated.study_changes("marcus", rated.answers.list())
    silent = [
        replace(
            change,
            coded_claims=tuple(CodedClaim(one.text, None) for one in change.coded_claims),
            added_claims=("",) * len(change.added_claims),
            reviews=tuple(replace(review, rating=None) for review in change.reviews),
        )
        for change in of_marcus
    ]
    folder = small_release().write(tmp_path / "release")
    with zipfile.ZipFile(io.BytesIO(study_archive({"marcus": of_marcus, "atharva": silent}))) as it:
        it.extractall(folder)
    read = [change for change in load_study(folder).changes if change.language == "py"]
    key = operator.attrgetter("index")
    assert sorted(read, key=key) == sorted(of_marcus, key=key)
    assert {change.index for change in read} == {str(number) for number in range(6)}
    for change in read:
        assert change.coded_claims == tuple(
            CodedClaim(f"Reference {row}.", ClaimCode.CORRECT) for row in range(2)
        )


@pytest.mark.parametrize(
    "language", ["py", "../../../../tmp/evil", "/etc", "c:\\x", "", "x" * 9**6]
)
def test_names_of_raters_and_languages_become_no_paths(rated: RatedRun, language: str) -> None:
    for rater in ("../../x", "rater 4", "日本", "中国"):
        reply(rated, rater, 3)
    given = rated.answers.list()
    archive = study_archive(
        {
            rater: [replace(one, language=language) for one in rated.study_changes(rater, given)]
            for rater in raters_of(given)
        }
    )
    names = zipfile.ZipFile(io.BytesIO(archive)).namelist()
    assert len(set(names)) == len(names) == 4  # nobody coded claims
    assert all(re.fullmatch(r"(\w+/)*[\w-]{1,250}\.csv", name) for name in names)


_ENDLESS = """
CREATE VIEW answers (rater, item, question, value) AS
WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count)
SELECT 'ann', n, 'relevance', 3 FROM count
"""


def test_a_file_that_is_no_database_and_a_run_without_reviews_are_errors(
    store: RunStore, run_id: str
) -> None:
    (store.folder / run_id / ANSWERS).write_bytes(b"no database" * 100)
    with pytest.raises(InputError, match=r"ratings in .* cannot be read or written: file is not"):
        store.load(run_id)
    (store.folder / run_id / ANSWERS).unlink()
    with closing(sqlite3.connect(store.folder / run_id / ANSWERS)) as endless:
        endless.execute(_ENDLESS)
    with pytest.raises(InputError, match="it has views or triggers"):
        store.load(run_id)
    empty = store.save("Empty", altered(RUN, reviews=()))
    with pytest.raises(InputError, match="no review to rate"):
        RatedRun(store.run(empty.id))
