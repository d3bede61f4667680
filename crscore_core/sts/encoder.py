"""Texts -> unit vectors, pooled over the tokens that are no stop words."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from crscore_core.errors import EncoderError
from crscore_core.sts.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from transformers import BatchEncoding

__all__ = ["POOLING", "Embeddings", "Encoder", "SentenceTransformerEncoder"]

POOLING = "mean of the tokens that are no stop words, 1"
"""How vectors are made of tokens; it changes whenever they would."""

_BATCH_SIZE = 64
_LONGEST_WITHOUT_LIMIT = 512
_WORD_MARKS = "\u0120\u2581"  # how byte-level and SentencePiece tokenizers mark a word's start


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors of n texts.

    `vectors`: float32, (n texts, n dimensions), rows of length 1.
    `truncated`: bool, (n texts,), whether a text was longer than the encoder reads.
    """

    vectors: NDArray[np.float32]
    truncated: NDArray[np.bool_]


class Encoder(Protocol):
    """An embedding model; `name` identifies it in signatures and picks its tau preset."""

    @property
    def name(self) -> str:
        """Name of the model."""
        ...

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed each of `texts`; the result does not depend on which others are with it."""
        ...


class SentenceTransformerEncoder:
    """Token embeddings of a sentence-transformers model, mean-pooled without stop words.

    Each sentence is filtered by its own tokens; the released code takes the tokens of a
    batch's first sentence for all of them. The marks that a tokenizer adds around a sentence
    are left out as well. A sentence of nothing but stop words keeps all its tokens.

    Threads may share it. A fast tokenizer they cannot share, so it is locked while it works; the
    model, which takes most of the time, is not, so that a long review keeps nobody waiting.
    """

    def __init__(self, name: str, model: "SentenceTransformer") -> None:
        from transformers import PreTrainedTokenizerBase

        tokenizer = getattr(model[0], "tokenizer", None)
        if not isinstance(tokenizer, PreTrainedTokenizerBase) or not tokenizer.is_fast:
            raise EncoderError(
                f"encoder {name!r} gives no embeddings of tokens; choose a transformer model"
            )
        self.name = name
        self._model = model.eval()
        self._tokenizer = tokenizer
        self._max_tokens = model.max_seq_length or _LONGEST_WITHOUT_LIMIT
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed `texts` in batches of similar length; see `Encoder.encode`."""
        with self._lock:
            encoded = self._tokenizer(
                list(texts),
                truncation=True,
                max_length=self._max_tokens,
                return_special_tokens_mask=True,
                return_offsets_mapping=True,
            )
        truncated = np.array(
            [
                self._is_truncated(text, offsets)
                for text, offsets in zip(texts, encoded["offset_mapping"], strict=True)
            ],
            dtype=np.bool_,
        )
        return Embeddings(self._pooled(encoded), truncated)

    def _is_truncated(self, text: str, offsets: list[tuple[int, int]]) -> bool:
        end = max((end for _, end in offsets), default=0)
        return len(offsets) >= self._max_tokens and end < len(text.rstrip())

    def _pooled(self, encoded: "BatchEncoding") -> NDArray[np.float32]:
        import torch

        ids: list[list[int]] = encoded["input_ids"]
        order = sorted(range(len(ids)), key=lambda row: (len(ids[row]), row))
        vectors = np.zeros((len(ids), self._model.get_embedding_dimension() or 0), dtype=np.float32)
        for start in range(0, len(order), _BATCH_SIZE):
            rows = order[start : start + _BATCH_SIZE]
            names = [name for name in self._tokenizer.model_input_names if name in encoded]
            batch = self._tokenizer.pad(
                {name: [encoded[name][row] for row in rows] for name in names},
                return_tensors="pt",
            ).to(self._model.device)
            with torch.inference_mode():
                tokens = self._model[0](dict(batch))["token_embeddings"].float().cpu()
            weights = torch.zeros(tokens.shape[:2])
            for index, row in enumerate(rows):
                kept = _kept_tokens(encoded.tokens(row), encoded["special_tokens_mask"][row])
                weights[index, kept] = 1.0
            pooled = (tokens * weights[:, :, None]).sum(dim=1)
            vectors[rows] = torch.nn.functional.normalize(pooled, dim=1).numpy()
        return vectors


def _kept_tokens(tokens: list[str], special: list[int]) -> list[int]:
    """Indices of the tokens to pool: without stop words, unless there is nothing else."""
    content = [index for index, mark in enumerate(special) if not mark]
    kept = [
        index for index in content if tokens[index].lstrip(_WORD_MARKS).lower() not in STOP_WORDS
    ]
    return kept or content or list(range(len(tokens)))
