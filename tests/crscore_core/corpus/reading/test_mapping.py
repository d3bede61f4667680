"""Columns are mapped to fields by their names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.corpus.reading import (
    FIELDS,
    check_mapping,
    guess_mapping,
    label_column,
    label_columns,
    label_name,
    unread_ratings,
)
from crscore_core.errors import InputError

USUAL = sorted({name for field in FIELDS for name in field.usual_names})


def test_every_field_has_a_name_of_its_own_and_a_meaning() -> None:
    assert len({field.name for field in FIELDS}) == len(FIELDS)
    assert [field.name for field in FIELDS if field.is_required] == ["diff", "review"]
    assert all(field.meaning for field in FIELDS)


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ([field.name for field in FIELDS], {field.name: field.name for field in FIELDS}),
        (
            ["oldf", "patch", "msg", "id", "y", "lang"],
            {"old_file": "oldf", "diff": "patch", "review": "msg", "id": "id", "language": "lang"},
        ),
        (["idx", "patch"], {"id": "idx", "diff": "patch"}),
        (["id", "idx"], {"id": "id"}),
        (
            ["patch", "msg", "prediction", "model"],
            {"diff": "patch", "review": "prediction", "reference": "msg", "system": "model"},
        ),
        (
            ["Code Change", "COMMENT", "Model_Name", "Human-Relevance", "relevance"],
            {
                "diff": "Code Change",
                "review": "COMMENT",
                "system": "Model_Name",
                "relevance": "Human-Relevance",
            },
        ),
        (["diff", "body", "rating"], {"diff": "diff", "review": "body", "relevance": "rating"}),
        (["diff_hunk", "review", "score"], {"diff": "diff_hunk", "review": "review",
                                            "relevance": "score"}),
        (["review", "Review", "comment"], {"review": "review"}),
        # Scores that this program exported are nobody's ratings.
        (["review", "relevance", "conciseness", "encoder", "claims_by"], {"review": "review"}),
        (["review", "relevance", "human_relevance", "rating", "encoder", "claims_by"],
         {"review": "review", "relevance": "human_relevance"}),
        (["nothing", "", "\ud800"], {}),
        ([], {}),
    ],
)  # fmt: skip
def test_columns_are_known_by_their_names(columns: list[str], expected: dict[str, str]) -> None:
    assert guess_mapping(columns) == expected


@pytest.mark.parametrize(
    ("columns", "chosen", "labels", "unread"),
    [
        (("relevance", "rating", "conciseness"), {}, (), ["rating"]),
        (("relevance", "rating"), {}, ("rating",), []),
        (("relevance", "rating"), {"relevance": "rating"}, (), ["relevance"]),
        (("human_relevance", "rating", "relevance", "encoder", "claims_by"), {}, (), ["rating"]),
        (("human_relevance", "relevance", "encoder", "claims_by"), {}, (), []),
    ],
)
def test_ratings_that_another_column_holds_are_told(
    columns: tuple[str, ...], chosen: dict[str, str], labels: tuple[str, ...], unread: list[str]
) -> None:
    assert unread_ratings(columns, chosen, labels) == unread


@pytest.mark.parametrize(
    ("column", "name", "kept_as"),
    [
        ("label_useful", "useful", "label_useful"),
        ("Label_Useful", "Useful", "label_Useful"),
        ("useful", "useful", "label_useful"),
        ("outcome_merged", "outcome_merged", "outcome_merged"),
        ("label_label_x", "label_x", "label_label_x"),
        ("label_", "label_", "label_label_"),
    ],
)
def test_a_label_keeps_its_name(column: str, name: str, kept_as: str) -> None:
    assert label_name(column) == name
    assert label_column(name) == kept_as
    assert label_name(kept_as) == name
    assert label_columns((kept_as, "labels")) == (kept_as,)


@given(st.lists(st.sampled_from(USUAL) | st.text(max_size=8), unique=True))
def test_a_column_serves_once(columns: list[str]) -> None:
    guessed = list(guess_mapping(columns).values())
    assert len(set(guessed)) == len(guessed)
    assert set(guessed) <= set(columns)


@pytest.mark.parametrize(
    ("mapping", "says"),
    [
        ({"review": "b"}, "no column holds the diff"),
        ({"diff": "a"}, "no column holds the review"),
        ({"diff": "a", "review": "c"}, "there is no column 'c' for review"),
        ({"diff": "a", "review": "a"}, "'a' cannot be both diff and review"),
    ],
)
def test_a_mapping_that_does_not_fit_is_refused(mapping: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        check_mapping(mapping, ("a", "b"))
