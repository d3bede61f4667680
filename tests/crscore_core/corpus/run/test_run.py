"""Runs from a file of reviews to a folder of scores."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from crscore_core import CRScorer
from crscore_core.claims import parse_claims
from crscore_core.corpus.progress import CorpusProgress, CorpusStage
from crscore_core.corpus.reading import RowStream, label_columns, label_name
from crscore_core.corpus.run import LocalEngine, run_batch
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.folder import REJECTS
from crscore_core.corpus.run.intake import import_corpus
from crscore_core.corpus.run.rescore import rescore
from crscore_core.errors import InputError
from crscore_core.scoring import load_encoder
from tests.crscore_core.corpus.run.corpora import (
    TAU,
    JobOf,
    contents,
    diff_of,
    job_over,
    rows_of,
    run,
    write_rows,
)


@pytest.mark.usefixtures("small_pieces")
def test_every_review_is_scored_as_by_itself(job_of: JobOf, encoder: Path) -> None:
    rows = rows_of(5)
    rows[4]["claims"] = ["The cache is checked.", "A session is long."]
    job = job_of(rows, analyzers=True)
    document = run(job)
    found = pd.read_parquet(job.folder)
    parts = sorted(job.folder.glob("_changes-*.parquet"))
    changes = pd.concat(map(pd.read_parquet, parts)).set_index("number")
    assert (document.reviews, document.changes, document.rejected) == (15, 6, 0)
    assert sorted(found["row"]) == list(range(1, 16))
    rows = [rows[row - 1] for row in found["row"]]
    assert [changes["diff"][number] for number in found["change"]] == [row["diff"] for row in rows]
    assert found["id"].tolist() == [row["id"] for row in rows]
    assert found["system"].tolist() == [row["system"] for row in rows]
    assert found["human_relevance"].tolist() == [row["relevance"] for row in rows]
    model = load_encoder(str(encoder))
    for row, (_, scored) in zip(rows, found.iterrows(), strict=True):
        claims = parse_claims(json.dumps(row["claims"])) if "claims" in row else "symbolic"
        scorer = CRScorer(claims=claims, encoder=model, tau=TAU)
        (alone,) = scorer.score_many(row["diff"], [row["review"]])
        for name in ("conciseness", "comprehensiveness", "relevance"):
            expected = getattr(alone, name)
            assert scored[name] == expected if expected is not None else np.isnan(scored[name])
        shape = (scored["n_pseudo_references"], scored["n_sentences"])
        assert shape == alone.similarity.shape
        assert set(alone.warnings) <= set(scored["warnings"])
        references = [one["text"] for one in changes["pseudo_references"][scored["change"]]]
        assert references == [one.text for one in alone.pseudo_references]
        assert scored["sentences"].tolist() == list(alone.sentence_texts)
        assert scored["text"] == row["review"]
        assert scored["similarity"].tolist() == pytest.approx(alone.similarity.ravel(), abs=1e-6)
        if alone.similarity.size:
            best = alone.similarity.max(axis=0), alone.similarity.max(axis=1)
            assert scored["sentence_maxima"] == pytest.approx(best[0], abs=1e-6)
            assert scored["reference_maxima"] == pytest.approx(best[1], abs=1e-6)
            assert f"tau:{TAU}" in scored["signature"]


@pytest.mark.usefixtures("small_pieces")
def test_empty_reviews_have_no_scores_and_say_so(job_of: JobOf) -> None:
    job = job_of(rows_of(3))
    assert run(job).unscored == 3
    empty = pd.read_parquet(job.folder).query("system == 'third'")
    assert empty["relevance"].isna().all()
    assert all("cannot be scored: the review is empty" in one for one in empty["warnings"])


@pytest.mark.usefixtures("small_pieces")
def test_rows_that_cannot_be_used_are_set_aside_with_their_numbers(job_of: JobOf) -> None:
    good = rows_of(2)
    bad: list[str | dict[str, Any]] = [
        "{no json",
        {"diff": diff_of(1), "system": "first"},
        {"diff": "this is prose", "review": "fine", "system": "first"},
        {"diff": "this is prose", "review": "fine too", "system": "second"},
        {"diff": diff_of(1), "review": "x", "relevance": 9},
        {"diff": diff_of(1), "review": "x", "claims": 7, "language": "x" * 200},
    ]
    job = job_of([*good[:3], *bad, *good[3:]])
    document = run(job)
    assert (document.reviews, document.rejected) == (6, 6)
    assert pd.read_parquet(job.folder)["row"].tolist() == [1, 2, 3, 10, 11, 12]
    lines = (job.folder / REJECTS).read_text(encoding="utf-8").splitlines()
    rejects = [json.loads(line) for line in lines]
    assert [one["row"] for one in rejects] == [4, 5, 6, 7, 8, 9]
    assert rejects[0]["content"] == "{no json"
    assert json.loads(rejects[3]["content"])["review"] == "fine too"
    for one, reason in zip(
        rejects,
        ("no valid JSON", "it has no review", "diff", "diff", "rating", "language"),
        strict=True,
    ):
        assert reason in one["reason"]


def test_a_corpus_without_a_usable_row_is_an_error(job_of: JobOf) -> None:
    with pytest.raises(InputError, match="none of the rows can be used; row 1: diff"):
        run(job_of([{"diff": "prose", "review": "fine"}] * 3))


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl.gz", "codereviewer"])
def test_every_format_gives_the_same_scores(tmp_path: Path, encoder: Path, kind: str) -> None:
    rows = rows_of(4)
    plain = job_over(write_rows(tmp_path / "a.jsonl", rows), tmp_path / "a.parquet", encoder)
    run(plain)
    corpus = tmp_path / f"b.{kind}"
    table = pd.DataFrame(rows)
    if kind == "csv":
        table.to_csv(corpus, index=False)
    elif kind == "parquet":
        table.to_parquet(corpus)
    elif kind == "jsonl.gz":
        corpus.write_bytes(gzip.compress(plain.corpus.read_bytes()))
    else:
        names = {"diff": "patch", "review": "msg"}
        write_rows(corpus, [{names.get(name, name): row[name] for name in row} for row in rows])
    other = job_over(corpus, tmp_path / "out.parquet", encoder)
    run(other)
    expected, found = pd.read_parquet(plain.folder), pd.read_parquet(other.folder)
    pd.testing.assert_frame_equal(found.drop(columns="row"), expected.drop(columns="row"))


def test_a_column_that_comes_late_counts_for_all_rows(job_of: JobOf) -> None:
    rows = rows_of(400)
    for row in rows[:1100]:
        del row["system"]
    job = job_of(rows)
    assert run(job).reviews == 1200
    systems = pd.read_parquet(job.folder, columns=["system"])["system"]
    assert set(systems[:1100]) == {"unnamed"}
    assert set(systems[1100:]) == {"first", "second", "third"}


def test_a_late_column_changes_nothing_that_the_first_rows_say(job_of: JobOf) -> None:
    rows = [{"patch": row["diff"], "msg": row["review"]} for row in rows_of(400)]
    rows[1100]["diff"] = "a note"
    document = run(job_of(rows))
    assert (document.reviews, document.rejected) == (1200, 0)


def test_columns_can_be_named(job_of: JobOf) -> None:
    rows = [{"what": row["diff"], "said": row["review"], "msg": "x"} for row in rows_of(2)]
    with pytest.raises(InputError, match="no column holds the diff"):
        run(job_of(rows))
    with pytest.raises(InputError, match="there is no column 'where'"):
        run(job_of(rows, columns={"diff": "where"}))
    assert run(job_of(rows, columns={"diff": "what", "review": "said"})).reviews == 6


def test_references_are_reviews_where_their_column_is_named(job_of: JobOf) -> None:
    gold = ["Check it.", "Check it.", "Why?", None, "Nothing.", "Nothing."]
    rows = [row | {"gold": text} for row, text in zip(rows_of(2), gold, strict=True)]
    rows[5] |= {"system": "msg", "review": "Nothing."}
    assert run(job_of(rows)).reviews == 6
    job = job_of(rows, "with", columns={"reference": "gold"})
    assert run(job).reviews == 8
    comparison = FinishedRun.open(job.folder).reviews()
    assert [(one.id, one.text) for one in comparison if one.system == "msg"] == [
        ("change 0/msg", "Check it."), ("change 0/msg (2)", "Why?"), ("change 1/msg", "Nothing."),
    ]  # fmt: skip
    assert [change.id for change in comparison.changes] == ["change 0", "change 1"]


def test_a_column_can_be_said_to_hold_nothing(job_of: JobOf) -> None:
    rows = [row | {"relevance": 0.4} for row in rows_of(2)]
    with pytest.raises(InputError, match="a rating is a number from 1 to 5"):
        run(job_of(rows))
    job = job_of(rows, columns={"relevance": ""})
    assert run(job).rejected == 0
    assert pd.read_parquet(job.folder)["human_relevance"].isna().all()


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    ("cells", "named", "kept"),
    [
        # Columns of three reviews, those named, and their columns in the run.
        ([{}, {}, {}], None, {}),
        ([{"label_useful": "yes"}, {}, {}], (), {}),
        (
            [{"label_useful": "yes", "outcome_merged": 0}, {"Outcome_Days": -2.5}, {}],
            None,
            {
                "label_useful": [1.0, None, None],
                "outcome_merged": [0.0, None, None],
                "Outcome_Days": [None, -2.5, None],
            },
        ),
        # What is named takes the place of what is told by its name, ratings among it.
        (
            [{"relevance": 0, "label_by": "Ann"}, {"relevance": 1}, {"relevance": 7}],
            ("relevance",),
            {"label_relevance": [0.0, 1.0, 7.0]},
        ),
    ],
)
def test_labels_come_back_by_their_names(
    job_of: JobOf,
    tmp_path: Path,
    cells: list[dict[str, object]],
    named: tuple[str, ...] | None,
    kept: dict[str, list[float | None]],
) -> None:
    rows = [row | cells[number % 3] for number, row in enumerate(rows_of(4))]
    job = job_of(rows, labels=named)
    document = run(job)
    found = pd.read_parquet(job.folder)
    columns = [
        name for name in found.columns.tolist() if name.lower().startswith(("label_", "outcome_"))
    ]
    assert columns == list(kept)
    for name, values in kept.items():
        np.testing.assert_array_equal(found[name], np.array(values * 4, dtype=float))
    names = {label_name(column): values for column, values in kept.items()}
    assert document.labels == tuple(names)
    rescore(FinishedRun.open(job.folder), 0.9, tmp_path / "rescored.parquet")
    for folder in (job.folder, tmp_path / "rescored.parquet"):
        reviews = FinishedRun.open(folder).reviews()
        expected = [
            {name: values[at % 3] for name, values in names.items() if values[at % 3] is not None}
            for at in range(12)
        ]
        assert [review.labels for review in reviews] == expected
    # The rows of the run, with their diffs again, are a corpus with the same labels.
    again = found.assign(diff=[row["diff"] for row in rows], review=found["text"])
    stream = RowStream(again.to_csv(index=False).encode(), "a.csv")
    labels = label_columns(stream.columns()) if kept else ()
    corpus = import_corpus(stream, {"diff": "diff", "review": "review"}, "again", labels).corpus
    assert [review.labels for change in corpus.changes for review in change.reviews] == expected


def test_labels_that_cannot_be_read_are_said(job_of: JobOf) -> None:
    rows = rows_of(2)
    rows[0]["label_useful"] = "perhaps"
    assert run(job_of(rows)).rejected == 1
    rows[1]["Label_useful"] = 1
    with pytest.raises(InputError, match="are both the label 'useful'"):
        run(job_of(rows, "both"))
    with pytest.raises(InputError, match="no column 'useful' for a label"):
        run(job_of(rows, "missing", labels=("useful",)))
    run(job_of(rows, "one", labels=("Label_useful",)))
    with pytest.raises(InputError, match="labels was"):
        run(job_of(rows, "one", labels=("label_useful",), resume=True))


def test_a_label_that_comes_late_counts_for_all_rows(job_of: JobOf) -> None:
    rows = rows_of(400)
    rows[1100]["label_useful"] = 1
    assert run(job_of(rows)).labels == ("useful",)


@pytest.mark.usefixtures("small_pieces")
def test_progress_reaches_the_end_of_every_step_and_no_work_is_left(job_of: JobOf) -> None:
    job = job_of(rows_of(6))
    seen: list[CorpusProgress] = []
    run_batch(job, LocalEngine(), seen.append)
    last = {progress.stage: progress for progress in seen}
    assert list(last) == [CorpusStage.INTAKE, CorpusStage.SCORES]
    assert [one.done for one in last.values()] == [job.corpus.stat().st_size, 18]
    assert all(one.done == one.total for one in last.values())
    done = [one.done for one in seen if one.stage is CorpusStage.SCORES]
    assert done == sorted(done)
    assert set(done) > {0, 6, 12, 18}  # it moves within a part too
    files = [f"{kind}-00000{n}.parquet" for kind in ("_changes", "part") for n in range(3)]
    assert sorted(contents(job.folder)) == sorted(["_rejects.jsonl", "_run.json", *files])


@pytest.mark.usefixtures("small_pieces")
def test_a_change_has_all_its_reviews_in_one_part_wherever_they_stand(job_of: JobOf) -> None:
    rows = rows_of(6)
    mixed = job_of(rows[::3] + rows[1::3] + rows[2::3])
    run(mixed)
    found = pd.read_parquet(mixed.folder)
    assert found["change"].tolist() == sorted(found["change"])
    assert found["row"].tolist()[:3] == [1, 7, 13]
    for number in range(3):
        part = pd.read_parquet(mixed.folder / f"part-00000{number}.parquet")
        changes = pd.read_parquet(mixed.folder / f"_changes-00000{number}.parquet")
        assert (
            sorted(set(part["change"]))
            == changes["number"].tolist()
            == [2 * number, 2 * number + 1]
        )
    whole = job_of(rows, "whole")
    run(whole)
    columns = ["id", "system", "relevance"]
    pd.testing.assert_frame_equal(
        found[columns].sort_values(columns, ignore_index=True),
        pd.read_parquet(whole.folder)[columns].sort_values(columns, ignore_index=True),
    )


@pytest.mark.usefixtures("small_pieces")
def test_a_change_too_large_for_a_part_is_there_once(job_of: JobOf) -> None:
    rows = [{"diff": diff_of(n // 14), "review": f"Check {n}.", "id": str(n)} for n in range(16)]
    job = job_of(rows)
    document = run(job)
    assert [part.rows for part in document.parts] == [6, 6, 4]
    assert [part.rows for part in document.change_parts] == [1, 0, 1]
    assert (document.changes, document.reviews) == (2, 16)
    reviews = FinishedRun.open(job.folder).reviews()
    assert reviews.change.tolist() == [0] * 14 + [1] * 2
    assert reviews.ids == tuple(map(str, range(16)))


def test_claims_of_a_backend_that_fails_for_one_change_leave_that_change_out(
    job_of: JobOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    from crscore_core.claims.symbolic import SymbolicClaims
    from crscore_core.errors import InputError

    def generate_each(self: SymbolicClaims, changes: list[object]) -> list[object]:
        texts = [self.generate(change) for change in changes]  # type: ignore[arg-type]
        return [InputError("no answer"), *texts[1:]]

    monkeypatch.setattr(SymbolicClaims, "generate_each", generate_each, raising=False)
    job = job_of(rows_of(3))
    assert run(job).unscored == 3 + 2
    found = pd.read_parquet(job.folder)
    assert found["relevance"][:3].isna().all()
    assert found["warnings"][0].tolist() == ["cannot be scored: no answer"]
    assert found["n_sentences"][0] == 2
    assert found["relevance"][3:5].notna().all()
