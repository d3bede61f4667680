"""A corpus is scored: own claims first, every review against its change, until it is stopped."""

import re
from collections.abc import Sequence
from concurrent.futures import CancelledError

import numpy as np
import pytest

from crscore_core.claims import Claim, ClaimKind, ClaimSet
from crscore_core.corpus import part
from crscore_core.corpus.model import CorpusChange
from crscore_core.corpus.part import parts_of
from crscore_core.corpus.progress import CorpusStage
from crscore_core.corpus.reviews import ComparedChange, LeftOut, Reviews
from crscore_core.corpus.score import score_corpus
from crscore_core.errors import InputError
from crscore_core.scoring.pipeline import (
    ChangeInput,
    ClaimedChange,
    Unusable,
    add_smells,
    claim_changes,
)
from crscore_core.scoring.references import PseudoReference, ReferenceKind
from crscore_core.scoring.similarity import compare
from tests.crscore_core.corpus.corpora import FixedClaims, Notes, change, corpus, diff
from tests.word_encoder import WordEncoder

CLAIMS = FixedClaims("The value of x changes.", "The default differs.")


def scored(changes: Sequence[CorpusChange], generator: FixedClaims = CLAIMS) -> Reviews:
    return score_corpus(corpus(*changes), generator, WordEncoder())


def claimed_of(
    changes: list[CorpusChange], generator: FixedClaims, *, is_first: bool = True
) -> list[ClaimedChange | Unusable]:
    inputs = [
        ChangeInput(one.diff, claims=None if one.claims is None else ClaimSet(one.claims))
        for one in changes
    ]
    return claim_changes(inputs, generator, is_first=is_first)


def texts(one: ComparedChange) -> list[str]:
    return [reference.text for reference in one.references]


def test_claims_that_came_with_a_change_are_used_and_not_made() -> None:
    own = (
        Claim("It may fail.", ClaimKind.IMPLICATION, "given"),
        Claim("It is new.", ClaimKind.CLAIM, "given"),
    )
    generator = FixedClaims("Made.")
    found = scored([change(1, claims=own), change(2), change(3, claims=())], generator)
    first, second = found.changes
    assert texts(first) == ["It is new.", "It may fail."]
    assert texts(second) == ["Made."]
    assert found.left_out == (LeftOut("3", "it gives no pseudo-references"),)
    assert generator.asked == ["file2.py"]
    assert re.fullmatch(r"given-[0-9a-f]{12} and fixed", found.claims)


def test_the_claims_are_named_after_what_was_used() -> None:
    def named(*given: str | None) -> str:
        changes = [
            change(at, claims=None if text is None else (Claim(text, ClaimKind.CLAIM, "given"),))
            for at, text in enumerate(given)
        ]
        return scored(changes).claims

    assert named() == named(None, None) == "fixed"
    assert re.fullmatch("given-[0-9a-f]{12}", named("It is new.", "It is old."))
    assert named("It is new.", "It is old.") == named("It is new.", "It is old.")
    assert named("It is new.") != named("It is newer.")
    assert named("It is new.", None) == f"{named('It is new.')} and fixed"


def test_smells_go_to_the_change_that_has_them_and_what_cannot_be_read_is_left_out() -> None:
    smelly = change(1, diff=diff("app.py", "exec(input())"), new_file="something else\n")
    java = change(4, diff="@@ -1 +1 @@\n-x\n+y\n", language="java")
    found = scored(
        [smelly, change(2, diff="no diff"), change(3), java],
        FixedClaims("Made.", without=["file3.py"]),
    )
    assert [(one.id, one.language) for one in found.changes] == [("1", "python"), ("4", "java")]
    assert [one.id for one in found.left_out] == ["2", "3"]
    assert "no diff found" in found.left_out[0].reason
    assert found.left_out[1].reason == "no claims about file3.py"
    assert "exec" in " ".join(texts(found.changes[0])[1:])
    assert texts(found.changes[1]) == ["Made."]
    assert found.warnings[0].startswith("1: its whole file is not used: ")


@pytest.mark.parametrize(
    ("count", "is_first", "stops"),
    [(1, True, True), (9, True, True), (1, False, False), (9, False, False), (10, False, True)],
)
def test_a_backend_stops_the_work_where_all_of_the_first_or_of_many_fail(
    count: int, is_first: bool, stops: bool
) -> None:
    own = (Claim("It is new.", ClaimKind.CLAIM, "given"),)  # hides no failure of others
    changes = [*(change(number) for number in range(count)), change(99, claims=own)]
    generator = FixedClaims(without=[f"file{number}.py" for number in range(count)])
    if stops:
        with pytest.raises(InputError, match="no claims about file0"):
            claimed_of(changes, generator, is_first=is_first)
    else:
        claimed = claimed_of(changes, generator, is_first=is_first)
        assert [type(one) for one in claimed] == [Unusable] * count + [ClaimedChange]


def test_a_change_is_left_out_alone_where_the_backend_works_for_others() -> None:
    own = (Claim("It is new.", ClaimKind.CLAIM, "given"),)
    failing = [f"file{number}.py" for number in range(12)]
    changes = [
        *(change(number) for number in range(12)),
        change(12),
        change(13, diff="no diff"),
        change(14, claims=own),
    ]
    generator = FixedClaims("Made.", without=failing)
    claimed = claimed_of(changes, generator)
    assert [one.reason for one in claimed[:12] if isinstance(one, Unusable)] == [
        f"no claims about {name}" for name in failing
    ]
    made, unreadable, given = claimed[12:]
    assert isinstance(made, ClaimedChange)
    assert isinstance(unreadable, Unusable)
    assert isinstance(given, ClaimedChange)
    assert (made.claims_from, given.claims_from) == ("fixed", "given")
    assert given.claims.claims == own
    assert generator.asked == [*failing, "file12.py"]


def test_without_analyzers_there_are_no_smells_and_no_word_of_them() -> None:
    changes = [change(1, diff=diff("app.py", "exec(input())"))]
    (claimed,) = claimed_of(changes, FixedClaims("Made."))
    assert isinstance(claimed, ClaimedChange)
    (found,) = add_smells([claimed], {})
    assert [one.text for one in found.pseudo_references] == ["Made."]
    assert found.analyzers == ()


def test_pseudo_references_that_came_with_a_change_are_all_that_it_has() -> None:
    edited = (PseudoReference("As edited.", ReferenceKind.SMELL, "people", None, None),)
    generator = FixedClaims("Made.")
    smelly = diff("app.py", "exec(input())")
    found = scored(
        [change(1, "As edited", diff=smelly, references=edited), change(2, "Why?")], generator
    )
    assert [texts(one) for one in found.changes] == [["As edited."], ["Made."]]
    assert found[0].similarity.tolist() == [[pytest.approx(1, abs=1e-6)]]
    assert generator.asked == ["file2.py"]


def test_analyzers_see_a_hundred_changes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crscore_core.scoring.pipeline.CHANGES_AT_ONCE", 2)
    seen: list[int] = []

    def noted(files: Sequence[object], *_: object) -> list[list[object]]:
        seen.append(len(files))
        return [[] for _ in files]

    monkeypatch.setattr("crscore_core.scoring.pipeline.find_smells_of_each", noted)
    found = scored([change(number) for number in range(5)])
    assert [one.id for one in found.changes] == ["0", "1", "2", "3", "4"]
    assert seen == [2, 2, 1]


def test_reviews_are_compared_with_the_references_of_their_change() -> None:
    found = scored([change(1, "The value of x changes. Nice!", "Why?"), change(2, "The default")])
    assert (found.encoder, found.claims) == ("words", "fixed")
    assert [(review.id, review.change) for review in found] == [
        ("1/0", 0), ("1/1", 0), ("2/0", 1),
    ]  # fmt: skip
    assert [one.id for one in found.changes] == ["1", "2"]
    for review in found:
        texts = tuple(one.text for one in found.changes[review.change].references)
        assert review.references == texts
        references = found.changes[review.change].references
        ((alone,),) = compare(WordEncoder(), [(references, [review.sentences])])
        assert review.similarity.dtype == np.float32
        assert np.allclose(review.similarity, alone.similarity, atol=1e-6)
    assert found[0].similarity[0, 0] == pytest.approx(1, abs=1e-6)


def test_an_empty_review_scores_nothing() -> None:
    found = scored([change(1, "Why?", diff="no diff"), change(2, "", "The value of x changes.")])
    empty, other = found
    assert empty.similarity.shape[1] == 0
    scores = found.scores([0.5])[:, 0]
    assert scores[:, 0].tolist() == [0, 0, 0]
    assert (scores[:, 1] > 0).all()
    assert other.change == 0


@pytest.mark.parametrize(
    ("changes", "reasons"),
    [
        ([], []),
        ([change(1, "Why?", diff="nothing")], ["diff, line 1: no diff found"]),
        ([change(1)], []),
        ([change(1, "Why?", claims=())], ["it gives no pseudo-references"]),
    ],
)
def test_nothing_to_score_is_no_error(changes: list[CorpusChange], reasons: list[str]) -> None:
    found = scored(changes)
    assert tuple(found) == ()
    assert found.scores([0.5]).shape == (3, 1, 0)
    assert [
        one.reason[: len(reason)] for one, reason in zip(found.left_out, reasons, strict=True)
    ] == reasons


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part, "REVIEWS_AT_ONCE", 2)
    monkeypatch.setattr(part, "_TEXTS_AT_ONCE", 2)


@pytest.mark.usefixtures("small_parts")
def test_progress_counts_up_to_the_end() -> None:
    notes = Notes()
    several = corpus(change(1, "One.", "Two."), change(2, "Three."), change(3, "Four"))
    score_corpus(several, CLAIMS, WordEncoder(), notes)
    assert {note.stage for note in notes.told} == {CorpusStage.SCORES}
    assert {note.total for note in notes.told} == {4}
    done = [note.done for note in notes.told]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, 4)
    assert set(done) == {0, 1, 2, 3, 4}  # it moves within a part


@pytest.mark.parametrize("stop", [1, 2, 3])
def test_it_ends_when_told_to(stop: int) -> None:
    notes = Notes(stop)
    with pytest.raises(CancelledError):
        score_corpus(corpus(change(1, "One.", "Two.")), CLAIMS, WordEncoder(), notes)
    assert len(notes.told) == stop


def test_parts_hold_whole_changes_until_one_alone_is_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(part, "REVIEWS_AT_ONCE", 3)
    several = corpus(
        change(0, "a", "b"), change(1, "c", "d"), change(2, "e"), change(3),
        change(4, *"fghijklm"), change(5, "n"),
    )  # fmt: skip
    cut = list(parts_of(several))
    assert [one.number for one in cut] == [0, 1, 2, 3, 4]
    assert [
        (one.first, one.continues, [len(of.reviews) for of in one.changes]) for one in cut
    ] == [
        (0, False, [2]), (1, False, [2, 1, 0]), (4, False, [3]), (4, True, [3]),
        (4, True, [2, 1]),
    ]  # fmt: skip
    rows = [review.row for one in cut for of in one.changes for review in of.reviews]
    assert rows == list(range(1, 15))
    monkeypatch.setattr(part, "_MOST_CHARACTERS", 1)
    assert [one.reviews for one in parts_of(several)] == [1] * 14


@pytest.mark.parametrize("most", [1, 2, 3, 1000])
def test_however_it_is_cut_the_reviews_are_the_same(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    several = corpus(*(change(n, *(f"Text {n % 5}. {at}." for at in range(n))) for n in range(5)))
    whole = scored(several.changes)
    monkeypatch.setattr(part, "REVIEWS_AT_ONCE", most)
    monkeypatch.setattr(part, "_TEXTS_AT_ONCE", most)
    encoder = WordEncoder()
    parts = score_corpus(several, CLAIMS, encoder)
    assert parts.changes == whole.changes
    assert parts.rows.tolist() == whole.rows.tolist() == list(range(1, 11))
    for one, other in zip(whole, parts, strict=True):
        assert (one.id, one.change, one.warnings) == (other.id, other.change, other.warnings)
        assert np.array_equal(one.similarity, other.similarity)
    if most == 1000:
        texts = [text for call in encoder.calls for text in call]
        assert len(texts) == len(set(texts))  # each is encoded once
