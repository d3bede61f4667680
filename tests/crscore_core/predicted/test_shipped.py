import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from crscore_core.predicted.features import FEATURES, review_features
from crscore_core.predicted.model import CalibratedModel
from crscore_core.predicted.shipped import calibrated_model, calibrated_relevance
from crscore_core.scoring import DEFAULT_ENCODER

TEXTS = st.lists(st.text(max_size=30), min_size=1, max_size=4)


def model() -> CalibratedModel:
    found = calibrated_model(DEFAULT_ENCODER)
    assert found is not None
    return found


def score(references: list[str], sentences: list[str], similarity: object) -> float:
    found = calibrated_relevance(DEFAULT_ENCODER, references, sentences, np.array(similarity))
    assert found is not None
    return found


def drawn(data: st.DataObject, rows: int, columns: int) -> NDArray[np.float64]:
    cells = data.draw(st.lists(st.floats(-1, 1), min_size=rows * columns, max_size=rows * columns))
    return np.array(cells).reshape(rows, columns)


def test_the_model_belongs_to_its_encoder() -> None:
    assert model().encoder == DEFAULT_ENCODER
    assert calibrated_model("other") is None
    assert calibrated_relevance("other", ["a"], ["b"], [[0.5]]) is None


def test_it_says_what_it_was_fitted_to() -> None:
    made = model().provenance
    assert "CRScore human study" in made.data
    assert made.command == "crscore study calibrate"
    assert made.claims == ("study", "symbolic")
    assert [(one.left_out, one.claims) for one in made.held_out] == [
        ("change", "study"), ("change", "symbolic"), ("system", "study"), ("system", "symbolic"),
    ]  # fmt: skip


@given(references=TEXTS, sentences=TEXTS, data=st.data())
def test_a_higher_similarity_never_lowers_it(
    references: list[str], sentences: list[str], data: st.DataObject
) -> None:
    low = drawn(data, len(references), len(sentences))
    high = np.maximum(low, drawn(data, len(references), len(sentences)))
    # 1e-12: means of the same numbers in another order may differ in their last digit
    assert score(references, sentences, high) >= score(references, sentences, low) - 1e-12


@given(data=st.data())
def test_a_covered_word_in_place_of_another_never_lowers_it(data: st.DataObject) -> None:
    references = ["The parser drops the last token.", "A cache entry expires."]
    fillers = ["lorem", "ipsum", "dolor", "amet"]
    covered = ["parser", "drops", "token", "cache", "entry", "expires"]
    words = data.draw(st.lists(st.sampled_from(fillers + covered), min_size=1, unique=True))
    better = list(words)
    place = data.draw(st.integers(0, len(words) - 1))
    new = data.draw(st.sampled_from([word for word in covered if word not in words] or ["parser"]))
    if words[place] in fillers and new not in words:
        better[place] = new
    similarity = drawn(data, 2, 1)
    before = score(references, [" ".join(words)], similarity)
    assert score(references, [" ".join(better)], similarity) >= before - 1e-12


@given(references=TEXTS, sentences=TEXTS, data=st.data())
def test_it_lies_between_0_and_1_and_no_order_changes_it(
    references: list[str], sentences: list[str], data: st.DataObject
) -> None:
    matrix = drawn(data, len(references), len(sentences))
    found = score(references, sentences, matrix)
    assert 0 <= found <= 1
    turned = score(references[::-1], sentences[::-1], matrix[::-1, ::-1])
    assert turned == pytest.approx(found, abs=1e-9)


def test_a_huge_review_has_a_score() -> None:
    sentences = [f"sentence{number} about the parser" for number in range(3000)]
    similarity = np.full((200, 3000), 0.9, dtype=np.float32)
    assert 0 <= score(["the parser " * 500] * 200, sentences, similarity) <= 1


def test_reviews_that_say_more_of_the_change_score_higher() -> None:
    references = ["The parser drops the last token.", "A cache entry expires too early."]
    good = score(
        references,
        ["The parser drops the last token when input ends", "Cache entries expire too early"],
        [[0.95, 0.2], [0.1, 0.9]],
    )
    vague = score(references, ["Looks good to me"], [[0.1], [0.05]])
    assert good > 0.5
    assert vague < 0.15


def test_contributions_say_why() -> None:
    found = model().ordinal.contributions(review_features(["A claim"], ["Thanks"], [[0.02]]))
    assert [one.name for one in found] == [feature.name for feature in FEATURES]
    focus = found[1]
    assert focus.value == pytest.approx(0.02)
    assert focus.contribution < -1
