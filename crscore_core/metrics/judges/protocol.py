"""Ask a judge, ask again if an answer is unreadable, and combine the answers of all runs.

The protocol is from "Deep Assessment of Code Review Generation Approaches", section 5.2; a judge
defines its number of runs and tries. Each run and try has its own seed, so that a cached answer
belongs to its run. A greedy model is asked once for all of them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from crscore_core.claims import Answer, LanguageModel, Progress, silent
from crscore_core.claims.llm.cache import AnswerCache, answered
from crscore_core.claims.llm.prompt import DIFF
from crscore_core.errors import ClaimsError, DiffError, ReviewError
from crscore_core.metrics.judges.findings import SCHEMA, TASK, read_findings
from crscore_core.metrics.judges.judge import (
    HIGHEST,
    PROMPTS_VERSION,
    REFERENCE,
    RELEVANCE,
    Judge,
    JudgedReview,
    Judgement,
)
from crscore_core.rendered import rendered

_EXCERPT = 60

JUDGES: dict[str, Judge] = {
    "review": Judge(
        "Are its findings right, and is it worth saying?",
        (DIFF,),
        TASK,
        read_findings,
        gives=("right", "wrong", "worth", "relevance", "findings"),
        schema=SCHEMA,
        tries=2,
    ),
    "relevance": RELEVANCE,
    "reference": REFERENCE,
}
"""Judges by name. `review` is ours; the others follow papers."""


@dataclass(slots=True)
class _Case:
    """A review being judged: its prompt, the parsed answers so far, and the final judgement."""

    number: int
    judged: JudgedReview
    prompt: str = ""
    warnings: tuple[str, ...] = ()
    readings: list[Judgement] = field(default_factory=list)
    models: set[str] = field(default_factory=set)
    unread: str = ""
    end: Judgement | None = None


class ReviewJudge:
    """A judge with its language model.

    Args:
        kind: the question and its protocol, a key of `JUDGES`.
        model: the model.
        cache: the cache of answers; None to ask every time.
        progress: called with the index of the review and the text of its answer.
    """

    def __init__(
        self,
        kind: str,
        model: LanguageModel,
        cache: AnswerCache | None = None,
        progress: Progress = silent,
    ) -> None:
        self.kind = kind
        self.judge = JUDGES[kind]
        self.is_kept = True
        """False once an answer could not be cached."""
        self._model = model
        self._cache = cache
        self._progress = progress

    @property
    def name(self) -> str:
        """Name of the model with its settings and the version of the prompts."""
        return f"{self._sampled(0).name} judge-{PROMPTS_VERSION}"

    def judge_each(self, reviews: Sequence[JudgedReview]) -> list[Judgement]:
        """Judge each of `reviews`.

        A review that cannot be judged, or whose answers are unreadable, has neither grade nor
        verdict, but a reason. Readable answers are cached as soon as they are complete.

        Raises:
            ClaimsError: the model is not available or failed.
        """
        cases = [self._opened(number, judged) for number, judged in enumerate(reviews)]
        heard: dict[tuple[str, str], Answer | ClaimsError] = {}
        tries = self.judge.tries
        for run in range(self.judge.runs):
            for number in range(run * tries, (run + 1) * tries):
                asked = [case for case in cases if not case.end and len(case.readings) == run]
                if asked:
                    self._ask(number, asked, heard)
            for case in cases:
                if not case.end and len(case.readings) == run:
                    often = f" (tried {tries} times)" if len(case.models) > 1 else ""
                    case.end = Judgement(reason=f"{case.unread}{often}")
        return [
            replace(case.end or self._put_together(case), calls=len(case.models)) for case in cases
        ]

    def prompt_tokens(self, reviews: Sequence[JudgedReview]) -> list[int]:
        """Return the tokens of the prompt about each review that would be sent, not counting runs.

        Raises:
            ClaimsError: the model's tokenizer is not available.
        """
        cases = (self._opened(number, judged) for number, judged in enumerate(reviews))
        return [self._model.count_tokens(case.prompt) for case in cases if not case.end]

    def _sampled(self, number: int) -> LanguageModel:
        """Return the model for the answer with this number; only the first may be the likeliest."""
        temperature = self.judge.temperature if number == 0 else 1
        return self._model.sampled(temperature, number, self.judge.schema)

    def _opened(self, number: int, judged: JudgedReview) -> _Case:
        """Prepare the prompt about the rendered review, or its judgement if none is needed."""
        seen = rendered(judged.review)
        judged = replace(judged, review=seen.text, reference=rendered(judged.reference).text)
        hidden = tuple(
            "a passage of the review is hidden when rendered and was not judged: "
            f"{' '.join(passage.split())[:_EXCERPT]!r}"
            for passage in seen.hidden[:1]
        )
        case, words = _Case(number, judged), judged.review.split()
        if self.judge.compares_texts and words and words == judged.reference.split():
            case.end = Judgement({"grade": HIGHEST}, reason="".join(hidden))
            return case
        try:
            prompt = self.judge.prompt(judged, self._model.count_tokens)
        except (DiffError, ReviewError) as error:
            case.end = Judgement(reason="; ".join([str(error), *hidden]))
        else:
            case.prompt, case.warnings = prompt.text, (*hidden, *prompt.warnings)
        return case

    def _ask(
        self,
        number: int,
        cases: Sequence[_Case],
        heard: dict[tuple[str, str], Answer | ClaimsError],
    ) -> None:
        """Parse the answer with this number for each case; ask the model if it is not cached."""
        model = self._sampled(number)
        name = model.name
        first: dict[str, _Case] = {}
        for case in cases:
            if (name, case.prompt) not in heard:
                first.setdefault(case.prompt, case)

        def is_worth_keeping(prompt: str, answer: Answer) -> bool:
            return self.judge.judgement_of(answer, first[prompt].judged).is_made

        numbers = {prompt: case.number for prompt, case in first.items()}
        answers, is_kept = answered(numbers, model, self._cache, is_worth_keeping, self._progress)
        self.is_kept = self.is_kept and is_kept
        heard.update({(name, prompt): answer for prompt, answer in answers.items()})
        for case in cases:
            answer = heard[name, case.prompt]
            case.models.add(name)
            if isinstance(answer, ClaimsError):
                case.end = Judgement(reason=str(answer), has_failed=True)
                continue
            reading = self.judge.judgement_of(answer, case.judged)
            if reading.is_made:
                case.readings.append(reading)
            else:
                case.unread = reading.reason

    def _put_together(self, case: _Case) -> Judgement:
        """Return the most frequent grade of all runs, else their median; or the only judgement."""
        first, warnings = case.readings[0], case.warnings
        if "grade" not in first.values:
            return replace(first, reason="; ".join(filter(None, [*warnings, first.reason])))
        grades = [reading.values["grade"] for reading in case.readings]
        grade, count = Counter(grades).most_common(1)[0]
        grade = grade if count > 1 else median(grades)
        most = HIGHEST - 1 if self.judge.compares_texts else HIGHEST
        return Judgement({"grade": min(grade, most)}, reason="; ".join(warnings))
