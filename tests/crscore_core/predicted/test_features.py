"""Features of a review, and the words that they compare."""

import math
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.errors import SimilarityError
from crscore_core.predicted.features import (
    FEATURES,
    ReviewText,
    evidence,
    review_features,
    suggestions,
)
from crscore_core.predicted.words import PHRASES, content_words

NO_REASON = "gives no reason in words such as because"
TEXTS = st.lists(st.text(max_size=40), min_size=1, max_size=5)


DIFF = """--- a/cache.py
+++ b/cache.py
@@ -1,3 +1,4 @@
 def load(key):
-    return store.get(key)
+    entry_age = clock.now() - store.age(key)
+    return store.get(key)
     # end of lookup
"""


def named(
    references: list[str],
    sentences: list[str],
    similarity: list[list[float]],
    review: str | None = None,
) -> dict[str, float]:
    text = ". ".join(sentences) if review is None else review
    values = review_features(ReviewText(text, DIFF, references, sentences, similarity)).tolist()
    return {feature.name: value for feature, value in zip(FEATURES, values, strict=True)}


def said(review: str) -> dict[str, float]:
    """Features of a review beside one claim, all of it one sentence."""
    return named(["The age of an entry is computed."], [review], [[0.5]], review)


def test_by_hand() -> None:
    # words: {parser, fail}, {cach, entri, expir}; review: parser, crash, cach, parser
    features = named(
        ["The parser fails.", "A cache entry expires."],
        ["The parser crashes", "Cache the parser"],
        [[0.8, 0.3], [0.1, 0.5]],
    )
    wanted = {
        "coverage": (0.8 + 0.5) / 2,
        "focus": (0.8 + 0.5) / 2,
        "word_coverage": (1 / 2 + 1 / 3) / 2,
        "word_focus": 3 / 4,
        "variety": 3 / 4,
        "sentences": math.log(3),
        "words": math.log(7),
        "pseudo_references": math.log(2),
        "changed_words": 0,
        "own_share": 1 / 3,  # crash, of parser, crash and cach
        "own_words": math.log(2),
        "claim_words": 3 / 6,  # "parser" is known as it stands, "the" twice, "Cache"
        "copied_claims": 0,
        "prose": 2 / 6,
        "consequences": math.log(2),
    }
    assert {name: features[name] for name in wanted} == pytest.approx(
        wanted | {"claim_words": 5 / 6}
    )


LOG = {count: math.log1p(count) for count in range(9)}


@pytest.mark.parametrize(
    ("review", "name", "value", "parts"),
    [
        ("Why is `entry_age` read?", "changed_names", LOG[1], ("entry_age",)),
        ("Why is `other_name` read?", "changed_names", 0, ()),
        ("Why is `other_name` read?", "other_names", LOG[1], ("other_name",)),
        ("load(key) is in context", "other_names", 0, ()),
        ("The clock and the entry", "changed_words", LOG[2], ("clock", "entry")),
        ("Bananas beside the clock", "own_words", LOG[2], ("Bananas", "beside")),
        ("The age of an entry is wrong", "copied_claims", 4 / 5, ("the age of", "age of an")),
        ("return store.get(key)", "copied_code", 1, ("return store get", "store get key")),
        ("clock, store, get", "prose", 0, ()),
        ("Why? And when?", "questions", LOG[2], ("Why?", "And when?")),
        ("Use `a` not `b`", "inline_code", LOG[2], ("`a`", "`b`")),
        ("Could you please rename it", "requests", LOG[2], ("Could you", "please")),
        ("Rename it, and remove that", "actions", LOG[2], ("Rename", "and remove")),
        ("Wrong because it leaks", "reasons", LOG[1], ("because",)),
        ("Wrong because it leaks", "consequences", LOG[2], ("Wrong", "leaks")),
        ("@ann see #12", "people", LOG[1], ("@ann",)),
        ("@ann see #12", "links", LOG[1], ("#12",)),
        ("in a later PR", "other_changes", LOG[2], ("later", "PR")),
        ("I like my code", "self_reference", LOG[2], ("I", "my")),
        ("maybe it seems so", "hedges", LOG[2], ("maybe", "seems")),
        ("Great, thanks", "praise", LOG[2], ("Great", "thanks")),
        ("Sorry, thanks", "politeness", LOG[2], ("Sorry", "thanks")),
        ("It isn't never", "negations", LOG[2], ("n't", "never")),
        ("see this here", "pointing", LOG[2], ("this", "here")),
        ("Adds and updates", "description", LOG[2], ("Adds", "updates")),
        ("this change", "whole_change", LOG[1], ("this change",)),
        ("fine <!-- because it leaks -->", "reasons", 0, ()),
    ],
)
def test_a_feature_and_the_part_of_the_review_that_it_comes_from(
    review: str, name: str, value: float, parts: tuple[str, ...]
) -> None:
    assert said(review)[name] == pytest.approx(value)
    text = ReviewText(review, DIFF, ["The age of an entry is computed."], [review], [[0.5]])
    assert evidence(name, text)[: len(parts) or 1] == parts


@pytest.mark.parametrize(
    ("review", "advice"),
    [
        ("Fine", ("names no place in the change", NO_REASON, "asks for nothing")),
        ("Rename entry_age because it misleads", ()),
        ("`entry_age` please", (NO_REASON, "has no whole sentence")),
        (
            "The age of an entry is computed",
            (NO_REASON, "asks for nothing", "repeats what the change says of itself"),
        ),
        (
            "return store.get(key)",
            (NO_REASON, "copies lines of the change", "has no whole sentence"),
        ),
    ],
)  # fmt: skip
def test_suggestions(review: str, advice: tuple[str, ...]) -> None:
    features = np.array(list(said(review).values()))
    worth = np.array([-1 if name.startswith("copied") else 1 for name in said(review)])
    assert suggestions(features, lambda row: float(row @ worth)) == advice
    assert suggestions(features, lambda row: -float(row @ worth)) == ()


@pytest.mark.parametrize("filler", ["a", " ", "\n", "`", "?", "please ", "@", "a.b", "_"])
def test_long_reviews_take_no_time(filler: str) -> None:
    for pattern in PHRASES.values():
        pattern.findall(filler * 20_000)


def test_rows_and_columns_count_differently_and_shares_of_no_words_are_0() -> None:
    features = named(["the"], ["?", "?"], [[0.2, 0.6]])
    assert (features["coverage"], features["focus"]) == pytest.approx((0.6, 0.4))
    for name in ("word_coverage", "word_focus", "variety", "words"):
        assert features[name] == 0


@pytest.mark.parametrize(
    "matrix",
    [[[]], [[0.1, 0.2]], [[0.1], [0.2]], [0.1], [[float("nan")]], [[float("inf")]]],
)
def test_a_matrix_of_other_texts_is_refused(matrix: object) -> None:
    with pytest.raises(SimilarityError):
        review_features(ReviewText("b", DIFF, ["a"], ["b"], np.array(matrix)))
    with pytest.raises(SimilarityError):
        review_features(ReviewText("", DIFF, [], [], np.zeros((0, 0))))


@given(references=TEXTS, sentences=TEXTS, data=st.data())
def test_features_are_finite_and_independent_of_order(
    references: list[str], sentences: list[str], data: st.DataObject
) -> None:
    cells = st.floats(-1, 1)
    matrix = np.array([[data.draw(cells) for _ in sentences] for _ in references])
    review = "\n".join(sentences)
    features = review_features(ReviewText(review, DIFF, references, sentences, matrix))
    assert np.isfinite(features).all()
    assert (features[:2] >= -1).all()
    assert (features[:5] <= 1 + 1e-12).all()
    assert (features[2:] >= 0).all()
    turned = review_features(
        ReviewText(review, DIFF, references[::-1], sentences[::-1], matrix[::-1, ::-1])
    )
    assert turned == pytest.approx(features, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        ("the of and", ()),
        ("The parser fails.", ("parser", "fail")),
        ("maxRetryCount", ("max", "retri", "count")),
        ("the max retry counts", ("max", "retri", "count")),
        ("MAX_RETRY_COUNT", ("max", "retri", "count")),
        ("HTTPServer", ("http", "server")),
        ("utf8 and sha256", ("utf", "sha", "256")),
        ("i = x + 10", ("10",)),
        ("retries retrying retry", ("retri", "retri", "retri")),
        ("größe prüfen", ("größe", "prüfen")),
        ("配列 が空", ("配列", "が空")),
        ("z" * 41 + "ing", ("z" * 41 + "ing",)),
    ],
)
def test_content_words(text: str, words: tuple[str, ...]) -> None:
    assert content_words(text) == words


@pytest.mark.parametrize(("text", "count"), [("", 0), ("?!", 0), ("a b_c d.e", 4), ("don't", 2)])
def test_every_word_counts(text: str, count: int) -> None:
    assert named(["x"], [text], [[0.5]])["words"] == pytest.approx(math.log1p(count))


def test_threads_may_stem_at_once() -> None:
    texts = [f"running walkers{number} classes" for number in range(10, 200)]
    expected = [("run", "walker", str(number), "class") for number in range(10, 200)]
    results: list[list[tuple[str, ...]]] = []
    threads = [
        threading.Thread(target=lambda: results.append([content_words(text) for text in texts]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4
