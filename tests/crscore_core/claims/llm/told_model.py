"""A scripted language model."""

from collections.abc import Callable, Iterator, Sequence

from crscore_core.claims import Answer, Progress, silent
from crscore_core.errors import InputError

ANSWER = "Summary of changes:\n1. A check is added.\n\nImplications:\n1. Fewer crashes."


def always(_prompt: str) -> Answer:
    return Answer(ANSWER)


class ToldModel:
    """Answers each prompt with `told`, word by word, and records prompts.

    A token is a word. Answers are in reverse order of prompts, which is allowed.
    """

    def __init__(self, told: Callable[[str], Answer] = always, name: str = "told@1") -> None:
        self.name = name
        self.asked: list[list[str]] = []
        self._told = told

    def sampled(self, *_: object) -> "ToldModel":
        return self

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | InputError]]:
        self.asked.append(list(prompts))
        for index in reversed(range(len(prompts))):
            answer = self._told(prompts[index])
            for word in answer.text.split():
                progress(index, f"{word} ")
            yield index, answer
