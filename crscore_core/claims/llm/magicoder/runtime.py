"""The single model in memory, shared by all and used by one thread at a time."""

import gc
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Any

from crscore_core.claims.llm.magicoder.available import (
    Weights,
    require_device,
    require_packages,
    unusable,
)
from crscore_core.claims.llm.magicoder.tokens import BatchStreamer
from crscore_core.errors import ClaimsError, ModelMemoryError

_BEAT = 0.5  # seconds
_TOKENS_ON_CPU = 16_384
_SIGNS = (
    "allocate memory",  # PyTorch's allocator for the CPU, on Linux
    "not enough memory",  # the same on macOS and Windows
    "out of memory",  # CUDA itself, from libraries that bypass PyTorch
    "alloc_failed",  # cuBLAS and similar
)
"""Phrases in out-of-memory errors."""


class Precision(StrEnum):
    """Data type of weights and computation."""

    NF4 = "nf4"
    """4-bit NormalFloat with double quantisation, computed in bfloat16 (QLoRA, section 3)."""

    BFLOAT16 = "bfloat16"
    """The type in which most models are published; takes four times the memory."""

    FLOAT32 = "float32"
    """For tests: rounding is so small that batching changes no answer."""


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A generative model of transformers, and the tokens that end its answers."""

    model: Any
    stops: tuple[int, ...]

    @property
    def most_tokens(self) -> float:
        """Limit of prompt and answer together."""
        return getattr(self.model.config, "max_position_embeddings", None) or inf


_held: dict[tuple[Weights, str, Precision], LoadedModel] = {}
"""The model in memory, if any."""

_lock = threading.Lock()


@contextmanager
def held_model(
    weights: Weights,
    device: str,
    precision: Precision,
    beat: Callable[[], None] = lambda: None,
) -> Iterator[LoadedModel]:
    """Give this thread exclusive use of the model within the context; load it if necessary.

    `beat` is called from time to time while another thread uses the model, and may raise to stop
    waiting. Loading, which takes half a minute for Magicoder, cannot be interrupted.

    Raises:
        MissingPackageError: bitsandbytes or accelerate is not installed.
        MissingCudaError: `device` is `cuda` and there is none.
        MissingWeightsError: the model's files cannot be used.
        ModelMemoryError: the model does not fit in memory.
    """
    key = (weights, device, precision)
    while not _lock.acquire(timeout=_BEAT):
        beat()
    try:
        if key not in _held:
            _held.clear()
            require_packages()
            require_device(device)
            release_memory()
            _held[key] = _load(weights, device, precision)
        yield _held[key]
    finally:
        _lock.release()


def _load(weights: Weights, device: str, precision: Precision) -> LoadedModel:
    try:
        return _from_files(weights, device, precision)
    except Exception as error:  # damaged files raise various errors
        if not _is_out_of_memory(error):
            raise unusable(f"model {weights.identity}", error) from error
    release_memory()  # after the failed attempt, which is kept alive by its error
    raise memory_error(f"model {weights.identity}", device)


def _from_files(weights: Weights, device: str, precision: Precision) -> LoadedModel:
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    # it writes to standard error even without a terminal
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    load: Any = AutoModelForCausalLM.from_pretrained  # its type hints lack the report
    model, report = load(
        str(weights.folder),
        trust_remote_code=False,
        use_safetensors=True,
        local_files_only=True,
        device_map={"": device},
        output_loading_info=True,
        **_types(precision),
    )
    if report["missing_keys"]:
        raise ValueError(f"its files lack {min(report['missing_keys'])}")
    return LoadedModel(model.eval(), _greedy(model))


def _types(precision: Precision) -> dict[str, Any]:
    """Return the arguments of `from_pretrained` for a precision."""
    import torch
    from transformers import BitsAndBytesConfig

    if precision is Precision.FLOAT32:
        return {"dtype": torch.float32}
    if precision is Precision.BFLOAT16:
        return {"dtype": torch.bfloat16}
    quantisation = BitsAndBytesConfig(  # type: ignore[no-untyped-call]
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )
    return {"dtype": torch.bfloat16, "quantization_config": quantisation}


def _greedy(model: Any) -> tuple[int, ...]:  # noqa: ANN401 - see LoadedModel
    """Drop the sampling settings in the model's files; return the tokens that end answers."""
    from transformers import GenerationConfig

    ends = model.generation_config.eos_token_id if model.generation_config else None
    model.generation_config = GenerationConfig(do_sample=False)  # type: ignore[no-untyped-call]
    return tuple(ends) if isinstance(ends, list) else () if ends is None else (ends,)


def affordable_tokens(loaded: LoadedModel) -> int:
    """Return how many tokens of a batch fit in half of the free GPU memory; fixed for a CPU.

    The other half is for activations.
    """
    import torch

    if loaded.model.device.type != "cuda":
        return _TOKENS_ON_CPU
    cached = torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
    free, _ = torch.cuda.mem_get_info()
    return (free + cached) // 2 // token_bytes(loaded)


def token_bytes(loaded: LoadedModel) -> int:
    """Return the memory of a token's keys and values: 512 KiB in Magicoder.

    They are 2 x layers x key heads x head width numbers.
    """
    config = loaded.model.config
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    size: int = 2 * config.num_hidden_layers * heads * width * loaded.model.dtype.itemsize
    return size


def generate(
    loaded: LoadedModel,
    prompts: Sequence[Sequence[int]],
    stops: Collection[int],
    new_tokens: int,
    streamer: BatchStreamer,
) -> bool:
    """Generate answers greedily in one batch, into `streamer`; return False if memory runs out.

    Shorter prompts are padded on the left and masked. An exception from the streamer ends the
    run.

    Raises:
        ClaimsError: the model failed in another way.
    """
    import torch

    width = max(len(ids) for ids in prompts)
    padding = min(stops, default=0)
    rows = [[padding] * (width - len(ids)) + [*ids] for ids in prompts]
    mask = [[0] * (width - len(ids)) + [1] * len(ids) for ids in prompts]
    try:
        with torch.inference_mode():
            loaded.model.generate(
                input_ids=torch.tensor(rows, device=loaded.model.device),
                attention_mask=torch.tensor(mask, device=loaded.model.device),
                max_new_tokens=new_tokens,
                do_sample=False,
                eos_token_id=sorted(stops) or None,
                pad_token_id=padding,
                streamer=streamer,
            )
    except Exception as error:
        if streamer.raised is not None:
            raise
        if _is_out_of_memory(error):
            return False
        if not isinstance(error, RuntimeError):
            raise
        reason = str(error).strip().partition("\n")[0][:200]
        raise ClaimsError(f"the language model failed: {reason}") from error
    return True


def release_memory() -> None:
    """Release unused memory, including GPU memory."""
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def memory_error(what: str, device: str) -> ModelMemoryError:
    """Return an error that names what did not fit where, and what to do."""
    where = "the GPU's memory" if device == "cuda" else "memory"
    return ModelMemoryError(
        f"{what} does not fit in {where}: stop other programs that use it, choose a smaller "
        "model, or use an endpoint or the symbolic backend"
    )


def _is_out_of_memory(error: BaseException) -> bool:
    import torch

    if isinstance(error, (MemoryError, torch.OutOfMemoryError)):
        return True
    text = str(error).casefold()
    return isinstance(error, RuntimeError) and any(sign in text for sign in _SIGNS)
