"""Roles of columns: guessed from cells and names, or chosen."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from crscore_core.errors import InputError
from crscore_eval.table import ColumnRole, decide_layout
from crscore_eval.table.mapping import ColumnsUnclearError
from crscore_eval.table.measures import measure_names
from crscore_eval.table.read import ReviewRow, read_reviews
from tests.crscore_eval.run.corpus import write_rows

DIFF = "@@ -1 +1 @@\n-a\n+b"
PEOPLE, TEAMS = ["ann", "bob", "cy"], ["red", "blue", "blue"]
WHY, TESTED, TITLE = "Why is it b?", "Is it tested by a new test?", "A title of three"
DIFF_AND_REVIEW = {"diff": "d", "review": "r"}


def written(tmp_path: Path, **columns: list[str] | str) -> Path:
    """A CSV file with these columns next to a diff and a review."""
    path = tmp_path / "reviews.csv"
    pd.DataFrame({"diff": "d", "review": "r"} | columns).to_csv(path, index=False)
    return path


def roles(path: Path, **chosen: str) -> dict[str, ColumnRole]:
    """The role of each column of a file."""
    return {column.column: column for column in decide_layout(path, chosen).roles}


def extra_of(path: Path, chosen: dict[str, str] | None = None) -> list[dict[str, object]]:
    """The extra cells of each row, none of which is rejected."""
    rows = list(read_reviews(path, decide_layout(path, chosen)))
    assert all(isinstance(row, ReviewRow) for row in rows)
    return [{**row.extra} for row in rows if isinstance(row, ReviewRow)]


@pytest.mark.parametrize(("read_as", "kind", "column", "cells"), [
    *(("human_relevance", "rating", *one) for one in (
        ("human_relevance", ["1", "1"]), ("human_relevance", ["0", "3"]),
        ("relevance", ["1", "5", "4", "3", "9"]), ("Relevanz 1-10", ["2", "9"]),
        ("Relevance score", ["1", "5", "2"]))),
    *(("label_worth", "rating", *one) for one in (
        ("score", ["1", "5", "3.5"]), ("score", ["1", "10"]), ("rating", ["1"]),
        ("Mark out of 10", ["4", "9"]), ("Points", ["1", "10"]), ("Note", ["2", "5", "3"]),
        ("Gesamtbewertung", ["1", "4"]), ("puntuación", ["7", "9"]), ("評価", ["3", "5"]),
        ("rating", ["4,5", "3"]), ("rating", ["4", "3", "unsure"]), ("rating", ["4", "3", "\\N"]),
        ("my_rating", ["1", "5", ""]), ("Quality Score", ["2", "3.5"]),
        ("rating", ["1", "5", "4", "3", "9"]), ("rating", ["1", "5", "4", "3", "yes"]),
        ("rating", ["1", "8", "7", "3"]), ("my_rating", ["1", "5", "4", "2", "n.a."]),
        ("my_rating", ["1", "10", "4", "2", "n.a."]), ("score", ["3/10", "4/10", "2/10"]),
        ("Quality", ["80%", "90 %", "5%"]), ("Quality", ["12,5 %", "90 %"]))),
    *(("human_conciseness", "rating", *one) for one in (("conciseness", ["1", "10"]),
        ("Human Conciseness", ["2", ""]), ("Conciseness (1-5)", ["2", "4"]))),
    ("human_comprehensiveness", "rating", "comprehensiveness", ["4", "n/a"]),
    *(("label_worth", "rating", *one) for one in (
        ("usefulness", ["1", "5", "4"]), ("Usefulness (1-5)", ["2", "3"]),
        ("usefulness", ["1", "5", "4", "9"]), ("usefulness", ["1", "10", "7", "8"]),
        ("useful_1_to_10", [*"14253"]), ("helpfulness (0-100)", ["80", "100"]),
        ("Usefulness", ["4/5", "3 / 5", "1 of 5"]), ("Nützlich (1-5)", ["2", "3"]))),
    *((f"label_{name}", "label", name, cells) for name, cells in (
        ("score", ["1", "1"]), ("conciseness", ["1", "1"]), ("useful", ["1", "1"]),
        ("merge", ["yes", "no"]), ("verdict", ["👍", "👎"]), ("score", ["0.2", "0.9"]),
        ("conciseness", ["0.5", "1"]), ("human_accuracy", ["1", "2"]), ("usefulness", ["-1", "1"]),
        ("outcome_resolved", ["true", "false"]), ("outdated", ["true", "false"]),
        ("holds_up", ["no", "yes", "yes", "unsure"]), ("label", ["yes", "no", ""]),
        ("incorrect", ["yes", "no"]), ("not valid", ["yes", "no"]),
        ("right_by_model", ["yes", "no"]), ("relevance", [*"1110"]), ("useful", [*"11101"]))),
    *(("label_right", "label", *one) for one in (
        ("label_right", ["yes", "no"]), ("correct", ["true", "false"]), ("is_correct", ["1", "0"]),
        ("¿correcto?", ["sí", "no"]), ("È corretto?", ["sì", "no"]),
        ("Right?", ["👍", "👎"]), ("label_correct", ["yes", "no"]),
        ("True claim?", ["Yes", "NO"]), ("correct", ["yes", "no", "yes", "unsure"]))),
    *((name, "text", name, cells) for name, cells in (
        ("original_line", ["12", "7"]), ("MR", ["7", "9"]),  # two of one diff
        ("stars", ["1,234", "5"]),  # a thousand, or a decimal comma
        ("rating", ["good", "bad"]), ("repository", ["a", "b"]), ("share", ["1/2", "2/3"]),
        ("outdated", ["false", "false"]), ("start_side", ["RIGHT", "RIGHT"]),
        ("correct", ["yes", "style", "bug", "style"]),
        ("zip", ["007", "012"]), ("sha", [str(2**60), "1"]))),
    *((name, "number", name, cells) for name, cells in (
        ("judge_gpt_right", ["0.5", ""]), ("metric_bleu", ["0.5", "0.1"]),
        ("duration", ["12", "7.5"]), ("share", ["0,125", "0,5"]), ("weight", ["1", "5", "4"]))),
    ("file_label_kind", "text", "label_kind", ["bug", "style"]),
    ("file_sentences", "text", "sentences", ["a", "b"]),
    *((f"file_{name}", "number", name, ["0.1", "2"]) for name in ("tau", "claims")),
    ("system", "field", "Who", ["ann", "bob"]),
])  # fmt: skip
def test_the_name_and_the_cells_of_a_column_decide_what_it_is_read_as(
    read_as: str, kind: str, column: str, cells: list[str], tmp_path: Path
) -> None:
    path = written(tmp_path, **{column: cells})
    assert (roles(path)[column].read_as, roles(path)[column].kind) == (read_as, kind)
    assert kind == "field" or all(read_as in extra for extra in extra_of(path))


def test_only_one_column_says_whether_reviews_are_right(tmp_path: Path) -> None:
    path = written(tmp_path, correct=["yes", "no"], valid=["no", "yes"])
    assert [role.read_as for role in roles(path).values()][2:] == ["label_correct", "label_valid"]
    assert "--column correct=right" in roles(path)["correct"].remark
    assert roles(path, valid="right")["correct"].read_as == "label_correct"
    assert roles(path, valid="label")["correct"].read_as == "label_right"


def test_a_second_column_of_ratings_is_a_label_and_the_way_to_their_mean_is_named(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, usefulness=["1", "5", "4"], helpfulness=["2", "5", "3"])
    role = roles(path)["helpfulness"]
    assert role.title == "rating from 1 to 5 (best), kept as a label"
    assert "worth is rated in usefulness; to average" in role.note
    assert "--column helpfulness=worth:1-5" in role.remark
    path = written(tmp_path, useful_a=["4/5"], useful_b=["9/10"], useful_final=["3"])
    assert [roles(path)[f"useful_{name}"].scale for name in "ab"] == ["1-5", "1-10"]
    assert "worth is rated in useful_a, useful_b" in roles(path)["useful_final"].note
    assert "worth too" in roles(written(tmp_path, al_mark=["4"], bo_mark=["5"]))["al_mark"].note
    assert roles(written(tmp_path, useful_by=["al"], useful_on=["x"]))["useful_by"].kind == "text"


@pytest.mark.parametrize(("first", "second", "role"), [
    ("human_relevance_a", "human_relevance_b", "relevance"), ("eva_useful", "li_useful", "worth"),
    ("Rating 1", "Rating 2", "worth"), ("correct_eva", "correct_li", "right"),
    ("a.3f0c1a2e-9d5b-4e2a-8a2a-0123456789ab.useful", "a.b.useful", "worth"),
    ("rating_clarity", "rating_depth", ""), ("useful_mean", "useful_sd", ""),
    ("relevance", "relevance_b", ""), ("valid", "correct", ""),
])  # fmt: skip
def test_finds_columns_of_raters(first: str, second: str, role: str, tmp_path: Path) -> None:
    cells = ["yes", "no", "no"] if "correct" in second else ["1", "5", "4"]
    found = [*roles(written(tmp_path, **{first: cells, second: cells})).values()][2:]
    assert [one.role == role and len(one.alternatives) > 0 for one in found] == [role > ""] * 2


@pytest.mark.parametrize(("role", "mean", "first", "second", "means"), [
    ("worth", "label_worth", ["1", "4", ""], ["5", "", ""], [3, 4, None]),
    ("relevance:1-5", "human_relevance", ["1", "4", "2"], ["5", "9", "2"], [3, 4, 2]),
    ("right", "label_right", ["yes", "no", ""], ["no", "no", "unsure"], [0.5, 0, None]),
])  # fmt: skip
def test_columns_with_one_role_are_kept_for_each_rater_and_averaged(  # noqa: PLR0917 - a table
    role: str, mean: str, first: list[str], second: list[str], means: list[float], tmp_path: Path
) -> None:
    path = written(tmp_path, **{"rater1": first, "j. doe": second})
    chosen, name = {"rater1": role, "j. doe": role}, f"label_{role.partition(':')[0]}"
    assert [one.role for one in roles(path, **chosen).values()][2:] == [role.partition(":")[0]] * 2
    rows = extra_of(path, chosen)
    assert [*rows[0]] == [f"{name}:rater1", f"{name}:j. doe", mean]
    assert [row[mean] for row in rows] == means
    # An exported table is read back as it is; without the mean, it is computed.
    pd.DataFrame(rows).assign(diff="d", review="r").to_csv(path, index=False)
    assert extra_of(path) == rows
    pd.DataFrame(rows).drop(columns=mean).assign(diff="d", review="r").to_csv(path, index=False)
    assert extra_of(path) == rows
    measures = measure_names(pd.DataFrame(rows).assign(**{"label_right_side: left": 1.0}))
    assert [name for name in measures if ":" in name] == ["label_right_side: left"]


def test_one_of_several_rating_columns_holds_the_ratings_of_relevance(tmp_path: Path) -> None:
    path = written(tmp_path, score=[*"15"], usefulness=[*"23"], stars=[*"12"], relevance=[*"45"])
    read_as = [role.read_as for role in roles(path).values()][2:]
    assert read_as == ["label_score", "label_worth", "label_stars", "human_relevance"]
    assert "--column score=relevance:1-5" in roles(path)["score"].remark


def test_a_cell_off_the_scale_is_blank_and_its_row_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, rating=["1", "9", "3", "4"], useful=["5", "4", "yes", "2"])
    assert "row 3" in roles(path)["rating"].remark
    assert "row 4" in roles(path)["useful"].remark
    assert [[*extra.values()] for extra in extra_of(path)] == [[1, 5], [None, 4], [3, None], [4, 2]]
    grades = written(tmp_path, rating=["1", "11", "3", "4"])
    assert "1 cell left blank in row 3" in roles(grades, rating="rating:1-10")["rating"].remark
    ends = written(tmp_path, score=["3/10", "10/10", "20/10", "!"], useful=["1", "3", "", "5"])
    rows = [pytest.approx([17 / 9, 1]), [5, 3], [None, None], [None, 5]]
    assert [[*extra.values()] for extra in extra_of(ends)] == rows
    many = written(tmp_path, rating=["1", *"99", *7 * "!"])
    note = roles(many, rating="rating:1-5")["rating"].remark
    assert "9 cells left blank in row 3, row 4, row 5, row 6, row 7 and 4 more" in note


@pytest.mark.parametrize(("column", "cells", "words"), [
    *((column, cells, f"--column {column}={role}") for column, cells, role in (
        ("my_rating", ["1", "10", "7"], "relevance:1-10"), ("stars", ["1", "4"], "relevance:1-5"),
        ("weight", [*"155"], "relevance:1-5"), ("usefulness", ["1", "10", "7"], "worth:10-1"),
            ("usefulness", ["-1", "0", "1"], "worth:-1-1"), ("rating", [*"1627354"], "worth:1-7"),
            ("useful", [*"0132"], "worth:0-3"), ("useful", [*"04"], "worth:0-4"),
            ("relevance", [*"1432"], "relevance:1-4"), ("useful", ["-2", "2"], "worth:-2-2"),
        ("correctness", ["1", "2", "3", "3"], "label"), ("score", ["1", "1"], "relevance:1-5"),
        ("verdict", ["correct", "wrong"], "right"), ("useful", ["1", "1", "1"], "worth:1-5"),
        ("engine", [*"ababab"], "reviewer"), ("stars", ["1", "4"], "worth:5-1"),
        ("outdated", ["true", "false"], "text"), ("Overall", ["80", "7", "55"], "relevance:0-100"),
        ("Overall", ["4", "2", "unsure"], "relevance:1-5"), ("human_score", [*"14"], "worth:1-5"))),
    *((name, ["0", "10"], "mentions neither worth nor relevance") for name in ("Mark", "Points")),
    ("usefulness", ["How useful?", "4", "2"], "1 cell left blank in row 2"),
    ("Quality (%)", ["0", "100"], "--column 'Quality (%)=relevance:0-100'"),
    ("nr", ["1", "2", "3"], "an id"), ("rank", ["1st", "3rd", "3rd"], "worth:5-1"),
    *((name, ["must fix", "noise"], "write numbers") for name in ("verdict", "grade", "label")),
    ("unnamed 4", ["1", "5", "4"], "worth:1-5"), ("score", ["1", "1"], "numbers are from 1 to 1"),
    ("correct", ["yes", "no"], "1 for yes, 0 for no; to change that: --column correct=label"),
    ("correct", ["x", ""], "write numbers"), ("is_false", ["yes", "no"], "0 is better"),
    ("rater1", ["useful", "not useful"] * 2, "write numbers"),
    ("useful", ["yes", "no", "no", "maybe"], "1 cell left blank in row 5: not yes or no"),
    ("Value 1-10", ["2", "9", "4"], "--column 'Value 1-10=worth:1-10', or --column"),
    *((column, ["1", "6", "2"], f"from {ends}, converted") for column, ends in (
        ("mark (6-1)", "6 to 1"), ("nota (0 a 10)", "0 to 10"),
        ("score 1〜6", "1 to 6"), ("Mark (1 = best, 6 = worst)", "6 to 1"),
        ("rating 1 (best) to 6", "6 to 1"), ("Schulnote 1-6, 1 = sehr gut", "6 to 1"),
        ("score 1 = poor, 6 = excellent", "1 to 6"), ("grade, best is 1", "10 to 1"),
        ("grade out of 10", "1 to 10"), ("my score /20", "0 to 20"), ("quality_0_10", "0 to 10"),
        ("score (6 = best, 1 = worst)", "1 to 6"), ("rating 6-1, 6 is the best", "1 to 6"),
        ("score: 10 is best, 1 worst", "1 to 10"))),
    ("Note sur 20", ["12", "15,5", "8"], "relevance:0-20"),
    ("second", ["Why is it so?", "Is it tested?"], "not scored"),
    ("holds", ["yes", "no"], "or --column holds=right"), ("depth", ["1", "7.5"], "worth:1-10"),
    *((name, ["2", "9.6"], "not read as ratings") for name in ("cvss_score", "checkpoint")),
])  # fmt: skip
def test_a_guess_is_explained_with_its_option(
    column: str, cells: list[str], words: str, tmp_path: Path
) -> None:
    assert words in roles(written(tmp_path, **{column: cells}))[column].remark


@pytest.mark.parametrize(("role", "cells", "read_as", "values"), [
    ("rating", ["1", "5", "4,5", "cannot tell"], "label_worth", [1, 5, 4.5, None]),
    ("relevance:1-10", ["1", "10", "4", "?"], "human_relevance", [1, 5, 7 / 3, None]),
    ("worth:0-100", ["0", "50", "yes"], "label_worth", [1, 3, None]),
    ("human_conciseness:0-1", ["0.5", "2"], "human_conciseness", [3, None]),
    ("rating:6-1", ["6", "1", "2", "7"], "label_worth", [1, 5, 4.2, None]),
    ("label", ["Yes", "FAIL", "10", "-"], "label_my", [1, 0, 10, None]),
    ("right", ["yes", "0"], "label_right", [1, 0]),
    ("number", ["3", "x"], "my", [3, None]),
    ("text", ["3", "nan"], "my", ["3", "nan"]),
])  # fmt: skip
def test_a_column_is_what_the_user_says(
    role: str, cells: list[str], read_as: str, values: list[object], tmp_path: Path
) -> None:
    path = written(tmp_path, my=cells)
    assert [extra[read_as] for extra in extra_of(path, {"my": role})] == pytest.approx(values)
    assert decide_layout(path, {"my": role}, ask=True)
    named = written(tmp_path, **{"my 1-10": ["1", "4"]})
    assert roles(named, **{"my 1-10": "worth"})["my 1-10"].scale == "1-10"


@pytest.mark.parametrize(("cells", "chosen", "words"), [
    *((["a", "b"], chosen, None) for chosen in (
        {"x": "blue"}, {"x": "diff:1-5"}, {"x": "rating:5-1"}, {"gone": "label"},
        {"x": "review", "review": "review"}, {"relevance": ""}, {"x": "rating"},
        {"x": "worth", "review": "worth"})),
    (["90", "100"], {"x": "worth"}, "such as worth:0-100"),
    (["yes", "no"], {"x": "rating"}, "no numbers"),
])  # fmt: skip
def test_rejects_bad_roles(
    cells: list[str], chosen: dict[str, str], words: str | None, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=words):
        decide_layout(written(tmp_path, x=cells), chosen)


@pytest.mark.parametrize(("row", "words"), [
    ({"diff": DIFF, "a": WHY, "b": WHY}, "NAME=review"), ({"diff": DIFF}, "no column holds"),
    ({"review": "x", "by": "ann"}, "gh api"), ({"review": "x", "old": "a\nb"}, "gh api"),
])  # fmt: skip
def test_names_missing_columns_with_help(row: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(ColumnsUnclearError, match=words):  # the app then asks
        decide_layout(write_rows(tmp_path / "a.jsonl", [row]))


def test_a_row_for_each_question_is_refused_with_the_way_to_one_per_review(tmp_path: Path) -> None:
    questions = ["useful", "right", "clear"] * 2
    path = written(tmp_path, system=[*"aaabbb"], sha="x", q=questions, score=[*"153425"])
    with pytest.raises(ColumnsUnclearError, match=r"'q'.*\['.*', 'sha'\].*--column q=rater"):
        decide_layout(path)
    assert decide_layout(path, {"q": "rater"}).fields["rater"] == "q"
    key = ["diff", "review", "system"]
    pd.read_csv(path).pivot(index=key, columns="q", values="score").to_csv(path)
    assert roles(path)["useful"].read_as == "label_worth"


def test_diffs_and_reviews_of_other_names_are_found_by_their_cells(tmp_path: Path) -> None:
    said = ["Why is it b now?", "Is this tested?"]
    path = written(tmp_path, diff=["PR-1", "PR-2"], delta=[DIFF] * 2, Bemerkung=said,
                   review=["4", "2"], patch=["patch 7", "patch 8"])  # fmt: skip
    assert decide_layout(path).fields == {"diff": "delta", "review": "Bemerkung"}
    with pytest.raises(ColumnsUnclearError) as raised:
        decide_layout(path, ask=True)
    columns = {one["column"]: one for one in raised.value.columns}
    assert columns["delta"]["alternatives"] == ["text"]
    assert columns["Bemerkung"]["alternatives"] == ["text"]
    assert columns["Bemerkung"]["examples"] == said


@pytest.mark.parametrize(("columns", "expected"), [
    ({"Kollege": lambda _, person: PEOPLE[person]}, {"system": "Kollege"}),
    ({"a": lambda _, person: PEOPLE[person], "b": lambda _, person: PEOPLE[-person]}, {}),
    ({"team": lambda change, person: TEAMS[(change + person) % 3]}, {}),
    ({"verdict": lambda _, person: PEOPLE[person]}, {}),
    ({"severity": lambda change, _: f"level {change}"}, {}),
    ({"commit": lambda change, _: f"c{change}"}, {"change": "commit"}),
    *(({name: lambda change, _: f"!{change}"}, {"change": name})
      for name in ("MR", "Merge", "Merge request", "Change set")),
    ({"commit": lambda change, _: f"c{change // 2}"}, {}),  # names several changes
    ({"mr": lambda change, _: f"{change}", "diff": lambda change, person:
      f"@@ -1 +1 @@\n-a\n+{change}" if change != person else "see the merge request"},
     {"change": "mr"}),
    ({"commit": lambda change, _: f"c{change}", "diff": lambda change, person:
      f"@@ -1 +1 @@\n-a\n+{change}"[: 17 if change == person == 2 else None]},
     {"change": "commit"}),  # one diff is cut off
    ({"Kollege": lambda change, person: PEOPLE[person * (not change == person == 2)]},
     {"system": "Kollege"}),  # one of them twice
    *(({name: lambda _, person: PEOPLE[person], "useful": lambda _, person: f"{person + 1}"},
       {"rater": name}) for name in ("Evaluator e-mail", "worker id", "reviewer", "sheet")),
    ({"annotator": lambda change, person: PEOPLE[person * (change == 1)]}, {"rater": "annotator"}),
    ({"author": lambda change, _: PEOPLE[change % 3]}, {}),  # of the change
    ({"reviewer": lambda change, _: PEOPLE[change % 3]}, {"system": "reviewer"}),
    *(({"diff": lambda *_: "", "patchset": lambda change, person, bad=bad:
        f"@@ -1 +1 @@\n-a\n+{change}" if change + person else bad}, {"diff": "patchset"})
      for bad in ("", "not a diff at all")),
    ({"diff": lambda *_: "", "diff_hunk": lambda change, _: f"@@ -1 +1 @@\n-a\n+{change}",
      "user.login": lambda change, _: PEOPLE[change % 3]},
     {"diff": "diff_hunk", "system": "user.login"}),
    ({"diff": lambda change, person: f"@@ -1 +1 @@\n-a\n+{change}{person}",
      "by": lambda change, _: PEOPLE[change % 3], "pr": lambda change, _: f"{change}"}, {}),
    ({"title": lambda _, person: f"Why {person}"}, {}),  # of the reviews
    ({"commit": lambda change, person: f"c{change}{person}"}, {}),  # names reviews
    ({"who": lambda *_: ""}, {}),
    ({"bot": lambda change, person: f"Why is there no test of it {change} {person}?"}, {}),
    ({"who": lambda *_: "Ann of Team A"}, {"system": "who"}),
])  # fmt: skip
def test_cells_show_who_reviewed_and_what_names_a_change(
    columns: dict[str, Callable[[int, int], str]], expected: dict[str, str], tmp_path: Path
) -> None:
    rows = [
        {"diff": f"@@ -1 +1 @@\n-a\n+{change}", "review": "Why?"}
        | {name: cell(change, person) for name, cell in columns.items()}
        for change in range(4)
        for person in range(3)
    ]
    path = write_rows(tmp_path / "reviews.jsonl", rows)
    assert decide_layout(path).fields == {"diff": "diff", "review": "review"} | expected


def test_a_table_of_too_many_columns_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="more than 2,000 columns"):
        decide_layout(written(tmp_path, **{f"x{number}": ["1"] for number in range(2_000)}))


def test_one_column_per_reviewer_is_rejected_with_advice(tmp_path: Path) -> None:
    row = {"title": TITLE, "patch": DIFF, "ann": WHY, "bo": TESTED, "n": 1}
    with pytest.raises(ColumnsUnclearError, match="ann, bo has one reviewer's reviews, give a row"):
        decide_layout(write_rows(tmp_path / "a.jsonl", [row] * 4))


@pytest.mark.parametrize(("row", "read", "notes"), [
    ({"id": 7, "data": {**DIFF_AND_REVIEW, "team": "x"}, "annotations": [[4], [5]]},
     {"id": "id", "data.diff": "diff", "data.review": "review", "data.team": "data.team",
      "annotations": "annotations"}, {"annotations": "nothing inside is read"}),
    ({"fields": DIFF_AND_REVIEW, "metadata": {"model": "a", "k": 1}, "status": "done"},
     {"fields.diff": "diff", "fields.review": "review", "metadata.model": "system",
      "metadata.k": "", "status": "status"}, {"metadata.k": "in another object"}),
    ({"change": {"diff": "d", "author": "a"}, "body": "r"},
     {"change.diff": "diff", "change.author": "change.author", "body": "review"},
     {"change.author": "it may name the author of the change; to change that: --column"}),
    ({"change": {"diff": "d"}, "comment": {"body": "r", "by": {"name": "b", "type": "Bot"}}},
     {"change.diff": "diff", "comment.body": "review", "comment.by.name": "system",
      "comment.by.type": "comment.by.type"}, {}),
    ({"inputs": {"diff": "d"}, "outputs": {"review": "r"}, "feedback": {"score": 4}},
     {"inputs.diff": "diff", "outputs.review": "review",
      "feedback.score": "label_worth"}, {"feedback.score": "worth is assumed"}),
    ({**DIFF_AND_REVIEW, "verdict": {"score": 4, "sound": "yes"}},
     {"diff": "diff", "review": "review", "verdict.score": "label_worth",
      "verdict.sound": "label_sound"},
     {"verdict.score": "worth is assumed", "verdict.sound": "kept as a label"}),
    ({"commit": {"message": TITLE}, "patch": DIFF, "reviews": [{"text": WHY}]},
     {"commit.message": "", "patch": "diff", "text": "review"},
     {"commit.message": "in another object", "text": "guessed from its cells"}),
    ({"content": DIFF, "comment": WHY}, {"content": "diff", "comment": "review"},
     {"content": "guessed from its cells"}),
    ({**DIFF_AND_REVIEW, "label": ["correct"]},
     {"diff": "diff", "review": "review", "label": "label_label"},
     {"label": "1 for yes, 0 for no"}),
])  # fmt: skip
def test_columns_in_objects_are_read(
    row: dict[str, object], read: dict[str, str], notes: dict[str, str], tmp_path: Path
) -> None:
    found = roles(write_rows(tmp_path / "reviews.jsonl", [row] * 2))
    assert {name: role.read_as for name, role in found.items()} == read
    assert {name for name, role in found.items() if role.note} == notes.keys()
    assert all(words in found[name].remark for name, words in notes.items())


@pytest.mark.parametrize(("column", "cells"), [("relevance", "154!!!"), ("verdict", "xxyyxy")])
def test_a_column_that_loses_more_than_a_few_cells_is_asked_about(
    column: str, cells: str, tmp_path: Path
) -> None:
    with pytest.raises(ColumnsUnclearError, match=f"hold: {column};"):
        decide_layout(written(tmp_path, **{column: [*cells]}), ask=True)


def test_a_file_with_certain_columns_raises_no_question(tmp_path: Path) -> None:
    path = written(tmp_path, system=[*"ab"], relevance=[*"15"], line=[*"33"], sha=[*"xy"])
    layout = decide_layout(path, ask=True)
    assert layout.fields == {"diff": "diff", "review": "review", "system": "system"}
