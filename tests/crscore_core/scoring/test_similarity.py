"""Similarity matrices, with every text embedded once by any encoder."""

import sys
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.claims import PseudoReference, ReferenceKind
from crscore_core.errors import ModelError, UnavailableError
from crscore_core.scoring import Embeddings, Encoder
from crscore_core.scoring.encoder import Comparison
from crscore_core.scoring.encoder import embed_and_compare as compare_changes
from tests.word_encoder import WordEncoder

Convert = Callable[[np.ndarray[Any, Any]], Any]
Texts = tuple[Sequence[str | Sequence[str]], Sequence[Sequence[str]]]
"""References, each a string or a list of wordings, and the sentences of reviews."""
_TEXTS = st.lists(st.text("abc ", min_size=1, max_size=5), min_size=1, max_size=4)


def reference(given: str | Sequence[str]) -> PseudoReference:
    text, wordings = (given, ()) if isinstance(given, str) else ("not compared", tuple(given))
    return PseudoReference(text, ReferenceKind.CLAIM, "given", None, None, wordings)


def compare(encoder: Encoder, *texts: Texts) -> list[list[Comparison]]:
    changes = [([*map(reference, references)], reviews) for references, reviews in texts]
    compared = compare_changes(encoder, changes)
    assert not any(isinstance(one, ModelError) for one in compared)
    return cast("list[list[Comparison]]", compared)


class VectorEncoder:
    """Reads each text as the numbers of a vector, and returns the vectors after `convert`."""

    name = "my vectors"

    def __init__(self, convert: Convert) -> None:
        self._convert = convert

    def encode(self, texts: Sequence[str]) -> Any:  # noqa: ANN401 - what users return
        return self._convert(np.array([[float(part) for part in text.split()] for text in texts]))


@pytest.mark.parametrize("convert", [
    np.float16, np.ndarray.tolist, lambda vectors: np.int32(vectors * 10), torch.tensor,
    lambda vectors: Embeddings((vectors * 1e30).astype("f4"), np.zeros(len(vectors), "?")),
])  # fmt: skip
def test_similarities_are_cosines_whatever_the_lengths_of_the_vectors(convert: Convert) -> None:
    ((only,),) = compare(VectorEncoder(convert), (["3 4", "0 0", "-2 0"], [["1 0", "0 70", "6 8"]]))
    expected = np.array([[0.6, 0.8, 1], [0, 0, 0], [-1, 0, -0.6]])
    assert only.similarity == pytest.approx(expected, abs=1e-3)
    assert only.n_truncated == 0


@pytest.mark.parametrize("convert", [
    lambda _: None, lambda vectors: vectors[:-1], lambda vectors: vectors.astype(str) + "x",
    lambda vectors: [[1.0], *vectors.tolist()[1:]],
    *(lambda vectors, odd=odd: np.where(vectors == 4, odd, vectors)
      for odd in (np.nan, np.inf, 1e300)),
    lambda vectors: Embeddings(vectors, np.zeros(1, np.bool_)), lambda _: 1 / 0, sys.exit,
    lambda vectors: vectors + 1j,
    lambda vectors: Embeddings(vectors, np.array(["False"] * len(vectors))),
    lambda vectors: vectors[:, :0],
])  # fmt: skip
def test_a_failing_encoder_is_named_and_costs_one_change(convert: Convert) -> None:
    encoder = VectorEncoder(lambda vectors: convert(vectors) if 4 in vectors else vectors)
    texts = [(["1 0"], [["0 1"]]), (["3 4"], [["2 0"]]), (["5 5"], [["0 3"]])]
    changes = [([*map(reference, references)], reviews) for references, reviews in texts]
    first, failed, last = compare_changes(encoder, changes)
    assert isinstance(failed, ModelError)
    assert "'my vectors'" in str(failed)
    assert not isinstance(first, ModelError)
    assert not isinstance(last, ModelError)
    assert [only.similarity[0, 0] for (only,) in (first, last)] == pytest.approx([0, 0.5**0.5])


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, UnavailableError("no disk")])
def test_an_error_that_no_change_would_survive_is_raised(error: BaseException) -> None:
    def fail(_: object) -> None:
        raise error

    with pytest.raises(error if isinstance(error, type) else type(error)):
        compare(VectorEncoder(fail), (["1"], [["2"]]), (["3"], [["4"]]))


def test_only_the_text_of_truncated_references_counts() -> None:
    references = [["alpha", "gamma delta"], ["gamma", "much longer than this"]]
    ((found,),) = compare(WordEncoder(longest=10), (references, [["gamma delta", "gamma"]]))
    assert found.n_truncated == 1  # the first sentence


@given(st.lists(_TEXTS, min_size=1, max_size=4), _TEXTS)
def test_a_reference_is_as_similar_as_its_best_wording(
    rows: list[list[str]], sentences: list[str]
) -> None:
    each_alone = ((row, [sentences]) for row in rows)
    (found,), *alone = compare(WordEncoder(), (rows, [sentences]), *each_alone)
    best = [wordings.similarity.max(axis=0) for (wordings,) in alone]
    assert found.similarity == pytest.approx(np.array(best), abs=1e-5)
    assert np.abs(found.similarity).max() <= 1


@pytest.mark.parametrize(("changes", "calls"), [
    ([(["a", "b", "a"], [["a", "c"], ["c", "c"], []])], [("a", "b", "c")]),
    ([(["a", "b"], [["c"]]), (["b"], [["a", "d"], ["c"]])], [("a", "b", "c", "d")]),
    ([(["a"], [["b"]]), (["c"], [[]]), ([], [["d"]])], [("a", "b")]),
    ([([], [[], []]), (["a"], [])], []),
])  # fmt: skip
def test_every_text_is_embedded_once(changes: list[Texts], calls: list[tuple[str, ...]]) -> None:
    encoder = WordEncoder()
    compare(encoder, *changes)
    assert encoder.calls == calls
