"""The study: the shipped part, the release's layout, and parts of it."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from crscore_core.errors import InputError
from crscore_eval.data.shipped import shipped_pairs, shipped_run, shipped_study
from crscore_eval.data.study import Study, read_study
from crscore_eval.data.study_run import score_rated_reviews, score_study
from crscore_eval.validity.agreement import resolve_study_tau
from tests.word_encoder import WordEncoder

PHASE_1 = ["index", "diff", "claim", "Correctness", "additional claims"]
PHASE_2 = [
    "index", "diff", "claim", "necessary?", "type", "review", "system", "claims addressed",
    "Con (P)", "Comp (R)", "Rel (F)",
]  # fmt: skip
LANGUAGES = ("py", "java", "js")

Rows = list[dict[str, str]]


def _rows(index: str, rating: str, code: str = "1") -> tuple[Rows, Rows]:
    """A change with two claims and two reviews, as in both phases."""
    first = {"index": index, "diff": f"@@ -1 +1 @@\n-{index}\n+x"}
    return (
        [{**first, "claim": "One.", "Correctness": code}, {"claim": "Two.", "Correctness": code}],
        [
            {**first, "claim": "One.", "necessary?": "1.0", "type": "claim", "review": "Why?",
             "system": "gpt3.5_pred", "claims addressed": "1, 3",
             "Con (P)": rating, "Comp (R)": rating, "Rel (F)": rating},
            {"claim": "Two.", "necessary?": "0", "type": "issue", "review": "Fine.",
             "system": "msg", "claims addressed": "-",
             "Con (P)": "1.0", "Comp (R)": "1", "Rel (F)": "1"},
        ],
    )  # fmt: skip


def _write(folder: Path, name: str, columns: list[str], rows: Rows) -> None:
    path = folder / "human_study" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows, columns=columns).to_csv(path, index=False)


def _unfilled(rows: Rows) -> Rows:
    """The rows of an annotator who did not work on the change."""
    filled = {"Correctness", "additional claims", "Con (P)", "Comp (R)", "Rel (F)"}
    return [{name: cell for name, cell in row.items() if name not in filled} for row in rows]


def _release(
    folder: Path,
    changes: dict[str, tuple[str, str]],
    change: Callable[[Rows], Rows] = lambda rows: rows,
) -> Path:
    """A release with only Python changes: for each index, who worked on it and the rating."""
    rows_by_annotator: dict[str, tuple[Rows, Rows]] = {"marcus": ([], []), "atharva": ([], [])}
    for index, (worker, rating) in changes.items():
        for annotator, phases in rows_by_annotator.items():
            for phase, rows in zip(phases, _rows(index, rating), strict=True):
                phase.extend(rows if annotator in worker else _unfilled(rows))
    for language in LANGUAGES:
        for annotator, (coded, rated) in rows_by_annotator.items():
            is_python = language == "py"
            _write(folder, f"phase1/{language}_claim_acc_annot_{annotator}.csv", PHASE_1,
                   change(coded) if is_python else [])  # fmt: skip
            _write(folder, f"phase2/{language}_{annotator}_review_qual_final.csv", PHASE_2,
                   change(rated) if is_python else [])  # fmt: skip
    for annotator in ("Marcus", "Atharva"):
        _write(folder, f"phase2/phase2_agreement_annot_last100_{annotator}.csv", PHASE_2, [])
    return folder


def test_reads_reviews_claims_and_references(tmp_path: Path) -> None:
    study = read_study(_release(tmp_path, {"7": ("marcus", "4.0")}))
    assert study.changes.to_dict("records") == [
        {"change": "7", "language": "python", "diff": "@@ -1 +1 @@\n-7\n+x", "is_rated": True}
    ]
    review = study.reviews.iloc[0]
    assert (review["id"], review["human_relevance"], review["addressed"]) == ("7/gpt3.5", 4, [1, 3])
    assert study.reviews["system"].tolist() == ["gpt3.5", "msg"]
    references = study.references[["number", "kind", "is_necessary"]]
    assert references.to_numpy().tolist() == [[1, "claim", True], [2, "smell", False]]
    assert study.claims["code"].tolist() == ["correct", "correct"]
    assert study.double_ratings.empty


def test_second_annotator_counts_from_the_switch_on(tmp_path: Path) -> None:
    everybody = dict.fromkeys(("7", "125", "9"), ("marcus atharva", "2"))
    folder = _release(tmp_path, everybody)
    path = folder / "human_study" / "phase2" / "py_atharva_review_qual_final.csv"
    path.write_text(path.read_text().replace(",2,2,2", ",5,5,5"))
    rated = read_study(folder).reviews.set_index("id")["human_relevance"]
    assert rated[["7/gpt3.5", "125/gpt3.5", "9/gpt3.5"]].tolist() == [2, 5, 5]


def test_without_the_switch_every_annotator_counts(tmp_path: Path) -> None:
    workers = {"7": ("marcus", "2"), "8": ("atharva", "3"), "9": ("atharva", "4")}
    rated = read_study(_release(tmp_path, workers)).reviews.set_index("id")["human_relevance"]
    assert rated[["7/gpt3.5", "8/gpt3.5", "9/gpt3.5"]].tolist() == [2, 3, 4]


@pytest.mark.parametrize(
    ("column", "cell"),
    [("Con (P)", "6"), ("Rel (F)", "x"), ("system", "nobody"), ("Correctness", "9")],
)
def test_rejects_a_cell_that_cannot_be_read(tmp_path: Path, column: str, cell: str) -> None:
    def change(rows: Rows) -> Rows:
        return [{**row, column: cell} if column in row else row for row in rows]

    with pytest.raises(InputError, match="row 2"):
        read_study(_release(tmp_path, {"7": ("marcus", "2")}, change))


def test_rejects_a_folder_without_the_study(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_study(tmp_path)
    folder = _release(tmp_path, {"7": ("marcus", "2")})
    (folder / "human_study" / "phase1" / "js_claim_acc_annot_marcus.csv").unlink()
    with pytest.raises(InputError, match="js_claim_acc_annot_marcus"):
        read_study(folder)


def test_the_shipped_part_equals_the_release(released_study: Path) -> None:
    study = read_study(released_study)
    for name, table in study._asdict().items():
        shipped = getattr(shipped_study(), name)
        lists = [column for column in table if column == "addressed"]
        pd.testing.assert_frame_equal(
            table.drop(columns=lists), shipped.drop(columns=lists), check_dtype=False
        )
        for column in lists:
            assert [*map(list, table[column])] == [*map(list, shipped[column])]


def test_shipped_run_has_the_rated_reviews() -> None:
    run, study = shipped_run(), shipped_study()
    assert run.reviews["id"].tolist() == study.reviews["id"].tolist()
    for name in ("human_conciseness", "human_comprehensiveness", "human_relevance", "review"):
        assert run.reviews[name].tolist() == study.reviews[name].tolist()
    assert run.changes["left_out"].isna().all()


def test_shipped_pairs_come_from_notes_on_what_a_review_addresses() -> None:
    pairs, reviews = shipped_pairs(), shipped_study().reviews.set_index("id")["addressed"]
    for pair in pairs.sample(200, random_state=0).to_dict("records"):
        assert pair["addressed"] == (pair["number"] in list(reviews[pair["id"]]))
    assert pairs["similarity"].between(-1, 1).all()


def test_without_a_preset_the_study_is_scored_at_any_tau(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command that computes tau first scores at 0, as similarities do not depend on tau."""
    monkeypatch.setattr("crscore_core.scoring.scorer.load_encoder", lambda _: WordEncoder())
    study = shipped_study()
    few = set(study.reviews["change"].unique()[:4])
    tables = {name: table[table["change"].isin(few)] for name, table in study._asdict().items()}
    study = Study(**tables)
    with pytest.raises(InputError, match="crscore validity --encoder words --claims study"):
        score_rated_reviews(study, encoder="words")
    assert score_rated_reviews(study, encoder="words", tau=0.4).settings["tau"] == 0.4
    monkeypatch.setattr("crscore_eval.data.study_run.shipped_study", lambda: study)
    _, run, _ = score_study(None, encoder="words")
    taus = {name: resolve_study_tau(run, name) for name in (None, "tau_gt", "tau_best")}
    assert 0 < taus[None] == taus["tau_gt"] != taus["tau_best"]
