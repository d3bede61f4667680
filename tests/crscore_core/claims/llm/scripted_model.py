"""A scripted language model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from crscore_core.claims import Answer
from crscore_core.errors import ModelError

ANSWER = "Summary of changes:\n1. A check is added.\n\nImplications:\n1. Fewer crashes."


def always(_prompt: str) -> Answer | ModelError:
    return Answer(ANSWER)


class ScriptedModel:
    """Answers each prompt with `script`, and records prompts. A token is a word."""

    def __init__(
        self, script: Callable[[str], Answer | ModelError] = always, name: str = "scripted@1"
    ) -> None:
        self.name = name
        self.asked: list[str] = []
        self._script = script

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def answer(
        self, prompts: Sequence[str], _schema: Mapping[str, Any] | None = None
    ) -> Iterator[Answer | ModelError]:
        for prompt in prompts:
            self.asked.append(prompt)
            yield self._script(prompt)
