"""The sentence rule of the original."""

import pytest

from crscore_core.scoring import split_sentences


@pytest.mark.parametrize(
    ("review", "sentences"),
    [
        ("One thing. Another thing.", ("One thing", "Another thing.")),
        ("Why? Because.", ("Why", "Because.")),
        ("first line\nsecond line", ("first line", "second line")),
        ("blank\n\n\nlines", ("blank", "lines")),
        ("Use e.g.this.method()", ("Use e.g.this.method()",)),
        ("Wow! No break there", ("Wow! No break there",)),
        ("a. b? c\nd", ("a", "b", "c", "d")),
        ("ends with a blank. ", ("ends with a blank",)),
        ("Same. Same. Same", ("Same", "Same", "Same")),
        (". ? . ", ()),
        (".", (".",)),
        ("", ()),
        (" \t\n ", ()),
        ("\u200b\u200d\ufeff", ()),
        ("\x00\x1b", ()),
        ("LGTM", ("LGTM",)),
        ("- item one\n- item two", ("- item one", "- item two")),
        ("carriage\r\nreturn", ("carriage", "return")),
        ("line\u2028separator is no break", ("line\u2028separator is no break",)),
    ],
)
def test_splits_at_newlines_and_at_marks_before_a_blank(
    review: str, sentences: tuple[str, ...]
) -> None:
    assert split_sentences(review) == sentences
