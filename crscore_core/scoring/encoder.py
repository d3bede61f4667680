"""Texts -> unit vectors, pooled over the tokens that are not stop words."""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from crscore_core.text import STOP_WORDS

if TYPE_CHECKING:
    import torch
    from tokenizers import Encoding, Tokenizer

TOKENS_AT_ONCE = {"cpu": 2**12, "cuda": 2**16}
_TEXTS_AT_ONCE = 10_000
"""Texts tokenized at once: the tokens of more would take more memory than their vectors."""

_WORD_MARKS = "\u0120\u2581"
"""Marks of byte-level and SentencePiece tokenizers at the start of a word."""


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors of n texts.

    `vectors`: float32, (n texts, n dimensions), rows of length 1.
    `truncated`: bool, (n texts,), whether a text was longer than the encoder reads.
    """

    vectors: NDArray[np.float32]
    truncated: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class TokenEmbeddings:
    """The n tokens of one text, as far as the encoder reads it, in the order of the text.

    Special tokens, such as those around a text, are among the tokens.

    `offsets`: where each stands in the text, `text[start:end]`; (0, 0) for a special token.
    `vectors`: float32, (n tokens, n dimensions), of any length.
    """

    offsets: tuple[tuple[int, int], ...]
    vectors: NDArray[np.float32]


class Encoder(Protocol):
    """An embedding model; `name` identifies it in signatures and picks its tau preset."""

    @property
    def name(self) -> str:
        """Name of the model."""
        ...

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed each of `texts`."""
        ...


class TokenModel(Protocol):
    """A transformer: padded token ids and their mask in, vectors of tokens out."""

    device: str
    dimensions: int

    def __call__(self, ids: "torch.Tensor", mask: "torch.Tensor") -> "torch.Tensor":
        """Return (n texts, n tokens, n dimensions) of two tensors of (n texts, n tokens)."""
        ...


class PooledEncoder:
    """Token vectors of a transformer, mean-pooled without stop words.

    Each sentence is filtered by its own tokens; the released code takes the tokens of a
    batch's first sentence for all of them. Special tokens are left out as well. A sentence of
    nothing but stop words keeps all its tokens. Threads may share an encoder.
    """

    def __init__(
        self,
        name: str,
        tokenizer: "Tokenizer",
        model: TokenModel,
        max_tokens: int,
        padding_id: int = 0,
    ) -> None:
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_tokens)
        self.name = name
        self._tokenizer = tokenizer
        self._model = model
        self._padding_id = padding_id
        self._stop_words = frozenset(
            number
            for token, number in tokenizer.get_vocab().items()
            if token.lstrip(_WORD_MARKS).lower() in STOP_WORDS
        )

    def unfiltered(self) -> Self:
        """The same encoder without the stop-word filter, for metrics that count stop words.

        It pools all tokens of a text except special ones. Name and model are shared; the presets
        of tau were found with the filter and do not apply.
        """
        encoder = copy.copy(self)
        encoder._stop_words = frozenset()  # noqa: SLF001 - one of the same class
        return encoder

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed `texts` in batches of similar length; see `Encoder.encode`."""
        import torch
        from torch.nn.functional import normalize

        vectors = np.zeros((len(texts), self._model.dimensions), dtype=np.float32)
        truncated = np.zeros(len(texts), dtype=np.bool_)
        for rows, encodings, tokens in self._batches(texts):
            is_pooled = np.zeros(tuple(tokens.shape[:2]), dtype=np.float32)
            for index, encoding in enumerate(encodings):
                is_pooled[index, : len(encoding.ids)] = self._pooled(encoding)
            weights = torch.from_numpy(is_pooled).to(tokens.device)
            pooled = normalize((tokens * weights[:, :, None]).sum(dim=1), dim=1)
            vectors[rows] = pooled.cpu().numpy()
            truncated[rows] = [bool(encoding.overflowing) for encoding in encodings]
        return Embeddings(vectors, truncated)

    def tokens(self, texts: Sequence[str]) -> list[TokenEmbeddings]:
        """Return all tokens of each text, pooled or not.

        Every token has a vector, and all are in memory at once: pass few texts.
        """
        found: dict[int, TokenEmbeddings] = {}
        for rows, encodings, tokens in self._batches(texts):
            for row, encoding, padded in zip(rows, encodings, tokens.cpu().numpy(), strict=True):
                vectors = padded[: len(encoding.ids)].copy()
                found[row] = TokenEmbeddings(tuple(encoding.offsets), vectors)
        return [found[row] for row in range(len(texts))]

    def _batches(
        self, texts: Sequence[str]
    ) -> Iterator[tuple[list[int], list["Encoding"], "torch.Tensor"]]:
        """Yield rows of `texts`, their tokens and (n rows, n padded tokens, n dimensions)."""
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            encoded = self._tokenizer.encode_batch(list(texts[start : start + _TEXTS_AT_ONCE]))
            order = sorted(range(len(encoded)), key=lambda row: -len(encoded[row].ids))
            while order:
                longest = max(1, len(encoded[order[0]].ids))
                size = max(1, TOKENS_AT_ONCE[self._model.device] // longest)
                rows, order = order[:size], order[size:]
                batch = [encoded[row] for row in rows]
                yield [start + row for row in rows], batch, self._forward(batch, longest)

    def _forward(self, batch: Sequence["Encoding"], longest: int) -> "torch.Tensor":
        import torch

        ids = np.full((len(batch), longest), self._padding_id, dtype=np.int64)
        mask = np.zeros(ids.shape, dtype=np.int64)
        for index, encoding in enumerate(batch):
            ids[index, : len(encoding.ids)] = encoding.ids
            mask[index, : len(encoding.ids)] = 1
        device = self._model.device
        with torch.inference_mode():
            tokens = self._model(
                torch.from_numpy(ids).to(device), torch.from_numpy(mask).to(device)
            )
        return tokens.float()

    def _pooled(self, encoding: "Encoding") -> NDArray[np.bool_]:
        """Mark the tokens to pool: all except stop words, or all if nothing else is left."""
        is_content = np.array(encoding.special_tokens_mask, dtype=np.bool_) == 0
        is_stop_word = [number in self._stop_words for number in encoding.ids]
        kept: NDArray[np.bool_] = is_content & ~np.array(is_stop_word, dtype=np.bool_)
        if kept.any():
            return kept
        return is_content if is_content.any() else np.ones_like(is_content)
