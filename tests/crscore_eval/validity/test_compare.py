"""Metrics next to each other: hand-calculated figures, labels, judges, progress."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

from crscore_core.errors import InputError
from crscore_eval.table import GROUND_TRUTH, measure_values
from crscore_eval.validity import compare_document, compare_metrics, compared_with_base
from crscore_eval.validity.compare import findings
from tests.crscore_eval.validity.one_sentence_reviews import one_sentence_reviews, run_of_reviews

RANDOM = np.random.default_rng(2)
N = 48
RATED = one_sentence_reviews(
    *((f"{n // 4}", "abcd"[n % 4], float(RANDOM.random()), float(1 + n % 5)) for n in range(N)),
    language=["python"] * 24 + ["java"] * 24,
).drop(columns=["human_conciseness", "human_comprehensiveness"])
RATED["judge_gpt_relevance"] = RATED["human_relevance"] + RANDOM.normal(0, 0.1, N)
RATED["judge_gpt_right"] = 1.0
RATED["label_right"] = (RATED["human_relevance"] > 3) * 1.0
RATED["metric_bleu"] = RANDOM.random(N)
RATED["own"] = RANDOM.random(N)
FRAME = compare_metrics(
    run_of_reviews(RATED), ["rel", "bleu", "judge_gpt_relevance", "own"], n_resamples=200
)


def value(label: str, metric: str, statistic: str, language: str = "") -> float:
    keys = FRAME[["label", "metric", "statistic", "language"]]
    chosen = FRAME[(keys == [label, metric, statistic, language]).all(axis=1)]
    return float(chosen["value"].iloc[0])


def test_graded_and_binary_labels_have_their_statistics() -> None:
    people = RATED["human_relevance"]
    for metric in ("bleu", "own", "judge_gpt_relevance"):
        column = RATED.get(metric, RATED.get(f"metric_{metric}"))
        assert column is not None
        assert value("relevance", metric, "spearman") == pytest.approx(
            column.corr(people, method="spearman")
        )
        assert value("right", metric, "auc") == pytest.approx(
            roc_auc_score(RATED["label_right"], column)
        )
    by_label = FRAME.groupby("label")["statistic"].unique().map(set)
    shared = {"difference", "p", "p_corrected"}
    assert by_label["relevance"] == {"spearman"} | shared
    assert by_label["right"] == {"auc"} | shared


def test_reviews_on_which_raters_disagree_are_of_neither_class() -> None:
    split = RATED.assign(label_right=RATED["label_right"].where(RATED.index % 9 > 0, 0.5))
    frame = compare_metrics(run_of_reviews(split), ["bleu"], n_resamples=2)
    auc = frame[(frame["statistic"] == "auc") & (frame["language"] == "")]
    agreed = split[split["label_right"] != 0.5]
    assert auc["rows"].tolist() == [len(agreed)]
    expected = roc_auc_score(agreed["label_right"], agreed["metric_bleu"])
    assert auc["value"].tolist() == pytest.approx([expected])


def test_differences_are_from_relevance_or_else_the_first_metric_and_corrected() -> None:
    for metric in ("bleu", "judge_gpt_relevance", "own"):
        difference = value("relevance", metric, "spearman") - value("relevance", "rel", "spearman")
        assert value("relevance", metric, "difference") == pytest.approx(difference)
        corrected = value("relevance", metric, "p_corrected")
        assert value("relevance", metric, "p") <= corrected <= 1
    assert value("relevance", "judge_gpt_relevance", "p_corrected") < 0.05
    assert FRAME.query("metric == 'rel' and statistic == 'difference'").empty
    other = compare_metrics(run_of_reviews(RATED), ["own", "bleu"], n_resamples=20)
    assert set(other[other["statistic"] == "difference"]["metric"]) == {"bleu"}


def test_the_table_has_each_metric_minus_the_base() -> None:
    figures = FRAME[FRAME["label"] == "relevance"]
    base, table = compared_with_base(figures)
    assert base == "rel"
    assert table["metric"].tolist() == ["rel", "bleu", "judge_gpt_relevance", "own"]
    rows = table.set_index("metric")
    assert rows.loc["rel", ["difference", "p"]].isna().all()
    others = rows.drop("rel")
    expected = others["value"] - rows["value"]["rel"]
    assert others["difference"].tolist() == pytest.approx(expected.tolist())
    assert (others["difference_low"] <= others["difference"]).all()
    assert (others["difference"] <= others["difference_high"]).all()


def test_languages_have_the_main_statistic() -> None:
    java = RATED[RATED["language"] == "java"]
    expected = java["own"].corr(java["human_relevance"], method="spearman")
    assert value("relevance", "own", "spearman", "java") == pytest.approx(expected)


def test_judges_relevance_is_compared_like_any_metric_by_default() -> None:
    frame = compare_metrics(run_of_reviews(RATED), n_resamples=10, labels=["right"])
    assert {"judge_gpt_relevance", "words", "codebertscore_f3"} <= set(frame["metric"])
    assert "judge_gpt_right" not in set(frame["metric"])
    without = frame.query("metric == 'chrf' and statistic == 'auc'")
    assert without[["rows", "value"]].to_numpy().tolist() == [
        [0, pytest.approx(np.nan, nan_ok=True)]
    ]


def test_the_document_has_the_first_label_at_the_top_and_all_below() -> None:
    document = compare_document(run_of_reviews(RATED), FRAME)
    assert (document["label"], document["rows"], list(document["labels"])) == (
        "relevance", N, ["relevance", "right"]
    )  # fmt: skip
    bleu = document["labels"]["right"]["metrics"]["bleu"]
    assert {"rows", "auc", "ci", "difference", "p_corrected", "by_language"} <= set(bleu)
    assert bleu["ci"][0] < bleu["auc"] < bleu["ci"][1]
    one = FRAME[FRAME["label"] == "right"]
    assert "labels" not in compare_document(run_of_reviews(RATED), one)


def test_few_changes_have_no_intervals() -> None:
    few = run_of_reviews(RATED.head(20))  # five changes
    frame = compare_metrics(few, ["rel", "own"], n_resamples=20)
    assert frame["low"].isna().all()
    assert frame.query("statistic == 'p'")["value"].isna().all()


def test_all_metrics_are_compared_on_the_reviews_that_each_of_them_scores() -> None:
    reviews = RATED.assign(own=RATED["own"].where(RATED.index > 10))
    frame = compare_metrics(run_of_reviews(reviews), ["rel", "own"], n_resamples=20)
    rows = frame.query("label == 'relevance' and language == ''")
    assert set(rows["rows"]) == {N - 11}
    common = RATED[RATED.index > 10]
    scores = measure_values(common, "relevance")
    expected = scores.corr(common["human_relevance"], method="spearman")
    assert rows["value"].iloc[0] == pytest.approx(expected)


def test_a_metric_of_few_reviews_is_left_out_unless_it_is_named() -> None:
    reviews = RATED.assign(own=RATED["own"].where(RATED.index > 30))
    run = run_of_reviews(reviews)
    frame = compare_metrics(run, labels=["relevance"], n_resamples=5)
    _, table = compared_with_base(frame)
    own = table.set_index("metric").loc["own"]
    assert (own["rows"], np.isnan(own["value"])) == (N - 31, True)
    assert f"{N - 31}" in own["remark"]
    named = compare_metrics(run, ["rel", "own"], labels=["relevance"], n_resamples=5)
    assert set(named["rows"][named["language"] == ""]) == {N - 31}


def test_metrics_without_a_common_review_cannot_be_compared() -> None:
    reviews = RATED.assign(
        own=RATED["own"].where(RATED.index > 24),
        metric_bleu=RATED["metric_bleu"].where(RATED.index < 24),
    )
    with pytest.raises(InputError, match="own"):
        compare_metrics(run_of_reviews(reviews), ["own", "bleu"], n_resamples=5)


def test_the_ground_truth_is_not_compared_but_is_the_reference() -> None:
    truth = RATED.head(12).assign(system=GROUND_TRUTH, review="Why is it x?")
    reviews = pd.concat([RATED, truth], ignore_index=True).drop(columns="metric_bleu")
    frame = compare_metrics(run_of_reviews(reviews), ["bleu"], labels=["relevance"], n_resamples=20)
    assert frame.query("statistic == 'spearman'")["rows"].iloc[0] == 12  # of three changes


def test_progress_names_what_is_computed() -> None:
    steps: list[str] = []
    compare_metrics(
        run_of_reviews(RATED),
        ["rel", "bleu"],
        n_resamples=5,
        on_progress=lambda done, total=None, step="": steps.append(f"{done} of {total}: {step}"),
    )
    assert steps[:2] == ["0 of 4: relevance", "1 of 4: BLEU"]
    assert len(steps) == 4


@pytest.mark.parametrize(
    "options",
    [
        {"metrics": ["blue"]},
        {"metrics": ["review"]},
        {"labels": ["worth"]},
    ],
)
def test_rejects_unknown_names(options: dict[str, list[str]]) -> None:
    with pytest.raises(InputError):
        compare_metrics(run_of_reviews(RATED), n_resamples=5, **options)  # type: ignore[arg-type]


def test_rejects_reviews_without_labels() -> None:
    with pytest.raises(InputError):
        compare_metrics(run_of_reviews(RATED.filter(regex="^(?!human|label)")), ["rel"])


@pytest.mark.parametrize(
    ("difference", "p", "sentence"),
    [
        (-0.2, 0.001, ""),
        (-0.2, 0.4, "is not shown to agree better"),
        (0.2, 0.4, "is not shown to agree better"),
        (0.2, 0.001, "agrees significantly less"),
        (0.2, None, "was not tested"),
        (None, None, ""),
    ],
)
@pytest.mark.parametrize(
    ("statistic", "low", "high", "is_below_chance"),
    [("auc", 0.1, 0.4, True), ("auc", 0.4, 0.6, False), ("spearman", -0.5, -0.1, True),
     ("spearman", 0.1, 0.3, False), ("auc", None, None, False)],
)  # fmt: skip
def test_findings_say_what_the_figures_show(  # noqa: PLR0917 - the columns of a table
    difference: float | None, p: float | None, sentence: str,
    statistic: str, low: float | None, high: float | None, is_below_chance: bool,
) -> None:  # fmt: skip
    rows = [("rel", 0.3, low, high, None, None), ("words", 0.5, 0.4, 0.6, difference, p)]
    columns = ["metric", "value", "low", "high", "difference", "p"]
    table = pd.DataFrame(rows, columns=columns)
    table[columns[1:]] = table[columns[1:]].astype(float)
    found = findings("rel", table, "label useful", statistic)
    assert len(found) == is_below_chance + bool(sentence)
    assert ("Relevance contradicts the label useful" in " ".join(found)) is is_below_chance
    assert not is_below_chance or "contradicts" in found[0]
    assert sentence in " ".join(found)
    assert len(findings("words", table[::-1], "label useful", statistic)) <= 1
