"""Sentences by the rule of the original, and similarity matrices with every text embedded once."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.claims import PseudoReference, ReferenceKind
from crscore_core.scoring import Encoder, read_review
from crscore_core.scoring.similarity import Comparison
from crscore_core.scoring.similarity import embed_and_compare as compare_changes
from tests.word_encoder import WordEncoder

Texts = tuple[Sequence[str | Sequence[str]], Sequence[Sequence[str]]]
"""References, each a text or a list of wordings, and the sentences of reviews."""


def reference(given: str | Sequence[str]) -> PseudoReference:
    first, *wordings = [given] if isinstance(given, str) else given
    return PseudoReference(first, ReferenceKind.CLAIM, "given", None, None, tuple(wordings))


def compare(encoder: Encoder, *texts: Texts) -> list[list[Comparison]]:
    changes = [([*map(reference, references)], reviews) for references, reviews in texts]
    return compare_changes(encoder, changes)


def test_rows_are_references_and_columns_sentences() -> None:
    texts = (["alpha beta", "gamma"], [["gamma", "beta alpha", "delta"]])
    ((only,),) = compare(WordEncoder(longest=9), texts)
    assert only.similarity.shape == (2, 3)
    assert only.similarity.dtype == np.float32
    assert [only.similarity[0, 1], only.similarity[1, 0]] == pytest.approx([1, 1])
    assert abs(only.similarity[0, 2]) < 0.6
    assert only.n_truncated == 2


def test_cosines_stay_within_one() -> None:
    texts = [f"word{number} common" for number in range(50)]
    ((only,),) = compare(WordEncoder(), (texts, [texts]))
    assert -1 <= only.similarity.min() <= only.similarity.max() <= 1
    assert np.allclose(np.diag(only.similarity), 1)


def test_a_reference_is_as_similar_as_its_best_wording() -> None:
    sentences = ["gamma delta", "epsilon", "beta long", "gamma"]
    worded = [["alpha", "epsilon", "gamma delta"], "beta long", ["gamma", "much longer than this"]]
    plain = ["alpha", "beta long", "gamma"]
    (alone,), (found,), (others,) = compare(
        WordEncoder(longest=10),
        (plain, [sentences]),
        (worded, [sentences]),
        (["epsilon", "gamma delta"], [sentences]),
    )
    best = np.maximum(alone.similarity[0], others.similarity.max(axis=0))
    assert found.similarity[0] == pytest.approx(best, abs=1e-5)
    assert found.similarity[0, :2] == pytest.approx([1, 1])
    assert found.similarity[1] == pytest.approx(alone.similarity[1], abs=1e-5)
    # The first sentence is truncated; of a pseudo-reference only the text counts.
    assert found.n_truncated == 1


_TEXTS = st.lists(st.text("abc ", min_size=1, max_size=5), min_size=1, max_size=4)


@given(st.lists(_TEXTS, min_size=1, max_size=4), _TEXTS)
def test_wordings_never_lower_a_similarity(rows: list[list[str]], sentences: list[str]) -> None:
    first = [row[0] for row in rows]
    (without,), (found,) = compare(WordEncoder(), (first, [sentences]), (rows, [sentences]))
    assert (found.similarity >= without.similarity - 1e-6).all()


CHANGES: list[Texts] = [
    (["alpha beta", "gamma"], [["gamma", "delta"], [], ["alpha", "alpha"]]),
    ([], [["alpha"], []]),
    (["gamma"], []),
    ([], []),
    (["epsilon", "alpha beta"], [["a much longer sentence", "gamma"]]),
]


def test_shapes_follow_the_texts_where_some_are_missing() -> None:
    shapes = [
        [comparison.similarity.shape for comparison in comparisons]
        for comparisons in compare(WordEncoder(), *CHANGES)
    ]
    assert shapes == [[(2, 2), (2, 0), (2, 2)], [(0, 1), (0, 0)], [], [], [(2, 2)]]


@pytest.mark.parametrize(
    ("changes", "calls"),
    [
        ([(["a", "b", "a"], [["a", "c"], ["c", "c"], []])], [("a", "b", "c")]),
        ([(["a", "b"], [["c"]]), (["b"], [["a", "d"], ["c"]])], [("a", "b", "c", "d")]),
        ([(["a"], [["b"]]), (["c"], [[]]), ([], [["d"]])], [("a", "b")]),
        ([], []),
        ([([], [])], []),
        ([([], [[], []]), ([], [])], []),
    ],
)
def test_every_text_that_matters_is_embedded_once(
    changes: list[Texts], calls: list[tuple[str, ...]]
) -> None:
    encoder = WordEncoder()
    compare(encoder, *changes)
    assert encoder.calls == calls


@pytest.mark.parametrize(
    ("review", "sentences"),
    [
        ("One thing. Another thing.", ("One thing", "Another thing.")),
        ("Why? Because.", ("Why", "Because.")),
        ("first line\nsecond line", ("first line", "second line")),
        ("blank\n\n\nlines", ("blank", "lines")),
        ("Use e.g.this.method()", ("Use e.g.this.method()",)),
        ("Wow! No break there", ("Wow! No break there",)),
        ("a. b? c\nd", ("a", "b", "c", "d")),
        ("ends with a blank. ", ("ends with a blank.",)),
        ("Same. Same. Same", ("Same", "Same", "Same")),
        (". ? . ", (".",)),
        ("⚠️\n\n---\n\nSee", ("See",)),
        ("👍", ("👍",)),
        (".", (".",)),
        ("", ()),
        (" \t\n ", ()),
        ("\u200b\u200d\ufeff", ()),
        ("\x00\x1b", ()),
        ("LGTM", ("LGTM",)),
        ("- item one\n- item two", ("item one", "item two")),
        ("carriage\r\nreturn", ("carriage", "return")),
        ("line\u2028separator is no break", ("line separator is no break",)),
        ("a\n" * 999 + "b\n \nc\nd", (*("a",) * 999, "b")),
    ],
)
def test_splits_at_newlines_and_at_marks_before_a_blank(
    review: str, sentences: tuple[str, ...]
) -> None:
    assert read_review(review).sentences == sentences
