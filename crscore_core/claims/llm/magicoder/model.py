"""Magicoder as a language model of the one seam."""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial

from crscore_core.claims.llm.language_model import Answer, Progress, silent
from crscore_core.claims.llm.magicoder.batches import MOST_ROWS, Limits, next_batch
from crscore_core.claims.llm.magicoder.device import checked_device, require_device
from crscore_core.claims.llm.magicoder.generation import affordable_tokens, generate
from crscore_core.claims.llm.magicoder.loaded import held_model
from crscore_core.claims.llm.magicoder.memory import memory_error, release_memory
from crscore_core.claims.llm.magicoder.packages import require_packages, versions
from crscore_core.claims.llm.magicoder.precision import Precision
from crscore_core.claims.llm.magicoder.prompt_tokens import (
    TEMPLATE_VERSION,
    PromptTokenizer,
    load_tokenizer,
)
from crscore_core.claims.llm.magicoder.streamer import BatchStreamer
from crscore_core.claims.llm.magicoder.waiting import result_of
from crscore_core.claims.llm.magicoder.weights import DEFAULT_MODEL, Weights, find_weights
from crscore_core.errors import ClaimsError

__all__ = ["Magicoder"]


class Magicoder:
    """A causal language model on this machine, in 4 bits, answering greedily.

    It is found, downloaded and loaded when it is first needed; several of these share one
    model in memory, and wait for each other batch by batch. Threads may share it.
    """

    def __init__(  # noqa: PLR0913 - each is a choice of its own
        self,
        model: str | None = None,
        revision: str | None = None,
        device: str | None = None,
        precision: Precision = Precision.NF4,
        limits: Limits = Limits(),  # noqa: B008 - it is frozen
        *,
        waiting: Progress = silent,
    ) -> None:
        """Take a name of the hub or a folder, fine-tuned models included.

        Args:
            model: name or folder; Magicoder-S-DS-6.7B where None.
            revision: commit, branch or tag of a model of the hub.
            device: `cuda`, also where None, or `cpu`; there is no falling back.
            precision: bits of weights and of computing.
            limits: of answers and batches.
            waiting: told "" now and then while its files are looked at or downloaded; what it
                raises ends the waiting at once, and the download with its next piece.

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
        return (
            f"{self._weights.identity} ({self._precision}, {self._device}, greedy, at most "
            f"{self._limits.new_tokens} tokens, template {TEMPLATE_VERSION}, {versions()})"
        )

    def count_tokens(self, text: str) -> int:
        """Tokens of `text` alone, by the model's tokenizer; loads no weights."""
        return len(self._tokenizer.tokens(text))

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | ClaimsError]]:
        """Answer every prompt, longest first, those of similar length together.

        A batch that does not fit into memory is halved and tried again. What an answer says
        may depend on its batch where two tokens are equally likely within rounding. A prompt
        that is too long for the model gets an error in the place of its answer.

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
        rows = MOST_ROWS
        told: dict[int, int] = {}
        while pending:
            batch, found = self._next(pending, tokens, rows, progress, told)
            if found is not None:
                pending = pending[len(batch) :]
                yield from zip(batch, found, strict=True)
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
        """The batch that is next, and its answers, None where memory did not suffice.

        Between two batches nothing holds the model, so that another one may take its place.
        """
        first = pending[0]
        model = held_model(
            self._weights, self._device, self._precision, lambda: progress(first, "")
        )
        with model as loaded:
            budget = self._limits.batch_tokens or affordable_tokens(loaded)
            lengths = [len(ids) for ids in tokens]
            batch = next_batch(pending, lengths, self._limits.new_tokens, budget, rows)
            stops = {*loaded.stops, *self._tokenizer.ends}
            streamer = BatchStreamer(self._tokenizer, batch, stops, progress, told)
            prompts = [tokens[index] for index in batch]
            fits = generate(loaded, prompts, stops, self._limits.new_tokens, streamer)
        return batch, streamer.answers() if fits else None

    @cached_property
    def _weights(self) -> Weights:
        return result_of(
            partial(find_weights, self._model, self._revision, self._device),
            lambda: self._waiting(0, ""),
        )

    @cached_property
    def _tokenizer(self) -> PromptTokenizer:
        return load_tokenizer(self._weights.folder)

    def _too_long(self, tokens: Sequence[Sequence[int]]) -> dict[int, ClaimsError]:
        """What to say of prompts that leave no room for an answer."""
        most, new = self._weights.most_tokens, self._limits.new_tokens
        return {
            index: ClaimsError(
                f"the prompt has {len(ids)} tokens; with an answer of {new} it is longer than the "
                f"{most} that this model reads"
            )
            for index, ids in enumerate(tokens)
            if most is not None and len(ids) + new > most
        }
