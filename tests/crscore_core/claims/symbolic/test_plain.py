"""Changed statements in plain words."""

import pytest

from crscore_core.claims.symbolic.changed import changed_statements
from crscore_core.claims.symbolic.plain import MAX_PLAIN, in_plain_words
from tests.crscore_core.claims.symbolic.blocks import blocks


def told(body: str) -> list[str]:
    found = [
        one
        for block in blocks("a.py", body)
        for one in in_plain_words(changed_statements(block, "python"), "python")
    ]
    return [one.text for one in found]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("+maxRetries = 3\n x = 1", ["The code now sets max retries to 3"]),
        ("-return total\n x = 1", ["The code no longer returns total"]),
        (
            "-return total\n+return None",
            ["The code now returns None"],
        ),
        ("-a = b  # c\n+a = b  # d", []),
    ],
)
def test_plain_words(body: str, expected: list[str]) -> None:
    assert told(body) == expected


def test_few_statements_of_a_block_are_told() -> None:
    assert len(told("\n".join(f"+value{n} = {n}" for n in range(9)) + "\n x = 1")) == MAX_PLAIN
