"""From a table to a corpus."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.change import MAX_BYTES, CodeChange, parse_change
from crscore_core.claims import Claim, ClaimKind
from crscore_core.corpus.model import GROUND_TRUTH, CorpusReview, Ratings
from crscore_core.corpus.reading import (
    FIELDS,
    UNNAMED,
    RowStream,
    guess_mapping,
    review_row,
)
from crscore_core.corpus.run.intake import ImportedCorpus, import_corpus
from crscore_core.errors import InputError

DIFF = "@@ -1 +1 @@\n-old\n+new"
OTHER = "@@ -2 +2 @@\n-old\n+new"
TWO_FILES = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"


def imported(*rows: dict[str, Any], **mapping: str) -> ImportedCorpus:
    """Rows, each with a diff and a review where it says nothing else, through JSON Lines."""
    lines = "\n".join(json.dumps({"diff": DIFF, "review": "Good.", **row}) for row in rows)
    stream = RowStream(lines.encode(), "a.jsonl")
    return import_corpus(stream, mapping or guess_mapping(stream.columns()), "mine")


def test_rows_about_one_change_are_its_reviews() -> None:
    corpus = imported(
        {"id": "r1", "review": "one", "system": "a", "language": "js", "relevance": 4},
        {"id": "r2", "review": "two", "diff": OTHER},
        {"id": "r3", "review": "three", "language": ".JS", "conciseness": "2.5"},
        {"id": "r4", "review": "four", "system": "b", "language": "js"},
    ).corpus
    assert corpus.name == "mine"
    assert [(change.id, change.diff, change.language) for change in corpus.changes] == [
        ("change 1", DIFF, "javascript"),
        ("r2", OTHER, None),
    ]
    assert [change.reviews for change in corpus.changes] == [
        (
            CorpusReview("r1", "a", "one", Ratings(relevance=4.0), row=1),
            CorpusReview("r3", UNNAMED, "three", Ratings(conciseness=2.5), row=3),
            CorpusReview("r4", "b", "four", row=4),
        ),
        (CorpusReview("r2", UNNAMED, "two", row=2),),
    ]


@pytest.mark.parametrize(
    "field",
    [{"language": "java"}, {"claims": ["one"]}, {"new_file": "new"}, {"diff": DIFF + "\n"}],
)
def test_rows_that_differ_in_the_change_are_about_two(field: dict[str, Any]) -> None:
    corpus = imported({}, field, {}).corpus
    assert [len(change.reviews) for change in corpus.changes] == [2, 1]


@pytest.mark.parametrize(
    ("rows", "changes", "reviews"),
    [
        ([(DIFF, None, "a")], ["change 1"], ["row 1"]),
        ([(DIFF, 7, "a"), (DIFF, 7.0, "b"), (OTHER, 8, "a")], ["7", "8"], ["7/a", "7/b", "8"]),
        ([(DIFF, "x", "a"), (OTHER, "x", "a")], ["x", "x (2)"], ["x/a", "x (2)/a"]),
        ([(DIFF, None, "a")] * 2, ["change 1"], ["row 1", "row 2"]),
        ([(DIFF, 5, "a")] * 3, ["5"], ["5/a", "5/a (2)", "5/a (3)"]),
        (
            [(DIFF, None, "a"), (OTHER, "change 1/a", "a")],
            ["change 1", "change 1/a"],
            ["row 1", "change 1/a"],
        ),
        ([(DIFF, " a\n\0b ", "a")], ["a \ufffdb"], ["a \ufffdb"]),
        ([(DIFF, "", "a"), (OTHER, " ", "a")], ["change 1", "change 2"],
         ["row 1", "row 2"]),
    ],
)  # fmt: skip
def test_ids_are_kept_where_they_are_unique(
    rows: list[tuple[str, Any, str]], changes: list[str], reviews: list[str]
) -> None:
    corpus = imported(*({"diff": diff, "id": id_, "system": who} for diff, id_, who in rows)).corpus
    assert [change.id for change in corpus.changes] == changes
    assert [review.id for change in corpus.changes for review in change.reviews] == reviews


IDS = [None, "1", "1/a", "change 1", "change 1/a", "1 (2)", "change 1/a (2)"]


@given(st.lists(st.tuples(st.sampled_from([DIFF, OTHER]), st.sampled_from(IDS)), min_size=1))
def test_ids_tell_all_apart(rows: list[tuple[str, str | None]]) -> None:
    corpus = imported(*({"diff": diff, "id": id_, "system": "a"} for diff, id_ in rows)).corpus
    changes = [change.id for change in corpus.changes]
    reviews = [review.id for change in corpus.changes for review in change.reviews]
    assert len(set(changes)) == len(changes)
    assert len(set(reviews)) == len(reviews) == len(rows)


@pytest.mark.parametrize(
    ("value", "rating"),
    [
        (1, 1.0), (5, 5.0), (2.5, 2.5), ("3", 3.0), (" 4.0 ", 4.0), ("4.", 4.0),
        ("3,667", 3.667), ("4,500", 4.5),
        (None, None), ("", None), (" ", None), ("NaN", None), (float("nan"), None), ("n/a", None),
    ],
)  # fmt: skip
def test_a_rating_is_a_number_or_blank(value: object, rating: float | None) -> None:
    (change,) = imported({"comprehensiveness": value}).corpus.changes
    assert change.reviews[0].ratings == Ratings(comprehensiveness=rating)


@pytest.mark.parametrize(
    "value",
    [0, 0.99, 5.01, 6, -1, "1e0", "٣", "five", True, "inf", float("inf"), 10**400, [3], "4,5,"],
)
def test_a_rating_off_the_scale_is_set_aside(value: object) -> None:
    result = imported({"relevance": value}, {"relevance": 3})
    assert [row.number for row in result.rejected] == [1]
    assert "from 1 to 5" in result.rejected[0].reason
    assert [len(change.reviews) for change in result.corpus.changes] == [1]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"diff": None}, "it has no diff"),
        ({"diff": " \n"}, "it has no diff"),
        ({"diff": "prose"}, "diff, line 1: no diff found"),
        ({"diff": 5}, "diff, line 1: no diff found"),
        ({"diff": "@@ -1 +1 @@\n-a\n?"}, "diff, line 3: "),
        ({"diff": "@@" + "x" * MAX_BYTES}, "larger than the limit"),
        ({"review": None}, "it has no review"),
        ({"review": float("nan")}, "it has no review"),
        ({"review": "x" * 1_000_001}, "the review is longer than"),
        ({"reference": "x" * 1_000_001}, "the reference is longer than"),
        ({"language": "x" * 101}, "is longer than 100 characters"),
        ({"system": "x" * 201}, "the system is longer than 200"),
        ({"id": "x" * 201}, "the id is longer than 200"),
        ({"claims": '["one", 2]'}, "given claim 2 is neither"),
        ({"claims": {"text": "one"}}, "the given claims must be a list"),
        ({"claims": '["one"'}, "not valid JSON"),
        ({"new_file": "other"}, "line 1 of the new file"),
        ({"old_file": "other"}, "line 1 of the old file"),
        ({"new_file": "b", "diff": TWO_FILES}, "the diff changes 2 files"),
        ({"old_file": "a", "diff": TWO_FILES}, "the diff changes 2 files"),
    ],
)
def test_unusable_rows_are_set_aside(row: dict[str, Any], reason: str) -> None:
    result = imported(row, {"diff": OTHER}, row)
    assert [rejected.number for rejected in result.rejected] == [1, 3]
    assert all(reason in rejected.reason for rejected in result.rejected)
    assert all(0 < len(rejected.excerpt) <= 80 for rejected in result.rejected)
    assert [change.diff for change in result.corpus.changes] == [OTHER]


def test_rows_that_could_not_be_read_are_told_with_those_that_cannot_be_used() -> None:
    good = json.dumps({"diff": DIFF, "review": "a"})
    stream = RowStream(f'{{}}\n{{\n{good}\n{{"diff": 1}}\n[]'.encode(), "a.jsonl")
    result = import_corpus(stream, guess_mapping(stream.columns()), "")
    assert [row.number for row in result.rejected] == [1, 2, 4, 5]
    assert len(result.corpus.changes) == 1


ONE = Claim("one", ClaimKind.CLAIM, "given")
TWO = Claim("two", ClaimKind.IMPLICATION, "given", "a.py", 3, ("deux",))
TWO_OBJECT = {"text": "two", "kind": "implication", "path": "a.py", "line": 3, "wordings": ["deux"]}


@pytest.mark.parametrize(
    ("given_claims", "expected"),
    [
        (None, None),
        (" ", None),
        ([], ()),
        ("[ ]", ()),
        (["one", TWO_OBJECT], (ONE, TWO)),
        (json.dumps(["one", TWO_OBJECT]), (ONE, TWO)),
        ({"claims": ["one"]}, (ONE,)),
        (" one\n\n", (ONE,)),
    ],
)
def test_claims_are_a_list_or_lines(
    given_claims: object, expected: tuple[Claim, ...] | None
) -> None:
    (change,) = imported({"claims": given_claims}).corpus.changes
    assert change.claims == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, None),
        ({"new_file": ""}, None),
        ({"new_file": "new\nrest"}, "new\nrest"),
        ({"old_file": "old\nrest"}, "new\nrest"),
        ({"oldf": "old\r\nrest"}, "new\nrest"),
        ({"old_file": "old\nrest", "new_file": "new\nmore"}, "new\nmore"),
        ({"old_file": "old\n", "diff": f"--- a/d/x.py\n+++ b/d/x.py\n{DIFF}"}, "new\n"),
        ({"new_file": "new\n", "diff": f"--- a/d/x.py\n+++ b/d/x.py\n{DIFF}"}, "new\n"),
        ({"old_file": "a\n", "diff": "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"}, None),
    ],
)
def test_the_new_file_is_given_or_follows_from_the_old(
    files: dict[str, str], expected: str | None
) -> None:
    (change,) = imported(files).corpus.changes
    assert change.new_file == expected


def test_the_reference_is_one_more_review_unless_it_is_one_already() -> None:
    rows = [("a", "Gold."), ("b", "Gold."), ("c", " "), ("d", "More."), ("msg", "by msg")]
    (change,) = imported(
        *({"id": 1, "system": system, "review": f"by {system}", "reference": text}
          for system, text in rows)
    ).corpus.changes  # fmt: skip
    assert [(review.id, review.system, review.text) for review in change.reviews[5:]] == [
        ("1/msg (2)", GROUND_TRUTH, "Gold."),
        ("1/msg (3)", GROUND_TRUTH, "More."),
    ]


def test_only_mapped_columns_count() -> None:
    row = {"relevance": 9, "comment": "This one."}
    (change,) = imported(row, diff="diff", review="comment").corpus.changes
    assert change.reviews == (CorpusReview("row 1", UNNAMED, "This one.", row=1),)
    with pytest.raises(InputError, match="no column holds the diff"):
        imported({}, review="review")


@pytest.mark.parametrize("system", [None, "", " \n", float("nan")])
@pytest.mark.parametrize("review", ["", " \n"])
def test_a_blank_review_stays_and_one_of_nobody_has_a_system(review: str, system: object) -> None:
    (change,) = imported({"review": review, "system": system}).corpus.changes
    assert [(one.system, one.text) for one in change.reviews] == [(UNNAMED, review)]


def test_each_diff_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []

    def parse(diff: str, **options: Any) -> CodeChange:  # noqa: ANN401 - options of parse_change
        parsed.append(diff)
        return parse_change(diff, **options)

    monkeypatch.setattr(review_row, "parse_change", parse)
    diffs = [DIFF, OTHER, "prose"]
    result = imported(*({"diff": diffs[number % 3]} for number in range(30)))
    assert sorted(parsed) == sorted(diffs)
    assert [len(change.reviews) for change in result.corpus.changes] == [10, 10]
    assert len(result.rejected) == 10


VALUES = st.none() | st.text(max_size=20) | st.integers() | st.floats() | st.lists(st.text())


@given(st.dictionaries(st.sampled_from([field.name for field in FIELDS]), VALUES))
def test_any_row_is_a_review_or_set_aside(row: dict[str, object]) -> None:
    result = imported(row, {})  # the second row is a review
    reviews = [review for change in result.corpus.changes for review in change.reviews]
    of_rows = [review for review in reviews if review.system != GROUND_TRUTH]
    assert len(of_rows) + len(result.rejected) == 2
    for change in result.corpus.changes:
        assert parse_change(change.diff, language=change.language).files
        assert change.id.isprintable() or change.id.strip()
