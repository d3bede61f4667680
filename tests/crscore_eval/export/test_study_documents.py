"""Every change and review of the human study is scored within the contract."""

import json

import pytest

from crscore_core import CRScorer
from crscore_eval.data.shipped import shipped_run
from crscore_eval.export.score_document import score_document
from tests.word_encoder import WordEncoder


@pytest.mark.parametrize("real", [30, pytest.param(1, marks=pytest.mark.long)])
def test_all_changes_and_reviews_are_scored_within_the_contract(real: int) -> None:
    """Embed every `real`-th change with the real encoder, the others as bags of words."""
    default, words = CRScorer(), CRScorer(encoder=WordEncoder(), tau=0.5)
    run = shipped_run()
    texts = run.reviews.groupby("change")["review"].agg(list)
    scored = unscored = 0
    for number, (key, diff) in enumerate(run.changes[["change", "diff"]].to_numpy()):
        scorer = words if number % real else default
        scores = scorer.score_many(diff, texts[key])
        document = json.loads(json.dumps(score_document(scores), allow_nan=False))
        assert all(one["text"].strip() for one in document["pseudo_references"])
        assert document["analyzers"]
        for one in document["analyzers"]:
            assert one["reason"] or one["status"] != "not_analysed"
        assert [one["review"] for one in document["reviews"]] == texts[key]
        for review in document["reviews"]:
            dimensions = [review[name] for name in ("conciseness", "comprehensiveness")]
            if review["sentences"]:
                scored += 1
                assert min(dimensions) - 1e-9 <= review["relevance"] <= max(dimensions) + 1e-9
                covered = sorted(review["covered"] + review["missed"])
                assert covered == [*range(len(document["pseudo_references"]))] != []
            else:
                unscored += 1
                assert [*dimensions, review["relevance"]] == [None] * 3
                assert not review["review"].strip()
    assert scored > 10 * unscored
