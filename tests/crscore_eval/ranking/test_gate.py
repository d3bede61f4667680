"""Two runs compared, and conditions on a run."""

from collections.abc import Sequence

import pandas as pd
import pytest
from scipy import stats

from crscore_core.errors import InputError
from crscore_eval.ranking.gate import (
    FAILED,
    NOT_COMPARED,
    PASSED,
    check_run,
    gate_conclusion,
    gate_result,
    outcome_of,
)
from crscore_eval.ranking.two_runs import compare_runs
from crscore_eval.ranking.verdict import shared_changes
from crscore_eval.statistics.bootstrap import holm
from crscore_eval.table import GROUND_TRUTH, ColumnRole, Run
from tests.crscore_eval.ranking.runs_of_rows import (
    EXPERT,
    GOOD,
    RECITER,
    WORSE,
    bot,
    run_of_rows,
    run_of_systems,
)

NOT_LOWER = " must not be significantly lower than in the baseline"
FELL = f"Failed: relevance{NOT_LOWER}."
LOW = "Failed: relevance must be at least 0.9."
SHUFFLED = [0.7, 0.8, 0.8, 0.9, 0.9, 0.7, 0.8, 0.8]
BETTER_IF_FEWER: dict[str, Sequence[float]] = {"judge_x_wrong": [0.0] * 8}
WORTH = {"label_worth": [4.0, 5.0] * 4}
RIGHT, WRONG = {"label_right": [1.0] * 8} | WORTH, {"label_right": [*[0.0] * 7, 1.0]} | WORTH


def gate_passed(checks: pd.DataFrame) -> bool:
    return gate_result(checks) == PASSED


def results(checks: pd.DataFrame) -> dict[str, str]:
    return dict(zip(checks["measure"], checks["result"], strict=True))


@pytest.mark.parametrize(("scores", "floors", "result"), [
    ([*GOOD, None], {"relevance": 0.72}, FAILED),  # an empty review scores 0
    (GOOD, {"conciseness": 0.5, "no_threshold": 0.99}, FAILED),
    ([*GOOD, None, None], {"relevance": 0.1}, PASSED),
    ([*GOOD[:6], None, None, None], {"relevance": 0.1}, FAILED),  # a third without a score
    ([*GOOD[:6], None, None, None], {"scored": 0.6}, PASSED),
])  # fmt: skip
def test_every_measure_reaches_its_floor(
    scores: list[float | None], floors: dict[str, float], result: str
) -> None:
    checks = check_run(bot(scores), floors)
    assert gate_passed(checks) is (result == PASSED)
    assert set(floors) <= set(checks["measure"])


def test_a_floor_is_for_the_mean_over_changes_in_which_systems_count_alike() -> None:
    rows = [{"system": "a", "change": at, "score": 1.0 - at} for at in (0, 0, 0, 1)]
    rows += [{"system": "b", "change": at, "score": at / 2} for at in (0, 1)]
    (row,) = check_run(run_of_rows(rows), {"relevance": 0.4})[1:].to_dict("records")
    assert (row["result"], row["value"], row["changes"]) == (FAILED, 0.375, 2)


def test_the_share_of_scored_reviews_says_what_is_not_scored_or_not_counted() -> None:
    run = bot([*GOOD, None], n_rejected=2)
    reference = run.reviews[:3].assign(system=GROUND_TRUTH)
    both = run._replace(reviews=pd.concat([run.reviews, reference], ignore_index=True))
    words = check_run(both, {"scored": 0.5})["detail"].iloc[0]
    assert words == "8 of 11 reviews; rejected rows: 2; reference reviews, not counted: 3"
    assert results(check_run(both, {"scored": 0.73}))["scored"] == FAILED  # 8 / 11
    assert not gate_passed(check_run(run._replace(reviews=reference), {"scored": 0.1}))


def test_any_column_of_numbers_may_have_a_floor() -> None:
    run = bot(GOOD, {"label_useful": [1.0, 0.0] * 4} | BETTER_IF_FEWER)
    assert gate_passed(check_run(run, {"label_useful": 0.5}))
    assert not gate_passed(check_run(run, {"useful": 0.6}))
    with pytest.raises(InputError, match="judge_x_wrong"):
        check_run(run, baseline=run, by="judge_x_wrong")


@pytest.mark.parametrize("floor", [
    {"relevance": 50.0}, {"relevance": -1.0}, {"scored": 90.0}, {"people": 0.5},
    {"judge_x_wrong": 0.5}, {"nothing": 0.5}
])  # fmt: skip
def test_rejects_a_floor_that_checks_nothing(floor: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(floor))):
        check_run(bot(GOOD, EXPERT | BETTER_IF_FEWER), floor)


def test_a_floor_is_on_the_scale_of_the_run() -> None:
    run = bot(GOOD, WORTH)
    run.settings["columns"] = [
        ColumnRole("Handy (1-10)", "label_worth", "rating", 8, "", "1-10")._asdict()
    ]
    row = check_run(run, {"Handy (1-10)": 4.0}).iloc[-1]
    assert row["condition"] == "people's ratings of worth must be at least 4 of 1 to 5"
    with pytest.raises(InputError, match=r"=8 checks nothing: .* is from 1 to 5"):
        check_run(run, {"Handy (1-10)": 8.0})
    checks = check_run(run, None, bot(GOOD, {"label_worth": [5.0] * 8}), "label_worth")
    assert gate_result(checks) == NOT_COMPARED  # else it is lower
    assert "rated 1 to 10 in this run, 1 to 5 in the baseline" in [*checks["detail"]]
    assert check_run(run, None, bot(GOOD))["detail"].iloc[-1] == "no values in the baseline"
    with pytest.raises(InputError, match="the baseline has no value of label_worth"):
        check_run(run, None, bot(GOOD), "label_worth")


@pytest.mark.parametrize(("now", "before", "result", "figures"), [
    (GOOD, GOOD, PASSED, "0 over 8 changes"),
    (GOOD, WORSE, PASSED, "0.800 against 0.500, difference +0.300 over 8 changes"),
    (WORSE, GOOD, FAILED, "0.500 against 0.800, difference -0.300 over 8 changes"),
    (SHUFFLED, GOOD, PASSED, "no significant difference"),  # other changes, the same mean
    (WORSE[:5], GOOD[:5], NOT_COMPARED, "5"),  # too few changes
])  # fmt: skip
def test_a_significantly_lower_run_fails(
    now: list[float], before: list[float], result: str, figures: str
) -> None:
    checks = check_run(bot(now), baseline=bot(before))
    assert results(checks)["relevance"] == result
    assert gate_result(checks) == result
    assert figures in checks["detail"].iloc[-1]


@pytest.mark.parametrize(("now", "before", "expected"), [
    (bot(GOOD, RECITER), bot(WORSE, EXPERT), {"people": FAILED}),  # relevance rises
    (bot(GOOD), bot(GOOD, EXPERT), {"people": NOT_COMPARED}),
    (bot(GOOD, RECITER), bot(GOOD), {"people": NOT_COMPARED}),
    (bot(GOOD, WORTH | {"own": [1.0] * 8}), bot(GOOD, WORTH), {"label_worth": PASSED}),
    (bot(GOOD, WORTH), bot(GOOD), {"label_worth": NOT_COMPARED}),
    (bot(GOOD, WRONG), bot(GOOD, RIGHT), {"label_right": FAILED, "label_worth": PASSED}),
])  # fmt: skip
def test_ratings_of_both_runs_are_compared(now: Run, before: Run, expected: dict[str, str]) -> None:
    checks = check_run(now, baseline=before)
    assert results(checks) == {"scored": PASSED, "relevance": PASSED} | expected
    assert gate_passed(checks) is (FAILED not in expected.values())


@pytest.mark.parametrize(("n_changes", "floors", "text"), [
    (None, {"relevance": 0.1}, "Passed."),
    (None, {"relevance": 0.9}, LOW),
    (8, {}, "Passed."),
    (5, {}, "Undecided. Not compared: relevance."),
    (5, {"relevance": 0.9}, f"{LOW} Not compared: relevance."),
])  # fmt: skip
def test_the_conclusion_names_conditions(
    n_changes: int | None, floors: dict[str, float], text: str
) -> None:
    earlier = None if n_changes is None else bot(GOOD[:n_changes])
    assert gate_conclusion(check_run(bot(GOOD), floors, earlier)) == text


def rated(n_changes: int, score: float, worth: float) -> Run:
    """A run of six systems that people rated, with the same values except for small swings."""
    names = "abcdef"
    worths = dict.fromkeys(names, worth)
    return run_of_systems(dict.fromkeys(names, score), n_changes, swing=0.05, label_worth=worths)


@pytest.mark.parametrize(("n_changes", "by", "text"), [
    (10, None, "Passed."),  # people's answers decide, as they order the systems
    (10, "relevance", f"{FELL} Significantly higher: people's ratings of worth."),
    (9, None, f"{FELL} Significantly higher: people's ratings of worth."),
])  # fmt: skip
def test_worth_that_rises_decides_or_is_named(n_changes: int, by: str | None, text: str) -> None:
    checks = check_run(rated(n_changes, 0.4, 5), baseline=rated(n_changes, 0.7, 3), by=by)
    assert gate_conclusion(checks) == text
    fewer = check_run(rated(10, 0.4, 5), baseline=rated(9, 0.7, 3))
    assert results(fewer)["relevance"] == FAILED  # too few in one of the runs


def test_the_collapse_of_one_system_is_seen_next_to_an_unchanged_mean() -> None:
    def systems(first: float, second: float, n_second: int = 8) -> Run:
        scores = {"a": first, "b": second, "c": 0.5}
        return run_of_systems(
            scores | {"new": 0.5}, (8, n_second, 8, 1), swing=0.05, label_ok=scores
        )

    run, earlier = systems(0.8, 0.2), systems(0.5, 0.5)
    earlier = earlier._replace(reviews=earlier.reviews[earlier.reviews["system"] != "new"])
    table = compare_runs(run, earlier, ["relevance", "label_ok", "missing"])
    assert table["measure"].tolist() == ["relevance"] * 5 + ["label_ok"] * 4
    assert table["system"].tolist() == ["", "a", "b", "c", "new", "", "a", "b", "c"]
    new = table.iloc[4]  # of one run only
    assert new[["compared_with", "difference", "p"]].isna().all()
    assert new["sign"] == 0
    assert (outcome_of(new.to_dict()), shared_changes(new)) == ("in one run only", "0")
    assert table["difference"][1:4].tolist() == pytest.approx([0.3, -0.3, 0])
    assert table["sign"][1:4].tolist() == [1, -1, 0]
    # Eight equal differences, one of which counts as none, times three systems.
    assert table["p"][1:3].tolist() == pytest.approx([3 * 2 * stats.t.sf(7, 7)] * 2)
    few = compare_runs(systems(0.8, 0.2, 5), earlier, ["relevance"])
    assert few["p"][1:].isna().tolist() == [False, True, False, True]
    others = earlier.reviews.assign(system="x " + earlier.reviews["system"])
    alone = compare_runs(run, earlier._replace(reviews=others), ["relevance"])
    assert alone["difference"][1:].isna().all()


def test_more_reviews_of_the_better_system_do_not_hide_a_drop() -> None:
    """Two systems lose 0.1, but the mean over all reviews rises from 0.5 to 0.6."""
    run = run_of_systems({"good": 0.7, "bad": 0.3, "new": 0.9}, (60, 20, 60), swing=0.05)
    before = run_of_systems({"good": 0.8, "bad": 0.4, "old": 0.1}, (20, 60, 60), swing=0.05)
    row = check_run(run, baseline=before).iloc[-1]
    assert (row["result"], row["changes"]) == (FAILED, 20)
    assert row["difference"] == pytest.approx(-0.1)
    assert "left out, in one run only: 200 pairs of a reviewer and a change" in row["detail"]
    renamed = before._replace(reviews=before.reviews.assign(system="x"))
    words = check_run(run, baseline=renamed)["detail"].iloc[-1]
    assert "no reviewer is in both" in words


@pytest.mark.parametrize(("systems", "result"), [("a", FAILED), ("ab", NOT_COMPARED)])
def test_other_changes_are_compared_if_one_system_reviewed_both(systems: str, result: str) -> None:
    """Systems that reviewed other changes each would weigh differently in the two means."""
    run, before = (
        run_of_systems(dict.fromkeys(systems, score), 20, swing=0.05) for score in (0.5, 0.7)
    )
    others = before._replace(changes=before.changes.assign(diff=before.changes["diff"] + "+x\n"))
    row = check_run(run, baseline=others).iloc[-1]
    assert row["result"] == result
    is_refused = row["detail"].startswith("too few changes, 6 are needed; left out")
    assert is_refused == (result == NOT_COMPARED)
    signs = compare_runs(run, others, ["relevance"])["sign"].tolist()
    assert signs == ([-1] if systems == "a" else [0, -1, -1])  # one system has one comparison


@pytest.mark.parametrize("by", ["relevance", "label_worth"])
def test_p_values_of_conditions_are_corrected_for_their_number(by: str) -> None:
    run, baseline = bot(SHUFFLED, RECITER | WORTH), bot(GOOD, EXPERT | WORTH)
    names = list(dict.fromkeys([by, "people", "label_worth"]))
    alone = pd.concat([compare_runs(run, baseline, [name]) for name in names])
    checks = check_run(run, baseline=baseline, by=by)[1:]
    assert checks["p"].tolist() == pytest.approx(holm(alone["p"]))
    assert checks["p"].max() <= 1


def changed(**columns: str) -> Run:
    """A run whose changes have other names, and these columns; `{}` is the number of a change."""
    run = bot(GOOD)
    cells = {name: [text.format(at) for at in range(8)] for name, text in columns.items()}
    names = "other " + run.changes["change"]
    changes = run.changes.assign(change=names).assign(**{"title": "", **cells})
    return run._replace(reviews=run.reviews.assign(change=names), changes=changes)


@pytest.mark.parametrize(("first", "second", "are_same"), [
    ({}, {}, True),
    ({}, {"diff": "another {}"}, False),
    ({}, {"language": "java"}, True),
    ({"diff": "", "title": "A{}"}, {"diff": "", "title": "A{}"}, True),
    ({"diff": ""}, {"diff": ""}, False),
])  # fmt: skip
def test_changes_are_the_same_by_their_diff_or_else_by_title(
    first: dict[str, str], second: dict[str, str], are_same: bool
) -> None:
    comparison = compare_runs(changed(**first), changed(**second), ["relevance"])
    assert comparison[["changes", "same_changes"]].to_numpy().tolist() == [[8, are_same]]
    renamed = compare_runs(changed(**first), bot(GOOD), ["relevance"])
    assert renamed["same_changes"].all() == (first == {})


def test_a_floor_for_people_s_ratings_is_refused_in_a_run_that_nobody_rated() -> None:
    for run, words in ((bot(GOOD, WORTH), "label_worth"), (bot(GOOD), "no")):
        with pytest.raises(InputError, match=words):
            check_run(run, {"people": 3.0})
    assert gate_passed(check_run(bot(GOOD, EXPERT), {"people": 3.0}))


@pytest.mark.parametrize(
    "name", ["encoder", "claims", "scoring_version", "claims_version", "with_analyzers"]
)
def test_runs_scored_in_different_ways_are_compared_only_by_people(name: str) -> None:
    other, baseline = bot(GOOD, RECITER, **{name: "another"}), bot(GOOD, EXPERT)
    with pytest.raises(InputError, match="another in this run"):
        check_run(other, baseline=baseline)
    assert results(check_run(other, baseline=baseline, by="people"))["people"] == FAILED
    assert gate_passed(check_run(bot(GOOD, version="9"), baseline=bot(GOOD)))


def test_both_runs_are_scored_at_one_tau() -> None:
    comparison = compare_runs(bot(GOOD), bot(GOOD, tau=0.95), ["relevance"])
    assert comparison["difference"].tolist() == [0]
    details = check_run(bot(GOOD, EXPERT), {}, bot(GOOD, EXPERT, tau=0.95))["detail"]
    has_note = details.str.contains("baseline was scored at tau 0.95; both are compared at 0.5")
    assert has_note.tolist() == [False, True, False]  # scored, relevance, people
    at_high_tau = compare_runs(bot(GOOD), bot(GOOD), ["relevance"], tau=0.95)
    assert (at_high_tau[["value", "compared_with"]] == 0).all(axis=None)
