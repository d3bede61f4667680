"""A run as JSON for other programs."""

import json

from crscore_core.corpus.review_table import ReviewTable
from crscore_core.corpus.run.export import run_document
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison

COMPARISON = made_comparison(
    Made(0, (1, 2, 3), [[0.9, 0.1], [0.1, 0.1]], text='=1+1, "quoted"\nand more'),
    Made(0, (5, 5, 5), [[], []], system="msg", text=""),
)


def test_the_document_holds_what_scores_rest_on() -> None:
    document = run_document(ReviewTable(COMPARISON), 0.5)
    again = json.loads(json.dumps(document, allow_nan=False))
    assert again == document
    assert again["tau"] == 0.5
    assert [one["text"] for one in again["changes"][0]["pseudo_references"]] == [
        "Reference 0.",
        "Reference 1.",
    ]
    first, second = again["reviews"]
    assert first["text"] == '=1+1, "quoted"\nand more'
    assert first["relevance"] == 0.5
    assert first["human_relevance"] == 3
    assert first["calibrated_relevance"] is None
    assert second["sentences"] == []
