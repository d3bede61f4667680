"""Magicoder, or another causal language model, on this machine in 4 bits.

There is a single model in memory, shared by all and used by one thread at a time.
"""

import gc
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from enum import StrEnum
from functools import cached_property
from importlib.metadata import version
from math import inf
from typing import Any

from crscore_core.claims.llm.language_model import MAX_TOKENS, Answer, Progress, silent
from crscore_core.claims.llm.tokens import TEMPLATE_VERSION, BatchStreamer, PromptTokenizer
from crscore_core.claims.llm.weights import (
    DEFAULT_DEVICE,
    DEFAULT_MODEL,
    Weights,
    find_weights,
    require_device,
    unusable,
)
from crscore_core.claims.options import ClaimOptions
from crscore_core.errors import InputError, ModelError

_ANSWERS_DEPEND_ON = ("transformers", "bitsandbytes")
_BEAT = 0.5  # seconds
_MOST_ROWS = 64
"""Larger batches hardly generate more tokens a second, and each prompt waits longer."""

_TOKENS_ON_CPU = 16_384
_SIGNS = (
    "allocate memory",  # PyTorch's allocator for the CPU, on Linux
    "not enough memory",  # the same on macOS and Windows
    "out of memory",  # CUDA
    "alloc_failed",  # cuBLAS and similar
)
"""Phrases in out-of-memory errors."""


class Precision(StrEnum):
    """Data type of weights and computation.

    NF4 is 4-bit NormalFloat with double quantisation, computed in bfloat16 (QLoRA, section 3). The
    others are for measurements, and for tests: float32 rounds so little that batches change no
    answer.
    """

    NF4 = "nf4"
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"


class Magicoder:
    """A causal language model on this machine, answering greedily.

    The model is located, downloaded and loaded on first use. Threads and instances take turns batch
    by batch.
    """

    def __init__(
        self,
        options: ClaimOptions,
        waiting: Progress = silent,
        *,
        precision: Precision = Precision.NF4,
        batch_tokens: int | None = None,
    ) -> None:
        """Create a model from a hub name or a folder, fine-tuned models included.

        Args:
            options: model, revision, device and token limit.
            waiting: progress while files are checked or downloaded; an exception from it ends the
                wait at once, and the download at its next chunk.
            precision: precision of weights and computation.
            batch_tokens: tokens of all prompts and answers in a batch, padding included; None for
                as many as fit in half of the free GPU memory.
        """
        self._model = DEFAULT_MODEL if options.model is None else options.model
        self._revision = options.revision
        self._waiting = waiting
        self._device = options.device or DEFAULT_DEVICE
        self._new_tokens = options.max_tokens or MAX_TOKENS
        self._precision = precision
        self._batch_tokens = batch_tokens

    @property
    def name(self) -> str:
        """Model, commit or digest, and everything that affects answers; downloads the model.

        Raises:
            InputError: the packages or the model's files are unavailable.
        """
        identity = self._weights.identity
        versions = " ".join(f"{package} {version(package)}" for package in _ANSWERS_DEPEND_ON)
        return (
            f"{identity} ({self._precision}, {self._device}, greedy, at most {self._new_tokens} "
            f"tokens, template {TEMPLATE_VERSION}, {versions})"
        )

    def sampled(self, *_: object) -> "Magicoder":
        """Return this model, which is deterministic and follows no schema."""
        return self

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens in `text`; loads the tokenizer but no weights."""
        return len(self._tokenizer.tokens(text))

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | InputError]]:
        """Answer every prompt, longest first, in batches of similar length.

        A batch that does not fit in memory is halved and starts over. An answer may depend on its
        batch if two tokens are equally likely up to rounding. If a prompt is too long for the
        model, an error replaces its answer.

        Raises:
            InputError: see `LanguageModel.answers`.
        """
        tokens = [self._tokenizer.prompt(prompt) for prompt in prompts]
        pending = sorted(range(len(tokens)), key=lambda index: -len(tokens[index]))
        rows = _MOST_ROWS
        while pending:
            batch, answers = self._next(pending[:rows], tokens, progress)
            if answers:
                pending = pending[len(batch) :]
                yield from zip(batch, answers, strict=True)
                continue
            release_memory()
            if len(batch) == 1:
                raise _memory_error(f"a prompt of {len(tokens[batch[0]])} tokens", self._device)
            rows = len(batch) // 2

    def _next(
        self, pending: Sequence[int], tokens: Sequence[Sequence[int]], progress: Progress
    ) -> tuple[Sequence[int], Sequence[Answer | InputError]]:
        """Return the next batch of prompts and their answers, which are empty if memory ran out.

        A prompt that leaves no room for an answer is alone. No other prompt is shorter than half
        of the first, which would be mostly padding. The model is released between batches, so that
        another may be loaded.
        """
        first = pending[0]
        longest = len(tokens[first])
        total = longest + self._new_tokens
        with held_model(
            self._weights, self._device, self._precision, lambda: progress(first, "")
        ) as model:
            most = getattr(model.config, "max_position_embeddings", None) or inf
            if total > most:
                error = InputError(
                    f"the prompt has {longest} tokens; with an answer of {self._new_tokens} it "
                    f"exceeds the model's limit of {most}"
                )
                return [first], [error]
            fitting = max(1, (self._batch_tokens or affordable_tokens(model)) // total)
            batch = [index for index in pending[:fitting] if len(tokens[index]) * 2 >= longest]
            stops = {*_ends(model), *self._tokenizer.ends}
            streamer = BatchStreamer(self._tokenizer, batch, stops, progress)
            fits = generate(
                model, [tokens[index] for index in batch], stops, self._new_tokens, streamer
            )
        return batch, streamer.answers() if fits else []

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
        return PromptTokenizer(self._weights.folder)


_held: dict[tuple[Weights, str, Precision], Any] = {}
"""The model in memory, if any."""

_lock = threading.Lock()


@contextmanager
def held_model(
    weights: Weights,
    device: str,
    precision: Precision,
    beat: Callable[[], None] = lambda: None,
) -> Iterator[Any]:
    """Give this thread exclusive use of the model of transformers; load it if necessary.

    `beat` is called from time to time while another thread uses the model, and may raise to stop
    waiting. Loading, which takes half a minute for Magicoder, cannot be interrupted.

    Raises:
        InputError: the GPU is missing, the files are unusable, or the model does not fit.
    """
    key = (weights, device, precision)
    while not _lock.acquire(timeout=_BEAT):
        beat()
    try:
        if key not in _held:
            _held.clear()
            require_device(device)
            release_memory()
            _held[key] = _load(weights, device, precision)
        yield _held[key]
    finally:
        _lock.release()


def _load(weights: Weights, device: str, precision: Precision) -> Any:  # noqa: ANN401 - any model
    try:
        return _from_files(weights, device, precision)
    except Exception as error:  # damaged files raise various errors
        if not _is_out_of_memory(error):
            raise unusable(f"model {weights.identity}", error) from error
    release_memory()  # after the failed attempt, which is kept alive by its error
    raise _memory_error(f"model {weights.identity}", device)


def _from_files(weights: Weights, device: str, precision: Precision) -> Any:  # noqa: ANN401 - any model
    """Load a model with greedy decoding in place of the sampling settings in its files."""
    import torch
    from transformers import AutoModelForCausalLM, BitsAndBytesConfig, GenerationConfig
    from transformers.utils import logging

    # it writes to standard error even without a terminal
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    quantisation = BitsAndBytesConfig(  # type: ignore[no-untyped-call]
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )
    load: Any = AutoModelForCausalLM.from_pretrained  # its type hints lack the report
    model, report = load(
        str(weights.folder),
        trust_remote_code=False,
        use_safetensors=True,
        local_files_only=True,
        device_map={"": device},
        output_loading_info=True,
        dtype=torch.float32 if precision is Precision.FLOAT32 else torch.bfloat16,
        quantization_config=quantisation if precision is Precision.NF4 else None,
    )
    if report["missing_keys"]:
        raise ValueError(f"its files lack {min(report['missing_keys'])}")
    ends = model.generation_config.eos_token_id if model.generation_config else None
    model.generation_config = GenerationConfig(  # type: ignore[no-untyped-call]
        do_sample=False, eos_token_id=ends
    )
    return model.eval()


def _ends(model: Any) -> list[int]:  # noqa: ANN401 - any model
    """Return the tokens that end answers."""
    ends = model.generation_config.eos_token_id
    return ends if isinstance(ends, list) else [] if ends is None else [ends]


def affordable_tokens(model: Any) -> int:  # noqa: ANN401 - any model
    """Return how many tokens fit in half of the free GPU memory; the rest is for activations."""
    import torch

    if model.device.type != "cuda":
        return _TOKENS_ON_CPU
    cached = torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
    free, _ = torch.cuda.mem_get_info()
    return (free + cached) // 2 // token_bytes(model)


def token_bytes(model: Any) -> int:  # noqa: ANN401 - any model
    """Return the memory of a token's keys and values, in Magicoder 512 KiB."""
    config = model.config
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    size: int = 2 * config.num_hidden_layers * heads * width * model.dtype.itemsize
    return size


def generate(
    model: Any,  # noqa: ANN401 - any model
    prompts: Sequence[Sequence[int]],
    stops: Collection[int],
    new_tokens: int,
    streamer: BatchStreamer,
) -> bool:
    """Generate answers greedily in one batch, into `streamer`; return False if memory runs out.

    Shorter prompts are padded on the left and masked. An exception from the streamer ends the run.

    Raises:
        InputError: the model failed in another way.
    """
    import torch

    width = max(len(ids) for ids in prompts)
    padding = min(stops, default=0)
    rows = [[padding] * (width - len(ids)) + [*ids] for ids in prompts]
    mask = [[0] * (width - len(ids)) + [1] * len(ids) for ids in prompts]
    try:
        with torch.inference_mode():
            model.generate(
                input_ids=torch.tensor(rows, device=model.device),
                attention_mask=torch.tensor(mask, device=model.device),
                max_new_tokens=new_tokens,
                do_sample=False,
                eos_token_id=sorted(stops) or None,
                pad_token_id=padding,
                streamer=streamer,
            )
    except Exception as error:
        if streamer.raised is None and _is_out_of_memory(error):
            return False
        if streamer.raised is not None or not isinstance(error, RuntimeError):
            raise
        reason = str(error).strip().partition("\n")[0][:200]
        raise InputError(f"the language model failed: {reason}") from error
    return True


def release_memory() -> None:
    """Release unused memory, including GPU memory."""
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def _memory_error(what: str, device: str) -> ModelError:
    where = "the GPU's memory" if device == "cuda" else "memory"
    return ModelError(
        f"{what} does not fit in {where}: stop other programs that use it, choose a smaller "
        "model, or use an endpoint or the symbolic backend"
    )


def _is_out_of_memory(error: Exception) -> bool:
    text = str(error).casefold()
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and any(sign in text for sign in _SIGNS)
    )
