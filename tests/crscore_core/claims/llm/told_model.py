"""A scripted language model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple

from crscore_core.claims import GREEDY, Answer, Sampling, TextCallback
from crscore_core.claims.llm.language_model import ignore_text
from crscore_core.errors import ModelError

ANSWER = "Summary of changes:\n1. A check is added.\n\nImplications:\n1. Fewer crashes."


def always(_prompt: str) -> Answer | ModelError:
    return Answer(ANSWER)


class ToldModel:
    """Answers each prompt with `told`, and records prompts and settings. A token is a word."""

    def __init__(
        self,
        told: Callable[[str], Answer | ModelError] = always,
        name: str = "told@1",
        on_text: TextCallback = ignore_text,
        *,
        can_sample: bool = True,
    ) -> None:
        self.name = name
        self.can_sample = can_sample
        self.asked: list[str] = []
        self.settings: list[tuple[object, ...]] = []
        self._told = told
        self._on_text = on_text

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def answer(
        self, prompts: Sequence[str], sampling: Sampling = GREEDY
    ) -> Iterator[Answer | ModelError]:
        for index, prompt in enumerate(prompts):
            self.asked.append(prompt)
            self.settings.append(astuple(sampling))
            answer = self._told(prompt)
            if isinstance(answer, Answer):
                self._on_text(index, answer.text)
            yield answer
