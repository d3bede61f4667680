"""Every change and review of the human study is scored within the contract."""

import json

from analyzers import analyze_each
from crscore_core import CRScorer
from crscore_core.change import parse_change
from crscore_core.scoring import CachedEncoder
from crscore_core.scoring.documents import score_document
from crscore_core.scoring.smells import source_files
from crscore_eval.data import shipped_run

LEAST_CHANGES = 100


def test_all_changes_and_reviews_are_scored_within_the_contract() -> None:
    scorer = CRScorer(encoder=CachedEncoder())
    run = shipped_run()
    texts = run.reviews.groupby("change")["review"].agg(list)
    changes = [(diff, texts[key]) for key, diff in run.changes[["change", "diff"]].to_numpy()]
    assert len(changes) >= LEAST_CHANGES
    # All at once, so that each tool starts once; the scorer then finds the results known.
    analyze_each([file for diff, _ in changes for file in source_files(parse_change(diff))])
    scored = unscored = 0
    for diff, reviews in changes:
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
                assert any("the review is empty" in text for text in document["warnings"])
                continue
            scored += 1
            assert min(scores[:2]) - 1e-9 <= scores[2] <= max(scores[:2]) + 1e-9
            assert sorted(review["covered"] + review["missed"]) == list(range(rows))
    assert scored > 10 * unscored
