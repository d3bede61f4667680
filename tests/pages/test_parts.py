"""Parts that several pages share: names, the view of one review, sources that are kept."""

import pytest
from crscore_core.corpus.change_matrix import change_matrix
from crscore_core.corpus.model import GROUND_TRUTH
from pages.components.source.load import study_source
from streamlit.testing.v1 import AppTest

from crscore_eval.statistics import Interval
from pages.components.review_view import reference_table, sentence_table
from pages.components.text import between, distinct, number, safe_table, system_name
from tests.crscore_core.corpus.made_reviews import made
from tests.pages.app_page import source_of


def test_only_the_study_s_systems_have_names_in_the_paper() -> None:
    study = study_source()
    names = [system_name(study, system) for system in ("gpt3.5", GROUND_TRUTH, "mine")]
    assert names == ["GPT-3.5", "Ground Truth", "mine"]
    assert system_name(source_of(made()), "gpt3.5") == "gpt3.5"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], []),
        (["a", "b"], ["a", "b"]),
        (["a", "b", "a", "a"], ["a (1)", "b", "a (2)", "a (3)"]),
        (["a", "a (1)", "a"], ["a (2)", "a (1)", "a (3)"]),
        (["a", "a", "a (1)", "a (1)"], ["a (2)", "a (3)", "a (1) (1)", "a (1) (2)"]),
    ],
)
def test_no_two_options_have_the_same_name(names: list[str], expected: list[str]) -> None:
    assert distinct(names) == expected
    assert len(set(expected)) == len(names)


def test_figures_and_intervals_in_words() -> None:
    assert (number(0.12345), number(0.12345, 1), number(None)) == ("0.123", "0.1", "–")
    assert between(Interval(0.1, 0.25, 0.95)) == "0.100 to 0.250"
    assert between(Interval(1.0, 3.0, 0.95), 0) == "1 to 3"
    assert (between(None), between(None, nothing="")) == ("–", "")


def test_tables_of_matches_name_places_and_best_matches() -> None:
    matrix = change_matrix(made(), (4,))
    references = reference_table(matrix, 0.25)
    assert list(references["coverage"]) == ["✓ covered", "✓ covered", "✗ missed"]
    assert list(references["best match"]) == ["S1 0.900", "S2 0.300", "S1 0.200"]
    assert list(sentence_table(matrix, 0.25)["best match"]) == ["P1 0.900", "P2 0.300"]
    texts = [text.striptags() for text in references["pseudo-reference"]]
    assert texts == [f"Claim {row} of c. — claim, by hand, f.py:{row}" for row in range(3)]
    silent = reference_table(change_matrix(made(), (3,)), 0.25)
    assert (list(silent["coverage"]), list(silent["best match"])) == (["✗ missed"], [""])


def page_of_a_damaged_source() -> None:
    from unittest.mock import Mock

    import streamlit as st
    from pages.components.source.load import kept_source

    from crscore_core.errors import InputError

    try:
        kept_source("study", Mock(side_effect=InputError("row 3 is damaged")))
    except InputError as error:
        st.error(str(error))


def test_no_bar_stays_where_a_source_cannot_be_made() -> None:
    page = AppTest.from_function(page_of_a_damaged_source).run()
    assert [error.value for error in page.error] == ["row 3 is damaged"]
    assert not page.get("progress")


def test_no_cell_of_a_table_is_a_formula() -> None:
    table = safe_table([{"name": "=1+1", "number": 2.0}, {"name": "mine", "number": None}])
    assert table["name"].tolist() == ["'=1+1", "mine"]
    assert table["number"].dtype == float
