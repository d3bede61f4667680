"""Which concern the names of a change touch most."""

from collections import Counter

import pytest

from crscore_core.claims.symbolic.concerns import concern_of


@pytest.mark.parametrize(
    ("names", "part"),
    [
        ({"user password": 2}, "Security may depend on user password"),
        ({"read timeout": 2, "path": 1}, "unit of time matters for read timeout"),
        ({"max length": 1, "size": 1}, "Performance may depend on max length and size"),
        ({"io exception": 2}, "failures and errors"),
        ({"Default Locale": 1, "button label": 1, "help text": 1}, "text for users"),
        ({"lock a": 1, "lock b": 1, "lock c": 1}, "Concurrency may matter for lock a and lock b:"),
    ],
)
def test_the_concern_of_most_names_is_told(names: dict[str, int], part: str) -> None:
    (found,) = concern_of(Counter(names), 7)
    assert part in found.text
    assert found.line == 7


@pytest.mark.parametrize(
    "names", [{}, {"total": 3, "amount": 1}, {"passwordless": 2}, {"width": 1, "token": 1}]
)
def test_names_without_a_concern(names: dict[str, int]) -> None:
    assert concern_of(Counter(names), 1) == []
