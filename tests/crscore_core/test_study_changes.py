"""Every change and review of the human study is scored within the contract."""

import json

import pytest

from crscore_core import CRScorer
from crscore_core.scoring.review_score import score_document
from crscore_eval.data.shipped import shipped_run
from tests.word_encoder import WordEncoder

MIN_CHANGES = 100


@pytest.mark.parametrize("real", [30, pytest.param(1, marks=pytest.mark.long)])
def test_all_changes_and_reviews_are_scored_within_the_contract(real: int) -> None:
    """Embed every `real`-th change with the real encoder, the others with words."""
    default, words = CRScorer(), CRScorer(encoder=WordEncoder(), tau=0.5)
    run = shipped_run()
    texts = run.reviews.groupby("change")["review"].agg(list)
    changes = [(diff, texts[key]) for key, diff in run.changes[["change", "diff"]].to_numpy()]
    assert len(changes) >= MIN_CHANGES
    scored = unscored = 0
    for number, (diff, reviews) in enumerate(changes):
        scorer = words if number % real else default
        document = json.loads(
            json.dumps(score_document(scorer.score_many(diff, reviews)), allow_nan=False)
        )
        rows = len(document["pseudo_references"])
        assert rows > 0
        assert all(one["text"].strip() for one in document["pseudo_references"])
        assert document["analyzers"]
        assert all(
            (one["reason"] is not None) or one["status"] != "not_analysed"
            for one in document["analyzers"]
        )
        assert [one["review"] for one in document["reviews"]] == reviews
        for review in document["reviews"]:
            scores = [review[name] for name in ("conciseness", "comprehensiveness", "relevance")]
            if not review["sentences"]:
                unscored += 1
                assert scores == [None, None, None]
                assert not review["review"].strip()
                assert any("no visible text" in text for text in document["warnings"])
                continue
            scored += 1
            assert min(scores[:2]) - 1e-9 <= scores[2] <= max(scores[:2]) + 1e-9
            assert sorted(review["covered"] + review["missed"]) == list(range(rows))
    assert scored > 10 * unscored
