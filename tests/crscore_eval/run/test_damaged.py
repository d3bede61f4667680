"""Folders that are not runs, or are damaged: one line says what is wrong, never a traceback."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from crscore_core.errors import InputError
from crscore_eval.run.folder import list_runs, open_run, write_run
from crscore_eval.run.parts import score_table
from crscore_eval.table import HUMAN
from tests.crscore_eval.run.corpus import word_scorer
from tests.crscore_eval.run.test_scoring import tables

REVIEWS, CHANGES, SETTINGS = "part-00000.parquet", "_changes-00000.parquet", "_run.json"
COLUMNS = {
    REVIEWS: ("row", "id", "change", "system", "language", "review", "tau", "n_sentences",
              "n_pseudo_references", "warnings", "sentences", "similarity", "sentence_maxima",
              "reference_maxima", "relevance", "no_threshold"),
    CHANGES: ("change", "title", "language", "diff", "references", "warnings", "left_out"),
}  # fmt: skip
Attack = Callable[[Path], object]


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    reviews, changes = tables(3)
    ratings = dict.fromkeys(HUMAN.values(), 3.0) | {"label_worth": 1.0}
    folder = tmp_path_factory.mktemp("runs") / "run"
    scored = score_table(reviews.assign(**ratings), changes, scorer=word_scorer(), name="intact")
    write_run(folder, scored)
    return folder


@pytest.fixture
def run(intact: Path, tmp_path: Path) -> Path:
    return shutil.copytree(intact, tmp_path / "runs" / "run")


def edited(file: str, change: Callable[[pa.Table], pa.Table]) -> Attack:
    return lambda run: parquet.write_table(change(parquet.read_table(run / file)), run / file)


def without(file: str, name: str) -> Attack:
    return edited(file, lambda table: table.drop_columns([name]))


def twice(file: str, name: str) -> Attack:
    return edited(file, lambda table: table.append_column(name, table[name]))


def column(file: str, name: str, change: Callable[[list[Any]], list[Any]]) -> Attack:
    """Replace the cells of a column with others of any type."""

    def attack(table: pa.Table) -> pa.Table:
        cells = pa.array(change(table[name].to_pylist()))
        return table.set_column(table.column_names.index(name), name, cells)

    return edited(file, attack)


def first(file: str, name: str, value: object) -> Attack:
    """Replace the first cell of a column."""
    return column(file, name, lambda cells: [value, *cells[1:]])


def reference(**changed: object) -> Attack:
    """Change fields of all pseudo-references."""
    return column(CHANGES, "references", lambda of: [[one | changed for one in row] for row in of])


def settings(**changed: object) -> Attack:
    return lambda run: (run / SETTINGS).write_text(
        json.dumps(json.loads((run / SETTINGS).read_text()) | changed)
    )


def replaced(file: str, make: Callable[[Path], object]) -> Attack:
    """Remove a file and put something else in its place."""

    def attack(run: Path) -> None:
        (run / file).unlink()
        make(run / file)

    return attack


ATTACKS: dict[str, Attack] = {
    **{f"{name} missing": without(file, name) for file in COLUMNS for name in COLUMNS[file]},
    **{f"{name} twice": twice(file, name) for file in COLUMNS for name in COLUMNS[file]},
    **{
        f"{name} of lists of objects": column(file, name, lambda cells: [[{"a": 1}]] * len(cells))
        for file in COLUMNS for name in COLUMNS[file]
    },
    **{
        f"{name} of texts": column(REVIEWS, name, lambda cells: ["a half"] * len(cells))
        for name in ("row", "tau", "relevance", "n_sentences", "similarity", *HUMAN.values())
    },
    **{
        f"{name} of {value}": first(REVIEWS, name, value)
        for name, values in {
            "tau": (None, 0.9), "n_sentences": (-1, 99, None), "n_pseudo_references": (0, 99),
            "human_relevance": (0.0, 6.0, float("inf")), "label_worth": (float("inf"),),
            "similarity": ([], [0.5], [None], None, [9.0] * 6, [float("nan")] * 6),
            "sentence_maxima": ([], [0.9] * 9), "reference_maxima": ([], [float("nan")] * 9),
            "relevance": (0.1, None), "no_threshold": (7.0,), "sentences": ([], ["a"] * 4, [None]),
            "id": (None, "0/bad"), "change": (None, "9"), "review": (None,), "warnings": (None,),
        }.items()
        for value in values
    },
    "two changes of one key": column(CHANGES, "change", lambda cells: cells[:1] * len(cells)),
    "no references": first(CHANGES, "references", []),
    "no reviews": edited(REVIEWS, lambda table: table[:0]),
    "reviews without changes": lambda run: shutil.copy(run / REVIEWS, run / "part-00007.parquet"),
    "a reference without a text": reference(text=None),
    "a reference of an unknown kind": reference(kind="praise"),
    **{
        f"{file} as {name}": replaced(file, make)
        for file in (REVIEWS, CHANGES, SETTINGS)
        for name, make in {
            "nothing": lambda _: None, "a folder": Path.mkdir, "an empty file": Path.touch,
            "a link to itself": lambda path: path.symlink_to(path),
            "an endless device": lambda path: path.symlink_to("/dev/zero"),
            "a pipe": os.mkfifo, "text": lambda path: path.write_text("a,b\n1,2\n"),
        }.items()
    },
    "changes in place of reviews": lambda run: shutil.copy(run / CHANGES, run / REVIEWS),
    "a part twice": lambda run: [
        shutil.copy(run / file, run / file.replace("00000", "00001")) for file in COLUMNS
    ],
    "half a part": lambda run: os.truncate(run / REVIEWS, (run / REVIEWS).stat().st_size // 2),
    "more reviews": settings(n_reviews=10), "fewer changes": settings(n_changes=2),
    "settings of lists": lambda run: (run / SETTINGS).write_text("[" * 200_000),
    "settings in UTF-16": lambda run: (run / SETTINGS).write_bytes("{}".encode("utf-16")),
    "a date that is none": settings(created=5), "a date in words": settings(created="now"),
    "an encoder without a name": settings(encoder=""), "endless settings": settings(tau=10**400),
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_a_damaged_run_gives_a_one_line_error(attack: Attack, run: Path) -> None:
    attack(run)
    with pytest.raises(InputError) as raised:
        open_run(run)
    assert str(run) in str(raised.value)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 700
    assert [one["path"] for one in list_runs(run.parent)] == [run]


def test_a_flipped_bit_is_found(run: Path) -> None:
    """Page checksums find it; in the footer, it may only change the name of an extra column."""
    intact_run = open_run(run)
    for file in COLUMNS:
        content = (run / file).read_bytes()
        footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
        for place in range(0, len(content), len(content) // 60):
            flipped = bytearray(content)
            flipped[place] ^= 16
            (run / file).write_bytes(flipped)
            try:
                opened = open_run(run)
            except InputError:
                continue
            assert place >= footer or opened.reviews.equals(intact_run.reviews), place
            assert opened.changes.equals(intact_run.changes), place
        (run / file).write_bytes(content)


def test_a_folder_that_is_not_a_run_is_listed_with_its_problem(run: Path) -> None:
    (run.parent / "empty").mkdir()
    (run.parent / "notes.txt").touch()
    shutil.copytree(run, run.parent / "broken")
    (run.parent / "broken" / SETTINGS).write_text("[" * 200_000)
    problems = {one["name"]: one.get("problem", "") for one in list_runs(run.parent)}
    assert problems.keys() == {"intact", "empty", "broken"}
    assert "recursion" in problems["broken"]
    assert "is missing" in problems["empty"]
    assert problems["intact"] == ""
