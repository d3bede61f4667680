"""One review at one threshold, by hand, and chosen reviews as CSV and JSON."""

import csv
import io
import json

import numpy as np
import pytest

from crscore_core.corpus.exports import reviews_csv, reviews_document, run_document
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.review_case import review_case
from crscore_core.corpus.review_table import ReviewTable
from tests.crscore_core.corpus.made_reviews import made

COMPARISON = made()
ROWS = ReviewTable(COMPARISON).at(0.5)


def test_sentences_and_references_are_read_at_tau() -> None:
    case = review_case(COMPARISON, 4, 0.25)
    # Rows .9 .1, .1 .3, .2 .2: each column exceeds .25, and the first two rows do.
    assert [one.on_topic for one in case.sentences] == [True, True]
    assert [one.best_reference for one in case.sentences] == [0, 1]
    assert [one.is_covered for one in case.references] == [True, True, False]
    assert case.references[1].best_similarity == pytest.approx(0.3)
    assert case.scores == pytest.approx(
        {"conciseness": 1, "comprehensiveness": 2 / 3, "relevance": 0.8}
    )
    assert case.is_match.tolist() == [[True, False], [False, True], [False, False]]
    assert case.change.id == "c"


def test_a_review_without_sentences_covers_nothing_and_has_no_score() -> None:
    case = review_case(COMPARISON, 3, 0.25)
    assert case.sentences == ()
    assert [(one.is_covered, one.best_similarity) for one in case.references] == [(False, None)]
    assert set(case.scores.values()) == {None}
    table = ReviewTable(COMPARISON)
    scored = [*DIMENSIONS, "no_threshold"]
    unscored = np.isnan(table.shown_at(0.25)[scored].to_numpy()).all(axis=1)
    assert unscored.tolist() == [False] * 3 + [True, False]
    assert (
        table.at(0.25)[scored].to_numpy()[3].tolist() == [0.0] * 4
    )  # as the paper's tables count it


def test_the_csv_has_a_row_for_each_review_in_the_given_order() -> None:
    text = 'a "quoted", text\nof two lines'
    rows = ROWS.iloc[[2, 4]].assign(note=["=1", text])
    first, second = csv.DictReader(io.StringIO(reviews_csv(rows, COMPARISON, {"tau": 0.5})))
    assert (first["id"], second["id"]) == ("b/one", "c/one")
    assert (first["review"], first["note"], second["note"]) == ("'=HYPERLINK(1)", "'=1", text)
    assert (first["human_relevance"], second["human_relevance"]) == ("2.0", "")
    assert (float(first["relevance"]), first["tau"]) == (1, "0.5")


def test_the_document_is_json_with_what_each_part_adds() -> None:
    written = json.dumps(
        reviews_document(ROWS.iloc[[4, 3]], COMPARISON, 0.5, {"tau": 0.5}), allow_nan=False
    )
    document = json.loads(written)
    assert document["tau"] == 0.5
    long, empty = document["reviews"]
    assert (long["id"], long["human_relevance"]) == ("c/one", None)
    assert [one["covered"] for one in long["compared_with"]] == [True, False, False]
    assert [one["on_topic"] for one in long["said"]] == [True, False]
    assert (empty["said"], empty["inline_code"]) == ([], False)
    assert empty["compared_with"][0]["best_similarity"] is None


def test_no_review_is_a_head_alone() -> None:
    assert reviews_csv(ROWS.iloc[[]], COMPARISON, {"tau": 0.5}).count("\n") == 1
    assert reviews_document(ROWS.iloc[[]], COMPARISON, 0.5, {})["reviews"] == []


def test_a_run_is_json_with_what_its_scores_rest_on() -> None:
    document = run_document(ReviewTable(COMPARISON), 0.25)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert (document["tau"], document["encoder"], document["left_out"]) == (0.25, "by hand", [])
    references = document["changes"][2]["pseudo_references"]
    assert [one["text"] for one in references] == [f"Claim {row} of c." for row in range(3)]
    *_, empty, long = document["reviews"]
    assert (long["id"], long["change"], long["review"]) == (
        "c/one",
        "c",
        COMPARISON.reviews[4].text,
    )
    assert long["relevance"] == pytest.approx(0.8)
    assert document["reviews"][2]["human_relevance"] == 2
    assert long["human_relevance"] is long["predicted_relevance"] is empty["relevance"] is None
    assert empty["sentences"] == []
