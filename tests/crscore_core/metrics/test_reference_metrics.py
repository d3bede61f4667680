"""The contract of every metric that needs a reference review; each against its library."""

import numpy as np
import pytest
from numpy.typing import NDArray

from crscore_core.metrics import REFERENCE_METRICS, TextPair, no_score_reason

Scores = dict[str, NDArray[np.float64]]

REVIEW = "Please rename `tmp` to `buffer`, it is not clear what this variable holds."
REFERENCE = "Could we rename tmp? The name of the variable says nothing about what it holds."
TEXTS = (
    REVIEW,
    REFERENCE,
    "LGTM",
    "it is",
    "!!!",
    "Umbenennen: größerer Puffer für `x_1`",
    "请检查空指针。",
    "👍🏽 \u200b\u200d",
    "\u200b",
    "half a pair: \ud83d",
    "<b>no\0markup</b>\r\n\ttab",
    "a + b == c",
    " ".join(f"word{number % 700}" for number in range(10_000)),
)
PAIRS = [TextPair(review, reference) for review in TEXTS for reference in TEXTS]

each_metric = pytest.mark.parametrize("name", REFERENCE_METRICS)


@pytest.fixture(scope="module")
def scores() -> Scores:
    return {
        name: metric.score(PAIRS).reshape(len(TEXTS), -1)
        for name, metric in REFERENCE_METRICS.items()
    }


@each_metric
def test_scores_are_in_range_and_equal_texts_have_the_maximum(name: str, scores: Scores) -> None:
    metric, table = REFERENCE_METRICS[name], scores[name]
    assert metric.title
    assert table.dtype == np.float64
    assert metric.lowest <= table.min() <= table.max() <= 1
    np.testing.assert_allclose(table.diagonal(), 1, atol=1e-6)
    assert table[0, 1] < 1
    if metric.is_symmetric:
        np.testing.assert_allclose(table, table.T, atol=1e-12)
    else:
        assert np.abs(table - table.T).max() > 1e-3


@each_metric
def test_a_score_does_not_depend_on_the_other_pairs(name: str, scores: Scores) -> None:
    order = np.random.default_rng(1).permutation(len(PAIRS))
    again = REFERENCE_METRICS[name].score([PAIRS[row] for row in order])
    np.testing.assert_array_equal(again, scores[name].reshape(-1)[order])


@each_metric
def test_an_empty_text_has_no_score(name: str) -> None:
    pairs = [TextPair(*texts) for texts in (("", "a"), ("a", " \n"), ("", ""), ("a", "a"))]
    scores = REFERENCE_METRICS[name].score(pairs)
    np.testing.assert_array_equal(np.isnan(scores), [True, True, True, False])
    assert [no_score_reason(pair) for pair in pairs] == [
        "the review is empty",
        "the reference is empty",
        "the review and the reference are empty",
        None,
    ]
    assert REFERENCE_METRICS[name].score([]).shape == (0,)
    assert np.isnan(REFERENCE_METRICS[name].score(pairs[:1])).all()


def library_scores(pair: TextPair) -> dict[str, float]:
    import sacrebleu
    from rouge_score.rouge_scorer import RougeScorer

    rouge = RougeScorer(["rougeL"]).score(pair.reference, pair.review)["rougeL"].fmeasure
    bleu = sacrebleu.sentence_bleu(
        pair.review, [pair.reference], lowercase=True, use_effective_order=True
    )
    return {
        "bleu": bleu.score / 100,
        "chrf": sacrebleu.sentence_chrf(pair.review, [pair.reference]).score / 100,
        "chrf++": sacrebleu.sentence_chrf(pair.review, [pair.reference], word_order=2).score / 100,
        "rouge_l": rouge,
    }


@pytest.mark.parametrize(
    "pair",
    [
        TextPair(REVIEW, REFERENCE),
        TextPair("the snake_case, maxCount2 and 3.14", "The max_count of snake case is 3.14 2"),
        TextPair("LGTM", "looks good to me"),
    ],
)
def test_metrics_equal_their_libraries(pair: TextPair) -> None:
    for name, score in library_scores(pair).items():
        assert REFERENCE_METRICS[name].score([pair])[0] == pytest.approx(score, abs=1e-12), name


@pytest.mark.parametrize(
    ("name", "review", "reference", "score"),
    [
        ("edit_distance", "kitten", "sitting", 1 - 3 / 7),  # two letters replaced, one added
        ("rouge_l", "the cat sat here", "The cat was here!", 2 * 3 / 8),  # the, cat, here
        ("rouge_l", "größe prüfen", "Größe nicht prüfen", 2 * 2 / 5),
        ("bleu_without_stop_words", "the lock is never freed", "lock never freed", 1),
        ("bleu_without_stop_words", "it is not", "lock never freed", 0),
        ("exact_match", " a  b\n", "a b", 1),
        ("exact_match", "a b", "A b", 0),
    ],
)
def test_scores_by_hand(name: str, review: str, reference: str, score: float) -> None:
    (found,) = REFERENCE_METRICS[name].score([TextPair(review, reference)])
    assert found == pytest.approx(score, abs=1e-6)


def test_embedding_sim_is_the_cosine_of_all_tokens() -> None:
    from crscore_core.scoring import load_encoder

    one, other = load_encoder().unfiltered().tokens([REVIEW, REFERENCE])
    means = [text.vectors[text.is_pooled].mean(axis=0) for text in (one, other)]
    cosine = means[0] @ means[1] / np.linalg.norm(means[0]) / np.linalg.norm(means[1])
    (score,) = REFERENCE_METRICS["embedding_sim"].score([TextPair(REVIEW, REFERENCE)])
    assert score == pytest.approx(cosine, abs=1e-6)
