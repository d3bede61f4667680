"""Claims edited by hand: contents, source and name."""

import dataclasses

import pytest

from crscore_core.change import parse_change
from crscore_core.claims import ClaimSet, PseudoReference, ReferenceKind
from crscore_core.errors import InputError
from pages.components.edited_claims import edited_claim, edited_claims
from tests.crscore_core.changes import PYTHON

CHANGE = parse_change(PYTHON)
CLAIM, IMPLICATION = ReferenceKind.CLAIM, ReferenceKind.IMPLICATION
FIRST = PseudoReference("load returns a list", CLAIM, "symbolic", "app/store.py", 3, ("a list",))
SECOND = PseudoReference("errors are hidden", IMPLICATION, "symbolic")
MADE = ClaimSet((FIRST, SECOND), ("the language is a guess",))


@pytest.mark.parametrize(
    ("original", "text", "kind", "expected"),
    [
        (FIRST, f" {FIRST.text} ", CLAIM, FIRST),  # spaces are not an edit
        (  # other words keep their place, and lose other wordings
            FIRST,
            "  load gives a tuple ",
            CLAIM,
            PseudoReference("load gives a tuple", CLAIM, "edited", "app/store.py", 3),
        ),
        (
            FIRST,
            FIRST.text,
            IMPLICATION,
            dataclasses.replace(FIRST, kind=IMPLICATION, source="edited"),
        ),
        (None, "a new one", CLAIM, PseudoReference("a new one", CLAIM, "edited")),
        (None, " ", CLAIM, None),
        (FIRST, "\n", CLAIM, None),
        # half a surrogate pair, which no encoder takes
        (None, "a \ud800 b", CLAIM, PseudoReference("a \ufffd b", CLAIM, "edited")),
    ],
)
def test_an_edit_is_marked(
    original: PseudoReference | None,
    text: str,
    kind: ReferenceKind,
    expected: PseudoReference | None,
) -> None:
    assert edited_claim(original, text, kind) == expected


def test_edited_claims_have_names_of_their_own() -> None:
    unedited = edited_claims(MADE, "symbolic", MADE.claims)
    assert (unedited.name, unedited.generate(CHANGE)) == ("symbolic", MADE)
    nothing = edited_claims(ClaimSet(()), "symbolic", ())
    assert (nothing.name, nothing.generate(CHANGE)) == ("symbolic", ClaimSet(()))
    added = [PseudoReference(text, CLAIM, "edited") for text in "aba"]
    edited = [edited_claims(MADE, "symbolic", (*MADE.claims, claim)) for claim in added]
    assert edited[0].generate(CHANGE) == ClaimSet((*MADE.claims, added[0]), MADE.warnings)
    assert all(one.name.startswith("given-") for one in edited)
    assert edited[0].name == edited[2].name != edited[1].name


def test_rejects_an_edit_that_leaves_no_claim() -> None:
    with pytest.raises(InputError, match="list of claims is empty"):
        edited_claims(MADE, "symbolic", ())
