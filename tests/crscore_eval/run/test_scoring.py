"""Tables in, tables with scores out."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from crscore_core import CRScorer
from crscore_core.change import CodeChange
from crscore_core.claims import ClaimSet, claim_backend
from crscore_core.errors import InputError, ModelError
from crscore_core.scoring import DEFAULT_ENCODER, resolve_tau
from crscore_eval.run.batch import score_file
from crscore_eval.run.parts import score_part, score_table
from crscore_eval.table import Run, count_warnings
from crscore_eval.table.schema import CHANGE_SCHEMA, REVIEW_COLUMNS
from tests.crscore_eval.run.corpus import TAU, diff_of, rows_of, word_scorer, write_rows
from tests.word_encoder import WordEncoder

REFERENCE: dict[str, Any] = {
    "text": "it renames a function", "kind": "claim", "source": "somebody", "path": None,
    "line": None, "wordings": [],
}  # fmt: skip
DELETED = "--- a/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"


def tables(
    n_changes: int = 2, name: str = "title", values: list[Any] | str = ""
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The changes and reviews of a small corpus, with a column of its own."""
    rows = pd.DataFrame(rows_of(n_changes)).assign(language="", mine=1.5, note="x")
    rows["change"] = rows["id"].str.partition("/")[0]
    changes = rows.drop_duplicates("change")[["change", "diff"]].assign(language="")
    changes[name] = values
    return rows.drop(columns="diff"), changes


class FailsOnce:
    """A claims backend that fails for one change."""

    name = "fails once"

    def generate(self, change: CodeChange) -> ClaimSet:
        if change.files[0].path == "m1.py":
            raise ModelError("no claims")
        return claim_backend("symbolic").generate(change)


def scored(reviews: pd.DataFrame, changes: pd.DataFrame) -> Run:
    """The run of two tables."""
    return score_table(reviews, changes, scorer=word_scorer())


def test_scores_are_those_of_the_scorer() -> None:
    run = scored(*tables())
    scorer = CRScorer(encoder=WordEncoder(), tau=TAU, analyzers={})
    for _, row in run.reviews.iterrows():
        score = scorer.score(diff_of(int(row["change"])), row["review"])
        expected = (score.conciseness, score.comprehensiveness, score.relevance)
        scores = row[["conciseness", "comprehensiveness", "relevance"]]
        assert [None if pd.isna(value) else value for value in scores] == pytest.approx(expected)
        assert [*row["similarity"]] == pytest.approx(score.similarity.ravel(), abs=1e-6)
        assert list(row["sentences"]) == [sentence.text for sentence in score.sentences]
        assert row["language"] == "python"


def test_has_the_columns_of_the_schema_and_keeps_others() -> None:
    run = scored(*tables())
    assert list(run.reviews.columns) == [*REVIEW_COLUMNS, "mine", "note"]
    assert list(run.changes.columns) == CHANGE_SCHEMA.names
    assert run.reviews["mine"].tolist() == [1.5] * 6
    assert run.reviews["row"].tolist() == [1, 2, 3, 4, 5, 6]
    assert run.settings["tau"] == TAU


def test_a_change_that_cannot_be_read_is_left_out_with_its_reason() -> None:
    reviews, changes = tables()
    changes["diff"] = [diff_of(0), "no diff"]
    run = scored(reviews, changes)
    assert run.changes["left_out"].isna().tolist() == [True, False]
    assert run.reviews["relevance"].isna().tolist() == [False, False, True, True, True, True]
    _, _, of_empty_review, *warnings = run.reviews["warnings"]
    assert [*of_empty_review]
    assert run.reviews["n_pseudo_references"].tolist()[2] > 0
    assert all("cannot be scored" in warning for (warning,) in warnings)


def test_the_language_of_a_change_is_the_first_that_its_files_have() -> None:
    data = "--- a/x.data\n+++ b/x.data\n@@ -1 +1 @@\n-1\n+2\n"
    run = scored(*tables(2, "diff", [data + diff_of(0), data]))
    assert run.changes["language"].tolist() == ["python", ""]
    scorer = CRScorer(claims=FailsOnce(), encoder=WordEncoder(), tau=TAU, analyzers={})
    run = score_table(*tables(2, "language", ["go", "go"]), scorer=scorer)
    assert run.changes["left_out"].isna().tolist() == [True, False]
    assert run.changes["language"].tolist() == ["python", "python"]  # despite what the table says


def test_given_references_and_claims_replace_those_of_the_backend() -> None:
    run = scored(*tables(2, "references", [[REFERENCE], [REFERENCE, REFERENCE | {"text": "b"}]]))
    assert run.changes["references"].tolist()[0] == [REFERENCE]
    assert run.reviews["n_pseudo_references"].tolist() == [1] * 3 + [2] * 3
    claim = {"text": "it renames a function", "kind": "implication"}
    for claims in ([claim], (claim,), json.dumps({"claims": [claim]}), np.array([claim])):
        first, second = scored(*tables(2, "claims", [claims, None])).changes["references"]
        assert [reference["text"] for reference in first] == ["it renames a function"]
        assert {reference["source"] for reference in second} == {"symbolic"}


@pytest.mark.parametrize(("diff", "old_file", "is_warned"), [
    (diff_of(0), "def old_0(a):\n    return a\n", False),
    (diff_of(0), "something else\n", True),
    (DELETED, "a\n", False),
])  # fmt: skip
def test_an_old_file_becomes_the_new_one(diff: str, old_file: str, is_warned: bool) -> None:
    reviews, changes = tables(1, "old_file", old_file)
    scored_reviews, scored_changes = score_part(
        reviews.assign(row=1), changes.assign(title="", diff=diff), word_scorer()
    )
    warnings = [text for text in scored_changes["warnings"].item() if "whole file" in text]
    assert ["before the change" in warning for warning in warnings] == [True] * is_warned
    assert scored_reviews["relevance"].notna().any()


REVIEWS, CHANGES = tables()


def with_cells(table: pd.DataFrame, **cells: Any) -> pd.DataFrame:  # noqa: ANN401 - any cells
    return table.assign(
        **{name: pd.Series(values, table.index, dtype=object) for name, values in cells.items()}
    )


OTHER_DIFF = pd.concat([CHANGES, CHANGES.assign(diff=diff_of(9))])


@pytest.mark.parametrize(("reviews", "changes", "words"), [
    (REVIEWS, CHANGES[:0], "changes: the table is empty"),
    (REVIEWS, CHANGES[:1], "reviews: column 'change', row 4"),
    (REVIEWS, OTHER_DIFF, "changes: column 'change', row 3"),
    (REVIEWS.assign(id="a"), CHANGES, "reviews: column 'id', row 2"),
    *((REVIEWS.drop(columns=name), CHANGES, f"reviews: the column '{name}' is missing")
      for name in ("change", "review")),
    *((REVIEWS, CHANGES.drop(columns=name), f"changes: the column '{name}' is missing")
      for name in ("change", "diff")),
    *((with_cells(REVIEWS, **{name: [*["0"] * 5, 6]}), CHANGES, f"column '{name}', row 6")
      for name in ("id", "change", "review", "system", "language")),
    *((REVIEWS, with_cells(CHANGES, **{name: ["x", ["y"]]}), f"column '{name}', row 2")
      for name in ("change", "diff", "title", "language", "new_file", "old_file")),
    (with_cells(REVIEWS, change=[None] * 6), CHANGES, "column 'change', row 1: it is empty"),
    (REVIEWS.assign(human_relevance=["x"] * 6), CHANGES, "row 1: it is not a number"),
    (REVIEWS.assign(human_relevance=9), CHANGES, "row 1: a rating must be from 1 to 5"),
    (REVIEWS.assign(label_x=float("inf")), CHANGES, "row 1: it is not finite"),
    (REVIEWS, CHANGES.assign(claims=["[]", "["]), "column 'claims', row 2"),
    (REVIEWS, CHANGES.assign(claims=["[1]", ""]), "column 'claims', row 1"),
    *((REVIEWS, with_cells(CHANGES, references=[[], cell]), "'references', row 2") for cell in (
        [{"text": "a"}], "a", ["a"], [REFERENCE | {"text": None}], [REFERENCE | {"kind": "b"}],
        [REFERENCE | {"line": 10**30}])),
    *((REVIEWS, with_cells(CHANGES, claims=["[]", cell]), "'claims', row 2: the claims are not")
      for cell in (5, {"a": "b"})),
    *((REVIEWS.assign(label_x=cell), CHANGES, "row 1: it is complex or a time")
      for cell in (1j, pd.Timestamp(0), pd.Timedelta(1))),
    (REVIEWS.to_dict("records"), CHANGES, "reviews: give a pandas DataFrame, not list"),
    (pd.concat([REVIEWS, REVIEWS[["id"]]], axis=1), CHANGES, "have the same name"),
])  # fmt: skip
def test_errors_name_column_and_row(
    reviews: pd.DataFrame, changes: pd.DataFrame, words: str
) -> None:
    with pytest.raises(InputError, match=re.escape(words)):
        scored(reviews, changes)


def test_columns_and_texts_that_are_missing_have_defaults() -> None:
    reviews, changes = REVIEWS[["change", "review"]], CHANGES[["change", "diff"]]
    run = scored(reviews.set_axis([7] * 6), changes.set_axis([7] * 2))
    assert run.reviews["id"].tolist() == [*"123456"]
    assert set(run.reviews["system"]) == {"unnamed"}
    assert set(run.reviews["language"]) == {"python"}
    assert set(run.changes["title"]) == {""}
    again = scored(
        REVIEWS.assign(row=9, relevance=7.0, signature="").set_index(["id", "row"]), CHANGES
    )
    assert again.settings["warnings"][0].startswith("columns that are computed again are not read")
    assert again.reviews["id"].tolist() == REVIEWS["id"].tolist()  # an index level
    assert again.reviews["relevance"].max() <= 1
    blank = with_cells(REVIEWS, system=[None, ""] * 3, language=float("nan"), review=None, id=None)
    again = scored(blank, with_cells(CHANGES, title=None, diff=[diff_of(0), None]))
    assert again.reviews["relevance"].isna().all()
    assert again.reviews["id"].tolist() == [*"123456"]
    assert set(again.reviews["system"]) == {"unnamed"}
    assert again.changes["left_out"].isna().tolist() == [True, False]
    own = {"bytes": b"a", "reference": 7.0, "lone": "\ud800", "list": [1, 3], "flag": True}
    cells = {name: [cell] * 6 for name, cell in own.items()} | {"mixed": [1, "b"] * 3}
    kept = scored(with_cells(REVIEWS, **cells), CHANGES).reviews[[*cells]]
    assert kept.iloc[0].tolist() == ["a", "7", "\ufffd", [1, 3], True, "1"]


def test_an_unknown_language_is_a_warning_of_its_changes() -> None:
    hunk = "@@ -1 +1 @@\n-old_0\n+new_0\n"
    reviews, changes = tables(2, "diff", [hunk, hunk])
    run = scored(reviews, changes.assign(language=["klingon", "py"]))
    kinds = count_warnings(run.reviews)
    unknown = kinds[kinds["example"].str.contains("language is unknown: 'klingon'")]
    assert unknown[["reviews", "changes"]].to_numpy().tolist() == [[3, 1]]


@pytest.mark.parametrize(
    ("claims", "name"),
    [(["a", "b"], "given"), (["a", None], "symbolic+given"), ([None, None], "symbolic")],
)
def test_claims_of_a_file_decide_tau(tmp_path: Path, claims: list[str | None], name: str) -> None:
    rows = [row for row in rows_of(2) if row["system"] == "good"]
    given = [row | {"claims": claim} for row, claim in zip(rows, claims, strict=True)]
    rejected = {"diff": "", "review": "of nothing"}
    run = score_file(write_rows(tmp_path / "corpus.jsonl", [*given, rejected]))
    tau = resolve_tau(None, DEFAULT_ENCODER, name)
    assert (run.settings["claims"], run.settings["tau"]) == (name, tau)
    assert set(run.reviews["tau"]) == {tau}
