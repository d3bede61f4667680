"""`crscore batch` as a person and the app run it."""

import json
from pathlib import Path

import pandas as pd
import pytest

from crscore_eval.run.folder import open_run
from tests.crscore_cli.conftest import Command
from tests.crscore_eval.run.corpus import diff_of, rows_of, write_rows

pytestmark = pytest.mark.usefixtures("word_encoder")
CORPUS = Path("corpus.jsonl")
WITH_BAD_ROWS = [*rows_of(1), {**rows_of(1)[0], "diff": "no hunk"}, {"review": "no diff"}]


def test_a_file_becomes_a_run(crscore: Command) -> None:
    write_rows(CORPUS, WITH_BAD_ROWS)
    ended = crscore("batch corpus.jsonl -o run")
    assert ended.status == 3
    assert "scored 2 of 4 reviews of 2 changes" in ended.output
    assert "1 row of corpus.jsonl rejected" in ended.errors
    columns = {
        "id", "system", "conciseness", "comprehensiveness", "relevance", "no_threshold", "tau",
        "n_pseudo_references", "n_sentences", "warnings",
    }  # fmt: skip
    assert columns <= set(pd.read_parquet("run").columns)
    again = crscore("rank run")  # the rejected row was reported before
    assert (again.status, again.errors) == (0, "")


@pytest.mark.parametrize(("line", "status"), [
    ("rank corpus.jsonl", 3), ("rank corpus.jsonl --json", 3),
    ("export corpus.jsonl -o reviews.csv", 3), ("gate corpus.jsonl --fail-under scored=0", 0),
])  # fmt: skip
def test_commands_that_read_a_file_say_which_rows_have_no_score(
    line: str, status: int, crscore: Command
) -> None:
    write_rows(CORPUS, WITH_BAD_ROWS)
    ended = crscore(line)
    assert ended.status == status
    for words in ("1 row of corpus.jsonl rejected\n", "row 5 rejected: it has no diff",
                  "1 change could not be scored\n"):  # fmt: skip
        assert words in ended.errors


def test_columns_with_the_same_remark_share_a_warning(crscore: Command) -> None:
    write_rows(CORPUS, rows_of(1))
    crscore("export corpus.jsonl -o again.csv")
    errors = crscore("batch again.csv -o run").errors
    (warning,) = [line for line in errors.splitlines() if "computed again" in line]
    assert "conciseness, comprehensiveness, relevance" in warning


def test_progress_for_the_app_is_json_lines_and_nothing_else(crscore: Command) -> None:
    write_rows(CORPUS, rows_of(2))
    ended = crscore("batch corpus.jsonl -o run --progress json")
    assert ended.status == 0
    lines = [json.loads(line) for line in ended.output.splitlines()]
    assert (lines[-1]["done"], lines[-1]["total"]) == (6, 6)


def test_json_is_one_object(crscore: Command) -> None:
    write_rows(CORPUS, [*rows_of(1), {"diff": diff_of(1)}])
    ended = crscore("batch corpus.jsonl -o run --json")
    assert ended.status == 3
    counts = [ended.json[f"n_{name}"] for name in ("reviews", "rejected", "scored")]
    assert counts == [3, 1, 2]
    assert ended.json["rejected"][0]["row"] == 4
    assert "row 4 rejected: " in ended.errors
    assert "the review states nothing" in ended.errors


def test_columns_are_named_and_comments_joined(crscore: Command) -> None:
    rows = [{"x": row["diff"], "y=z": row["review"], "my": grade, "who": "s", "score": 3}
            for grade, row in zip((1, 2, 3, 4, 5, None), rows_of(2), strict=True)]  # fmt: skip
    write_rows(CORPUS, rows)
    pairs = ("x=diff", "y=z=review", "my=worth:1-9", "who=reviewer", "score=label")
    options = " ".join(f"--column={pair}" for pair in pairs)
    ended = crscore(f"batch corpus.jsonl -o run {options} --group")
    assert ended.status == 0
    reviews, _, run_settings = open_run(Path("run"))
    assert reviews[["system", "label_worth", "label_score"]].to_numpy().tolist() == [
        ["s", 1.5, 3], ["s", 2.75, 3]
    ]  # fmt: skip
    (warning,) = run_settings["warnings"]
    assert warning.startswith("4 comments joined to an earlier one of the same reviewer")
    assert reviews["review"][0] == "\n\n".join(row["review"] for row in rows_of(1)[:2])
    for words in ("means over the comments", "1 to 9"):
        assert words in ended.errors


@pytest.mark.parametrize("command", ["batch corpus.jsonl -o run", "rank corpus.jsonl"])
def test_guesses_are_printed_with_their_options(command: str, crscore: Command) -> None:
    own = {"my_rating": 2, "sheet (not read: Ratings)": "March", "stale": False, "w": 8}
    empty = {"stale": True, "w": 9}
    write_rows(CORPUS, [row | own | (empty if not row["review"] else {}) for row in rows_of(1)])
    ended = crscore(command)
    assert ended.status == 0
    (line,) = (line for line in ended.errors.splitlines() if "my_rating" in line)
    assert "rating of worth from 1 to 5" in line
    assert "[2]" in line
    assert "--column stale=text" in ended.errors
    assert "--column w=worth:1-10" in ended.errors
    assert "sheets are not joined" in ended.errors
    asked = crscore("batch corpus.jsonl -o asked --ask")
    assert asked.status == 2
    assert "my_rating, stale, w" in asked.errors.splitlines()[-1]


@pytest.fixture
def _rated() -> None:
    """A file with ratings of worth from 1 to 5, and grades from -1 to 9."""
    grades = zip(rows_of(2), (1, 5, 3, 4, 2, 3), (-1, 9, 7, 4, 2, 8), strict=True)
    rows = [{**row, "useful": useful, "my_score": grade} for row, useful, grade in grades]
    write_rows(Path("rated.jsonl"), rows)


@pytest.mark.usefixtures("_rated")
@pytest.mark.parametrize("line", [
    "rank {} --by useful", "rank {} --by label_useful", "rank {} --by label_worth",
    "rank {} --by my_score", "gate {} --fail-under useful=1 --fail-under scored=0",
    "compare {} --metrics useful,words",
])  # fmt: skip
def test_names_of_columns_in_the_file_work_as_measures(line: str, crscore: Command) -> None:
    crscore("batch rated.jsonl -o run")
    for data in ("rated.jsonl", "run"):
        ended = crscore(line.format(data))
        assert ended.status == 0, ended.errors


@pytest.mark.usefixtures("_rated")
def test_the_option_that_converts_a_label_to_ratings_is_named(crscore: Command) -> None:
    option = "--column my_score=relevance:-1-9"
    lines = "batch rated.jsonl -o run", "rank rated.jsonl --by relevance", "rank run --by relevance"
    assert all(option in crscore(line).errors for line in lines)
    assert "--column NAME=relevance" in crscore("rank run --by people").errors
    assert option not in crscore(f"batch rated.jsonl -o converted {option}").errors
    assert crscore("rank converted --by people").status == 0


def test_resume_continues_and_a_second_run_does_not_overwrite(crscore: Command) -> None:
    write_rows(CORPUS, rows_of(1))
    for options, status in (("", 0), ("", 2), ("--resume", 0), ("--resume --tau 0.9", 2)):
        assert crscore(f"batch corpus.jsonl -o run {options}").status == status
