"""Ask a judge, ask again if an answer is unreadable, and combine the answers of all runs.

The protocol is from "Deep Assessment of Code Review Generation Approaches", section 5.2; a judge
defines its number of runs and tries. Each run and try has its own seed, so that a cached answer
belongs to its run. A greedy model is asked once for all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from crscore_core.claims import Answer, LanguageModel, Progress, silent
from crscore_core.claims.llm.cache import AnswerCache, answered
from crscore_core.corpus.run.judgements import Judgement
from crscore_core.errors import ClaimsError, DiffError, ReviewError
from crscore_core.metrics.judges.judge import HIGHEST, JUDGES, PROMPTS_VERSION, JudgedReview
from crscore_core.rendered import rendered

_HIDDEN = "a passage of the review is hidden when rendered and was not judged"


@dataclass(slots=True)
class _Case:
    """A review being judged: its prompt, answers by model name, and the final judgement.

    `readings` has a judgement for each run that had a readable answer, `unread` the reason why the
    last unreadable answer was none. `end` is there as soon as no more answers are needed.
    """

    number: int
    judged: JudgedReview
    prompt: str = ""
    warnings: tuple[str, ...] = ()
    answers: dict[str, Answer | ClaimsError] = field(default_factory=dict)
    readings: list[Judgement] = field(default_factory=list)
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
        self._compares = "reference" in self.judge.needs
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
        for number in range(self.judge.runs * self.judge.tries):
            run = number // self.judge.tries
            if asked := [case for case in cases if not case.end and len(case.readings) == run]:
                self._ask(number, asked)
        return [replace(self._put_together(case), calls=len(case.answers)) for case in cases]

    def prompt_tokens(self, reviews: Sequence[JudgedReview]) -> list[int]:
        """Return the tokens of the prompt about each review that would be sent, not counting runs.

        Raises:
            ClaimsError: the model's tokenizer is not available.
        """
        cases = (self._opened(number, judged) for number, judged in enumerate(reviews))
        return [self._model.count_tokens(case.prompt) for case in cases if not case.end]

    def _sampled(self, number: int) -> LanguageModel:
        """Return the model for the answer with this number: the likeliest if it is the only one."""
        temperature = 0 if self.judge.runs == 1 and number == 0 else 1
        return self._model.sampled(temperature, number, self.judge.schema)

    def _opened(self, number: int, judged: JudgedReview) -> _Case:
        """Prepare the prompt about the rendered review, or its judgement if none is needed."""
        seen = rendered(judged.review)
        judged = replace(judged, review=seen.text, reference=rendered(judged.reference).text)
        hidden = [_HIDDEN] * bool(seen.hidden)
        case = _Case(number, judged)
        try:
            prompt = self.judge.prompt(judged, self._model.count_tokens)
        except (DiffError, ReviewError) as error:
            case.end = Judgement(reason="; ".join([str(error), *hidden]))
            return case
        case.prompt, case.warnings = prompt.text, (*hidden, *prompt.warnings)
        if self._compares and judged.review.split() == judged.reference.split():
            case.end = Judgement(grade=HIGHEST, reason="; ".join(case.warnings))
        return case

    def _ask(self, number: int, cases: Sequence[_Case]) -> None:
        """Parse the answer with this number for each case; ask the model if it is not cached."""
        model = self._sampled(number)
        name = model.name
        first: dict[str, _Case] = {}
        for case in cases:
            if name not in case.answers:
                first.setdefault(case.prompt, case)

        def is_worth_keeping(prompt: str, answer: Answer) -> bool:
            return self.judge.judgement_of(answer, first[prompt].judged).is_made

        numbers = {prompt: case.number for prompt, case in first.items()}
        answers, is_kept = answered(numbers, model, self._cache, is_worth_keeping, self._progress)
        self.is_kept = self.is_kept and is_kept
        for case in cases:
            answer = case.answers.get(name) or answers[case.prompt]
            case.answers[name] = answer
            if isinstance(answer, ClaimsError):
                case.end = Judgement(reason=str(answer), failed=True)
                continue
            reading = self.judge.judgement_of(answer, case.judged)
            if reading.is_made:
                case.readings.append(reading)
            else:
                case.unread = reading.reason

    def _put_together(self, case: _Case) -> Judgement:
        """Return the first judgement, with the median grade of all runs and all warnings."""
        if case.end is not None:
            return case.end
        if len(case.readings) < self.judge.runs:
            often = f" (tried {self.judge.tries} times)" if len(case.answers) > 1 else ""
            return Judgement(reason=f"{case.unread}{often}")
        first = case.readings[0]
        reason = "; ".join(filter(None, [*case.warnings, first.reason]))
        if first.grade is None:
            return replace(first, reason=reason)
        grade = median(reading.grade or 0 for reading in case.readings)
        most = HIGHEST - 1 if self._compares else HIGHEST
        return replace(first, grade=min(grade, most), reason=reason)
