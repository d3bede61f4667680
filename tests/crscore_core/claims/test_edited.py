"""Claims edited by hand: contents, source and name."""

import dataclasses

import pytest

from crscore_core.change import parse_change
from crscore_core.claims import Claim, ClaimKind, ClaimSet
from crscore_core.claims.edited import ClaimRow, EditedClaims, rows_of
from crscore_core.errors import InputError
from tests.crscore_core.changes import PYTHON

CHANGE = parse_change(PYTHON)
FIRST = Claim("load returns a list", ClaimKind.CLAIM, "symbolic", "app/store.py", 3, ("a list",))
SECOND = Claim("errors are hidden", ClaimKind.IMPLICATION, "symbolic")
MADE = ClaimSet((FIRST, SECOND), ("the language is a guess",))
UNTOUCHED = rows_of(MADE)


def edited(*rows: ClaimRow) -> EditedClaims:
    return EditedClaims(MADE, "symbolic", rows)


def test_unedited_claims_are_unchanged() -> None:
    claims = edited(*UNTOUCHED)
    assert claims.generate(CHANGE) == MADE
    assert claims.name == "symbolic"
    assert not claims.is_edited


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (  # other words keep their place, and lose other wordings
            [ClaimRow("  load gives a tuple ", ClaimKind.CLAIM, FIRST), UNTOUCHED[1]],
            [Claim("load gives a tuple", ClaimKind.CLAIM, "edited", "app/store.py", 3), SECOND],
        ),
        (  # another kind
            [dataclasses.replace(UNTOUCHED[0], kind=ClaimKind.IMPLICATION), UNTOUCHED[1]],
            [dataclasses.replace(FIRST, kind=ClaimKind.IMPLICATION, source="edited"), SECOND],
        ),
        (  # added, and an empty row beside it
            [*UNTOUCHED, ClaimRow("a new one", ClaimKind.CLAIM), ClaimRow(" ", ClaimKind.CLAIM)],
            [FIRST, SECOND, Claim("a new one", ClaimKind.CLAIM, "edited")],
        ),
        ([UNTOUCHED[1]], [SECOND]),  # removed
        (  # emptied is removed
            [ClaimRow("\n", ClaimKind.CLAIM, FIRST), UNTOUCHED[1]],
            [SECOND],
        ),
        (  # half a surrogate pair, which no encoder takes
            [*UNTOUCHED, ClaimRow("a \ud800 b", ClaimKind.CLAIM)],
            [FIRST, SECOND, Claim("a \ufffd b", ClaimKind.CLAIM, "edited")],
        ),
    ],
)
def test_each_edit_is_marked(rows: list[ClaimRow], expected: list[Claim]) -> None:
    claims = edited(*rows)
    assert claims.generate(CHANGE) == ClaimSet(tuple(expected), MADE.warnings)
    assert claims.name.startswith("symbolic+edited-")


@pytest.mark.parametrize("rows", [[], [ClaimRow("", ClaimKind.CLAIM, FIRST)]])
def test_at_least_one_claim_is_left(rows: list[ClaimRow]) -> None:
    claims = edited(*rows)
    with pytest.raises(InputError, match="all claims were removed; add at least one"):
        claims.generate(CHANGE)


def test_edits_have_distinct_names_and_spaces_are_not_edits() -> None:
    first, *others = UNTOUCHED
    rows = (ClaimRow("a", ClaimKind.CLAIM), ClaimRow("b", ClaimKind.CLAIM))
    added = [*rows, ClaimRow("a", ClaimKind.IMPLICATION)]
    names = [edited(*UNTOUCHED, row).name for row in (*added, *added)]
    assert names[:3] == names[3:]
    assert len(set(names)) == 3
    with_blanks = edited(ClaimRow(f" {first.text} ", first.kind, first.original), *others)
    for claims in (with_blanks, EditedClaims(ClaimSet(()), "symbolic", [])):
        assert claims.name == "symbolic"
        assert not claims.is_edited
    assert claims.generate(CHANGE) == ClaimSet(())
