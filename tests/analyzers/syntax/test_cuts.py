"""Any cut of a file is shown as it is, whatever is put around it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers import Fragment
from analyzers.passage import source_lines
from analyzers.reading import UnparsableError
from tests.analyzers.syntax.samples import SAMPLES, attempt

MOST_CUT = 6


@st.composite
def cuts(draw: st.DrawFn) -> tuple[str, Fragment, frozenset[int]]:
    language = draw(st.sampled_from(sorted(SAMPLES)))
    lines = source_lines(SAMPLES[language])
    first = draw(st.integers(1, len(lines)))
    last = draw(st.integers(first, min(len(lines), first + 25)))
    text = "\n".join(lines[first - 1 : last])
    changed = draw(st.sets(st.integers(first, first + len(source_lines(text)) - 1), min_size=1))
    heading = draw(st.one_of(st.none(), st.sampled_from(lines)))
    fragment = Fragment(first, text, heading)
    return language, fragment, frozenset(changed)


@settings(max_examples=200, deadline=None)
@given(cuts())
def test_no_line_is_altered_and_no_changed_one_is_missing(
    cut: tuple[str, Fragment, frozenset[int]],
) -> None:
    language, fragment, changed = cut
    lines = source_lines(fragment.text)
    context = attempt(language, fragment, changed)
    if isinstance(context, UnparsableError):
        assert context.line in range(fragment.first_line, fragment.first_line + len(lines))
        return
    numbers = context.passage.line_numbers
    shown = [number for number in numbers if number is not None]
    assert shown == [*range(shown[0], shown[-1] + 1)]
    assert changed <= {*shown}
    assert len(shown) >= len(lines) - MOST_CUT
    first, last = numbers.index(shown[0]), numbers.index(shown[-1])
    assert None not in numbers[first : last + 1]
    expected = lines[shown[0] - fragment.first_line : shown[-1] - fragment.first_line + 1]
    assert context.passage.text.split("\n")[first : last + 1] == expected
    assert context.passage.text.count("\n") == len(numbers)


def test_nearly_all_cuts_are_read() -> None:
    tried = unread = 0
    for language, text in SAMPLES.items():
        lines = source_lines(text)
        for first in range(0, len(lines) - 8, 3):
            for size in (6, 13, 22):
                part = lines[first : first + size]
                middle = frozenset({first + 1 + len(part) // 2})
                tried += 1
                found = attempt(language, Fragment(first + 1, "\n".join(part)), middle)
                unread += isinstance(found, UnparsableError)
    assert tried > 300
    assert unread <= tried * 0.02
