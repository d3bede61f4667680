"""A scripted language model for judges."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from crscore_core.claims import Answer, Progress, silent
from crscore_core.errors import InputError

Told = str | Answer | InputError


class ToldJudge:
    """Answers by number (its seed) from `told`; the name contains the number.

    A prompt without a scripted answer fails the test. `asked` records numbers and prompts. A greedy
    model has the same name and answer for any number. `drawn` records each temperature, and whether
    there was a schema.
    """

    def __init__(self, told: dict[int, Told], *, is_greedy: bool = False) -> None:
        self.asked: list[tuple[int, str]] = []
        self.drawn: list[tuple[float, bool]] = []
        self.name = "told"
        self._told = told
        self._is_greedy = is_greedy
        self._number = 0

    def sampled(
        self, temperature: float, seed: int, schema: Mapping[str, object] | None = None
    ) -> "ToldJudge":
        self.drawn.append((temperature, schema is not None))
        if self._is_greedy:
            return self
        model = ToldJudge(self._told)
        model.asked, model._number = self.asked, seed
        model.name = f"told temperature={temperature} seed={seed}"
        return model

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | InputError]]:
        for index, prompt in enumerate(prompts):
            self.asked.append((self._number, prompt))
            told = self._told[self._number]
            answer = Answer(told) if isinstance(told, str) else told
            progress(index, answer.text if isinstance(answer, Answer) else "")
            yield index, answer


class KnowingJudge(ToldJudge):
    """Answers each prompt with what `answer` returns for it, whatever the number."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        super().__init__({}, is_greedy=True)
        self._answer = answer

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | InputError]]:
        for prompt in prompts:
            self._told = {0: self._answer(prompt)}
            for _, answer in super().answers([prompt], progress):
                yield prompts.index(prompt), answer
