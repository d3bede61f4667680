"""Print the speed and memory with which a model of Magicoder's shape generates claims on a GPU.

`python -m benchmarks.gpu [--tokens N]`. The weights are random: memory and speed are Magicoder's,
answers are not. The backend is compared with transformers alone, each in a new process, on prompts
about shipped changes. The model takes 13.5 GB in a temporary folder.
"""

import argparse
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.measuring import machine, print_table
from crscore_core.change import parse_change
from crscore_core.claims.llm.language_model import ModelOptions
from crscore_core.claims.llm.magicoder import Magicoder
from crscore_core.claims.llm.prompt import build_prompt, shown_change
from crscore_eval.data.shipped import shipped_run

_BATCH = 16
_SHAPE = {
    "vocab_size": 32_256,
    "hidden_size": 4096,
    "intermediate_size": 11_008,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "max_position_embeddings": 16_384,
}
_GIB = 2**30

Answers = Callable[[list[str], int], None]
"""A function that answers prompts, each with the given number of new tokens."""


def write_model(folder: Path, diffs: list[str]) -> None:
    """Write a Llama with random weights and the shape of Magicoder-S-DS-6.7B, and a tokenizer."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    end = "<end>"
    trainer = trainers.BpeTrainer(
        vocab_size=_SHAPE["vocab_size"], special_tokens=[end], show_progress=False
    )
    tokenizer.train_from_iterator(diffs, trainer)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=end, pad_token=end
    ).save_pretrained(folder)
    config = LlamaConfig(**_SHAPE, bos_token_id=None, eos_token_id=0)
    with torch.device("cuda"):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    model.save_pretrained(folder)


def this_package(folder: Path) -> Answers:
    """Return the backend of this package."""

    def answer(prompts: list[str], tokens: int) -> None:
        options = ModelOptions(model=str(folder), max_tokens=tokens)
        for reply in Magicoder(options).answer(prompts):
            if isinstance(reply, Exception) or not reply.cut_off_by:
                raise SystemExit(f"an answer has fewer than {tokens} tokens: {reply}")

    return answer


def transformers_alone(folder: Path) -> Answers:
    """Return the same with only transformers and bitsandbytes, in as little code as possible."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig

    nf4 = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )
    tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
    model = AutoModelForCausalLM.from_pretrained(
        folder, quantization_config=nf4, dtype=torch.bfloat16, device_map={"": "cuda"}
    )

    def answer(prompts: list[str], tokens: int) -> None:
        inputs = tokenizer(prompts, padding=True, return_tensors="pt").to("cuda")
        output = model.generate(**inputs, max_new_tokens=tokens, do_sample=False)
        tokenizer.batch_decode(output)

    return answer


def measure(
    make: Callable[[Path], Answers], folder: Path, diffs: list[str], tokens: int
) -> list[str]:
    """Return seconds to the first token, GiB, and tokens/s and peak GiB of a prompt and a batch."""
    import torch

    count = Magicoder(ModelOptions(model=str(folder))).count_tokens
    prompts = [build_prompt(shown_change(parse_change(diff), count)[0]) for diff in diffs]
    start = time.perf_counter()
    answer = make(folder)
    answer(prompts[:1], 1)
    cells = [f"{time.perf_counter() - start:.1f}", f"{torch.cuda.memory_allocated() / _GIB:.2f}"]
    for batch in (prompts[:1], prompts):
        answer(batch, 2)  # warm
        torch.cuda.reset_peak_memory_stats()
        start = time.perf_counter()
        answer(batch, tokens)
        spent = time.perf_counter() - start
        cells.append(f"{len(batch) * tokens / spent:.1f}")
        cells.append(f"{torch.cuda.max_memory_allocated() / _GIB:.2f}")
    return cells


def _rows(folder: Path, diffs: list[str], tokens: int) -> Iterator[list[str]]:
    for name, make in (
        ("transformers alone", transformers_alone),
        ("this package", this_package),
    ):
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, spawn) as pool:
            yield [name, *pool.submit(measure, make, folder, diffs, tokens).result()]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__)
    parser.add_argument("--tokens", type=int, default=200)
    chosen = parser.parse_args()
    import torch

    diffs = shipped_run().changes["diff"].tolist()
    print(machine(), torch.cuda.get_device_name(), sep=", ")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_model(folder, diffs)
        torch.cuda.empty_cache()
        print_table(
            f"NF4; {chosen.tokens} new tokens; one change, and a batch of {_BATCH}",
            (
                "",
                "seconds to the first token",
                "GiB loaded",
                "tokens/s, one",
                "peak GiB",
                f"tokens/s, {_BATCH}",
                "peak GiB",
            ),
            _rows(folder, diffs[:_BATCH], chosen.tokens),
        )


if __name__ == "__main__":
    main()
