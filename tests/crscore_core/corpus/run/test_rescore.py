"""A run at another tau against the run that was begun with it."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from crscore_core.corpus.progress import CorpusProgress
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.rescore import rescore
from crscore_core.errors import InputError
from tests.crscore_core.corpus.run.made_run import made_run
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison

Matrix = NDArray[np.float32]

# A coarse grid makes maxima equal to tau frequent, also where float32 and float64 differ.
cells = st.integers(-20, 20).map(lambda number: number / 20)
reviews = st.tuples(
    st.sampled_from("ab"),
    st.tuples(st.integers(1, 3), st.integers(0, 3)).flatmap(
        lambda shape: arrays(np.float32, shape, elements=cells.map(np.float32))
    ),
)


def compared(*reviews: tuple[str, Matrix]) -> Reviews:
    return made_comparison(
        *(
            Made(change, (1, 2, 3), similarity.tolist(), system)
            for change, (system, similarity) in enumerate(reviews)
        )
    )


def one(similarity: float) -> tuple[str, Matrix]:
    return "a", np.array([[similarity]], dtype=np.float32)


def contents(run: FinishedRun) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.folder.path.iterdir()}


@settings(max_examples=40)  # every file is brought to the disk
@given(st.lists(reviews, min_size=1, max_size=5), cells, cells)
def test_it_is_the_run_that_was_begun_with_that_tau(
    given: list[tuple[str, Matrix]],
    tau: float,
    other: float,
) -> None:
    comparison = compared(*given)
    with TemporaryDirectory() as name:
        folder = Path(name)
        run = made_run(folder / "run", comparison, tau)
        expected = made_run(folder / "expected", comparison, other)
        rescore(run, other, folder / "out")
        assert contents(FinishedRun.open(folder / "out")) == contents(expected)


def test_a_maximum_equal_to_tau_is_no_match_and_nulls_stay(tmp_path: Path) -> None:
    empty = "a", np.zeros((1, 0), dtype=np.float32)
    similarities = np.array([0.3, 0.30001], dtype=np.float32)
    run = made_run(tmp_path / "run", compared(*map(one, similarities.tolist()), empty))
    rescore(run, float(similarities[0]), tmp_path / "out")
    tables = list(FinishedRun.open(tmp_path / "out").parts(["relevance", "signature"]))
    relevance = [value for table in tables for value in table.column("relevance").to_pylist()]
    # The first has no pseudo-references; the last but one is empty, the last one left out.
    assert relevance == [None, 0, 1, None, None]
    signatures = [value for table in tables for value in table.column("signature").to_pylist()]
    assert signatures[1].endswith("|analyzers:lizard=1.0|tau:0.3")
    assert signatures[-1] is None


def test_it_says_how_far_it_is(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", compared(*[one(0.5)] * 3))
    told: list[CorpusProgress] = []
    rescore(run, 0.1, tmp_path / "out", told.append)
    assert [(note.done, note.total) for note in told] == [(3, 5), (5, 5)]


def test_rows_set_aside_may_be_gone(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", compared(one(0.5)))
    (tmp_path / "run" / "_rejects.jsonl").unlink()
    rescore(run, 0.1, tmp_path / "out")
    assert set(contents(FinishedRun.open(tmp_path / "out"))) == set(contents(run))


def test_nothing_is_written_over(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", compared(one(0.5)))
    before = contents(run)
    for path in (tmp_path / "run", tmp_path / "." / "run", tmp_path):
        with pytest.raises(InputError, match="is there already; choose another name"):
            rescore(run, 0.1, path)
    assert contents(run) == before
    (tmp_path / "empty").mkdir()
    assert rescore(run, 0.1, tmp_path / "empty").reviews == 3


def test_a_run_with_a_damaged_part_gives_none(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", compared(*[one(0.5)] * 3))
    (tmp_path / "run" / "part-000001.parquet").write_bytes(b"")
    with pytest.raises(InputError, match=r"part-000001\.parquet' is damaged"):
        rescore(run, 0.1, tmp_path / "out")
    assert not (tmp_path / "out").exists()
