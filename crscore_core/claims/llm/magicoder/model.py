"""Magicoder as a `LanguageModel`."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version

from crscore_core.claims.llm.language_model import MAX_TOKENS, Answer, Progress, silent
from crscore_core.claims.llm.magicoder.available import (
    DEFAULT_MODEL,
    Weights,
    checked_device,
    find_weights,
    require_device,
    require_packages,
)
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
from crscore_core.claims.options import ClaimOptions
from crscore_core.errors import ClaimsError

_ANSWERS_DEPEND_ON = ("transformers", "bitsandbytes")
_BEAT = 0.5  # seconds
_MOST_ROWS = 64
"""Larger batches hardly generate more tokens a second, and each prompt waits longer."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of answers and of batches.

    Args:
        new_tokens: tokens per answer.
        batch_tokens: tokens of all prompts and answers in a batch, padding included; None
            for as many as fit in half of the free GPU memory.
    """

    new_tokens: int = MAX_TOKENS
    batch_tokens: int | None = None


class Magicoder:
    """A causal language model on this machine, in 4 bits, answering greedily.

    The model is located, downloaded and loaded on first use. Instances share one model in memory
    and take turns batch by batch. Thread-safe.
    """

    def __init__(  # noqa: PLR0913 - independent options
        self,
        model: str | None = None,
        revision: str | None = None,
        device: str | None = None,
        precision: Precision = Precision.NF4,
        limits: Limits = Limits(),
        *,
        waiting: Progress = silent,
    ) -> None:
        """Create a model from a hub name or a folder, fine-tuned models included.

        Args:
            model: name or folder; default Magicoder-S-DS-6.7B.
            revision: commit, branch or tag of a hub model.
            device: `cuda` (default) or `cpu`; there is no fallback.
            precision: precision of weights and computation.
            limits: limits of answers and batches.
            waiting: called with "" from time to time while files are checked or downloaded; an
                exception from it ends the wait at once, and the download at its next chunk.

        Raises:
            ClaimsError: the device is unknown.
        """
        self._model = DEFAULT_MODEL if model is None else model
        self._revision = revision
        self._device = checked_device(device)
        self._precision = precision
        self._limits = limits
        self._waiting = waiting

    @property
    def name(self) -> str:
        """Model, commit or digest, and everything that affects answers; downloads the model.

        Raises:
            ClaimsError: the packages or the model's files are unavailable.
        """
        require_packages()
        versions = " ".join(f"{package} {version(package)}" for package in _ANSWERS_DEPEND_ON)
        return (
            f"{self._weights.identity} ({self._precision}, {self._device}, greedy, at most "
            f"{self._limits.new_tokens} tokens, template {TEMPLATE_VERSION}, {versions})"
        )

    def sampled(self, temperature: float, seed: int) -> "Magicoder":  # noqa: ARG002 - decoding is greedy
        """Return this model, which is deterministic."""
        return self

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens in `text`; loads the tokenizer but no weights."""
        return len(self._tokenizer.tokens(text))

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | ClaimsError]]:
        """Answer every prompt, longest first, in batches of similar length.

        A batch that does not fit in memory is halved and tried again. An answer may depend on its
        batch if two tokens are equally likely up to rounding. If a prompt is too long for the
        model, an error replaces its answer.

        Raises:
            ClaimsError: see `LanguageModel.answers`.
        """
        if not prompts:
            return
        require_packages()
        require_device(self._device)
        tokens = [self._tokenizer.prompt(prompt) for prompt in prompts]
        pending = sorted(range(len(tokens)), key=lambda index: -len(tokens[index]))
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
    ) -> tuple[list[int], Sequence[Answer | ClaimsError] | None]:
        """Return the next batch and its answers; answers are None if memory ran out.

        A prompt that leaves no room for an answer is alone. Any other batch has at least one
        prompt, at most `rows`, and none shorter than half of the first, which would be mostly
        padding. The model is released between batches, so that another may be loaded.
        """
        first, new_tokens = pending[0], self._limits.new_tokens
        longest = len(tokens[first])
        model = held_model(
            self._weights, self._device, self._precision, lambda: progress(first, "")
        )
        with model as loaded:
            if longest + new_tokens > loaded.most_tokens:
                error = ClaimsError(
                    f"the prompt has {longest} tokens; with an answer of {new_tokens} it exceeds "
                    f"the model's limit of {loaded.most_tokens}"
                )
                return [first], [error]
            budget = self._limits.batch_tokens or affordable_tokens(loaded)
            fitting = max(1, min(rows, budget // (longest + new_tokens)))
            batch = [index for index in pending[:fitting] if len(tokens[index]) * 2 >= longest]
            stops = {*loaded.stops, *self._tokenizer.ends}
            streamer = BatchStreamer(self._tokenizer, batch, stops, progress, told)
            fits = generate(loaded, [tokens[index] for index in batch], stops, new_tokens, streamer)
        return batch, streamer.answers() if fits else None

    @cached_property
    def _weights(self) -> Weights:
        """The model's files, located in a separate thread, so that the caller can stop waiting."""
        stopping = threading.Event()
        pool = ThreadPoolExecutor(1, "crscore-files")
        finding = pool.submit(find_weights, self._model, self._revision, self._device, stopping)
        pool.shutdown(wait=False)
        try:
            while not wait([finding], timeout=_BEAT).done:
                self._waiting(0, "")
        finally:
            stopping.set()
        return finding.result()

    @cached_property
    def _tokenizer(self) -> PromptTokenizer:
        return load_tokenizer(self._weights.folder)


def magicoder_of(options: ClaimOptions, waiting: Progress = silent) -> Magicoder:
    """Return the model for `options`; `waiting` is called while its files are located.

    Raises:
        ClaimsError: the device is unknown.
    """
    return Magicoder(
        options.model,
        options.revision,
        options.device,
        limits=Limits(options.max_tokens or MAX_TOKENS),
        waiting=waiting,
    )
