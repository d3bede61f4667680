import pytest

from analyzers.reading import Passage, source_lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb\nc\r", ["a b", "c"]),
        ("\ufeffa\nb", ["a", "b"]),
        ("a\x0bb\x0cc\x85d\u2028e", ["a\x0bb\x0cc\x85d\u2028e"]),
    ],
)
def test_lines_end_at_line_feeds_alone(text: str, lines: list[str]) -> None:
    assert source_lines(text) == lines


def test_rows_map_to_lines_of_the_new_file() -> None:
    passage = Passage.of_lines([(None, "if 1:"), (7, "    a"), (9, "    b")])
    assert passage.text == "if 1:\n    a\n    b\n"
    assert [passage.line(row) for row in range(5)] == [None, None, 7, 9, None]
    assert passage.shows(1, 2, frozenset({7}))
    assert not passage.shows(1, 2, frozenset({8, 9}))
