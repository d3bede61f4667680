"""A Llama of two small layers that is made in a test, with a tokenizer trained there too."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

_BOS = "<|begin|>"
_EOS = "<|endoftext|>"
_CONTROL = [_BOS, _EOS, "<|EOT|>", "</s>"]
_SENTENCES = [
    "@@ Instruction\nWrite claims about what the change does.\n\n@@ Response\n",
    "Summary:\n1. A null check is added.\n2. The retry loop is removed.\n",
    "Implications:\n1. A missing user no longer raises an error.\n",
    "@@ -1,4 +1,5 @@\n-    return cache.get(key)\n+    return None if key is None else cache\n",
]
_VOCABULARY = 400
_MARGIN = 4.0


def build_tiny_llama(
    folder: Path, *, says: str | None = None, chat_template: str | None = None
) -> Path:
    """Write config, tokenizer and safetensors of a Llama into `folder`, and return the folder.

    Its weights are random, the same every time, so that what it says is deterministic and
    means nothing. With `says` it says that text whenever the prompt ends with a line break,
    and stops; no token of the text may occur twice in it.
    """
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = _write_tokenizer(folder, chat_template)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        intermediate_size=128,
        max_position_embeddings=4096,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        tie_word_embeddings=False,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = LlamaForCausalLM(config)
        if says is not None:
            _teach(model, tokenizer, says)
    model.save_pretrained(folder)
    return folder


def _write_tokenizer(folder: Path, chat_template: str | None) -> "PreTrainedTokenizerFast":
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=_VOCABULARY,
        special_tokens=_CONTROL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_SENTENCES, trainer)
    fast = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, bos_token=_BOS, eos_token=_EOS
    )
    fast.chat_template = chat_template
    fast.save_pretrained(folder)
    path = folder / "tokenizer_config.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(settings | {"add_bos_token": True}), encoding="utf-8")
    return fast


def _teach(model: "LlamaForCausalLM", tokenizer: "PreTrainedTokenizerFast", says: str) -> None:
    """Make each token's successor the likeliest: what comes between in and out is zero."""
    import torch

    chain = tokenizer.encode("\n" + says, add_special_tokens=False)
    if chain[0] != tokenizer.encode("\n", add_special_tokens=False)[0]:
        raise ValueError("the text melts into the line break before it")
    if len(set(chain)) < len(chain):
        raise ValueError("a token occurs twice in what the model is to say")
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        words = torch.nn.functional.normalize(
            torch.randn_like(model.model.embed_tokens.weight), dim=1
        )
        model.model.embed_tokens.weight.copy_(words)
        model.lm_head.weight.zero_()
        for token, successor in zip(chain, [*chain[1:], tokenizer.eos_token_id], strict=True):
            model.lm_head.weight[successor] = _MARGIN * words[token]
