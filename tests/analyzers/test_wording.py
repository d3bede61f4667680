import pytest

from analyzers.tool import quoted


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("retry_count", "`retry_count`"),
        ("a  ==\n\tb", "`a == b`"),
        ("f(`x`)", "`f('x')`"),
        ("a\u202eb\0c\udcffd", "`a b c d`"),
        ("x" * 60, f"`{'x' * 60}`"),
        ("x" * 61, f"`{'x' * 59}…`"),
        ("größe", "`größe`"),
        (" " * 5_000 + "x" * 5_000, f"`{'x' * 59}…`"),
    ],
)
def test_code_is_shown_on_one_short_line(code: str, shown: str) -> None:
    assert quoted(code) == shown
