"""Agreement of judges with the truth, on tables worked by hand."""

import csv
import io
import json
from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]

from crscore_core.corpus.reading import RowStream, Table
from crscore_core.errors import InputError
from crscore_core.validity.judge_agreement import (
    TruthKind,
    answered_agreements,
    judge_agreement,
)
from crscore_eval.statistics import ClusterBootstrap, Estimate, Interval

HEAD = "target_id generated_by is_pass gpt-4_rating other/coder-7b_rating".split()

# gpt-4 against the truth: yes and yes 4, yes and no 1, no and yes 2, no and no 3, and one invalid.
# Agreement 7/10, chance 5/10 * 6/10 + 5/10 * 4/10 = 1/2, kappa 0.2 / 0.5 = 0.4; bias 6/10 - 5/10.
# On its own candidates: (1, 1), (1, 1), (0, 1), (0, 1), (0, 0): bias 2/5.
# On those of coder-7b: (1, 1), (1, 1), (1, 0), (0, 0), (0, 0): bias -1/5.
# coder-7b itself says yes to 6 of 6 that it wrote, of which 3 pass, and nothing of others.
TABLE = [
    ("a", "GPT-4", "1", "1", ""), ("b", "GPT-4", "1", "1.0", ""), ("c", "GPT-4", "0", "1", ""),
    ("d", "GPT-4", "0", "1", ""), ("e", "GPT-4", "0", "0", ""),
    ("a", "coder-7b", "1", "1", "1"), ("b", "coder-7b", "1", "1", "1"),
    ("c", "coder-7b", "1", "0", "1"), ("d", "coder-7b", "0", "0", "1"),
    ("e", "coder-7b", "0", "0", "1"), ("e", "coder-7b", "0", "", "1"),
    ("f", "coder-7b", "", "1", "1"),
]  # fmt: skip


def table_of(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Table:
    text = io.StringIO()
    csv.writer(text).writerows([head, *rows])
    return RowStream(text.getvalue().encode(), "table.csv").table()


def test_verdicts_of_pass_and_fail() -> None:
    found = judge_agreement(table_of(HEAD, TABLE))
    assert (found.kind, found.truth) == (TruthKind.PASS_OR_FAIL, ("is_pass",))
    assert (found.rows, found.targets, found.without_truth) == (11, 5, 1)
    gpt, coder = found.judges
    assert (gpt.judge, gpt.n, gpt.invalid) == ("gpt-4", 10, 1)
    assert gpt.agreement.value == pytest.approx(0.4)
    assert gpt.bias.value == pytest.approx(0.1)
    assert [(one.generator, one.n, one.is_own) for one in gpt.by_generator] == [
        ("GPT-4", 5, True), ("coder-7b", 5, False),
    ]  # fmt: skip
    assert [one.bias.value for one in gpt.by_generator] == pytest.approx([0.4, -0.2])
    assert (coder.judge, coder.n, coder.invalid) == ("other/coder-7b", 6, 5)
    assert coder.agreement.value == 0
    of_gpt, own = coder.by_generator
    assert (of_gpt.n, of_gpt.bias, of_gpt.is_own) == (0, Estimate(None, None), False)
    assert (own.n, own.bias.value, own.is_own) == (6, 0.5, True)


def ends(interval: Interval | None) -> tuple[float, float]:
    assert interval
    return interval.low, interval.high


def test_intervals_resample_targets() -> None:
    random = np.random.default_rng(7)
    truth, verdict = random.integers(0, 2, (2, 120))
    verdict[:60] = truth[:60]
    target, writer = random.integers(0, 30, 120), random.integers(0, 2, 120)
    _, number = np.unique(target, return_index=True)
    order = target[np.sort(number)].tolist()  # as they first occur
    cluster = np.array([order.index(one) for one in target])
    rows = list(zip(target, writer, truth, verdict, strict=True))
    found = judge_agreement(table_of(HEAD[:4], rows), n_resamples=200)
    (judge,) = found.judges
    bootstrap = ClusterBootstrap(30, 200)
    kappas = [
        cohen_kappa_score(truth, verdict, sample_weight=drawn[cluster])
        for drawn in bootstrap.weights
    ]
    assert judge.agreement.value == pytest.approx(cohen_kappa_score(truth, verdict))
    assert ends(judge.agreement.interval) == pytest.approx(ends(bootstrap.interval_of(kappas)))
    one = next(one for one in judge.by_generator if one.generator == "1")
    chosen = writer == 1
    difference = (verdict - truth)[chosen]
    drawn = bootstrap.weights[:, cluster[chosen]]
    means = (drawn * difference).sum(axis=1) / drawn.sum(axis=1)
    assert one.bias.value == pytest.approx(difference.mean())
    assert ends(one.bias.interval) == pytest.approx(ends(bootstrap.interval_of(means)))


RATED = ["target_id", "p_1", "p_2", "p_3", "m_rating", "relevance_grade", "relevance_model"]


def test_ratings_against_the_median_of_people() -> None:
    # Medians 1, 1, 2 against 1, 2, 3: alpha is 1 - 5 * 17 / 180, worked in the test of alpha.
    model = "endpoint:m@http://localhost:1/v1 temperature=0"
    rows = [
        ("a", 1, 1, 5, 1, "", model), ("b", 1, "", 1, 2, 3, model), ("c", 2, 1, 3, 3, 3, model),
        ("d", "", "", "", 5, 5, model),
    ]  # fmt: skip
    found = judge_agreement(table_of(RATED, rows), ["p_1", "p_2", "p_3"])
    assert (found.kind, found.rows, found.without_truth) == (TruthKind.RATING, 3, 1)
    first, second = found.judges
    assert first.agreement.value == pytest.approx(1 - 5 * 17 / 180)
    assert first.bias.value == pytest.approx(2 / 3)
    assert (second.judge, second.n, second.invalid, second.by_generator) == ("relevance", 2, 1, ())
    assert second.bias.value == pytest.approx(1.5)
    halves = judge_agreement(table_of(RATED, rows), ["p_1", "p_3"], ["m_rating"])
    assert halves.judges[0].bias.value == pytest.approx((1 - 3 + 2 - 1 + 3 - 2.5) / 3)


def test_people_who_all_give_the_lowest_grade_still_grade() -> None:
    head = ["diff", "label_worth", "judge_worth", "label_right", "judge_right"]
    rows = [("x", 1, 1, 0.5, 1), ("y", 1, 4, 0.75, 0.5), ("z", "", 5, "", "")]
    right, worth = answered_agreements(table_of(head, rows))
    assert (worth.kind, worth.rows, worth.judges[0].bias.value) == (TruthKind.RATING, 2, 1.5)
    assert (right.kind, right.rows, right.judges[0].bias.value) == (TruthKind.PASS_OR_FAIL, 1, -1)


def test_own_judges_beside_a_column_of_people() -> None:
    keys = ("diff", "system", "right", "correct_grade", "correct_model")
    rows = [
        ("x", "org/Big-Model", "yes", "yes", "endpoint:big_model@http://h/v1 seed=0"),
        ("x", "b", "no", "cannot tell", ""),
        ("y", "b", False, "yes", None),
        (None, "b", True, None, None),
        (None, "b", True, None, None),
    ]
    lines = (json.dumps(dict(zip(keys, row, strict=True))) for row in rows)
    table = RowStream("\n".join(lines).encode(), "judged.jsonl").table()
    found = judge_agreement(table, ["right"])
    (judge,) = found.judges
    assert (found.targets, judge.judge, judge.n, judge.invalid) == (4, "correct", 2, 3)
    assert [(one.generator, one.n, one.is_own, one.bias.value) for one in judge.by_generator] == [
        ("org/Big-Model", 1, True, 0), ("b", 1, False, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("truth", "judges", "message"),
    [
        ([], [], "there is no column 'is_pass'; name columns by --truth"),
        (["gone"], [], "there is no column 'gone'"),
        (["yes"], ["gone"], "there is no column 'gone'"),
        (["x_rating"], [], "there is no column that ends in _rating or _grade; name columns"),
        (["mixed"], [], "row 2: mixed is '0', no rating from 1 to 5; truth and judges are all 0"),
        (["seven"], [], "row 2: seven is '7', no rating from 1 to 5"),
        (["half"], [], "row 2: half is '0.5', no rating from 1 to 5"),
        (["big"], [], "row 3: big is 'inf'; it takes a number, yes or no"),
        (["word"], [], "row 3: word is 'good'; it takes a number, yes or no"),
        (["blank"], [], "no row has a truth in blank"),
        (["yes", "no"], [], "yes and no are pass or fail; give one of them as the truth"),
        (["yes"], [], "row 2: x_rating is '3', no pass or fail; truth and judges"),
        (["graded"], ["no"], "row 3: no is '0', no rating from 1 to 5"),
        (["yes"], ["half"], "row 2: half is '0.5', no pass or fail"),
        (["graded"], ["said"], "row 2: said is 'yes', no rating from 1 to 5; truth"),
        (["worded"], ["x_rating"], "row 2: worded is 'Pass', no rating from 1 to 5"),
        (["graded", "worded"], ["x_rating"], "row 2: worded is 'Pass', no rating from 1 to 5"),
    ],
)
def test_a_table_that_cannot_be_compared_says_why(
    truth: list[str], judges: list[str], message: str
) -> None:
    head = "target_id yes no mixed seven half big word blank graded said worded x_rating".split()
    rows = [
        ("a", 1, 1, 0, 7, 0.5, 1, "1", "", 1, "yes", "Pass", 3),
        ("b", 0, 0, 3, 1, 1, 1e999, "good", "-", 5, 2, 4, 3),
    ]
    with pytest.raises(InputError, match=message):
        judge_agreement(table_of(head, rows), truth, judges)
