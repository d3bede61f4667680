"""Print how fast a model of Magicoder's shape makes tokens, in 4 bits and in bfloat16.

On a GPU it makes a model of that shape with random weights, 13.5 GB in a temporary folder: speed
does not depend on what they say. Without one it runs the same code with a tiny model on the
CPU, which shows that it works and says nothing about speed.

The limit is what memory allows: each step reads all weights and the keys and values of all
tokens so far once, at the speed at which the device copies a large tensor.
"""

import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.measuring import seconds
from crscore_core.claims.llm.language_model import silent
from crscore_core.claims.llm.magicoder import (
    Precision,
    generate,
    held_model,
    release_memory,
    token_bytes,
)
from crscore_core.claims.llm.tokens import BatchStreamer, PromptTokenizer
from crscore_core.claims.llm.weights import Weights
from crscore_core.errors import ModelMemoryError
from tests.tiny_llama import build_tiny_llama

if TYPE_CHECKING:
    import torch
    from transformers import LlamaConfig

_PRECISIONS = (Precision.BFLOAT16, Precision.NF4)
_GIB = 2**30
_NO_ROOM = "does not fit"
_COPIES = 10
_TINY = {
    "vocab_size": 400,
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "intermediate_size": 128,
}


@dataclass(frozen=True, slots=True)
class _Load:
    """Load of a model: prompts at once, and tokens of each prompt and answer."""

    rows: tuple[int, ...]
    prompt: int
    answer: int
    copied_bytes: int


_ON_GPU = _Load(rows=(1, 8, 32), prompt=1024, answer=128, copied_bytes=4 * _GIB)
_ON_CPU = _Load(rows=(1, 4), prompt=64, answer=16, copied_bytes=_GIB // 4)


class _Clock(BatchStreamer):
    """Notes when each token is there; it comes from the device, so that nothing is pending."""

    def __init__(self, tokenizer: PromptTokenizer, rows: int) -> None:
        super().__init__(tokenizer, list(range(rows)), (), silent)
        self.times: list[float] = []

    def put(self, tokens: "torch.Tensor") -> None:
        super().put(tokens)
        self.times.append(time.perf_counter())


def main() -> None:
    """Measure and print."""
    import torch

    has_gpu = torch.cuda.is_available()
    device, load = ("cuda", _ON_GPU) if has_gpu else ("cpu", _ON_CPU)
    with tempfile.TemporaryDirectory() as folder:
        build_tiny_llama(Path(folder))
        config = _magicoders_config() if has_gpu else _magicoders_config(**_TINY)
        _replace_weights(Path(folder), config, device)
        release_memory()
        speed = _copy_speed(device, load.copied_bytes)
        release_memory()
        name = torch.cuda.get_device_name() if has_gpu else "CPU, a tiny model"
        print(f"{name}: copies at {speed / 1e9:.0f} GB/s; prompts of {load.prompt} tokens")
        print(f"{'':<36}{'weights':>10}{'prompt s':>10}{'tokens/s':>10}{'limit':>10}{'share':>8}")
        for precision in _PRECISIONS:
            try:
                _measure(Path(folder), device, precision, load, speed)
            except ModelMemoryError:
                print(f"{precision}: {_NO_ROOM}")


def _measure(folder: Path, device: str, precision: Precision, load: _Load, speed: float) -> None:
    tokenizer = PromptTokenizer(folder)
    weights = Weights(folder, "of random weights")
    name = "Magicoder" if device == "cuda" else "tiny"
    with held_model(weights, device, precision) as model:
        held = _weight_bytes(model)
        for rows in load.rows:
            label = f"{f'{name}, {precision}, {rows} at once':<36}"
            _run(model, tokenizer, load, rows)  # the first run waits for what is made once
            start = time.perf_counter()
            times = _run(model, tokenizer, load, rows)
            if times is None:
                release_memory()
                print(f"{label}{_NO_ROOM:>14}", flush=True)
                continue
            rate = rows * (len(times) - 1) / (times[-1] - times[0])
            remembered = rows * token_bytes(model) * (load.prompt + load.answer // 2)
            limit = rows * speed / (held + remembered)
            print(
                f"{label}{held / _GIB:>6.2f} GiB{times[0] - start:>10.3f}{rate:>10.1f}"
                f"{limit:>10.1f}{rate / limit:>8.1%}",
                flush=True,
            )


def _run(
    model: Any,  # noqa: ANN401 - any model
    tokenizer: PromptTokenizer,
    load: _Load,
    rows: int,
) -> list[float] | None:
    """When each of a fixed number of tokens of all rows was there; None where memory is short."""
    clock = _Clock(tokenizer, rows)
    text = tokenizer.tokens("Write claims about what the change does.\n")
    prompt = (text * load.prompt)[: load.prompt]
    fits = generate(model, [prompt] * rows, (), load.answer, clock)
    return clock.times[1:] if fits else None  # the prompts come first


def _weight_bytes(model: Any) -> int:  # noqa: ANN401 - any model
    """Bytes that a step reads of the weights: all but the embeddings, of which it takes rows."""
    embeddings = model.get_input_embeddings().weight
    total: int = model.get_memory_footprint()
    for parameter in model.parameters():
        state = getattr(parameter, "quant_state", None)
        if state is not None:
            scales = [state.absmax] + ([state.state2.absmax] if state.nested else [])
            total += sum(scale.nbytes for scale in scales)
    return total - int(embeddings.nbytes)


def _copy_speed(device: str, size: int) -> float:
    """Bytes a second that the device reads and writes when it copies."""
    import torch

    source = torch.ones(size, dtype=torch.uint8, device=device)
    copy = partial(_copy, torch.empty_like(source), source)
    copy()
    return 2 * size / median(seconds(copy, _COPIES))


def _copy(target: "torch.Tensor", source: "torch.Tensor") -> None:
    import torch

    target.copy_(source)
    if source.is_cuda:
        torch.cuda.synchronize()


def _replace_weights(folder: Path, config: "LlamaConfig", device: str) -> None:
    """Put random weights of another shape in place of a model's."""
    import torch
    from transformers import LlamaForCausalLM

    (folder / "model.safetensors").unlink()
    usual = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16)
    try:
        with torch.device(device):
            model = LlamaForCausalLM(config)
    finally:
        torch.set_default_dtype(usual)
    model.save_pretrained(folder, max_shard_size="2GB")


def _magicoders_config(**smaller: int) -> "LlamaConfig":
    """The shape of DeepSeek Coder 6.7B, of which Magicoder-S-DS-6.7B is made."""
    from transformers import LlamaConfig

    shape: dict[str, Any] = {
        "vocab_size": 32_256,
        "hidden_size": 4096,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 32,
        "intermediate_size": 11_008,
    }
    return LlamaConfig(
        **(shape | smaller),
        max_position_embeddings=16_384,
        rms_norm_eps=1e-6,
        rope_parameters={"rope_type": "linear", "factor": 4.0, "rope_theta": 100_000.0},
        tie_word_embeddings=False,
        bos_token_id=0,
        eos_token_id=1,
    )


if __name__ == "__main__":
    main()
