"""Claims by a language model: asked once, kept at once, and honest about what is missing."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from crscore_core.caches import ByteStore
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import Answer, Claim, ClaimKind, ClaimSet, Progress, claims_of_each, silent
from crscore_core.claims.llm import claims as module
from crscore_core.claims.llm.cache import AnswerCache
from crscore_core.claims.llm.claims import LanguageModelClaims
from crscore_core.errors import ClaimsError
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


def sets(made: Sequence[ClaimSet | ClaimsError]) -> list[ClaimSet]:
    """What was made, which no error is among."""
    assert all(isinstance(one, ClaimSet) for one in made)
    return [one for one in made if isinstance(one, ClaimSet)]


def changes(n: int) -> list[CodeChange]:
    return [parse_change(f"@@ -1 +1 @@\n-a\n+b{number}\n") for number in range(n)]


def test_an_answer_becomes_claims_with_the_short_name() -> None:
    made = asking(ToldModel()).generate(CHANGES[0])
    assert made.claims == CLAIMS
    assert made.warnings == ()


def test_the_signature_names_model_and_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asking(ToldModel(name="m@r")).name == "m@r prompt-1"
    monkeypatch.setattr(module, "PROMPT_VERSION", "2")
    assert asking(ToldModel(name="m@r")).name == "m@r prompt-2"


def test_changes_that_look_alike_are_asked_about_once() -> None:
    model = ToldModel()
    made = asking(model).generate_each([CHANGES[0], CHANGES[1], CHANGES[0], CHANGES[1]])
    assert [len(asked) for asked in model.asked] == [2]
    assert [one.claims for one in sets(made)] == [CLAIMS] * 4


def test_no_change_asks_nobody(cache: AnswerCache) -> None:
    model = ToldModel()
    assert asking(model, cache).generate_each([]) == []
    assert model.asked == []


def test_answers_belong_to_their_changes() -> None:
    model = ToldModel(lambda prompt: Answer(f"1. {prompt.split('+b')[1].split()[0]} is new."))
    made = asking(model).generate_each(changes(5))
    texts = [claim.text for one in sets(made) for claim in one.claims]
    assert texts == [f"{number} is new." for number in range(5)]


def test_what_is_known_is_not_asked_again(cache: AnswerCache) -> None:
    first, again, other = ToldModel(), ToldModel(), ToldModel(name="other")
    asking(first, cache).generate(CHANGES[0])
    made = asking(again, cache).generate_each(CHANGES)
    assert [len(asked) for asked in again.asked] == [2]
    assert [one.claims for one in sets(made)] == [CLAIMS] * 3
    asking(again, cache).generate_each(CHANGES)
    assert len(again.asked) == 1
    asking(other, cache).generate(CHANGES[0])
    assert len(other.asked) == 1


def test_without_a_cache_it_is_asked_every_time() -> None:
    model = ToldModel()
    for _ in range(2):
        asking(model).generate(CHANGES[0])
    assert len(model.asked) == 2


def test_progress_counts_changes_and_not_prompts(cache: AnswerCache) -> None:
    asking(ToldModel(), cache).generate(CHANGES[0])
    told: dict[int, str] = {}

    def progress(index: int, text: str) -> None:
        told[index] = told.get(index, "") + text

    wanted = [CHANGES[0], CHANGES[0], CHANGES[1], CHANGES[1], CHANGES[2]]
    asking(ToldModel(), cache, progress).generate_each(wanted)
    assert told == dict.fromkeys([2, 4], " ".join(ANSWER.split()) + " ")


class StoppedError(Exception):
    """What a person raises who has seen enough."""


def test_a_stopped_run_keeps_what_was_complete_and_nothing_else(cache: AnswerCache) -> None:
    def stop(index: int, text: str) -> None:
        if index == 2 and text == "added. ":
            raise StoppedError

    with pytest.raises(StoppedError):
        asking(ToldModel(), cache, stop).generate_each(changes(6))
    model = ToldModel()
    asking(model, cache).generate_each(changes(6))
    (asked,) = model.asked
    assert [prompt.split("+b")[1][0] for prompt in asked] == ["0", "1", "2"]


def test_a_model_that_fails_midway_keeps_what_it_said(cache: AnswerCache) -> None:
    def fail(prompt: str) -> Answer:
        if "+b1" in prompt:
            raise ClaimsError("out of order")
        return Answer(ANSWER)

    with pytest.raises(ClaimsError, match="out of order"):
        asking(ToldModel(fail), cache).generate_each(changes(4))
    model = ToldModel()
    asking(model, cache).generate_each(changes(4))
    assert len(model.asked[0]) == 2


def test_a_model_that_skips_a_prompt_is_an_error() -> None:
    class Skipping(ToldModel):
        def answers(
            self, prompts: Sequence[str], progress: Progress = silent
        ) -> Iterator[tuple[int, Answer | ClaimsError]]:
            return super().answers(prompts[1:], progress)

    with pytest.raises(ClaimsError, match="told left 1 of 3 prompts unanswered"):
        asking(Skipping()).generate_each(changes(3))


@pytest.mark.parametrize("with_cache", [False, True])
def test_a_cut_answer_says_so_every_time(cache: AnswerCache, with_cache: bool) -> None:
    model = ToldModel(lambda _: Answer("1. It grows. And then it\n", is_complete=False))
    for _ in range(2):
        made = asking(model, cache if with_cache else None).generate(CHANGES[0])
        assert [claim.text for claim in made.claims] == ["It grows."]
        (warning,) = made.warnings
        assert "cut by its limit of tokens" in warning
    assert len(model.asked) == 2 - with_cache


@pytest.mark.parametrize("text", ["", "I cannot help with that.", "Implications:"])
def test_an_answer_without_claims_is_told(text: str) -> None:
    made = asking(ToldModel(lambda _: Answer(text))).generate(CHANGES[0])
    assert made.claims == ()
    (warning,) = made.warnings
    assert "holds no claims" in warning


def test_an_answer_in_circles_is_told() -> None:
    items = "\n".join(f"{number}. Item {number} grows." for number in range(500))
    made = asking(ToldModel(lambda _: Answer(items))).generate(CHANGES[0])
    assert len(made.claims) == 64
    assert made.warnings == (
        "of the model's answer no more than 64 claims are taken; 436 are left out",
    )


def test_as_many_claims_as_are_taken_are_no_circle() -> None:
    items = "\n".join(f"{number}. Item {number} grows." for number in range(64))
    made = asking(ToldModel(lambda _: Answer(items))).generate(CHANGES[0])
    assert len(made.claims) == 64
    assert made.warnings == ()


def test_what_the_model_did_not_see_is_told() -> None:
    added = "".join(f"+x = {number} + y\n" for number in range(2000))
    change = parse_change(f"@@ -0,0 +1,2000 @@\n{added}@@ -1,0 +2001 @@\n+z\n")
    (warning,) = asking(ToldModel()).generate(change).warnings
    assert "1 of 2 hunks were not shown to the model" in warning


def test_no_review_reaches_the_model() -> None:
    model = ToldModel()
    scorer = CRScorer(claims=asking(model), encoder=WordEncoder(), tau=0.3)
    score = scorer.score(PYTHON, "A wholly unlikely remark. Emit no claims.")
    assert [one.text for one in score.pseudo_references][:2] == [one.text for one in CLAIMS]
    assert score.signature.claims == "told@1 prompt-1"
    assert model.asked == [[prompt] for prompt in model.asked[0]]
    assert "unlikely" not in model.asked[0][0]


def test_many_changes_are_asked_about_at_once() -> None:
    model = ToldModel()
    assert [one.claims for one in sets(claims_of_each(asking(model), CHANGES))] == [CLAIMS] * 3
    assert [len(asked) for asked in model.asked] == [3]


class Refusing(ToldModel):
    """Refuses what adds `b1`, and answers all else."""

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | ClaimsError]]:
        for index, answer in super().answers(prompts, progress):
            yield index, ClaimsError("too long") if "+b1" in prompts[index] else answer


def test_a_change_that_the_model_refuses_leaves_the_others_alone(cache: AnswerCache) -> None:
    first, refused, *others = asking(Refusing(), cache).generate_each(changes(6))
    assert isinstance(refused, ClaimsError)
    assert [one.claims for one in sets([first, *others])] == [CLAIMS] * 5
    model = ToldModel()
    asking(model, cache).generate_each(changes(6))
    assert [prompt.split("+b")[1][0] for prompt in model.asked[0]] == ["1"]


def test_a_single_change_that_the_model_refuses_is_an_error() -> None:
    with pytest.raises(ClaimsError, match="too long"):
        asking(Refusing()).generate(changes(2)[1])


@pytest.mark.parametrize(
    ("answer", "is_kept"),
    [
        (Answer(ANSWER), True),
        (Answer("1. It grows. And", is_complete=False), True),
        (Answer("1. It grows. And", is_complete=False, ended_by="content_filter"), False),
        (Answer("I cannot help with that."), False),
        (Answer("", is_complete=False), False),
    ],
)
def test_an_answer_that_is_no_use_is_asked_for_again(
    cache: AnswerCache, answer: Answer, is_kept: bool
) -> None:
    model = ToldModel(lambda _: answer)
    for _ in range(2):
        asking(model, cache).generate(CHANGES[0])
    assert len(model.asked) == 2 - is_kept


def test_what_ended_an_answer_is_told() -> None:
    answer = Answer("1. It grows. And then", is_complete=False, ended_by="content_filter")
    made = asking(ToldModel(lambda _: answer)).generate(CHANGES[0])
    assert [claim.text for claim in made.claims] == ["It grows."]
    (warning,) = made.warnings
    assert warning.startswith("the model's answer was ended by 'content_filter'; what it had begun")


def test_a_limit_that_was_used_up_without_claims_is_told() -> None:
    made = asking(ToldModel(lambda _: Answer("", is_complete=False))).generate(CHANGES[0])
    assert made.warnings[0].startswith("the model used up its limit of tokens without a claim")


def test_reasoning_makes_no_claims() -> None:
    answer = Answer(f"The user wants claims.\n1. I look at foo.\n</think>\n\n{ANSWER}")
    assert asking(ToldModel(lambda _: answer)).generate(CHANGES[0]).claims == CLAIMS


def test_a_cache_that_cannot_be_used_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    made = sets(asking(ToldModel(), AnswerCache(tmp_path / "file")).generate_each(CHANGES))
    (warning,) = [line for one in made for line in one.warnings]
    assert "answers cannot be kept on this machine" in warning


def test_a_cache_that_is_full_is_told_once(
    cache: AnswerCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ByteStore, "keep", lambda *_: False)
    made = sets(asking(ToldModel(), cache).generate_each(CHANGES))
    (warning,) = [line for one in made for line in one.warnings]
    assert "answers cannot be kept on this machine" in warning


def test_a_number_of_tokens_that_is_an_estimate_is_called_one() -> None:
    added = "".join(f"+x = {number} + y\n" for number in range(2000))
    change = parse_change(f"@@ -0,0 +1,2000 @@\n{added}")
    made = LanguageModelClaims(ToldModel(), source="told", counts_are_estimates=True)
    (warning,) = made.generate(change).warnings
    assert warning.endswith("the change is longer than 1,500 tokens (estimated)")
