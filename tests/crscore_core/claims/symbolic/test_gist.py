"""What the names of a change are about."""

import pytest

from crscore_core.claims.symbolic.gist import MAX_BLOCKS, MAX_NAMES, gist_of
from tests.crscore_core.claims.symbolic.blocks import blocks


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("+maxPages = page(3)\n x = 1", ["This affects the handling of max pages and page"]),
        ("-oldName()\n+newName()", ["This affects the handling of new name and old name"]),
        ("+# aComment about names\n x = 1", []),
        ("+return None\n x = 1", []),
    ],
)
def test_names_are_told_in_words(body: str, expected: list[str]) -> None:
    found = gist_of(blocks("a.py", body), 1)
    assert [one.text for one in found] == expected


def test_names_that_touch_a_concern_bring_it() -> None:
    found = gist_of(blocks("a.py", "+read_timeout = timeout(wait_timeout)\n x = 1"), 4)
    assert [one.line for one in found] == [4, 4]
    assert found[1].text.startswith("The unit of time matters for read timeout and timeout")


def test_few_names_of_few_blocks_are_told() -> None:
    body = "\n".join(f"+name{n:02} = 1" for n in range(30)) + "\n x = 1"
    (found,) = gist_of(blocks("a.py", body), 1)
    assert found.text.count("name") == MAX_NAMES
    parted = "\n".join(f"+return_{n:02}()\n ok()" for n in range(MAX_BLOCKS + 5))
    every = blocks("a.py", parted)
    assert len(every) == MAX_BLOCKS + 5
    assert gist_of(every, 1) == gist_of(every[:MAX_BLOCKS], 1)
