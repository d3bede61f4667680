"""Magicoder as a language model of the one seam."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version

from crscore_core.claims.llm.language_model import MAX_TOKENS, Answer, Progress, silent
from crscore_core.claims.llm.magicoder.runtime import (
    Precision,
    affordable_tokens,
    generate,
    held_model,
    memory_error,
    release_memory,
)
from crscore_core.claims.llm.magicoder.tokens import (
    TEMPLATE_VERSION,
    BatchStreamer,
    PromptTokenizer,
    load_tokenizer,
)
from crscore_core.claims.llm.magicoder.weights import (
    DEFAULT_MODEL,
    Weights,
    checked_device,
    find_weights,
    require_device,
    require_packages,
)
from crscore_core.claims.options import ClaimOptions
from crscore_core.errors import ClaimsError

_ANSWERS_DEPEND_ON = ("transformers", "bitsandbytes")
_BEAT = 0.5  # seconds
_MOST_ROWS = 64
"""More prompts at once hardly make more tokens a second, and each waits longer."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of answers and of batches.

    Args:
        new_tokens: tokens of an answer.
        batch_tokens: tokens of all prompts and answers of a batch, padding included; None
            for as many as half of the free memory of the GPU holds.
    """

    new_tokens: int = MAX_TOKENS
    batch_tokens: int | None = None


class Magicoder:
    """A causal language model on this machine, in 4 bits, answering greedily.

    The model is found, downloaded and loaded when it is first needed; several of these share one
    model in memory, and wait for each other batch by batch. Threads may share it.
    """

    def __init__(  # noqa: PLR0913 - each is a choice of its own
        self,
        model: str | None = None,
        revision: str | None = None,
        device: str | None = None,
        precision: Precision = Precision.NF4,
        limits: Limits = Limits(),
        *,
        waiting: Progress = silent,
    ) -> None:
        """Take a name of the hub or a folder, fine-tuned models included.

        Args:
            model: name or folder; Magicoder-S-DS-6.7B where None.
            revision: commit, branch or tag of a model of the hub.
            device: `cuda`, also where None, or `cpu`; there is no falling back.
            precision: bits of weights and of computing.
            limits: limits of answers and batches.
            waiting: told "" now and then while its files are looked at or downloaded; an
                exception from it ends the waiting at once, and the download with its next piece.

        Raises:
            ClaimsError: there is no such device.
        """
        self._model = DEFAULT_MODEL if model is None else model
        self._revision = revision
        self._device = checked_device(device)
        self._precision = precision
        self._limits = limits
        self._waiting = waiting

    @property
    def name(self) -> str:
        """Model and commit (or digest), and all that shapes its answers; downloads the model.

        Raises:
            ClaimsError: the packages or the model's files cannot be had.
        """
        require_packages()
        versions = " ".join(f"{package} {version(package)}" for package in _ANSWERS_DEPEND_ON)
        return (
            f"{self._weights.identity} ({self._precision}, {self._device}, greedy, at most "
            f"{self._limits.new_tokens} tokens, template {TEMPLATE_VERSION}, {versions})"
        )

    def sampled(self, temperature: float, seed: int) -> "Magicoder":  # noqa: ARG002 - it is greedy
        """Return this model: it answers the same prompt in the same way."""
        return self

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of `text` alone; loads the tokenizer and no weights."""
        return len(self._tokenizer.tokens(text))

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | ClaimsError]]:
        """Answer every prompt, longest first, those of similar length together.

        A batch that does not fit into memory is halved and tried again. An answer may depend on
        its batch where two tokens are equally likely within rounding. A prompt that is too long
        for the model gets an error in the place of its answer.

        Raises:
            ClaimsError: see `LanguageModel.answers`.
        """
        if not prompts:
            return
        require_packages()
        require_device(self._device)
        tokens = [self._tokenizer.prompt(prompt) for prompt in prompts]
        too_long = self._too_long(tokens)
        yield from too_long.items()
        fitting = [index for index in range(len(tokens)) if index not in too_long]
        pending = sorted(fitting, key=lambda index: -len(tokens[index]))
        rows = _MOST_ROWS
        told: dict[int, int] = {}
        while pending:
            batch, answers = self._next(pending, tokens, rows, progress, told)
            if answers is not None:
                pending = pending[len(batch) :]
                yield from zip(batch, answers, strict=True)
                continue
            release_memory()
            if len(batch) == 1:
                raise memory_error(f"a prompt of {len(tokens[batch[0]])} tokens", self._device)
            rows = len(batch) // 2

    def _next(
        self,
        pending: Sequence[int],
        tokens: Sequence[Sequence[int]],
        rows: int,
        progress: Progress,
        told: dict[int, int],
    ) -> tuple[list[int], list[Answer] | None]:
        """Return the next batch and its answers, None where memory did not suffice.

        A batch has at least one prompt, at most `rows`, and none shorter than half of the first,
        as it would mostly be padding. Between two batches nothing holds the model, so that
        another one may take its place.
        """
        first, new_tokens = pending[0], self._limits.new_tokens
        longest = len(tokens[first])
        model = held_model(
            self._weights, self._device, self._precision, lambda: progress(first, "")
        )
        with model as loaded:
            budget = self._limits.batch_tokens or affordable_tokens(loaded)
            fitting = max(1, min(rows, budget // (longest + new_tokens)))
            batch = [index for index in pending[:fitting] if len(tokens[index]) * 2 >= longest]
            stops = {*loaded.stops, *self._tokenizer.ends}
            streamer = BatchStreamer(self._tokenizer, batch, stops, progress, told)
            fits = generate(loaded, [tokens[index] for index in batch], stops, new_tokens, streamer)
        return batch, streamer.answers() if fits else None

    @cached_property
    def _weights(self) -> Weights:
        """The model's files, found in a thread of its own, so that a caller who waits can stop."""
        stopping = threading.Event()
        outcome: Future[Weights] = Future()

        def find() -> None:
            try:
                outcome.set_result(
                    find_weights(self._model, self._revision, self._device, stopping)
                )
            except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
                outcome.set_exception(error)

        threading.Thread(target=find, name="crscore-files", daemon=True).start()
        try:
            while not wait([outcome], timeout=_BEAT).done:
                self._waiting(0, "")
        except BaseException:
            stopping.set()
            raise
        return outcome.result()

    @cached_property
    def _tokenizer(self) -> PromptTokenizer:
        return load_tokenizer(self._weights.folder)

    def _too_long(self, tokens: Sequence[Sequence[int]]) -> dict[int, ClaimsError]:
        """Return an error for each prompt that leaves no room for an answer."""
        most, new = self._weights.most_tokens, self._limits.new_tokens
        return {
            index: ClaimsError(
                f"the prompt has {len(ids)} tokens; with an answer of {new} it is longer than the "
                f"{most} that this model reads"
            )
            for index, ids in enumerate(tokens)
            if most is not None and len(ids) + new > most
        }


def magicoder_of(options: ClaimOptions, waiting: Progress = silent) -> Magicoder:
    """Return the model of `options`; `waiting` is told while its files are looked for.

    Raises:
        ClaimsError: there is no such device.
    """
    return Magicoder(
        options.model,
        options.revision,
        options.device,
        limits=Limits(options.max_tokens or MAX_TOKENS),
        waiting=waiting,
    )
