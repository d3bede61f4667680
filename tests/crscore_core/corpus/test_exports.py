"""Exports come back by import: the same reviews, changes, ratings, labels and scores."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from crscore_core.claims import Claim, ClaimKind, claim_generator
from crscore_core.corpus.exports import (
    FORMATS,
    export_reviews,
    reviews_csv,
)
from crscore_core.corpus.model import GROUND_TRUTH, Corpus, CorpusChange, CorpusReview, Ratings
from crscore_core.corpus.reading import (
    guess_mapping,
    label_columns,
)
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run.intake import import_corpus
from crscore_core.corpus.run.sources import row_stream
from crscore_core.corpus.run.store import RunStore
from crscore_core.corpus.score import score_corpus
from crscore_core.datasets.registry import load_own
from crscore_core.errors import InputError
from tests.crscore_core.corpus.made_reviews import made
from tests.word_encoder import WordEncoder

TAU = 0.25
MADE = made()
ROWS = MADE.frame(0.5)
DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-limit = 1\n+limit = 2  # '=\"; \n"
CLAIMS = (
    Claim("The limit doubles.", ClaimKind.CLAIM, "given", "a.py", 1, ("It is larger.",)),
    Claim("Callers get more.", ClaimKind.IMPLICATION, "given"),
)
CORPUS = Corpus(
    "two",
    (
        CorpusChange(
            "the first",
            None,
            DIFF,
            (
                CorpusReview("1", "a", "=HYPERLINK(1)\nThe limit; is 2.", Ratings(1, 2.5, 3)),
                CorpusReview("2", "b", '\'-1 is\r\nquoted, "so".', labels={"useful": 1.0}),
                CorpusReview("3", "a", "", labels={"outcome_merged": 0.0, "x y": 2.5}),
                CorpusReview("the first/msg", GROUND_TRUTH, "@all: limit?"),
            ),
            "Limits, <b>raised</b>",
        ),
        CorpusChange(
            "2",
            "python",
            DIFF.replace("limit", "most"),
            (CorpusReview("4", "a", "--- Callers get more.", Ratings(relevance=5)),),
            claims=CLAIMS,
        ),
        CorpusChange(
            "3", None, DIFF.replace(".py", ".rs"), (CorpusReview("5", "b", "Limit? <!-- no -->"),)
        ),
        CorpusChange("4", "=../tmp", "@@ -1 +1 @@\n-a = 1\n+a = 2", (CorpusReview("6", "b", "a"),)),
    ),
)


def scored(corpus: Corpus) -> Reviews:
    return score_corpus(corpus, claim_generator("symbolic"), WordEncoder())


@pytest.fixture(scope="module")
def comparison() -> Reviews:
    return scored(CORPUS)


def imported(path: Path) -> Reviews:
    rows = row_stream(path)
    labels = label_columns(rows.columns())
    mapping = guess_mapping([column for column in rows.columns() if column not in labels])
    result = import_corpus(rows, mapping, "two", labels)
    assert result.rejected == ()
    return scored(result.corpus)


def resaved(content: bytes, delimiter: str, ends: str, mark: str) -> bytes:
    """CSV as a spreadsheet in a language with decimal commas writes it."""
    reader = csv.DictReader(io.StringIO(content.decode(), newline=""))
    text = io.StringIO()
    writer = csv.DictWriter(
        text, reader.fieldnames or (), delimiter=delimiter, lineterminator=ends,
        quoting=csv.QUOTE_ALL,
    )  # fmt: skip
    writer.writeheader()
    for row in reader:
        numbers = {name for name, value in row.items() if value.replace(".", "").isdecimal()}
        writer.writerow(row | {name: row[name].replace(".", ",") for name in numbers - {"id"}})
    return f"{mark}{text.getvalue()}".encode()


@pytest.mark.parametrize(
    ("ending", "change"),
    [
        *((ending, None) for ending in FORMATS),
        ("csv", lambda content: resaved(content, ";", "\r\n", "\ufeff")),
        ("csv", lambda content: resaved(content, "\t", "\n", "")),
        (
            "jsonl",
            lambda content: json.dumps(list(map(json.loads, content.split(b"\n")[:-1]))).encode(),
        ),
    ],
)
def test_an_export_is_imported_as_it_was(
    tmp_path: Path,
    comparison: Reviews,
    ending: str,
    change: Callable[[bytes], bytes] | None,
) -> None:
    content = export_reviews(comparison, TAU, ending)
    path = tmp_path / f"run.{ending}"
    path.write_bytes(change(content) if change else content)
    again = imported(path)
    assert export_reviews(again, TAU, ending) == content
    warned = [(one.id, *one.warnings) for one in again if one.warnings]
    assert [row[0] for row in warned] == ["3", "5", "6"]
    assert "hidden from its readers" in warned[1][1]
    assert [change.id for change in again.changes] == ["the first", "2", "3", "4"]
    assert [change.language for change in again.changes] == ["python", "python", "rust", "=../tmp"]
    assert [(one.id, one.text, one.ratings, one.labels) for one in again] == [
        (one.id, one.text, one.ratings, one.labels) for one in comparison
    ]


def test_the_folder_of_a_run_is_a_corpus(tmp_path: Path, comparison: Reviews) -> None:
    store = RunStore(tmp_path)
    folder = tmp_path / store.save("two", comparison).id
    again = imported(folder)
    assert export_reviews(again, TAU, "jsonl") == export_reviews(comparison, TAU, "jsonl")
    data = load_own(folder)
    assert set(data.labels) >= {"relevance", "useful", "outcome_merged"}
    (part,) = folder.glob("part*")
    part.write_bytes(b"PAR1")
    with pytest.raises(InputError, match="damaged"):
        list(row_stream(folder).rows())


def test_ratings_added_in_a_spreadsheet_come_along(tmp_path: Path, comparison: Reviews) -> None:
    rows = list(csv.reader(io.StringIO(export_reviews(comparison, TAU, "csv").decode())))
    column = rows[0].index("human_relevance")
    rows[2][column], rows[3][column] = "4,5", " 2 "
    text = io.StringIO()
    csv.writer(text, delimiter=";").writerows(rows)
    path = tmp_path / "rated.csv"
    path.write_text(text.getvalue(), newline="")
    rated = [review.ratings.relevance for review in imported(path)]
    assert rated == [3, 4.5, 2, None, 5, None, None]


def test_the_csv_has_a_row_for_each_review_in_the_given_order() -> None:
    text = 'a "quoted", text\nof two lines'
    rows = ROWS.iloc[[2, 4]].assign(note=["=1", text])
    first, second = csv.DictReader(io.StringIO(reviews_csv(rows, MADE, {"tau": 0.5})))
    assert (first["id"], second["id"]) == ("b/one", "c/one")
    assert (first["review"], first["note"], second["note"]) == ("'=HYPERLINK(1)", "'=1", text)
    assert (first["human_relevance"], second["human_relevance"]) == ("2.0", "")
    assert (float(first["relevance"]), first["tau"]) == (1, "0.5")
    assert reviews_csv(ROWS.iloc[[]], MADE, {"tau": 0.5}).count("\n") == 1
