"""Texts -> unit vectors, pooled over the tokens that are not stop words."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError, ModelError, failure
from crscore_core.stop_words import STOP_WORDS
from crscore_core.text import counted

if TYPE_CHECKING:
    import torch
    from tokenizers import Encoding, Tokenizer

TOKENS_AT_ONCE = {"cpu": 2**12, "cuda": 2**16}
_TEXTS_AT_ONCE = 10_000
"""Texts tokenized at once; the tokens of more texts would take more memory than their vectors."""

_WORD_MARKS = "\u0120\u2581"
"""Marks of byte-level and SentencePiece tokenizers at the start of a word."""


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors of n texts.

    vectors: float32, (n texts, n dimensions).
    truncated: bool, (n texts,), True if the text is longer than the encoder reads.
    """

    vectors: NDArray[np.float32]
    truncated: NDArray[np.bool_]


class Encoder(Protocol):
    """An embedding model; `name` identifies it in signatures and picks its tau preset."""

    @property
    def name(self) -> str:
        """Name of the model."""

    def encode(self, texts: Sequence[str]) -> Embeddings | ArrayLike:
        """Embed each of `texts`; a plain array of vectors means that no text was truncated."""


def embed(encoder: Encoder, texts: Sequence[str]) -> Embeddings:
    """Embed `texts` with any encoder, as vectors of length 1; a vector of zeros stays.

    Raises:
        ModelError: the encoder failed, or did not return a vector of finite numbers for each text.
    """
    try:
        returned = encoder.encode(texts)
        if not isinstance(returned, Embeddings):
            returned = Embeddings(np.asarray(returned), np.zeros(len(texts), np.bool_))
        vectors, truncated = returned.vectors.astype(np.float64), returned.truncated
    except (InputError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise failure(f"encoder {encoder.name[:80]!r}", error) from error
    is_complete = vectors.ndim == 2 and len(vectors) == len(truncated) == len(texts)
    if not is_complete or not np.isfinite(vectors).all():
        raise ModelError(
            f"encoder {encoder.name[:80]!r} did not return a vector of finite numbers for each of "
            f"{counted(len(texts), 'text')}"
        )
    # First by the largest number, whose square may be infinite or 0.
    for order in (np.inf, 2):
        norms = np.linalg.norm(vectors, order, axis=1, keepdims=True)
        vectors = np.divide(vectors, norms, out=vectors, where=norms > 0)
    return Embeddings(vectors.astype(np.float32), np.asarray(truncated, np.bool_))


class TokenModel(Protocol):
    """A transformer: padded token ids and their mask in, vectors of tokens out."""

    device: str
    dimensions: int

    def __call__(self, ids: "torch.Tensor", mask: "torch.Tensor") -> "torch.Tensor":
        """Return (n texts, n tokens, n dimensions) of two tensors of (n texts, n tokens)."""


class PooledEncoder:
    """Token vectors of a transformer, mean-pooled without stop words.

    Each sentence is filtered by its own tokens; the released code filters a whole batch by the
    tokens of its first sentence. Special tokens are left out as well. A sentence that has only
    stop words keeps all its tokens. Threads may share an encoder.
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

    def encode(self, texts: Sequence[str], *, with_stop_words: bool = False) -> Embeddings:
        """Embed `texts` in batches of similar length; see `Encoder.encode`.

        The presets of tau do not apply `with_stop_words`.
        """
        import torch
        from torch.nn.functional import normalize

        ignored = frozenset[int]() if with_stop_words else self._stop_words
        vectors = np.zeros((len(texts), self._model.dimensions), dtype=np.float32)
        truncated = np.zeros(len(texts), dtype=np.bool_)
        for rows, encodings, tokens in self.batches(texts):
            is_pooled = np.array([_pooled(encoding, ignored) for encoding in encodings])
            weights = torch.from_numpy(is_pooled).to(tokens)
            pooled = normalize((tokens * weights[:, :, None]).sum(dim=1), dim=1)
            vectors[rows] = pooled.cpu().numpy()
            truncated[rows] = [bool(encoding.overflowing) for encoding in encodings]
        return Embeddings(vectors, truncated)

    def batches(
        self, texts: Sequence[str]
    ) -> Iterator[tuple[list[int], list["Encoding"], "torch.Tensor"]]:
        """Yield rows of `texts`, their tokens, and vectors of (n rows, n tokens, n dimensions)."""
        import torch

        device = self._model.device
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            encoded = self._tokenizer.encode_batch(list(texts[start : start + _TEXTS_AT_ONCE]))
            order = sorted(range(len(encoded)), key=lambda row: -len(encoded[row].ids))
            while order:
                longest = max(1, len(encoded[order[0]].ids))
                size = max(1, TOKENS_AT_ONCE.get(device, TOKENS_AT_ONCE["cpu"]) // longest)
                rows, order = order[:size], order[size:]
                batch = [encoded[row] for row in rows]
                for encoding in batch:
                    encoding.pad(longest, pad_id=self._padding_id)
                ids = torch.tensor([encoding.ids for encoding in batch], device=device)
                mask = torch.tensor([encoding.attention_mask for encoding in batch], device=device)
                with torch.inference_mode():
                    tokens = self._model(ids, mask).float()
                yield [start + row for row in rows], batch, tokens


def _pooled(encoding: "Encoding", ignored: Set[int]) -> NDArray[np.bool_]:
    """Mark the tokens to pool: all except those to ignore, or all if nothing else is left."""
    is_content = np.array(encoding.special_tokens_mask) == 0
    is_ignored = np.array([number in ignored for number in encoding.ids])
    is_token = np.array(encoding.attention_mask) == 1
    masks = (is_content & ~is_ignored, is_content, is_token)
    return next((mask for mask in masks if mask.any()), is_token)
