from collections.abc import Sequence

import pytest

from analyzers.batches import Failure, failure_of, lint_in_batches
from analyzers.process import Completed
from analyzers.tool import Outcome, Unread


def starts(
    bad: set[str], *, of_a_text: bool = True, broken: bool = False
) -> tuple[list[list[str]], list[Outcome]]:
    """What each start was given, and the outcomes, where texts in `bad` make a start fail."""
    given: list[list[str]] = []

    def lint_once(texts: Sequence[str]) -> list[Outcome] | Failure:
        given.append(list(texts))
        if broken or bad & set(texts):
            return Failure("crash", is_of_a_text=of_a_text)
        return [[] for _ in texts]

    return given, lint_in_batches(list("abcdefgh"), lint_once, 4)


def test_texts_are_shared_out_over_starts() -> None:
    given, outcomes = starts(set())
    assert given == [list("abcd"), list("efgh")]
    assert outcomes == [[]] * 8


def test_only_the_text_that_makes_it_fail_is_lost() -> None:
    _, outcomes = starts({"c", "h"})
    lost = [index for index, outcome in enumerate(outcomes) if outcome == Unread("crash")]
    assert lost == [2, 7]
    assert [outcome for index, outcome in enumerate(outcomes) if index not in lost] == [[]] * 6


@pytest.mark.parametrize(("of_a_text", "broken"), [(False, False), (True, True)])
def test_a_tool_that_fails_at_everything_is_not_tried_for_ever(
    of_a_text: bool, broken: bool
) -> None:
    given, outcomes = starts({"a", "e"}, of_a_text=of_a_text, broken=broken)
    assert outcomes == [Unread("crash")] * 8
    assert len(given) <= 4


@pytest.mark.parametrize(
    ("completed", "failure"),
    [
        (Completed(0), None),
        (Completed(4), None),
        (Completed(None, error="x was not found"), Failure("x was not found")),
        (Completed(-9, timed_out=True), Failure("tool took too long and was stopped", True)),
        (
            Completed(-9, truncated=True),
            Failure("tool wrote more than could be taken and was stopped", True),
        ),
        (Completed(1), Failure("tool failed with status 1", True)),
        (Completed(-11, stderr="a\nb\n"), Failure("tool failed with status -11: b", True)),
    ],
)
def test_how_a_run_failed(completed: Completed, failure: Failure | None) -> None:
    assert failure_of(completed, "tool", frozenset({0, 4})) == failure
