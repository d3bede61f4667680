"""Texts -> unit vectors, pooled over the tokens that are no stop words."""

import copy
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from crscore_core.errors import UnavailableError
from crscore_core.text import STOP_WORDS

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers import BatchEncoding, PreTrainedTokenizerBase

POOLING = "mean of the tokens that are no stop words, 2"
"""Name of the way vectors are pooled from tokens; a new way gets a new name."""

UNFILTERED_POOLING = "mean of the tokens, 1"
"""Name of the way for an encoder that pools stop words too."""

_TOKENS_AT_ONCE = 4096
_TEXTS_AT_ONCE = 10_000
"""Texts tokenized at once: the tokens of more would take more memory than their vectors."""

_TOKENS_ON_A_GPU = 2**18
_LONGEST_WITHOUT_LIMIT = 512
_WORD_MARKS = "\u0120\u2581"  # how byte-level and SentencePiece tokenizers mark a word's start


class Precision(StrEnum):
    """Number formats in which an encoder computes, by torch's names."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"


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

    The marks that a tokenizer adds, such as those around a text, are among the tokens.

    `pieces`: the tokens, spelled as in the tokenizer's vocabulary.
    `offsets`: where each stands in the text, `text[start:end]`; (0, 0) for a mark.
    `word_ids`: for each the index of the word that it is a piece of; None for a mark.
    `vectors`: float32, (n tokens, n dimensions), of any length.
    `is_pooled`: bool, (n tokens,), whether the text's vector is a mean of it.
    `truncated`: whether the text is longer than the encoder reads.
    """

    pieces: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]
    word_ids: tuple[int | None, ...]
    vectors: NDArray[np.float32]
    is_pooled: NDArray[np.bool_]
    truncated: bool


class Encoder(Protocol):
    """An embedding model; `name` identifies it in signatures and picks its tau preset."""

    @property
    def name(self) -> str:
        """Name of the model."""
        ...

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed each of `texts`; the result does not depend on which others are with it."""
        ...


class TokenEncoder(Protocol):
    """An embedding model that shows what it pools."""

    def tokens(self, texts: Sequence[str]) -> list[TokenEmbeddings]:
        """The tokens of each of `texts`; the mean of those pooled points where the text does.

        Every token comes with a vector, and all of them are held at once: give a few texts.
        """
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
            raise UnavailableError(
                f"encoder {name!r} gives no embeddings of tokens; choose a transformer model"
            )
        self.name = name
        self.precision = Precision.FLOAT32
        self._model = model.eval()
        self._tokenizer = tokenizer
        self._max_tokens = model.max_seq_length or _LONGEST_WITHOUT_LIMIT
        self._is_stop_word = _stop_words_of(tokenizer)
        self._most_tokens = _TOKENS_AT_ONCE if model.device.type == "cpu" else _TOKENS_ON_A_GPU
        self._lock = threading.Lock()

    def unfiltered(self) -> Self:
        """The same encoder without the stop-word filter, for metrics that count stop words.

        It pools all tokens of a text but not the marks around it, so that the stop words are
        all that differs. The released code's vectors without a filter are those that
        sentence-transformers pools, in which the marks count as well. Name, model and lock are
        shared; the presets of tau were found with the filter and say nothing here.
        """
        encoder = copy.copy(self)
        none = np.zeros_like(self._is_stop_word)
        encoder._is_stop_word = none  # noqa: SLF001 - one of the same class
        return encoder

    def in_precision(self, precision: Precision) -> Self:
        """The same encoder, which multiplies matrices in `precision`; weights and lock are shared.

        Sums and norms stay float32, as do the weights and the vectors that come out, so that
        errors do not pile up from layer to layer.
        """
        if precision is self.precision:
            return self
        encoder = copy.copy(self)
        encoder.precision = precision
        return encoder

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed `texts` in batches of similar length; see `Encoder.encode`."""
        parts = [
            self._encoded(texts[at : at + _TEXTS_AT_ONCE])
            for at in range(0, len(texts), _TEXTS_AT_ONCE)
        ]
        if not parts:
            return Embeddings(self._zeros(0), np.zeros(0, np.bool_))
        return Embeddings(
            np.concatenate([part.vectors for part in parts]),
            np.concatenate([part.truncated for part in parts]),
        )

    def _encoded(self, texts: Sequence[str]) -> Embeddings:
        encoded = self._tokenized(texts)
        truncated = np.array(
            [
                self._is_truncated(text, offsets)
                for text, offsets in zip(texts, encoded["offset_mapping"], strict=True)
            ],
            dtype=np.bool_,
        )
        return Embeddings(self._pooled(encoded), truncated)

    def tokens(self, texts: Sequence[str]) -> list[TokenEmbeddings]:
        """The tokens that `encode` pools, and those that it does not; see `TokenEncoder.tokens`."""
        if not texts:
            return []
        encoded = self._tokenized(texts)
        found: dict[int, TokenEmbeddings] = {}
        for rows, batch in self._forward(encoded):
            for row, padded in zip(rows, batch, strict=True):
                pieces, offsets = encoded.tokens(row), encoded["offset_mapping"][row]
                found[row] = TokenEmbeddings(
                    tuple(pieces),
                    tuple((start, end) for start, end in offsets),
                    tuple(encoded.word_ids(row)),
                    padded[: len(pieces)].cpu().numpy().copy(),
                    self._kept(encoded, row),
                    self._is_truncated(texts[row], offsets),
                )
        return [found[row] for row in range(len(texts))]

    def _tokenized(self, texts: Sequence[str]) -> "BatchEncoding":
        with self._lock:
            encoded: BatchEncoding = self._tokenizer(
                list(texts),
                truncation=True,
                max_length=self._max_tokens,
                return_special_tokens_mask=True,
                return_offsets_mapping=True,
            )
        return encoded

    def _is_truncated(self, text: str, offsets: list[tuple[int, int]]) -> bool:
        end = max((end for _, end in offsets), default=0)
        return len(offsets) >= self._max_tokens and end < len(text.rstrip())

    def _pooled(self, encoded: "BatchEncoding") -> NDArray[np.float32]:
        import torch

        vectors = self._zeros(len(encoded["input_ids"]))
        for rows, tokens in self._forward(encoded):
            is_pooled = np.zeros(tokens.shape[:2], dtype=np.float32)
            for index, row in enumerate(rows):
                kept = self._kept(encoded, row)
                is_pooled[index, : kept.size] = kept
            weights = torch.from_numpy(is_pooled).to(tokens.device)
            pooled = (tokens * weights[:, :, None]).sum(dim=1)
            vectors[rows] = torch.nn.functional.normalize(pooled, dim=1).cpu().numpy()
        return vectors

    def _zeros(self, texts: int) -> NDArray[np.float32]:
        return np.zeros((texts, self._model.get_embedding_dimension() or 0), dtype=np.float32)

    def _forward(self, encoded: "BatchEncoding") -> Iterator[tuple[list[int], "torch.Tensor"]]:
        """Batches of one length: the texts' rows and (n rows, n padded tokens, n dimensions)."""
        ids: list[list[int]] = encoded["input_ids"]
        lengths = [padded_length(len(row), self._max_tokens) for row in ids]
        for length, rows in batches_by_length(lengths, self._most_tokens):
            yield from self._within_memory(encoded, rows, length)

    def _within_memory(
        self, encoded: "BatchEncoding", rows: list[int], length: int
    ) -> Iterator[tuple[list[int], "torch.Tensor"]]:
        """A batch, in parts where a GPU has no room for it; later ones are no larger than they."""
        import torch

        while rows:
            part = rows[: max(1, self._most_tokens // length)]
            try:
                tokens = self._vectors_of_tokens(encoded, part, length)
            except torch.OutOfMemoryError as error:
                if len(part) == 1:
                    raise UnavailableError(
                        f"encoder {self.name[:80]!r} has no room on the GPU for a text of {length} "
                        "tokens; free memory there, or use the CPU (CUDA_VISIBLE_DEVICES=)"
                    ) from error
                self._most_tokens = min(self._most_tokens, len(part) * length // 2)
            else:
                rows = rows[len(part) :]
                yield part, tokens
                continue
            torch.cuda.empty_cache()  # once the error no longer holds what was made of the batch

    def _vectors_of_tokens(
        self, encoded: "BatchEncoding", rows: list[int], length: int
    ) -> "torch.Tensor":
        import torch

        names = [name for name in self._tokenizer.model_input_names if name in encoded]
        batch = self._tokenizer.pad(
            {name: [encoded[name][row] for row in rows] for name in names},
            padding="max_length",
            max_length=length,
            padding_side="right",  # also where a model was trained otherwise: rows start at 0
            return_tensors="pt",
        ).to(self._model.device)
        is_rounded = self.precision is not Precision.FLOAT32
        with (
            torch.inference_mode(),
            torch.autocast(self._model.device.type, torch.bfloat16, enabled=is_rounded),
        ):
            tokens: torch.Tensor = self._model[0](dict(batch))["token_embeddings"]
        return tokens.float()

    def _kept(self, encoded: "BatchEncoding", row: int) -> NDArray[np.bool_]:
        """Mark the tokens to pool: all but stop words, or all where nothing else is left."""
        is_content = ~np.array(encoded["special_tokens_mask"][row], dtype=np.bool_)
        kept: NDArray[np.bool_] = is_content & ~self._is_stop_word[encoded["input_ids"][row]]
        if kept.any():
            return kept
        return is_content if is_content.any() else np.ones_like(is_content)


def _stop_words_of(tokenizer: "PreTrainedTokenizerBase") -> NDArray[np.bool_]:
    """Mark the stop words of a vocabulary: bool, (n token ids,)."""
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    words = ((token or "").lstrip(_WORD_MARKS).lower() for token in tokens)
    return np.array([word in STOP_WORDS for word in words], dtype=np.bool_)


_STEP = 4
_WIDE_STEP = 16
_NARROW = 64


def padded_length(tokens: int, most: int) -> int:
    """Padded length of a text with so many tokens, whatever texts share its batch.

    A vector then comes out the same to the last bit in every batch. Lengths are multiples of 4,
    because a matrix library takes rows in fours and rounds a remainder differently. Steps are
    narrow for short texts, so that little is padding.
    """
    step = _STEP if tokens <= _NARROW else _WIDE_STEP
    return min(-(-tokens // step) * step, max(tokens, most))


def batches_by_length(lengths: Sequence[int], most_tokens: int) -> Iterator[tuple[int, list[int]]]:
    """Yield batches of one padded length, the shortest first: the length and the rows.

    `lengths` are padded lengths. A batch has at most `most_tokens` tokens, or one row.
    """
    order = sorted(range(len(lengths)), key=lambda row: (lengths[row], row))
    at = 0
    while at < len(order):
        length = lengths[order[at]]
        end = at + max(1, most_tokens // max(1, length))
        rows = [row for row in order[at:end] if lengths[row] == length]
        yield length, rows
        at += len(rows)
