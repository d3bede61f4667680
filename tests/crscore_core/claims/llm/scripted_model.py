"""A scripted language model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from crscore_core.claims import Answer
from crscore_core.errors import ModelError

ANSWER = "Summary of changes:\n1. A check is added.\n\nImplications:\n1. Fewer crashes."


class ScriptedModel:
    """Answers each prompt with `script`; records prompts and the schema. A token is a word."""

    name = "scripted@1"

    def __init__(self, script: Callable[[str], str | Answer | ModelError]) -> None:
        self.asked: list[str] = []
        self.schema: Mapping[str, Any] | None = None
        self._script = script

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def answer(
        self, prompts: Sequence[str], schema: Mapping[str, Any] | None = None
    ) -> Iterator[Answer | ModelError]:
        self.schema = schema
        for prompt in prompts:
            self.asked.append(prompt)
            answer = self._script(prompt)
            yield Answer(answer) if isinstance(answer, str) else answer
