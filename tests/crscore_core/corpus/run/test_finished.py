"""Reading a finished run: its scores as it keeps them, and what may be wrong with it."""

import json
import operator
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.folder import RunDocument, RunFolder
from crscore_core.errors import InputError
from crscore_core.scoring.metric import TAUS
from crscore_core.validity.thresholds import sweep_thresholds
from tests.crscore_core.corpus.run.made_run import made_run
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison


def reviewed() -> Reviews:
    """Reviews of two systems and the ground truth, one of them empty, over several parts."""
    rng = np.random.default_rng(0)
    return made_comparison(
        Made(0, (3, 2, 1), [[], []], "b"),
        *(
            Made(
                change,
                tuple(rng.integers(1, 6, 3).tolist()),
                rng.random((2 + change, 1 + place)).tolist(),
                system,
            )
            for change in range(4)
            for place, system in enumerate(("b", "a", GROUND_TRUTH))
        ),
    )


def edit_document(folder: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    file = folder / "_run.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    edit(document)
    file.write_text(json.dumps(document), encoding="utf-8")


def test_it_says_how_it_was_made(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run.parquet", reviewed(), 0.25)
    assert (run.tau, run.encoder) == (0.25, "all-MiniLM-L6-v2")
    document = run.document
    assert (document.reviews, document.unscored, document.rejected) == (15, 3, 1)
    written = json.loads(json.dumps(document.as_json()))
    assert RunDocument.of_json(written) == document
    assert (written["reviews"], written["unscored"], written["rejected"]) == (15, 3, 1)


def test_parts_come_one_by_one_in_the_columns_asked_for(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run.parquet", reviewed())
    tables = list(run.parts(["tau", "row"]))
    assert [table.num_rows for table in tables] == [3] * 5
    assert all(table.column_names == ["tau", "row"] for table in tables)
    rows = [row for table in tables for row in table.column("row").to_pylist()]
    assert rows == [*range(1, 15), 1000]


def test_a_run_is_swept_as_the_comparison_it_is_of(tmp_path: Path) -> None:
    comparison = reviewed()
    run = made_run(tmp_path / "run.parquet", comparison)
    found = sweep_thresholds(run.reviews(), TAUS)
    expected = sweep_thresholds(comparison, TAUS)
    assert found.reviews == expected.reviews == 9
    assert found.has_correlation
    for name, values in expected.columns.items():
        np.testing.assert_array_equal(found.columns[name], values)


def test_reviews_without_pseudo_references_are_no_part_of_it_and_empty_ones_are(
    tmp_path: Path,
) -> None:
    comparison = reviewed()
    reviews = made_run(tmp_path / "run.parquet", comparison).reviews()
    assert reviews.systems == ("a", "b", GROUND_TRUTH)
    assert [reviews.systems[at] for at in reviews.system_number] == comparison.system.tolist()
    assert reviews.system.tolist() == comparison.system.tolist()
    np.testing.assert_array_equal(reviews.ratings, comparison.ratings)
    assert reviews.scores([0.0])[:, 0, 0].tolist() == [0, 0, 0]


def test_what_is_no_finished_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no folder '.*nowhere'"):
        FinishedRun.open(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"holds no finished run .*again with `crscore batch`"):
        FinishedRun.open(tmp_path)
    unfinished = RunFolder(tmp_path / "run.parquet")
    with unfinished.held(resume=False):
        unfinished.work.touch()
    with pytest.raises(InputError, match="is not finished; finish it with `crscore batch … --res"):
        FinishedRun.open(unfinished.path)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda found: found.update(format=3), "not of format 2"),
        *(
            (operator.methodcaller("update", damage), "what the run says of itself is damaged")
            for damage in (
                {"settings": None},
                {"changes": "three"},
                {"parts": [{"number": None, "rows": 1, "unscored": 0, "sha256": "ab"}]},
                {"parts": [{"number": 0}]},
                {"parts": [1]},
                {"parts": 7},
            )
        ),
        (lambda found: found["settings"].pop("tau"), "the settings of the run '.*' are damaged"),
        (lambda found: found["settings"].update(tau="high"), "the settings of the run"),
        (lambda found: found["settings"].pop("encoder"), "the settings of the run"),
        (lambda found: found.update(change_parts=[]), "do not fit each other"),
    ],
)
def test_a_damaged_document(
    tmp_path: Path, edit: Callable[[dict[str, Any]], object], message: str
) -> None:
    folder = made_run(tmp_path / "run.parquet", reviewed()).folder.path
    edit_document(folder, edit)
    with pytest.raises(InputError, match=message):
        FinishedRun.open(folder).reviews()


@pytest.mark.parametrize("is_parquet", [True, False])
def test_a_part_that_is_something_else_is_named(tmp_path: Path, is_parquet: bool) -> None:
    run = made_run(tmp_path / "run.parquet", reviewed())
    content = b"no Parquet"
    if is_parquet:
        sink = pa.BufferOutputStream()
        parquet.write_table(pa.table({"row": [1]}), sink)
        content = sink.getvalue().to_pybytes()
    (run.folder.path / "part-000000.parquet").write_bytes(content)
    digest = sha256(content).hexdigest()
    edit_document(run.folder.path, lambda found: found["parts"][0].update(sha256=digest))
    with pytest.raises(InputError, match=r"part-000000\.parquet' is not a part of a run"):
        FinishedRun.open(run.folder.path).reviews()


def rewritten(folder: Path, name: str, column: str, value: object) -> None:
    """Put a value into the last row of a column of a file, whose checksum is right again."""
    table = parquet.read_table(folder / name)
    at = table.schema.get_field_index(column)
    values = [*table[column].to_pylist()[:-1], value]
    field = table.schema.field(column).with_nullable(True)
    table = table.set_column(at, field, pa.array(values, field.type))
    parquet.write_table(table, folder / name)
    checksum = sha256((folder / name).read_bytes()).hexdigest()
    files = "change_parts" if name.startswith("_changes") else "parts"
    edit_document(folder, lambda found: found[files][0].update(sha256=checksum))


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [
        ("_changes-000000.parquet", "diff", None),
        ("_changes-000000.parquet", "number", 77),
        ("_changes-000000.parquet", "pseudo_references", None),
        ("part-000000.parquet", "change", 77),
        ("part-000000.parquet", "change", None),
        ("part-000000.parquet", "text", None),
        ("part-000000.parquet", "similarity", [0.5] * 7),
        ("part-000000.parquet", "similarity", [None]),
        ("part-000000.parquet", "reference_maxima", [float("nan")]),
        ("part-000000.parquet", "relevance", float("inf")),
        ("part-000000.parquet", "n_sentences", None),
        ("part-000000.parquet", "n_sentences", -1),
        ("part-000000.parquet", "row", -1),
        ("part-000000.parquet", "sentences", [None]),
        ("part-000000.parquet", "sentences", []),
        ("part-000000.parquet", "n_pseudo_references", 7),
        ("_changes-000000.parquet", "warnings", [None]),
        ("_changes-000000.parquet", "pseudo_references", [None]),
        ("_changes-000000.parquet", "pseudo_references", [{"text": None, "kind": "claim"}]),
        ("_changes-000000.parquet", "pseudo_references", [{"text": "a", "kind": "rumour"}]),
    ],
)
def test_whole_files_with_impossible_cells_are_a_damaged_run(
    tmp_path: Path, name: str, column: str, value: object
) -> None:
    folder = made_run(tmp_path / "run.parquet", reviewed()).folder.path
    rewritten(folder, name, column, value)
    with pytest.raises(InputError):
        FinishedRun.open(folder).reviews().loaded()


def test_a_review_of_an_unknown_change_is_no_row_of_a_corpus(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run.parquet", reviewed()).folder.path
    rewritten(folder, "part-000000.parquet", "change", 77)
    with pytest.raises(InputError, match="do not fit each other"):
        list(FinishedRun.open(folder).corpus_rows())


@pytest.mark.parametrize(
    ("is_dictionary", "message"),
    [(True, "a column is of another type"), (False, "is larger than 1,000,000,000 bytes")],
)
def test_a_small_file_with_a_huge_table_is_not_read(
    tmp_path: Path, is_dictionary: bool, message: str
) -> None:
    folder = made_run(tmp_path / "run.parquet", reviewed()).folder.path
    file = folder / "_changes-000000.parquet"
    table = parquet.read_table(file).slice(0, 1)
    diffs = pa.DictionaryArray.from_arrays(pa.array([0] * 300, pa.int32()), ["x" * 4_000_000])
    columns = dict(zip(table.column_names, pa.concat_tables([table] * 300).columns, strict=True))
    columns["number"] = pa.array(range(300))
    columns["diff"] = diffs if is_dictionary else diffs.dictionary_decode()
    table = pa.table(columns)
    parquet.write_table(table, file, compression="zstd")
    assert file.stat().st_size < 1_000_000
    digest = sha256(file.read_bytes()).hexdigest()
    edit_document(folder, lambda found: found["change_parts"][0].update(sha256=digest, rows=300))
    with pytest.raises(InputError, match=rf"changes-000000.*{message}"):
        FinishedRun.open(folder).reviews().loaded()
