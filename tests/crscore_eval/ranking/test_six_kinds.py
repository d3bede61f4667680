"""Six kinds of reviews of twelve commits, rated before any score was seen; real scores.

`six_kinds.jsonl` has an expert, a reciter of the change, LGTM, reviews of something else, a
verbose one and one that is wrong. Relevance puts the reciter first; people put the expert first.
"""

from pathlib import Path

import pytest

from crscore_eval.data import open_data
from crscore_eval.export import report
from crscore_eval.ranking import (
    beats_word_count,
    check_run,
    gate_passed,
    order_basis,
    order_systems,
    verdict,
)
from crscore_eval.ranking.gate import FAILED, PASSED
from crscore_eval.table import Run

FILE = Path(__file__).with_name("six_kinds.jsonl")
KINDS = {"expert", "reciter", "lgtm", "off-topic", "verbose", "wrong"}


@pytest.fixture(scope="module")
def run() -> Run:
    return open_data(str(FILE))


def one_bot(run: Run, kind: str, *, rated: bool = True) -> Run:
    """Return the reviews of one kind as the run of a bot."""
    reviews = run.reviews[run.reviews["system"] == kind].reset_index(drop=True)
    reviews = reviews.assign(system="bot")
    return run._replace(reviews=reviews if rated else reviews.drop(columns="human_relevance"))


def test_systems_are_ordered_by_people_and_ranked_by_relevance(run: Run) -> None:
    order = order_systems(run)
    assert order.is_by_people
    assert set(order.systems["system"]) == KINDS
    assert order.systems["system"][0] == "expert"
    by_relevance = order.systems.set_index("system")["other_rank"]
    assert by_relevance["reciter"] < by_relevance["expert"]
    against = order.pairs[order.pairs["contradicted"]]
    assert ["expert", "reciter"] in against[["higher", "lower"]].to_numpy().tolist()
    text = " ".join(verdict(order))
    assert "reciter above expert" in text
    assert "worth saying" in text
    assert "72 of 72 reviews" in order_basis(order)


def test_relevance_opens_with_people_s_contradiction_if_it_is_asked_for(run: Run) -> None:
    order = order_systems(run, "relevance")
    assert order.systems["system"][0] == "reciter"
    assert "expert above reciter" in verdict(order)[0]


def test_labels_of_people_stand_next_to_the_order_and_contradict_a_first_place(run: Run) -> None:
    worth = run.reviews["system"].map({"expert": 5.0, "wrong": 1.0}).fillna(2.0)
    labelled = run._replace(reviews=run.reviews.assign(label_worth=worth))
    order = order_systems(labelled, "relevance")
    means = order.systems.set_index("system")["label_worth"]
    assert (means["expert"], means["wrong"], means["reciter"]) == (5.0, 1.0, 2.0)
    (sentence,) = [sentence for sentence in verdict(order) if "label worth" in sentence]
    assert all(part in sentence for part in ("expert 5.000 (12 reviews)", "reciter 2.000"))
    assert '<th class="number">worth</th>' in report(labelled, "relevance")


def test_relevance_is_not_called_agreement_where_words_reach_as_much(run: Run) -> None:
    order = order_systems(run)
    assert order.agreement is not None
    relevance, words = order.agreement.iloc[0], order.agreement.iloc[1]
    assert relevance["low"] > 0
    assert words["spearman"] > relevance["spearman"]
    assert not beats_word_count(order.agreement)
    assert any(
        "number of words" in sentence and "not shown" in sentence for sentence in verdict(order)
    )


def test_a_reciter_after_an_expert_fails_by_people_s_ratings(run: Run) -> None:
    checks = check_run(one_bot(run, "reciter"), baseline=one_bot(run, "expert"))
    results = dict(zip(checks["measure"], checks["result"], strict=True))
    assert results == {"scored": PASSED, "relevance": PASSED, "people": FAILED}
    back = check_run(one_bot(run, "expert"), baseline=one_bot(run, "wrong"))
    assert back[back["measure"] == "people"]["result"].tolist() == [PASSED]
    assert back["detail"].str.contains("12 of 12 reviews").any()


def test_a_gate_without_ratings_says_that_nothing_by_people_was_compared(run: Run) -> None:
    checks = check_run(one_bot(run, "reciter", rated=False), baseline=one_bot(run, "expert"))
    assert gate_passed(checks)
    row = checks[checks["measure"] == "people"].iloc[0]
    assert (row["result"], "nobody rated" in row["detail"]) == ("not compared", True)


def test_the_report_says_what_the_verdict_says(run: Run) -> None:
    page = report(run)
    for part in ("reciter above expert", "72 of 72 reviews", "number of words", "worth saying"):
        assert part in page
    assert page.index(">expert</th>") < page.index(">reciter</th>")
