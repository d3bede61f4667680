"""A scripted language model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple

from crscore_core.claims import GREEDY, Answer, Sampling
from crscore_core.errors import ModelError

ANSWER = "Summary of changes:\n1. A check is added.\n\nImplications:\n1. Fewer crashes."


def always(_prompt: str) -> Answer | ModelError:
    return Answer(ANSWER)


class ScriptedModel:
    """Answers each prompt with `script`, and records prompts and settings. A token is a word."""

    def __init__(
        self,
        script: Callable[[str], Answer | ModelError] = always,
        name: str = "scripted@1",
        *,
        can_sample: bool = True,
    ) -> None:
        self.name = name
        self.can_sample = can_sample
        self.asked: list[str] = []
        self.settings: list[tuple[object, ...]] = []
        self._script = script

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def answer(
        self, prompts: Sequence[str], sampling: Sampling = GREEDY
    ) -> Iterator[Answer | ModelError]:
        for prompt in prompts:
            self.asked.append(prompt)
            self.settings.append(astuple(sampling))
            yield self._script(prompt)
