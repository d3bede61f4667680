"""`crscore batch` as a person and the app run it."""

import json
from pathlib import Path

import pandas as pd
import pytest

from crscore_eval.run.folder import open_run
from crscore_eval.table import ColumnRole
from tests.crscore_cli.conftest import Command
from tests.crscore_eval.run.corpus import diff_of, rows_of, write_rows

pytestmark = pytest.mark.usefixtures("word_encoder")


def test_a_file_becomes_a_run(tmp_path: Path, crscore: Command) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", rows_of(2))
    ended = crscore("batch", corpus, "-o", tmp_path / "run")
    assert ended.status == 0
    assert "6 reviews of 2 changes" in ended.output
    columns = {
        "id", "system", "conciseness", "comprehensiveness", "relevance", "no_threshold", "tau",
        "n_pseudo_references", "n_sentences", "warnings",
    }  # fmt: skip
    assert columns <= set(pd.read_parquet(tmp_path / "run").columns)


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("rank {0}", 3),
        ("rank {0} --json", 3),
        ("export {0} -o {1}/reviews.csv", 3),
        ("gate {0} --fail-under scored=0", 0),
    ],
)
def test_commands_that_read_a_file_warn_of_rejected_rows(
    command: str, status: int, tmp_path: Path, crscore: Command
) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", [*rows_of(1), {"review": "no diff"}])
    ended = crscore(*command.format(corpus, tmp_path).split())
    assert ended.status == status
    assert f"1 row of {corpus.name} rejected" in ended.errors
    assert f"row {len(rows_of(1)) + 1} rejected: it has no diff" in ended.errors


def test_commands_that_read_a_run_ignore_rows_that_were_rejected_before(
    tmp_path: Path, crscore: Command
) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", [*rows_of(1), {"review": "no diff"}])
    crscore("batch", corpus, "-o", tmp_path / "run")
    ended = crscore("rank", tmp_path / "run")
    assert (ended.status, ended.errors) == (0, "")


def test_columns_with_the_same_remark_share_a_warning(tmp_path: Path, crscore: Command) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", rows_of(1))
    crscore("export", corpus, "-o", tmp_path / "again.csv")
    errors = crscore("batch", tmp_path / "again.csv", "-o", tmp_path / "run").errors
    (warning,) = [line for line in errors.splitlines() if "computed again" in line]
    assert "conciseness, comprehensiveness, relevance" in warning


def test_progress_for_the_app_is_json_lines_and_nothing_else(
    tmp_path: Path, crscore: Command
) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", rows_of(2))
    ended = crscore("batch", corpus, "-o", tmp_path / "run", "--progress", "json")
    assert ended.status == 0
    lines = [json.loads(line) for line in ended.output.splitlines()]
    assert (lines[-1]["done"], lines[-1]["total"]) == (6, 6)


def test_json_is_one_object(tmp_path: Path, crscore: Command) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", [*rows_of(1), {"diff": diff_of(1)}])
    ended = crscore("batch", corpus, "-o", tmp_path / "run", "--json")
    document = json.loads(ended.output)
    assert ended.status == 3
    assert (document["n_reviews"], document["n_rejected"]) == (3, 1)
    assert document["rejected"][0]["row"] == 4
    assert (document["n_scored"], document["n_empty"]) == (2, 1)
    assert "row 4 rejected: " in ended.errors
    assert "no visible text" in ended.errors


def test_columns_are_named_and_comments_joined(tmp_path: Path, crscore: Command) -> None:
    rows = [{"x": row["diff"], "y=z": row["review"], "my": grade, "who": "s", "score": 3}
            for grade, row in zip((1, 2, 3, 4, 5, None), rows_of(2), strict=True)]  # fmt: skip
    corpus = write_rows(tmp_path / "corpus.jsonl", rows)
    pairs = ("x=diff", "y=z=review", "my=worth:1-9", "who=reviewer", "score=label")
    options = [f"--column={pair}" for pair in pairs]
    ended = crscore("batch", corpus, "-o", tmp_path / "run", *options, "--group")
    assert ended.status == 0
    reviews = open_run(tmp_path / "run").reviews
    assert reviews[["system", "label_worth", "label_score"]].to_numpy().tolist() == [
        ["s", 1.5, 3], ["s", 2.75, 3]
    ]  # fmt: skip
    kinds = [text.split(": ")[0] for text in open_run(tmp_path / "run").settings["warnings"]]
    assert kinds == ["joined to an earlier comment of the same reviewer on the same change"]
    texts = [row["review"] for row in rows_of(1)]
    assert reviews["review"][0] == "\n\n".join(filter(None, texts))
    for words in (
        "on the same change: 4 comments",
        "means over the comments that have them",
        "1 to 9",
    ):
        assert words in ended.errors


@pytest.mark.parametrize("command", ["batch {0} -o {1}", "rank {0}"])
def test_guesses_are_printed_with_the_way_to_name_them(
    command: str, tmp_path: Path, crscore: Command
) -> None:
    rows = [row | {"my_rating": 2, "outdated": False} for row in rows_of(1)]
    corpus = write_rows(tmp_path / "corpus.jsonl", rows)
    ended = crscore(*command.format(corpus, tmp_path / "run").split())
    assert ended.status == 0
    (line,) = (line for line in ended.errors.splitlines() if "my_rating" in line)
    assert "rating of relevance, 1 to 5" in line
    assert "[2]" in line
    assert "--column outdated=label" in ended.errors
    asked = crscore("batch", corpus, "-o", tmp_path / "asked", "--ask")
    assert asked.status == 2
    assert "my_rating, outdated" in asked.errors.splitlines()[-1]


USEFUL, GRADES = (1, 5, 3, 4, 2, 3), (-1, 9, 7, 4, 2, 8)


@pytest.fixture
def rated(tmp_path: Path) -> Path:
    """A file with ratings of worth from 1 to 5, and grades from -1 to 9."""
    pairs = zip(rows_of(2), zip(USEFUL, GRADES, strict=True), strict=True)
    rows = [{**row, "useful": useful, "my_score": grade} for row, (useful, grade) in pairs]
    return write_rows(tmp_path / "rated.jsonl", rows)


@pytest.mark.parametrize(
    "line",
    [
        "rank {} --by useful",
        "rank {} --by label_useful",
        "rank {} --by label_worth",
        "rank {} --by my_score",
        "gate {} --fail-under useful=1 --fail-under scored=0",
        "compare {} --metrics useful,words --label useful",
        "compare {} --metrics words --label my_score",
    ],
)
def test_names_of_columns_in_the_file_work_as_measures(
    line: str, rated: Path, tmp_path: Path, crscore: Command
) -> None:
    crscore("batch", rated, "-o", tmp_path / "run")
    for data in (rated, tmp_path / "run"):
        ended = crscore(*line.format(data).split())
        assert ended.status == 0, ended.errors


def test_the_option_that_converts_a_label_to_ratings_is_named(
    rated: Path, tmp_path: Path, crscore: Command
) -> None:
    option = "--column my_score=rating:-1-9"
    assert option in crscore("batch", rated, "-o", tmp_path / "run").errors
    assert option in crscore("rank", rated, "--by", "relevance").errors
    assert option in crscore("rank", tmp_path / "run", "--by", "relevance").errors
    assert "--column NAME=rating" in crscore("rank", tmp_path / "run", "--by", "people").errors
    errors = crscore("batch", rated, "-o", tmp_path / "converted", *option.split()).errors
    assert option not in errors
    assert crscore("rank", tmp_path / "converted", "--by", "people").status == 0


def test_a_usual_scale_is_read_the_same_with_and_without_the_answers_of_data(
    tmp_path: Path, crscore: Command
) -> None:
    grades = zip(rows_of(2), (1, 10, 7, 4, 2, 9), strict=True)
    rows = [{**row, "usefulness_1_to_10": grade, "my_score": 10 * grade} for row, grade in grades]
    corpus = write_rows(tmp_path / "corpus.jsonl", rows)
    guessed = crscore("batch", corpus, "-o", tmp_path / "guessed")
    assert "usefulness_1_to_10 as rating of worth, 1 to 10; my_score as" in guessed.output
    columns = open_run(tmp_path / "guessed").settings["columns"]
    roles = [ColumnRole(**column) for column in columns]
    chosen = [f"--column={one.column}={one.role}:{one.scale}".rstrip(":") for one in roles]
    crscore("batch", corpus, "-o", tmp_path / "chosen", *chosen)
    runs = [open_run(tmp_path / name).reviews for name in ("guessed", "chosen")]
    numbers = [run[["label_worth", "human_relevance"]].to_numpy().tolist() for run in runs]
    assert numbers[0] == numbers[1]
    assert numbers[0][:2] == [[1, 1.4], [5, 5]]


def test_warnings_say_why_the_status_of_a_file_is_3(tmp_path: Path, crscore: Command) -> None:
    rows = [*rows_of(1), {"review": "no diff"}, {**rows_of(1)[0], "diff": "no hunk"}]
    corpus = write_rows(tmp_path / "corpus.jsonl", rows)
    ended = crscore("batch", corpus, "-o", tmp_path / "run")
    assert "scored 2 of 4 reviews of 2 changes" in ended.output
    assert ended.output.splitlines()[0].endswith("; 1 row rejected")
    ended = crscore("rank", corpus)
    assert ended.status == 3
    assert "no scores: 1 change\n" in ended.errors
    assert "1 row of corpus.jsonl rejected\n" in ended.errors


def test_resume_continues_and_a_second_run_does_not_overwrite(
    tmp_path: Path, crscore: Command
) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", rows_of(1))
    batch = ("batch", corpus, "-o", tmp_path / "run")
    assert crscore(*batch).status == 0
    assert crscore(*batch).status == 2
    assert crscore(*batch, "--resume").status == 0
    assert crscore(*batch, "--resume", "--tau", "0.9").status == 2
