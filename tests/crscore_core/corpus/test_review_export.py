"""Chosen reviews as CSV and JSON: what goes in comes out, and nothing in it is run."""

import csv
import io
import json

from crscore_core.corpus.review_case import reviews_csv, reviews_document
from crscore_core.corpus.review_table import ReviewTable
from tests.crscore_core.corpus.made_reviews import made

COMPARISON = made()
ROWS = ReviewTable(COMPARISON).at(0.5)


def test_the_csv_has_a_row_for_each_review_in_the_given_order() -> None:
    found = list(csv.DictReader(io.StringIO(reviews_csv(ROWS.iloc[[2, 4]], {"tau": 0.5}))))
    assert [row["review"] for row in found] == ["b/one", "c/one"]
    assert found[0]["text"] == "'=HYPERLINK(1)"
    assert found[0]["human_relevance"] == "2.0"
    assert found[1]["human_relevance"] == ""
    assert float(found[0]["relevance"]) == 1
    assert {row["tau"] for row in found} == {"0.5"}


def test_the_csv_keeps_line_ends_quotes_and_commas() -> None:
    text = 'a "quoted", text\nof two lines'
    rows = ROWS.iloc[[0]].assign(text=[text])
    assert next(csv.DictReader(io.StringIO(reviews_csv(rows, {}))))["text"] == text


def test_the_document_is_json_with_what_each_part_adds() -> None:
    written = json.dumps(
        reviews_document(ROWS.iloc[[4, 3]], COMPARISON, 0.5, {"tau": 0.5}), allow_nan=False
    )
    found = json.loads(written)
    assert found["tau"] == 0.5
    long, empty = found["reviews"]
    assert long["review"] == "c/one"
    assert long["human_relevance"] is None
    assert [one["covered"] for one in long["compared_with"]] == [True, False, False]
    assert [one["on_topic"] for one in long["said"]] == [True, False]
    assert empty["said"] == []
    assert empty["inline_code"] is False
    assert empty["compared_with"][0]["best_similarity"] is None


def test_no_review_is_a_head_alone() -> None:
    assert reviews_csv(ROWS.iloc[[]], {"tau": 0.5}).count("\n") == 1
    assert reviews_document(ROWS.iloc[[]], COMPARISON, 0.5, {})["reviews"] == []
