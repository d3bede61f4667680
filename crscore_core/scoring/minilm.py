"""all-MiniLM-L6-v2 in plain torch: the inference part of BERT's encoder.

Importing sentence-transformers takes five times as long as importing torch, and every command that
scores would wait for it. The token vectors agree with transformers to 1e-6.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch.nn.functional import embedding, gelu, layer_norm, linear, scaled_dot_product_attention


class MiniLM:
    """A BERT encoder from the files of its folder: `config.json` and `model.safetensors`.

    Raises:
        OSError, ValueError, KeyError: a file is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.dimensions: int = self._config["hidden_size"]
        self._weights = load_file(folder / "model.safetensors", device=self.device)

    def __call__(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return the vectors of tokens, (n texts, n tokens, n dimensions).

        `ids` are padded, and `mask` is 0 for padding; both are (n texts, n tokens).
        """
        attended = mask[:, None, None, :].bool()
        x = embedding(ids, self._weights["embeddings.word_embeddings.weight"])
        x = x + self._weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        x = x + self._weights["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, "embeddings.LayerNorm")
        for number in range(self._config["num_hidden_layers"]):
            layer = f"encoder.layer.{number}"
            mixed = self._attention(x, attended, f"{layer}.attention")
            x = self._norm(mixed + x, f"{layer}.attention.output.LayerNorm")
            wide = gelu(self._linear(x, f"{layer}.intermediate.dense"))
            narrow = self._linear(wide, f"{layer}.output.dense")
            x = self._norm(narrow + x, f"{layer}.output.LayerNorm")
        return x

    def _attention(self, x: torch.Tensor, attended: torch.Tensor, name: str) -> torch.Tensor:
        texts, tokens, dimensions = x.shape
        query, key, value = (
            self._linear(x, f"{name}.self.{part}")
            .view(texts, tokens, self._config["num_attention_heads"], -1)
            .transpose(1, 2)
            for part in ("query", "key", "value")
        )
        mixed = scaled_dot_product_attention(query, key, value, attn_mask=attended)
        joined = mixed.transpose(1, 2).reshape(texts, tokens, dimensions)
        return self._linear(joined, f"{name}.output.dense")

    def _linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return linear(x, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return layer_norm(x, x.shape[-1:], weight, bias, self._config["layer_norm_eps"])
