"""Claims by a language model."""

import re
from collections.abc import Callable, Sequence

import pytest

from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import Answer, ClaimSet, PseudoReference, ReferenceKind, generate_many
from crscore_core.claims.llm.language_model import LENGTH_LIMIT, ONLY_REASONING, LanguageModelClaims
from crscore_core.errors import InputError, ModelError, UnavailableError
from tests.crscore_core.changes import DELETED, JAVA_HUNK, PYTHON
from tests.crscore_core.claims.llm.scripted_model import ANSWER, ScriptedModel

CHANGES = [parse_change(diff) for diff in (PYTHON, JAVA_HUNK, DELETED)]
CLAIMS = ClaimSet((PseudoReference("A check is added.", ReferenceKind.CLAIM, "scripted"),))
NUMBERED = "\n".join(f"{number}. Item {number} grows." for number in range(500))


def asking(script: Callable[[str], Answer | ModelError]) -> LanguageModelClaims:
    return LanguageModelClaims(ScriptedModel(script), "scripted")


@pytest.mark.parametrize(("answer", "n_claims", "n_warnings"), [
    (Answer(ANSWER), 2, 0),
    (Answer("1. It grows. And then", LENGTH_LIMIT), 1, 1),
    (Answer(NUMBERED), 32, 1),
    (Answer(f"1. I look at foo.\n</think>\n\n{ANSWER}"), 2, 0),
])  # fmt: skip
def test_answers_have_their_warnings(answer: Answer, n_claims: int, n_warnings: int) -> None:
    made = asking(lambda _: answer).generate(CHANGES[0])
    assert (len(made.claims), len(made.warnings)) == (n_claims, n_warnings)


@pytest.mark.parametrize(("answer", "words"), [
    (Answer(" \n", LENGTH_LIMIT), f"is empty; .* was cut off: {re.escape(LENGTH_LIMIT)}"),
    (Answer("<think>1. It grows.", LENGTH_LIMIT), "contains only reasoning; .* was cut off"),
    (Answer(ONLY_REASONING), "contains only reasoning"),
    (Answer("I cannot help\nwith that."), "no claims: I cannot help with that."),
    (ModelError("too long"), "too long"),
])  # fmt: skip
def test_a_change_without_claims_is_left_out(answer: Answer | ModelError, words: str) -> None:
    def script(prompt: str) -> Answer | ModelError:
        name = prompt.split("+b")[1][0]
        return answer if name == "1" else Answer(f"1. {name} is new.")

    changes = [parse_change(f"@@ -1 +1 @@\n-a\n+b{number}\n") for number in range(3)]
    made = [*asking(script).generate_many(changes)]
    texts = [one.claims[0].text if isinstance(one, ClaimSet) else str(one) for one in made]
    assert (texts[0], type(made[1]), texts[2]) == ("0 is new.", ModelError, "2 is new.")
    assert re.search(words, texts[1])
    with pytest.raises(ModelError, match=words):
        asking(script).generate(changes[1])


class OneByOne:
    """A backend without `generate_many` that raises or returns `result` for the second change."""

    name = "one by one"

    def __init__(self, result: object) -> None:
        self._result = result

    def generate(self, change: CodeChange) -> ClaimSet:
        if change != CHANGES[1]:
            return CLAIMS
        if isinstance(self._result, BaseException):
            raise self._result
        return self._result  # type: ignore[return-value] # as a user may


class Together(OneByOne):
    """The same with a method for all changes, which fails with the second."""

    def generate_many(self, changes: Sequence[CodeChange]) -> list[ClaimSet | InputError]:
        return [self.generate(change) for change in changes]


@pytest.mark.parametrize("backend", [OneByOne, Together])
@pytest.mark.parametrize(("result", "message"), [
    (ValueError("oh"), "claims backend 'one by one' failed: ValueError: oh"),
    (SystemExit(2), "SystemExit: 2"),
    (RecursionError("two\nlines"), "two lines"),
    (["a claim"], "returned list"),
])  # fmt: skip
def test_a_backend_that_fails_for_one_change_has_claims_about_the_others(
    backend: type[OneByOne], result: object, message: str
) -> None:
    first, failed, last = generate_many(backend(result), CHANGES)
    assert (first, last) == (CLAIMS, CLAIMS)
    assert isinstance(failed, ModelError)
    assert message in str(failed)


@pytest.mark.parametrize("backend", [OneByOne, Together])
@pytest.mark.parametrize("error", [UnavailableError("no"), KeyboardInterrupt(), MemoryError()])
def test_raises_what_no_change_would_survive(backend: type[OneByOne], error: BaseException) -> None:
    with pytest.raises(type(error)):
        generate_many(backend(error), CHANGES)
