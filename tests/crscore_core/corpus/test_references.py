"""The pseudo-references of a corpus: own claims first, smells, and what is left out and why."""

import re

import pytest

from crscore_core.claims import Claim, ClaimKind
from crscore_core.corpus import score
from crscore_core.corpus.comparison import ComparedChange, LeftOut
from crscore_core.corpus.model import CorpusChange
from crscore_core.corpus.score import change_input, corpus_references
from crscore_core.errors import ClaimsError
from crscore_core.scoring.pipeline import ClaimedChange, Unusable, add_smells, claim_changes
from crscore_core.scoring.references import ReferenceSet
from tests.crscore_core.corpus.corpora import FixedClaims, Notes, change, diff


def claimed_of(
    changes: list[CorpusChange], generator: FixedClaims, *, is_first: bool = True
) -> list[ClaimedChange | Unusable]:
    return claim_changes(list(map(change_input, changes)), generator, is_first=is_first)


def texts(one: ComparedChange | LeftOut) -> list[str]:
    assert isinstance(one, ComparedChange)
    return [reference.text for reference in one.references]


def test_claims_that_came_with_a_change_are_used_and_not_made() -> None:
    own = (
        Claim("It may fail.", ClaimKind.IMPLICATION, "given"),
        Claim("It is new.", ClaimKind.CLAIM, "given"),
    )
    generator = FixedClaims("Made.")
    found = corpus_references([change(1, claims=own), change(2), change(3, claims=())], generator)
    first, second, third = found.changes
    assert texts(first)[:2] == ["It is new.", "It may fail."]
    assert texts(second)[0] == "Made."
    assert "Made." not in texts(third)
    assert generator.asked == ["file2.py"]
    assert re.fullmatch(r"given-[0-9a-f]{12} and fixed", found.claims)


def test_the_claims_are_named_after_what_was_used() -> None:
    def named(*given: str | None) -> str:
        changes = [
            change(at, claims=None if text is None else (Claim(text, ClaimKind.CLAIM, "given"),))
            for at, text in enumerate(given)
        ]
        return corpus_references(changes, FixedClaims("Made.")).claims

    assert named() == named(None, None) == "fixed"
    assert re.fullmatch("given-[0-9a-f]{12}", named("It is new.", "It is old."))
    assert named("It is new.", "It is old.") == named("It is new.", "It is old.")
    assert named("It is new.") != named("It is newer.")
    assert named("It is new.", None) == f"{named('It is new.')} and fixed"


def test_each_change_keeps_its_place_readable_or_not() -> None:
    smelly = change(1, diff=diff("app.py", "exec(input())"), new_file="something else\n")
    java = change(4, diff="@@ -1 +1 @@\n-x\n+y\n", language="java")
    found = corpus_references(
        [smelly, change(2, diff="no diff"), change(3), java],
        FixedClaims("Made.", without=["file3.py"]),
    )
    assert [one.id for one in found.changes] == ["1", "2", "3", "4"]
    reasons = {one.id: one.reason for one in found.changes if isinstance(one, LeftOut)}
    assert reasons.keys() == {"2", "3"}
    assert "no diff found" in reasons["2"]
    assert reasons["3"] == "no claims about file3.py"
    compared = [one for one in found.changes if isinstance(one, ComparedChange)]
    assert [one.language for one in compared] == ["python", "java"]
    assert "exec" in " ".join(texts(compared[0])[1:])
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
        with pytest.raises(ClaimsError, match="no claims about file0"):
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


def test_smells_go_to_the_change_that_has_them() -> None:
    changes = [
        change(1),
        change(2, diff="no diff"),
        change(3, diff=diff("app.py", "exec(input())"), new_file="something else\n"),
    ]
    claimed = claimed_of(changes, FixedClaims("Made."))
    clean, unreadable, smelly = add_smells(claimed)
    assert unreadable is claimed[1]
    assert isinstance(clean, ReferenceSet)
    assert isinstance(smelly, ReferenceSet)
    assert "exec" not in " ".join(one.text for one in clean.pseudo_references)
    assert "exec" in " ".join(one.text for one in smelly.pseudo_references)
    assert smelly.warnings[0].startswith("its whole file is not used: ")


def test_without_analyzers_there_are_no_smells_and_no_word_of_them() -> None:
    changes = [change(1, diff=diff("app.py", "exec(input())"))]
    claimed = claimed_of(changes, FixedClaims("Made."))
    (found,) = add_smells(claimed, {})
    assert isinstance(found, ReferenceSet)
    assert [one.text for one in found.pseudo_references] == ["Made."]
    assert found.analyzers == ()


def test_many_changes_are_read_in_parts_and_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score, "CHANGES_AT_ONCE", 2)
    notes = Notes()
    changes = [change(number) for number in range(5)]
    found = corpus_references(changes, FixedClaims("Made."), notes)
    assert [one.id for one in found.changes] == ["0", "1", "2", "3", "4"]
    assert [(note.done, note.total) for note in notes.told] == [(0, 5), (2, 5), (4, 5), (5, 5)]
