"""A model in memory: one at a time, shared by all who ask for it, and used by one at a time."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from crscore_core.claims.llm.magicoder.device import require_device
from crscore_core.claims.llm.magicoder.memory import is_out_of_memory, memory_error, release_memory
from crscore_core.claims.llm.magicoder.packages import require_packages
from crscore_core.claims.llm.magicoder.precision import Precision
from crscore_core.claims.llm.magicoder.waiting import held
from crscore_core.claims.llm.magicoder.weights import Weights
from crscore_core.errors import MissingWeightsError

__all__ = ["LoadedModel", "held_model", "is_held"]


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model of transformers that can generate, and the tokens with which its answers end."""

    model: Any
    stops: tuple[int, ...]


@dataclass(slots=True)
class _Slot:
    """Where the one model is."""

    key: tuple[Weights, str, Precision] | None = None
    loaded: LoadedModel | None = None


_slot = _Slot()
_lock = threading.Lock()


def is_held(device: str) -> bool:
    """Whether a model is in the memory of `device` now."""
    key = _slot.key
    return key is not None and key[1] == device


@contextmanager
def held_model(
    weights: Weights,
    device: str,
    precision: Precision,
    beat: Callable[[], None] = lambda: None,
) -> Iterator[LoadedModel]:
    """The model, for this thread alone until the context ends; loaded where another one was.

    `beat` is called now and then while another thread has it, and may raise to end that. Loading
    itself, half a minute for Magicoder, cannot be ended.

    Raises:
        MissingPackageError: bitsandbytes or accelerate is not installed.
        MissingCudaError: `device` is `cuda` and there is none.
        MissingWeightsError: its files cannot be used.
        ModelMemoryError: it does not fit.
    """
    key = (weights, device, precision)
    with held(_lock, beat):
        if _slot.loaded is None or _slot.key != key:
            _slot.key = _slot.loaded = None
            require_packages()
            require_device(device)
            release_memory()
            _slot.loaded = _load(weights, device, precision)
            _slot.key = key
        yield _slot.loaded


def _load(weights: Weights, device: str, precision: Precision) -> LoadedModel:
    loaded = _loaded_or_no_room(weights, device, precision)
    if loaded is None:  # raised here, so that nothing of the failed try is held by it
        release_memory()
        raise memory_error(f"model {weights.identity}", device)
    return loaded


def _loaded_or_no_room(weights: Weights, device: str, precision: Precision) -> LoadedModel | None:
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    # it draws on standard error even where nobody looks
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    load: Any = AutoModelForCausalLM.from_pretrained  # its types leave out the report
    try:
        model, report = load(
            str(weights.folder),
            trust_remote_code=False,
            use_safetensors=True,
            local_files_only=True,
            device_map={"": device},
            output_loading_info=True,
            **_types(precision),
        )
    except Exception as error:  # what damaged files raise depends on what is damaged
        if is_out_of_memory(error):
            return None
        reason = str(error).strip().partition("\n")[0][:200] or type(error).__name__
        raise MissingWeightsError(
            f"model {weights.identity} cannot be loaded: {reason}; download it again, or choose "
            "a causal language model"
        ) from error
    if report["missing_keys"]:
        first = min(report["missing_keys"])
        raise MissingWeightsError(
            f"the files of model {weights.identity} lack {len(report['missing_keys'])} of its "
            f"tensors, first {str(first)[:80]}; download it again"
        )
    return LoadedModel(model.eval(), _greedy(model))


def _types(precision: Precision) -> dict[str, Any]:
    """What `from_pretrained` is to know of a precision."""
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
    """Drop how the model's files would sample; return the tokens with which they say it ends."""
    from transformers import GenerationConfig

    ends = model.generation_config.eos_token_id if model.generation_config else None
    model.generation_config = GenerationConfig(do_sample=False)  # type: ignore[no-untyped-call]
    return tuple(ends) if isinstance(ends, list) else () if ends is None else (ends,)
