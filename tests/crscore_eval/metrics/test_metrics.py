"""The contract of every metric that needs a reference review, and agreement with its library."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from crscore_core.errors import InputError
from crscore_core.scoring import DEFAULT_ENCODER, load_encoder
from crscore_eval.metrics.registry import METRICS, Metric
from crscore_eval.metrics.values import (
    compute_metric,
    label_heading,
    labels_by_name,
    metric_names,
    metric_title,
    metric_values,
    reference_reviews,
)
from crscore_eval.table import GROUND_TRUTH
from tests.crscore_eval.validity.one_sentence_reviews import one_sentence_reviews, run_of_reviews

REVIEW = "Please rename `tmp` to `buffer`, it is not clear what this variable holds."
REFERENCE = "Could we rename tmp? The name of the variable says nothing about what it holds."
TEXTS = (
    REVIEW, REFERENCE, "LGTM", "it is", "!!!", "Umbenennen: größerer Puffer für `x_1`",
    "请检查空指针。", "👍🏽 \u200b\u200d", "\u200b", "half a pair: \ud83d",
    "<b>no\0markup</b>\r\n\ttab", " ".join(f"word{number % 700}" for number in range(5_000)),
)  # fmt: skip
WITH_REFERENCE = [name for name, metric in METRICS.items() if metric.needs == "reference"]
SYMMETRIC = {"edit_distance", "rouge_l", "bertscore_f1", "codebertscore_f1", "exact_match",
             "embedding_sim"}  # fmt: skip
RATINGS = pytest.approx([3, 4, np.nan, 1], nan_ok=True)


def score(name: str, reviews: list[str], others: list[str]) -> NDArray[np.floating[Any]]:
    return compute_metric(
        name, pd.Series(reviews, dtype=object), pd.Series(others, dtype=object)
    ).to_numpy()


@pytest.mark.parametrize("name", WITH_REFERENCE)
def test_scores_are_in_range_and_equal_texts_have_the_maximum(name: str) -> None:
    reviews, others = zip(*itertools.product(TEXTS, TEXTS), strict=True)
    table = score(name, [*reviews], [*others]).reshape(len(TEXTS), len(TEXTS))
    assert (-1 if name == "embedding_sim" else 0) <= table.min() <= table.max() <= 1
    np.testing.assert_allclose(table.diagonal(), 1, atol=1e-5)
    assert table[0, 1] < 1
    if name in SYMMETRIC:
        np.testing.assert_allclose(table, table.T, atol=1e-5)
    else:
        assert np.abs(table - table.T).max() > 1e-3


@pytest.mark.parametrize("name", WITH_REFERENCE)
def test_an_empty_text_has_no_score(name: str) -> None:
    scores = score(name, ["", "a", "", "a"], ["a", " \n", "", "a"])
    assert np.isnan(scores).tolist() == [True, True, True, False]
    assert score(name, [], []).shape == (0,)


def test_values_of_another_metric_are_kept_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Metric("own", "code", lambda reviews, _: [len(review) for review in reviews])
    monkeypatch.setitem(METRICS, "own", own)
    assert score("own", ["a", "four"], ["", ""]).tolist() == [1, 4]


@pytest.mark.parametrize(("review", "reference"), [
    (REVIEW, REFERENCE),
    ("the snake_case, maxCount2 and 3.14", "The max_count of snake case is 3.14 2"),
    ("LGTM", "looks good to me"),
])  # fmt: skip
def test_metrics_equal_their_libraries(review: str, reference: str) -> None:
    import sacrebleu
    from rouge_score.rouge_scorer import RougeScorer

    bleu = sacrebleu.sentence_bleu(review, [reference], lowercase=True, use_effective_order=True)
    expected = {
        "bleu": bleu.score / 100,
        "chrf": sacrebleu.sentence_chrf(review, [reference]).score / 100,
        "chrf++": sacrebleu.sentence_chrf(review, [reference], word_order=2).score / 100,
        "rouge_l": RougeScorer(["rougeL"]).score(reference, review)["rougeL"].fmeasure,
    }
    found = {name: score(name, [review], [reference])[0] for name in expected}
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("name", "review", "reference", "expected"), [
    ("edit_distance", "kitten", "sitting", 1 - 3 / 7),  # two letters replaced, one added
    ("rouge_l", "the cat sat here", "The cat was here!", 2 * 3 / 8),  # the, cat, here
    ("rouge_l", "größe prüfen", "Größe nicht prüfen", 2 * 2 / 5),
    ("bleu_without_stop_words", "the lock is never freed", "lock never freed", 1),
    ("bleu_without_stop_words", "it is not", "lock never freed", 0),
    ("exact_match", " a  b\n", "a b", 1),
    ("exact_match", "a b", "A b", 0),
])  # fmt: skip
def test_scores_by_hand(name: str, review: str, reference: str, expected: float) -> None:
    assert score(name, [review], [reference])[0] == pytest.approx(expected, abs=1e-6)


def test_embedding_sim_is_the_cosine_of_all_tokens() -> None:
    tokens = load_encoder().tokens([REVIEW, REFERENCE])
    # without the special tokens at both ends
    means = [vectors[1:-1].mean(axis=0) for _, vectors in tokens]
    cosine = means[0] @ means[1] / np.linalg.norm(means[0]) / np.linalg.norm(means[1])
    similarity = score("embedding_sim", [REVIEW], [REFERENCE])[0]
    assert similarity == pytest.approx(cosine, abs=1e-5)


RUN = run_of_reviews(
    one_sentence_reviews(
        ("0", "a", 0.6, 3), ("0", "b", 0.4, 4), ("0", GROUND_TRUTH, 0.9, 5), ("1", "a", 0.7, 1)
    )
)


def test_scores_are_columns_at_any_tau() -> None:
    assert metric_values(RUN, "rel").tolist() == [1, 0, 1, 1]
    assert metric_values(RUN, "con", 0.65).tolist() == [0, 0, 1, 1]
    assert metric_values(RUN, "no_threshold").tolist() == pytest.approx([0.6, 0.4, 0.9, 0.7])


def test_a_reference_is_the_reviews_own_or_the_ground_truth() -> None:
    assert reference_reviews(RUN.reviews).tolist() == ["Why `x`?"] * 3 + [""]
    own = RUN.reviews.assign(reference=["mine", np.nan, "", "mine too"])
    assert reference_reviews(own).tolist() == ["mine", "Why `x`?", "Why `x`?", "mine too"]
    matches = metric_values(RUN, "exact_match")
    assert matches.tolist() == pytest.approx([1, 1, 1, np.nan], nan_ok=True)
    assert metric_values(RUN, "shared_identifiers").tolist() == [1] * 4


def test_a_column_of_the_run_is_not_computed_again() -> None:
    given = RUN._replace(reviews=RUN.reviews.assign(metric_words=[9.0, 9, 9, 9], own=[1, 2, 3, 4]))
    assert metric_values(given, "words").tolist() == [9] * 4
    assert metric_values(given, "own").tolist() == [1, 2, 3, 4]
    for unknown in ("blue", "review"):
        with pytest.raises(InputError):
            metric_values(given, unknown)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_has_values_of_a_run(name: str) -> None:
    values = metric_values(RUN, name)
    assert values.name == name
    assert values[:3].notna().all()


def test_labels_are_ratings_and_labels_by_their_names() -> None:
    reviews = RUN.reviews.assign(label_right=[1, 0, 1, np.nan], label_nobody=np.nan)
    values = labels_by_name(reviews)
    assert list(values) == ["relevance", "comprehensiveness", "conciseness", "right"]
    assert values["relevance"].tolist() == RATINGS


@pytest.mark.parametrize(("is_rated", "name"), [(True, "label_relevance"), (False, "relevance")])
def test_a_label_never_hides_the_ratings_of_its_name(is_rated: bool, name: str) -> None:
    reviews = RUN.reviews.assign(label_relevance=[0.0, 1, 0, 1])
    reviews = reviews if is_rated else reviews.assign(human_relevance=np.nan)
    values = labels_by_name(reviews)
    assert values[name].tolist() == pytest.approx([0, 1, np.nan, 1], nan_ok=True)
    assert label_heading(reviews, name) == "label relevance"
    assert not is_rated or values["relevance"].tolist() == RATINGS
    assert not is_rated or "people's ratings" in label_heading(reviews, "relevance")


def test_judges_relevance_is_among_the_metrics() -> None:
    figures = {"judge_gpt_relevance": 3.0, "judge_gpt_right": 1.0, "judge_relevance": 2.0}
    texts = {"judge_reason": "", "judge_model": "m"}
    judged = RUN._replace(reviews=RUN.reviews.assign(**figures, **texts))
    assert metric_names(judged) == [*METRICS, "judge_gpt_relevance", "judge_relevance"]
    assert metric_title("judge_gpt_relevance") == "relevance (judge: gpt)"
    assert all(metric_title(name) for name in METRICS)


def test_titles_name_the_encoder_and_not_a_metric_of_another_model() -> None:
    names = [name for name in METRICS if name.startswith(("bert", "codebert", "embedding"))]
    titles = [METRICS[name].title for name in names]
    assert len({title[:40] for title in titles}) == len(titles) == 6  # as charts cut them
    assert all(title.endswith(f" ({DEFAULT_ENCODER})") for title in titles)
    assert not any("bertscore" in metric.title.lower() for metric in METRICS.values())
