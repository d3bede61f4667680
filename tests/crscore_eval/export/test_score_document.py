"""Scores as a JSON document."""

import dataclasses
import json

import numpy as np

from crscore_core import CRScorer
from crscore_core.claims import parse_given_claims
from crscore_core.scoring import metric
from crscore_eval.export.score_document import score_document
from tests.crscore_core.changes import PYTHON
from tests.word_encoder import WordEncoder

CLAIMS = parse_given_claims("a claim about load")
SCORER = CRScorer(claims=CLAIMS, encoder=WordEncoder(), tau=0.3)


def test_the_document_holds_everything_needed_to_score_again() -> None:
    scores = SCORER.score_many(PYTHON, ["", "a claim. something else", "=cmd()"])
    document = json.loads(json.dumps(score_document(scores), allow_nan=False))
    empty, *reviews = document["reviews"]
    assert (empty["relevance"], empty["no_threshold"]) == (None, None)
    assert empty["similarity"] == [[] for _ in document["pseudo_references"]]
    for review in reviews:
        matrix = np.array(review["similarity"])
        assert dataclasses.asdict(metric.score(matrix, document["tau"])).items() <= review.items()
        assert dataclasses.asdict(metric.score(matrix, None)) == review["no_threshold"]
        for column, sentence in enumerate(review["sentences"]):
            assert sentence["best_similarity"] == matrix[:, column].max()
            assert sentence["best_reference"] == matrix[:, column].argmax()
            assert sentence["on_topic"] == (matrix[:, column].max() > document["tau"])
        rows = range(len(document["pseudo_references"]))
        assert sorted(review["covered"] + review["missed"]) == list(rows)
        assert review["covered"] == [row for row in rows if matrix[row].max() > document["tau"]]


def test_a_score_as_a_dictionary_agrees_with_its_document() -> None:
    score = SCORER.score(PYTHON, "a claim. something else")
    values = score.to_dict()
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    document = score_document([score])
    (review,) = document["reviews"]
    assert values["no_threshold"] == score.no_threshold == review["no_threshold"]["relevance"]
    assert values["without_threshold"] == review.pop("no_threshold")
    assert values.items() >= review.items()
    assert values.items() >= {name: document[name] for name in ("tau", "analyzers")}.items()
    ran = {(one["name"], one["version"]) for one in values["analyzers"]}
    assert ran == {(use.name, use.version) for use in score.signature.ran} != set()


def test_a_warning_about_the_change_is_given_once() -> None:
    excerpt = PYTHON[: PYTHON.index(" def save")]
    warnings = score_document(SCORER.score_many(excerpt, ["a claim", ""]))["warnings"]
    assert [warning for warning in warnings if "shorter than" in warning] == warnings[:1]
    assert warnings[1:] == [
        "review 2: the review states nothing, so no score; rankings count it as zero"
    ]
