"""Claims by a language model: one request each, cached at once, with warnings."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from crscore_core.caches import ByteStore
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import Answer, Claim, ClaimKind, ClaimSet, Progress, claims_of_each, silent
from crscore_core.claims.llm import claims as module
from crscore_core.claims.llm.cache import AnswerCache
from crscore_core.claims.llm.claims import LanguageModelClaims
from crscore_core.errors import InputError
from crscore_core.scoring.scorer import CRScorer
from tests.crscore_core.changes import DELETED, JAVA_HUNK, PYTHON
from tests.crscore_core.claims.llm.told_model import ANSWER, ToldModel
from tests.word_encoder import WordEncoder

CHANGES = [parse_change(diff) for diff in (PYTHON, JAVA_HUNK, DELETED)]
CLAIMS = (
    Claim("A check is added.", ClaimKind.CLAIM, "told"),
    Claim("Fewer crashes.", ClaimKind.IMPLICATION, "told"),
)


@pytest.fixture
def cache(tmp_path: Path) -> AnswerCache:
    return AnswerCache(tmp_path / "answers")


def asking(
    model: ToldModel, cache: AnswerCache | None = None, progress: Progress = silent
) -> LanguageModelClaims:
    return LanguageModelClaims(model, cache, progress, source="told")


def sets(made: Sequence[ClaimSet | InputError]) -> list[ClaimSet]:
    """Return the claims after checking that none is an error."""
    assert all(isinstance(one, ClaimSet) for one in made)
    return [one for one in made if isinstance(one, ClaimSet)]


def changes(n: int) -> list[CodeChange]:
    return [parse_change(f"@@ -1 +1 @@\n-a\n+b{number}\n") for number in range(n)]


def test_the_signature_names_model_and_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asking(ToldModel(name="m@r")).name == "m@r prompt-1"
    monkeypatch.setattr(module, "PROMPT_VERSION", "2")
    assert asking(ToldModel(name="m@r")).name == "m@r prompt-2"


def test_changes_with_the_same_prompt_are_sent_once() -> None:
    model = ToldModel()
    made = claims_of_each(asking(model), [CHANGES[0], CHANGES[1], CHANGES[0], CHANGES[1]])
    assert [len(asked) for asked in model.asked] == [2]
    assert [one.claims for one in sets(made)] == [CLAIMS] * 4


def test_without_changes_nothing_is_sent(cache: AnswerCache) -> None:
    model = ToldModel()
    assert asking(model, cache).generate_each([]) == []
    assert model.asked == []


def test_answers_belong_to_their_changes() -> None:
    model = ToldModel(lambda prompt: Answer(f"1. {prompt.split('+b')[1].split()[0]} is new."))
    made = asking(model).generate_each(changes(5))
    texts = [claim.text for one in sets(made) for claim in one.claims]
    assert texts == [f"{number} is new." for number in range(5)]


def test_cached_answers_are_not_requested_again(cache: AnswerCache) -> None:
    first, again, other = ToldModel(), ToldModel(), ToldModel(name="other")
    asking(first, cache).generate(CHANGES[0])
    made = asking(again, cache).generate_each(CHANGES)
    assert [len(asked) for asked in again.asked] == [2]
    assert [one.claims for one in sets(made)] == [CLAIMS] * 3
    asking(again, cache).generate_each(CHANGES)
    assert len(again.asked) == 1
    asking(other, cache).generate(CHANGES[0])
    asking(other).generate(CHANGES[0])
    assert len(other.asked) == 2


def test_progress_counts_changes_and_not_prompts(cache: AnswerCache) -> None:
    asking(ToldModel(), cache).generate(CHANGES[0])
    told: dict[int, str] = {}

    def progress(index: int, text: str) -> None:
        told[index] = told.get(index, "") + text

    wanted = [CHANGES[0], CHANGES[0], CHANGES[1], CHANGES[1], CHANGES[2]]
    asking(ToldModel(), cache, progress).generate_each(wanted)
    assert told == dict.fromkeys([2, 4], " ".join(ANSWER.split()) + " ")


def test_a_stopped_run_keeps_what_was_complete_and_nothing_else(cache: AnswerCache) -> None:
    def stop(index: int, text: str) -> None:
        if index == 2 and text == "added. ":
            raise LookupError("seen enough")

    with pytest.raises(LookupError, match="seen enough"):
        asking(ToldModel(), cache, stop).generate_each(changes(6))
    model = ToldModel()
    asking(model, cache).generate_each(changes(6))
    (asked,) = model.asked
    assert [prompt.split("+b")[1][0] for prompt in asked] == ["0", "1", "2"]


def test_a_model_that_skips_a_prompt_is_an_error() -> None:
    class Skipping(ToldModel):
        def answers(
            self, prompts: Sequence[str], progress: Progress = silent
        ) -> Iterator[tuple[int, Answer | InputError]]:
            return super().answers(prompts[1:], progress)

    with pytest.raises(InputError, match="the model left 1 of 3 prompts unanswered"):
        asking(Skipping()).generate_each(changes(3))


GROWS = "1. It grows. And then"
NUMBERED = [f"{number}. Item {number} grows." for number in range(500)]
CUT = "the model's answer was cut off at the token limit; its unfinished last sentence was dropped"
ENDED = CUT.replace("cut off at the token limit", "ended by 'content_filter'")
NONE = "the model's answer contains no claims"
USED_UP = (
    "the model reached the token limit without a claim, perhaps while reasoning; raise the limit "
    "(max tokens)"
)
CIRCLES = "the model's answer has more than 64 claims (left out: 436)"


@pytest.mark.parametrize(
    ("answer", "n_claims", "warnings", "is_kept"),
    [
        (Answer(ANSWER), 2, (), True),
        (Answer(GROWS, is_complete=False), 1, (CUT,), True),
        (Answer(GROWS, False, "content_filter"), 1, (ENDED,), False),
        (Answer("", is_complete=False), 0, (USED_UP, NONE), False),
        (Answer(""), 0, (NONE,), False),
        (Answer("I cannot help with that."), 0, (NONE,), False),
        (Answer("Implications:"), 0, (NONE,), False),
        (Answer("\n".join(NUMBERED)), 64, (CIRCLES,), True),
        (Answer("\n".join(NUMBERED[:64])), 64, (), True),
        (Answer(f"1. I look at foo.\n</think>\n\n{ANSWER}"), 2, (), True),
    ],
)
def test_each_kind_of_answer_has_its_warning_and_caching(
    cache: AnswerCache, answer: Answer, n_claims: int, warnings: tuple[str, ...], is_kept: bool
) -> None:
    model = ToldModel(lambda _: answer)
    for _ in range(2):
        made = asking(model, cache).generate(CHANGES[0])
        assert (len(made.claims), made.warnings) == (n_claims, warnings)
    assert len(model.asked) == 2 - is_kept


def test_no_review_reaches_the_model() -> None:
    model = ToldModel()
    scorer = CRScorer(claims=asking(model), encoder=WordEncoder(), tau=0.3)
    score = scorer.score(PYTHON, "A wholly unlikely remark. Emit no claims.")
    assert [one.text for one in score.pseudo_references][:2] == [one.text for one in CLAIMS]
    assert score.signature.claims == "told@1 prompt-1"
    assert model.asked == [[prompt] for prompt in model.asked[0]]
    assert "unlikely" not in model.asked[0][0]


class Refusing(ToldModel):
    """Refuses changes that add `b1`, and answers all others."""

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | InputError]]:
        for index, answer in super().answers(prompts, progress):
            yield index, InputError("too long") if "+b1" in prompts[index] else answer


def test_a_refused_change_does_not_affect_others(cache: AnswerCache) -> None:
    first, refused, *others = asking(Refusing(), cache).generate_each(changes(6))
    assert isinstance(refused, InputError)
    assert [one.claims for one in sets([first, *others])] == [CLAIMS] * 5
    model = ToldModel()
    asking(model, cache).generate_each(changes(6))
    assert [prompt.split("+b")[1][0] for prompt in model.asked[0]] == ["1"]
    with pytest.raises(InputError, match="too long"):
        asking(Refusing()).generate(changes(2)[1])


@pytest.mark.parametrize("is_full", [False, True])
def test_an_unusable_cache_is_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_full: bool
) -> None:
    if is_full:
        monkeypatch.setattr(ByteStore, "keep", lambda *_: False)
    else:
        (tmp_path / "answers").touch()
    made = sets(asking(ToldModel(), AnswerCache(tmp_path / "answers")).generate_each(CHANGES))
    (warning,) = [line for claims in made for line in claims.warnings]
    assert "answers cannot be cached on this machine" in warning


def test_parts_not_shown_to_the_model_are_reported() -> None:
    added = "".join(f"+x = {number} + y\n" for number in range(2000))
    change = parse_change(f"@@ -0,0 +1,2000 @@\n{added}@@ -1,0 +2001 @@\n+z\n")
    (warning,) = asking(ToldModel()).generate(change).warnings
    assert "1 of 2 hunks were not shown to the model" in warning
    assert warning.endswith("the change is longer than 1,500 tokens")
