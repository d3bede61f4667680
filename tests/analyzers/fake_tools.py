"""Tools and readers that do as a test says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from analyzers import Fragment
from analyzers.reading import Block, Context, Passage, Reader, source_lines
from analyzers.tool import Finding, Outcome, Rule

__all__ = ["FakeTool", "plain_reader"]


@dataclass
class FakeTool:
    """Answers each text with `answer`, and keeps in `asked` what it was asked in each start."""

    answer: Callable[[str], Outcome]
    rules: dict[str, Rule]
    version: str | None = "1"
    compares: bool = True
    name: str = "fake"
    asked: list[list[str]] = field(default_factory=list)

    def rule(self, finding: Finding) -> Rule | None:
        return self.rules.get(finding.rule)

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        self.asked.append(list(texts))
        return [self.answer(text) for text in texts]


def plain_reader(*blocks: Block) -> Reader:
    """Reads texts as they are, all with the same blocks."""

    def context(fragment: Fragment) -> Context:
        lines = source_lines(fragment.text)
        return Context.of(Passage.of_lines(enumerate(lines, fragment.first_line)), blocks)

    return Reader(context, lambda fragment, _: context(fragment))
