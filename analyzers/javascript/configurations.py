"""The named ways to run JSHint: what it looks for, and what of its answer is believed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from analyzers.batches import Outcome
from analyzers.finding import Finding
from analyzers.javascript import modern
from analyzers.javascript.judgement import judged

__all__ = ["CONFIGURATIONS", "MODERN", "ORIGINAL", "Configuration"]

MODERN = "modern"
ORIGINAL = "original"
# After these, JSHint reads no further.
_STOPS = frozenset({"E041", "E043", "E059"})


@dataclass(frozen=True, slots=True)
class Configuration:
    """`options` of JSHint for a text, and the names that are known besides those it declares.

    `obeys_comments` is whether directives in the code count. `judged` says which findings in
    a text are believed, and `left_out` holds the rules that nobody would raise.
    """

    options: Callable[[str], dict[str, bool | int]]
    judged: Callable[[str, Sequence[Finding]], Outcome]
    obeys_comments: bool
    environments: Sequence[str] = ()
    known_names: Sequence[str] = ()
    left_out: frozenset[str] = frozenset()


def _original_judged(text: str, findings: Sequence[Finding]) -> Outcome:
    """All findings; one that stopped JSHint is about all of the rest, which it has not read."""
    last_row = text.count("\n") + 1
    return [
        replace(finding, last_row=max(last_row, finding.first_row))
        if finding.rule in _STOPS
        else finding
        for finding in findings
    ]


CONFIGURATIONS: dict[str, Configuration] = {
    MODERN: Configuration(
        modern.options,
        judged,
        obeys_comments=False,
        environments=modern.ENVIRONMENTS,
        known_names=modern.KNOWN_NAMES,
        left_out=modern.LEFT_OUT,
    ),
    ORIGINAL: Configuration(
        lambda _: {},
        _original_judged,
        obeys_comments=True,
        left_out=frozenset({"I001"}),  # how not to see others
    ),
}
"""Today's JavaScript without mere matters of style, and what the paper's authors ran."""
