"""Metrics next to each other: hand-calculated figures, labels, judges, progress."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

from crscore_core.errors import InputError
from crscore_eval.data.shipped import shipped_run
from crscore_eval.metrics.values import named_measure
from crscore_eval.table import GROUND_TRUTH
from crscore_eval.table.measures import measure_values
from crscore_eval.validity.compare import compare_metrics, findings, label_notes
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
TABLE = compare_metrics(run_of_reviews(RATED), ["relevance", "bleu", "judge_gpt_relevance", "own"])


COMPARED = TABLE.set_index(["label", "metric"])
BY_SYSTEM = RATED.groupby("system")  # of 12 reviews each


def test_graded_and_binary_labels_have_their_statistics() -> None:
    people = RATED["human_relevance"]
    for metric, column in (("bleu", "metric_bleu"), ("own", "own")):
        expected = RATED[column].corr(people, method="spearman")
        assert COMPARED["value"]["relevance", metric] == pytest.approx(expected)
        each = [of[column].corr(of["human_relevance"], "spearman") for _, of in BY_SYSTEM]
        assert COMPARED["within"]["relevance", metric] == pytest.approx(np.mean(each))
        auc = roc_auc_score(RATED["label_right"], RATED[column])
        assert COMPARED["value"]["right", metric] == pytest.approx(auc)
    by_label = TABLE.groupby("label")["statistic"].unique().map(list)
    assert by_label.to_dict() == {"relevance": ["spearman"], "right": ["auc"]}


def test_reviews_on_which_raters_disagree_are_of_neither_class() -> None:
    split = RATED.assign(label_right=RATED["label_right"].where(RATED.index % 9 > 0, 0.5))
    table = compare_metrics(run_of_reviews(split), ["bleu"], labels=["right"])
    agreed = split[split["label_right"] != 0.5]
    expected = roc_auc_score(agreed["label_right"], agreed["metric_bleu"])
    assert table[["rows", "value"]].to_numpy().tolist() == [[len(agreed), pytest.approx(expected)]]


def test_differences_are_from_relevance_or_else_the_first_metric() -> None:
    assert set(TABLE["base"]) == {"rel"}
    assert TABLE[TABLE["metric"] == "rel"][["difference", "p"]].isna().all(axis=None)
    for other in TABLE[TABLE["metric"] != "rel"].to_dict("records"):
        difference = other["value"] - COMPARED["value"][other["label"], "rel"]
        assert other["difference"] == pytest.approx(difference)
        assert other["difference_low"] <= other["difference"] <= other["difference_high"]
    assert COMPARED["p"]["relevance", "judge_gpt_relevance"] < 0.05
    others = compare_metrics(run_of_reviews(RATED), ["own", "metric_bleu", "bleu"])
    assert set(others["base"]) == {"own"}
    assert {*others["metric"]} == {"own", "bleu"}  # a stored metric is that of its name


def test_the_same_comparison_has_the_same_p_next_to_other_metrics() -> None:
    run = run_of_reviews(RATED.assign(metric_words=RATED["own"] + RATED["metric_bleu"]))
    assert named_measure(run, "words").title == "number of words"  # as of a computed metric
    few, more = (
        compare_metrics(run, ["rel", *names, "words"], labels=["relevance"]).set_index("metric")
        for names in ([], ["bleu", "own"])
    )
    assert few["p"]["words"] == more["p"]["words"]
    assert findings(few.reset_index(), "label") == findings(more.reset_index(), "label")


def test_by_default_judges_relevance_is_compared_and_metrics_without_values_have_a_reason() -> None:
    table = compare_metrics(run_of_reviews(RATED), labels=["right"])
    rows = table.set_index("metric")
    assert {"judge_gpt_relevance", "words", "codebertscore_f3"} <= set(rows.index)
    assert "judge_gpt_right" not in rows.index
    assert (rows["rows"]["chrf"], rows["value"].isna()["chrf"]) == (0, True)
    assert "reference" in rows["remark"]["chrf"]
    answers = [name for name in RATED if str(name).startswith("judge_gpt_")]
    unjudged = RATED.drop(columns=answers).assign(judge_gpt_reason="busy")
    assert any("busy" in note for note in label_notes(unjudged, "right", table))


def test_figures_do_not_depend_on_the_order_of_the_rows() -> None:
    shuffled = RATED.sample(frac=1, random_state=1).reset_index(drop=True)
    first, second = (compare_metrics(run_of_reviews(one), ["rel"]) for one in (RATED, shuffled))
    pd.testing.assert_frame_equal(first, second)


def test_the_paper_s_figures_are_those_of_the_same_metrics() -> None:
    metrics = ["rel", "bleu", "chrf++", "bertscore_f1", "words"]
    paper = compare_metrics(shipped_run(), metrics, labels=["relevance"], is_study=True).set_index(
        "metric"
    )["paper"]
    assert paper.dropna().to_dict() == {"bleu": -0.0001, "chrf++": 0.2057}
    assert TABLE["paper"].isna().all()


def test_few_changes_have_no_intervals() -> None:
    table = compare_metrics(run_of_reviews(RATED.head(20)), ["rel", "own"])
    assert table[["low", "difference_low", "p"]].isna().all(axis=None)  # five changes


def test_all_metrics_are_compared_on_the_reviews_that_each_of_them_scores() -> None:
    common = RATED[RATED.index > 10]
    run = run_of_reviews(RATED.assign(own=common["own"]))
    table = compare_metrics(run, ["rel", "own"], labels=["relevance"])
    scores = measure_values(common, "relevance")
    expected = scores.corr(common["human_relevance"], method="spearman")
    assert table[["rows", "changes"]].to_numpy().tolist() == [[N - 11, 10]] * 2
    assert table["value"][0] == pytest.approx(expected)


def test_a_metric_of_few_reviews_is_left_out_unless_it_is_named() -> None:
    reviews = RATED.assign(own=RATED["own"].where(RATED.index > 30))
    run = run_of_reviews(reviews)
    table = compare_metrics(run, labels=["relevance"])
    own = table.set_index("metric").loc["own"]
    assert (own["rows"], np.isnan(own["value"])) == (N - 31, True)
    assert f"{N - 31}" in own["remark"]
    named = compare_metrics(run, ["rel", "own"], labels=["relevance"])
    assert set(named["rows"]) == {N - 31}


def test_metrics_without_a_common_review_cannot_be_compared() -> None:
    own, bleu = RATED["own"].where(RATED.index > 24), RATED["metric_bleu"].where(RATED.index < 24)
    run = run_of_reviews(RATED.assign(own=own, metric_bleu=bleu))
    with pytest.raises(InputError, match="own"):
        compare_metrics(run, ["own", "bleu"])


def test_the_ground_truth_is_not_compared_but_is_the_reference() -> None:
    truth = RATED.head(12).assign(system=GROUND_TRUTH, review="Why is it x?")
    reviews = pd.concat([RATED, truth], ignore_index=True).drop(columns="metric_bleu")
    table = compare_metrics(run_of_reviews(reviews), ["bleu"], labels=["relevance"])
    assert table["rows"].tolist() == [12]  # of three changes


@pytest.mark.parametrize(("difference", "p", "sentence"), [
    (-0.2, 0.001, "agrees significantly better"),
    (0.2, 0.0503, "with the label useful: 0.300 and 0.500 (p = 0.0503 after Holm's correction"),
    (0.2, 0.04996, "less with the label useful than the number of words: 0.300 and 0.500 (p = 0.0"),
    (0.2, None, "number of words: too few"), (None, None, "number of words: all values are equal.")
])  # fmt: skip
@pytest.mark.parametrize(("statistic", "low", "high", "against_chance"), [
    ("auc", 0.1, 0.4, "Relevance contradicts the label useful: AUC 0.300 (0.100 to 0.400)"),
    ("auc", 0.4, 0.6, "Relevance is not shown to agree with the label useful: AUC"),
    ("spearman", -0.5, -0.1, "Relevance contradicts the label useful: Spearman's rho 0.300 (-0.5"),
    ("spearman", 0.1, 0.3, "Relevance agrees with the label useful better than chance"),
    ("auc", None, None, "useful has no interval: AUC 0.300 over 9 reviews, chance 0.5."),
    ("auc", 0.5, 0.7, "Relevance is not shown to agree with the label useful"),
])  # fmt: skip
def test_findings_say_what_the_figures_show(  # noqa: PLR0917 - the columns of a table
    difference: float | None, p: float | None, sentence: str,
    statistic: str, low: float | None, high: float | None, against_chance: str,
) -> None:  # fmt: skip
    rows = [("rel", 0.3, low, high, None, None), ("words", 0.5, 0.4, 0.6, difference, p)]
    columns = ["metric", "value", "low", "high", "difference", "p"]
    table = pd.DataFrame(rows, columns=columns)
    table[columns[1:]] = table[columns[1:]].astype(float)
    table = table.assign(within=np.nan if low is None else -0.2)
    table["remark"] = "all values are equal" if difference is None else ""
    found = findings(table.assign(base="rel", statistic=statistic, rows=9), "label useful")
    assert len(found) == 2
    assert against_chance in found[0]
    assert ("within one reviewer's reviews, on average -0.200." in found[0]) is (low is not None)
    assert sentence in " ".join(found)
    swapped = table[::-1].assign(base="words", statistic=statistic, rows=9)
    assert not any("Holm" in one for one in findings(swapped, "label useful"))
