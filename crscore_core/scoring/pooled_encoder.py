"""A sentence-transformers model, mean-pooled over the tokens that are not stop words."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling

from crscore_core.scoring.encoder import Embeddings
from crscore_core.text import STOP_WORDS

# Marks that byte-level and SentencePiece tokenizers put at the start of a word.
_WORD_MARKS = "\u0120\u2581"


class PooledEncoder:
    """A transformer loaded from a folder; see `Encoder`.

    Each sentence is filtered by its own tokens; the released code filters a whole batch by the
    tokens of its first sentence. Special tokens are left out as well. A sentence that consists of
    stop words keeps them. Threads may share an encoder.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._transformer: Any = SentenceTransformer(
            str(folder),
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"use_safetensors": True, "dtype": "float32"},
        )[0]
        tokenizer: Any = getattr(self._transformer, "tokenizer", None)
        if not getattr(tokenizer, "is_fast", False):
            raise ValueError("it has no token embeddings; choose a transformer model")
        tokenizer.padding_side = "right"
        self._tokenizer = tokenizer
        self._tokens = SentenceTransformer(modules=[self._transformer])
        pooling = Pooling(self._transformer.get_embedding_dimension())
        kept = _KeptTokens(tokenizer)
        self._model = SentenceTransformer(modules=[self._transformer, kept, pooling, Normalize()])
        self._lock = Lock()  # threads cannot share a tokenizer

    def encode(self, texts: Sequence[str], *, with_stop_words: bool = False) -> Embeddings:
        """Embed `texts`; the tau presets do not apply to embeddings `with_stop_words`."""
        with self._lock:
            vectors = self._model.encode(list(texts), with_stop_words=with_stop_words)
            lengths = [len(self._tokenizer(text, verbose=False)["input_ids"]) for text in texts]
        return Embeddings(
            vectors.reshape(len(texts), self._model.get_embedding_dimension()).astype(np.float32),
            np.array(lengths, int) > self._tokenizer.model_max_length,
        )

    def tokens(
        self, texts: Sequence[str]
    ) -> Iterator[tuple[list[tuple[int, int]], NDArray[np.float32]]]:
        """Yield, for each text, the character spans and vectors, (n tokens, n), of its tokens.

        Special tokens have an empty span.
        """
        with self._lock:
            vectors = self._tokens.encode(list(texts), output_value="token_embeddings")
            options = {"truncation": True, "return_offsets_mapping": True}
            encoded = [self._tokenizer(text, **options) for text in texts]
        for encoding, rows in zip(encoded, vectors, strict=True):
            yield encoding["offset_mapping"], rows.cpu().numpy()


class _KeptTokens(torch.nn.Module):  # type: ignore[misc]  # torch is read as untyped
    """Masks special tokens and stop words, unless a text has no other tokens."""

    forward_kwargs = frozenset({"with_stop_words"})

    def __init__(self, tokenizer: Any) -> None:  # noqa: ANN401 - of any model
        super().__init__()
        special = {*tokenizer.all_special_ids} - {tokenizer.unk_token_id}
        words = tokenizer.get_vocab().items()
        stop_words = [i for word, i in words if word.lstrip(_WORD_MARKS).lower() in STOP_WORDS]
        self.register_buffer("special", torch.tensor(sorted(special)))
        self.register_buffer("stop_words", torch.tensor(stop_words))

    def forward(
        self, features: dict[str, torch.Tensor], *, with_stop_words: bool = False
    ) -> dict[str, torch.Tensor]:
        ids, mask = features["input_ids"], features["attention_mask"].bool()
        for ignored in (self.special,) if with_stop_words else (self.special, self.stop_words):
            kept = mask & ~torch.isin(ids, ignored)
            mask = torch.where(kept.any(dim=1, keepdim=True), kept, mask)
        return features | {"attention_mask": mask.long()}
