"""The other side of a file, reconstructed from one side and its hunks."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.change import other_side, parse_change
from crscore_core.errors import InputError

OLD = "one\ntwo\nthree\nfour\nfive\nsix\n"
NEW = "zero\none\ntwo\n3\nfour\nsix\nseven\n"
HUNKS = (
    "--- a/x\n+++ b/x\n"
    "@@ -0,0 +1 @@\n+zero\n"
    "@@ -3,1 +4,1 @@\n-three\n+3\n"
    "@@ -5,1 +5,0 @@\n-five\n"
    "@@ -6,1 +6,2 @@\n six\n+seven\n"
)
LINES = st.lists(st.sampled_from(["a", "b", "c", "", " d", "e\x0c", "f\u2028"]), max_size=12)


@pytest.mark.parametrize(("text", "is_new", "message"), [
    (OLD.replace("three", "THREE"), False, "line 3 of the old file given for 'x'"),
    (NEW.replace("six", "SIX"), True, "line 6 of the new file given for 'x'"),
    ("", False, "line 3 of the old file .* give the version before the change"),
    ("zero", True, "line 4 of the new file .* give the version after the change"),
])  # fmt: skip
def test_rejects_text_that_differs_from_the_hunks(text: str, is_new: bool, message: str) -> None:
    (file,) = parse_change(HUNKS).files
    with pytest.raises(InputError, match=message):
        other_side(file, text, is_new=is_new)


def test_carriage_returns_and_byte_order_marks_are_ignored() -> None:
    (file,) = parse_change(HUNKS).files
    assert other_side(file, OLD.replace("\n", "\r\n"), is_new=False).replace("\r", "") == NEW
    (file,) = parse_change("--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n \ufeffone\n two\n+three\n").files
    assert other_side(file, "one\ntwo\nthree\n", is_new=True) == "one\ntwo\n"


@given(LINES, LINES, st.integers(min_value=0, max_value=3))
def test_a_diff_leads_from_each_side_to_the_other(
    one: list[str], other: list[str], context: int
) -> None:
    old, new = ([f"{line}\n" for line in lines] for lines in (one, other))
    diff = "".join(difflib.unified_diff(old, new, "a/x", "b/x", n=context))
    if diff:
        (file,) = parse_change(diff).files
        assert other_side(file, "".join(old), is_new=False) == "".join(new)
        assert other_side(file, "".join(new), is_new=True) == "".join(old)
