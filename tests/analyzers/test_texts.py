"""Texts on their way: lines, passages, quotations and the folder of a run."""

import pytest

from analyzers.batches import workspace
from analyzers.reading import Passage, source_lines
from analyzers.tool import quoted


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


def test_texts_lie_under_generated_names_and_are_gone_afterwards() -> None:
    with workspace(["a\n", "ö\udcff"], ".py") as space:
        written = {path.name: path.read_bytes() for path in space.folder.iterdir()}
        assert [written[name] for name in space.names] == [b"a\n", "ö?".encode()]
        assert len(written) == 2
        assert all(name.endswith(".py") for name in space.names)
    assert not space.folder.exists()


def test_each_workspace_is_its_own() -> None:
    with workspace(["a"], ".py") as one, workspace(["b"], ".py") as other:
        assert one.folder != other.folder
        assert (one.folder / one.names[0]).read_text() == "a"
