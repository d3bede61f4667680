"""Roles of columns: guessed from cells and names, or chosen."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from crscore_core.errors import InputError
from crscore_eval.table import (
    ColumnRole,
    ColumnsUnclearError,
    ReviewRow,
    decide_layout,
    read_reviews,
)


def written(tmp_path: Path, **columns: list[str]) -> Path:
    """A CSV file with these columns next to a diff and a review."""
    path = tmp_path / "reviews.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["diff", "review", *columns])
        rows.writerows(["d", "r", *cells] for cells in zip(*columns.values(), strict=True))
    return path


def roles(path: Path, **chosen: str) -> dict[str, ColumnRole]:
    """The role of each column of a file."""
    return {column.column: column for column in decide_layout(path, chosen).roles}


def extra_of(
    path: Path, chosen: dict[str, str] | None = None
) -> list[dict[str, float | str | None]]:
    """The extra cells of each row, none of which is rejected."""
    rows = list(read_reviews(path, decide_layout(path, chosen)))
    assert all(isinstance(row, ReviewRow) for row in rows)
    return [row.extra for row in rows if isinstance(row, ReviewRow)]


@pytest.mark.parametrize(
    ("column", "cells", "read_as", "kind"),
    [
        ("score", ["1", "5", "3.5"], "human_relevance", "rating"),
        ("score", ["1", "10"], "human_relevance", "rating"),
        ("conciseness", ["1", "10"], "human_conciseness", "rating"),
        ("score", ["1", "1"], "label_score", "label"),
        ("human_relevance", ["1", "1"], "human_relevance", "rating"),
        ("conciseness", ["1", "1"], "label_conciseness", "label"),
        ("rating", ["1"], "human_relevance", "rating"),
        ("useful", ["1", "1"], "label_useful", "label"),
        ("original_line", ["12", "7"], "original_line", "text"),
        ("Who", ["ann", "bob"], "system", "field"),
        ("MR", ["7", "9"], "MR", "text"),  # two of one diff
        ("merge", ["yes", "no"], "label_merge", "label"),
        ("score", ["0.2", "0.9"], "label_score", "label"),
        ("human_relevance", ["0", "3"], "human_relevance", "rating"),
        ("Human Conciseness", ["2", ""], "human_conciseness", "rating"),
        ("comprehensiveness", ["4", "n/a"], "human_comprehensiveness", "rating"),
        ("conciseness", ["0.5", "1"], "label_conciseness", "label"),
        ("human_accuracy", ["1", "2"], "label_human_accuracy", "label"),
        ("rating", ["good", "bad"], "rating", "text"),
        ("rating", ["4,5", "3"], "human_relevance", "rating"),
        ("rating", ["4", "3", "unsure"], "human_relevance", "rating"),
        ("label_right", ["yes", "no"], "label_right", "label"),
        ("outcome_resolved", ["true", "false"], "label_outcome_resolved", "label"),
        ("label_kind", ["bug", "style"], "file_label_kind", "text"),
        ("judge_gpt_right", ["0.5", ""], "judge_gpt_right", "number"),
        ("metric_bleu", ["0.5", "0.1"], "metric_bleu", "number"),
        ("duration", ["12", "7.5"], "duration", "number"),
        ("stars", ["1,234", "5"], "stars", "text"),  # a thousand, or a decimal comma
        ("share", ["0,125", "0,5"], "share", "number"),
        ("repository", ["a", "b"], "repository", "text"),
        ("usefulness", ["1", "5", "4"], "label_worth", "rating"),
        ("my_rating", ["1", "5", ""], "human_relevance", "rating"),
        ("Usefulness (1-5)", ["2", "3"], "label_worth", "rating"),
        ("Quality Score", ["2", "3.5"], "human_relevance", "rating"),
        ("usefulness", ["1", "5", "4", "9"], "label_worth", "rating"),
        ("usefulness", ["1", "10", "7", "8"], "label_worth", "rating"),
        ("usefulness", ["-1", "1", "0"], "label_usefulness", "label"),
        ("useful_1_to_10", ["1", "4", "2", "5", "3"], "label_worth", "rating"),
        ("weight", ["1", "5", "4"], "weight", "number"),
        ("rating", ["1", "5", "4", "3", "9"], "human_relevance", "rating"),
        ("rating", ["1", "5", "4", "3", "yes"], "human_relevance", "rating"),
        ("rating", ["1", "8", "7", "3"], "human_relevance", "rating"),
        ("my_rating", ["1", "5", "4", "2", "n.a."], "human_relevance", "rating"),
        ("my_rating", ["1", "10", "4", "2", "n.a."], "human_relevance", "rating"),
        ("helpfulness (0-100)", ["80", "100"], "label_worth", "rating"),
        ("Usefulness", ["4/5", "3 / 5", "1 of 5"], "label_worth", "rating"),
        ("score", ["3/10", "4/10", "2/10"], "human_relevance", "rating"),
        ("Quality", ["80%", "90 %", "5%"], "human_relevance", "rating"),
        ("my rating", ["★★★☆☆", "★☆☆☆☆"], "human_relevance", "rating"),
        ("share", ["1/2", "2/3"], "share", "text"),
        ("outdated", ["true", "false"], "label_outdated", "label"),
        ("outdated", ["false", "false"], "outdated", "text"),
        ("holds_up", ["no", "yes", "yes", "unsure"], "label_holds_up", "label"),
        ("correct", ["true", "false"], "label_correct", "label"),
        ("label", ["yes", "no", ""], "label_label", "label"),
        ("True claim?", ["Yes", "NO"], "label_True claim?", "label"),
        ("correct", ["yes", "no", "yes", "unsure"], "label_correct", "label"),
        ("correct", ["yes", "style", "bug", "style"], "correct", "text"),
        ("zip", ["007", "012"], "zip", "text"),
        ("sha", [str(2**60), "1"], "sha", "text"),
        ("sentences", ["a", "b"], "file_sentences", "text"),
        ("tau", ["0.1", "0.2"], "file_tau", "number"),
    ],
)
def test_the_name_and_the_cells_of_a_column_decide_what_it_is_read_as(
    column: str, cells: list[str], read_as: str, kind: str, tmp_path: Path
) -> None:
    path = written(tmp_path, **{column: cells})
    assert (roles(path)[column].read_as, roles(path)[column].kind) == (read_as, kind)
    assert kind == "field" or all(read_as in extra for extra in extra_of(path))


def test_ratings_and_labels_become_numbers_or_blanks(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        score=["10", "", "7"],
        rating=["4,5", "cannot tell", "what?"],
        label_right=["Yes", "FAIL", "-"],
        note=["", "x", "nan"],
    )
    assert extra_of(path) == [
        {"label_score": 10, "human_relevance": 4.5, "label_right": 1, "note": ""},
        {"label_score": None, "human_relevance": None, "label_right": 0, "note": "x"},
        {"label_score": 7, "human_relevance": None, "label_right": None, "note": "nan"},
    ]


def test_one_of_several_rating_columns_holds_the_ratings_of_relevance(tmp_path: Path) -> None:
    path = written(tmp_path, score=["1", "5"], human_relevance=["2", "3"], my_stars=["1", "2"])
    read_as = [role.read_as for role in roles(path).values()]
    assert read_as == ["diff", "review", "label_score", "human_relevance", "label_my_stars"]


def test_a_cell_without_claims_is_blank_for_the_layout_and_for_the_row(tmp_path: Path) -> None:
    path = written(tmp_path, claims=["none", "n/a", "a loop is removed", " - "])
    layout = decide_layout(path)
    rows = [row for row in read_reviews(path, layout) if isinstance(row, ReviewRow)]
    assert [row.claims is None for row in rows] == [True, True, False, True]


def test_a_cell_off_the_scale_is_blank_and_its_row_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, rating=["1", "9", "3", "4"], useful=["5", "4", "yes", "2"])
    assert "row 3" in roles(path)["rating"].note
    assert "row 4" in roles(path)["useful"].note
    assert [[*extra.values()] for extra in extra_of(path)] == [[1, 5], [None, 4], [3, None], [4, 2]]
    grades = written(tmp_path, rating=["1", "11", "3", "4"])
    assert "1 cell left blank, in row 3" in roles(grades, rating="rating:1-10")["rating"].note
    ends = written(
        tmp_path, score=["3/10", "10/10", "20/10", "?"], useful=["★☆☆☆☆", "★★★", "", "5"]
    )
    assert [[*extra.values()] for extra in extra_of(ends)] == [
        pytest.approx([17 / 9, 1]), [5, 3], [None, None], [None, 5]
    ]  # fmt: skip
    many = roles(written(tmp_path, rating=["1", *"99", *7 * "?"]), rating="rating:1-5")
    where = "in rows 3, 4, 5, 6, 7 and 4 more, which have no human_relevance in the run"
    assert f"9 cells left blank, {where}: not a rating from 1 to 5" in many["rating"].note


@pytest.mark.parametrize(
    ("column", "cells", "words"),
    [
        ("my_rating", ["1", "10", "7"], "to change that: --column my_rating=worth:1-10"),
        ("stars", ["1", "4"], "to change that: --column stars=worth"),
        ("Quality (%)", ["0", "100"], "--column 'Quality (%)=worth:0-100'"),
        ("weight", ["1", "5", "5"], "--column weight=rating:1-5"),
        ("Overall", ["80", "7", "55"], "--column Overall=rating:0-100"),
        ("nr", ["1", "2", "3"], "an id"),
        ("position", ["4", "9", "4"], "a place"),
        ("reply", ["1900000007", "1900000007"], "an id"),
        ("latency", ["4", "9.5", "4"], "not read as ratings"),
        ("usefulness", ["1", "10", "7"], "to change that: --column usefulness=label"),
        (
            "usefulness_1_to_10",
            ["1", "5"],
            "scale from its name or cells; or --column usefulness_1_to_10=label",
        ),
        ("usefulness", ["-1", "0", "1"], "--column usefulness=worth:-1-1"),
        ("correctness", ["1", "2", "3", "3"], "--column correctness=right"),
        ("correct", ["yes", "no"], "--column correct=right"),
        ("incorrect", ["yes", "no"], "kept as a label: 1 for yes, 0 for no"),
        ("score", ["1", "1"], "all its numbers are 1; to change that: --column score=rating:1-5"),
        ("score", ["0", "0"], "--column score=rating:1-5"),
        ("rating", ["4", "4"], "all its numbers are the same"),
        ("useful", ["1", "1", "1"], "--column useful=worth:1-5"),
        ("friendliness", ["1", "4", "5"], "--column friendliness=rating:1-5"),
        ("usefulness", ["Agree", "Neutral"], "cells are not numbers"),
        ("usefulness", ["How useful?", "4", "2"], "--column usefulness=worth:1-5"),
        ("Overall", ["4", "2", "unsure"], "--column Overall=rating:1-5"),
        ("second", ["Why is it so?", "Is it tested?"], "not scored as a review"),
        ("row", ["4", "5", "6"], "reserved"),
        ("outdated", ["true", "false"], "label; to change that: --column outdated=text"),
        ("outdated", ["true", "true"], "--column outdated=label"),
        ("engine", ["a", "b", "a", "b", "a", "b"], "--column engine=reviewer"),
        ("rating", ["4", "3", "yes"], "words"),
        ("line", ["4", "3", "3"], "a place"),
        ("useful", ["4", "3"], "guessed"),
    ],
)
def test_what_is_guessed_or_not_read_is_said_with_the_way_to_name_it(
    column: str, cells: list[str], words: str, tmp_path: Path
) -> None:
    assert words in roles(written(tmp_path, **{column: cells}))[column].note


@pytest.mark.parametrize(
    ("role", "cells", "read_as", "values"),
    [
        ("rating", ["1", "5"], "human_relevance", [1, 5]),
        ("rating:1-10", ["1", "10", "4", "?"], "human_relevance", [1, 5, 7 / 3, None]),
        ("worth:0-100", ["0", "50", "yes"], "label_worth", [1, 3, None]),
        ("human_conciseness:0-1", ["0.5", "2"], "human_conciseness", [3, None]),
        ("label", ["yes", "no"], "label_my", [1, 0]),
        ("right", ["yes", "0"], "label_right", [1, 0]),
        ("number", ["3", "x"], "my", [3, None]),
        ("text", ["3", "4"], "my", ["3", "4"]),
    ],
)
def test_a_column_is_what_the_user_says(
    role: str, cells: list[str], read_as: str, values: list[object], tmp_path: Path
) -> None:
    path = written(tmp_path, my=cells)
    assert [extra[read_as] for extra in extra_of(path, {"my": role})] == pytest.approx(values)
    assert decide_layout(path, {"my": role}, ask=True)
    named = written(tmp_path, **{"my 1-10": ["1", "4"]})
    assert roles(named, **{"my 1-10": "worth"})["my 1-10"].scale == "1-10"


def test_chosen_columns_are_read_as_said_and_the_others_are_recognised(tmp_path: Path) -> None:
    path = written(tmp_path, text=["a b", "c d"], who=["ann", "bob"], rating=["1", "2"])
    layout = decide_layout(path, {"text": "review", "who": "reviewer", "review": "ignored"})
    assert layout.fields == {"diff": "diff", "review": "text", "system": "who"}
    assert [role.read_as for role in layout.extra] == ["human_relevance"]


@pytest.mark.parametrize(
    "chosen",
    [{"x": "blue"}, {"x": "diff:1-5"}, {"x": "rating:5-1"}, {"gone": "label"}, {"x": "rating"},
     {"x": "review", "review": "review"}, {"relevance": ""}, {"x": "worth", "review": "worth"}],
)  # fmt: skip
def test_rejects_roles_that_cannot_be(chosen: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(InputError):
        decide_layout(written(tmp_path, x=["a", "b"]), chosen)
    with pytest.raises(InputError, match="such as worth:0-100"):
        decide_layout(written(tmp_path, x=["90", "100"]), {"x": "worth"})
    with pytest.raises(InputError, match="no numbers"):
        decide_layout(written(tmp_path, x=["yes", "no"]), {"x": "rating"})


DIFF = "@@ -1 +1 @@\n-a\n+b"


@pytest.mark.parametrize(
    ("row", "words"),
    [({"diff": DIFF}, "--column NAME=review"), ({"review": "x", "old\nnew": "a\nb"}, "NAME=diff"),
     ({"review": "x", "by": "ann"}, "gh api")],
)  # fmt: skip
def test_missing_columns_are_named_with_a_way_that_can_be_gone(
    row: dict[str, str], words: str, tmp_path: Path
) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError, match=words):
        decide_layout(tmp_path / "a.jsonl")


def test_diffs_and_reviews_of_other_names_are_found_by_their_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = [
        ("diff", "delta", "Bemerkung", "review", "patch"),
        ("PR-1", DIFF, "Why is it b now?", "4", "patch 7"),
        ("PR-2", DIFF, "Is this tested?", "2", "patch 8"),
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    assert decide_layout(path).fields == {"diff": "delta", "review": "Bemerkung"}
    with pytest.raises(ColumnsUnclearError) as raised:
        decide_layout(path, ask=True)
    uncertain = [one["column"] for one in raised.value.columns if not one["is_certain"]]
    assert {"delta", "Bemerkung"} <= {*uncertain}
    assert raised.value.columns[2]["examples"] == ["Why is it b now?", "Is this tested?"]


PEOPLE, TEAMS = ["ann", "bob", "cy"], ["red", "blue", "blue"]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"Kollege": lambda _, person: PEOPLE[person]}, {"system": "Kollege"}),
        ({"Kollege": lambda _, person: PEOPLE[person], "Vorgang": lambda change, _: f"V-{change}"},
         {"system": "Kollege", "change": "Vorgang"}),
        ({"a": lambda _, person: PEOPLE[person], "b": lambda _, person: PEOPLE[-person]}, {}),
        ({"team": lambda change, person: TEAMS[(change + person) % 3]}, {}),
        ({"verdict": lambda _, person: PEOPLE[person]}, {}),
        ({"severity": lambda change, _: f"level {change}"}, {}),
        ({"commit": lambda change, _: f"c{change}"}, {"change": "commit"}),
        ({"MR": lambda change, _: f"{change}"}, {"change": "MR"}),
        ({"Merge": lambda change, _: f"!{change}"}, {"change": "Merge"}),
        ({"Merge request": lambda change, _: f"{change}"}, {"change": "Merge request"}),
        ({"commit": lambda change, _: f"c{change // 2}"}, {}),  # names several changes
        ({"mr": lambda change, _: f"{change}", "diff": lambda change, person:
          f"@@ -1 +1 @@\n-a\n+{change}" if change != person else "see the merge request"},
         {"change": "mr"}),
        ({"commit": lambda *_: "c1"}, {}),
        ({"commit": lambda change, person: f"c{change}{person}"}, {}),  # names reviews
        ({"who": lambda *_: ""}, {}),
        ({"bot": lambda change, person: f"Why is there no test of it {change} {person}?"}, {}),
        ({"who": lambda *_: "Ann of Team A"}, {"system": "who"}),
    ],
)  # fmt: skip
def test_cells_show_who_reviewed_and_what_names_a_change(
    columns: dict[str, Callable[[int, int], str]], expected: dict[str, str], tmp_path: Path
) -> None:
    rows = [
        {"diff": f"@@ -1 +1 @@\n-a\n+{change}", "review": "Why?"}
        | {name: cell(change, person) for name, cell in columns.items()}
        for change in range(4)
        for person in range(3)
    ]
    path = tmp_path / "reviews.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert decide_layout(path).fields == {"diff": "diff", "review": "review"} | expected


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"patch": DIFF, "ann": "Why is it b?", "bob": "Is it tested?", "n": 1},
         "table[['patch', 'n']].assign(**{'reviewer': one, 'review': table.get(f'{one}')}"),
        ({"patch": DIFF, "ann": "Why is it b?", "bot": "Is it tested by a new test?"},
         "['ann', 'bot']"),
        ({"patch": DIFF, "reviews": {"gpt": "Why is it b?", "human": "Is it tested?"}},
         "table.get(f'reviews.{one}')}) for one in ['gpt', 'human']"),
        ({"diff": DIFF, "review_ann": "Why is it b?", "review_bo": "Is it tested?", "MR": "7"},
         "table[['diff', 'MR']].assign(**{'reviewer': one, 'review': table.get(f'review_{one}')}"),
    ],
)  # fmt: skip
def test_a_column_for_each_reviewer_is_not_read_but_the_way_to_reshape_it_is_named(
    row: dict[str, object], words: str, tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_text(json.dumps([row] * 3), encoding="utf-8")
    with pytest.raises(ColumnsUnclearError, match=re.escape(words)):
        decide_layout(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("text", "rating"),
    [("{} remark", "{} stars"), ("Review by {}", "{}"), ("{}", "stars_{} {{5}}")],
)
def test_the_line_that_reshapes_a_file_keeps_each_reviewers_ratings(
    text: str, rating: str, tmp_path: Path
) -> None:
    path, people = tmp_path / "wide.csv", ["Bo", "Cy", "Di"]
    cells = {text.format(one): f"Why is it b, {one} asks?" for one in people}
    cells |= {rating.format(one): str(grade) for grade, one in enumerate(people, start=2)}
    pd.DataFrame([{"title": "A title of three", "diff": DIFF, **cells}] * 4).to_csv(
        path, index=False
    )
    with pytest.raises(ColumnsUnclearError) as raised:
        decide_layout(path)
    line = raised.value.problem.partition("as pandas does: ")[2]
    rows = eval(line, {"pd": pd, "table": pd.read_csv(path)})  # noqa: S307 - our own line
    assert rows.groupby("reviewer")["review"].first().to_dict() == {
        one: f"Why is it b, {one} asks?" for one in people
    }
    ratings = rows.drop(columns=["title", "diff", "reviewer", "review"]).iloc[:, -1]
    assert sorted(ratings) == [2] * 4 + [3] * 4 + [4] * 4


DIFF_AND_REVIEW = {"diff": "d", "review": "r"}


@pytest.mark.parametrize(
    ("row", "read", "notes"),
    [
        ({"id": 7, "data": {**DIFF_AND_REVIEW, "team": "x"}, "annotations": [{"result": [4]}]},
         {"id": "id", "data.diff": "diff", "data.review": "review", "data.team": "data.team",
          "annotations": "annotations"}, {"annotations": "nothing inside is read"}),
        ({"fields": DIFF_AND_REVIEW, "metadata": {"model": "a", "k": 1}, "status": "done"},
         {"fields.diff": "diff", "fields.review": "review", "metadata.model": "system",
          "metadata.k": "", "status": "status"}, {"metadata.k": "in another object"}),
        ({"inputs": {"diff": "d"}, "outputs": {"review": "r"}, "feedback": {"score": 4}},
         {"inputs.diff": "diff", "outputs.review": "review",
          "feedback.score": "human_relevance"}, {"feedback.score": "the same"}),
        ({**DIFF_AND_REVIEW, "label": ["correct"]},
         {"diff": "diff", "review": "review", "label": "label"},
         {"label": "nothing inside is read"}),
    ],
)  # fmt: skip
def test_columns_in_objects_are_read_by_their_own_names(
    row: dict[str, object], read: dict[str, str], notes: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "reviews.jsonl"
    path.write_text(2 * f"{json.dumps(row)}\n")
    found = roles(path)
    assert {name: role.read_as for name, role in found.items()} == read
    assert {name for name, role in found.items() if role.note} == notes.keys()
    assert all(words in found[name].note for name, words in notes.items())


def test_a_file_of_certain_columns_is_not_asked_about(tmp_path: Path) -> None:
    path = written(tmp_path, system=["a", "b"], rating=["1", "5"], line=["3", "3"], sha=["x", "y"])
    assert decide_layout(path, ask=True).fields == {
        "diff": "diff", "review": "review", "system": "system"
    }  # fmt: skip


def test_a_column_of_yes_and_no_names_no_reviewer(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"  # as in GitLab's notes
    row = {"diff": DIFF, "body": "Why?", "system": False, "author": {"username": "ann"}}
    path.write_text(json.dumps(row), encoding="utf-8")
    assert decide_layout(path).fields["system"] == "author.username"
