"""Reviews of one change that the two measures order oppositely, and the published agreement."""

from types import SimpleNamespace
from typing import Any

from crscore_core.predicted.model_file import fitted_model

from crscore_core.corpus.at_odds import published_agreement, reviews_at_odds
from crscore_core.scoring import DEFAULT_ENCODER

REL = (0.3, 0.7, 0.5, None)


def test_reviews_of_one_change_at_odds() -> None:
    made_by = SimpleNamespace(encoder=DEFAULT_ENCODER, claims="symbolic")

    def scores(*predicted: float) -> Any:  # noqa: ANN401 - the part of a `ReviewScore` that is read
        return {
            name: SimpleNamespace(predicted_relevance=one, relevance=other, signature=made_by)
            for name, one, other in zip("a\nb cc d e".split(" "), predicted, REL, strict=True)
        }

    first, others, agreed = reviews_at_odds(scores(0.5, 0.1, 0.3, 0.9))[:3]
    assert first == (
        "By predicted relevance a b is above cc, 0.500 against 0.100, difference 0.400; "
        "Rel says the opposite, 0.300 against 0.700, difference -0.400."
    )
    assert others == "So they do about a b and d; d and cc."
    assert agreed.startswith("Predicted relevance agreed better with people")
    assert reviews_at_odds(scores(0.5, 0.45, 0.41, 0.9)) == []


def test_published_figures_are_those_beside_the_model() -> None:
    model = fitted_model("relevance", DEFAULT_ENCODER)
    assert model is not None
    of_study, symbolic, of_clearcrc = model.provenance.beside_rel
    assert published_agreement(DEFAULT_ENCODER, "study") == (of_study, of_clearcrc)
    assert published_agreement(DEFAULT_ENCODER, "magicoder") == (symbolic, of_clearcrc)
    assert published_agreement("another", "study") == ()
