"""Runs by workers of Ray: the rows of a local run, whatever happens to the workers."""

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from crscore_core.change import CodeChange
from crscore_core.claims import ClaimGenerator, ClaimSet, Progress, silent
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.cli.main import main
from crscore_core.corpus.progress import CorpusProgress, CorpusStage
from crscore_core.corpus.run import BatchJob, Recipe, run_batch
from crscore_core.corpus.run.ray_engine import ray_engine
from crscore_core.corpus.run.recipe import PartScorer
from crscore_core.datasets.examples import load_samples
from crscore_core.errors import InputError, ModelError, UnavailableError
from crscore_core.scoring import CachedEncoder, Embeddings
from tests.crscore_core.corpus.run.corpora import (
    TAU,
    JobOf,
    diff_of,
    job_over,
    rows_of,
    run,
    write_rows,
)
from tests.rated_samples import rated_reviews
from tests.word_encoder import WordEncoder

WORKERS = 2
MAXIMA = ["sentence_maxima", "reference_maxima", "similarity"]


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cluster of this machine, whose workers find nothing encoded."""
    import ray

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("caches")))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(
            address="local",
            num_cpus=WORKERS,
            object_store_memory=100_000_000,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
        yield
        ray.shutdown()


def sample_rows() -> list[dict[str, Any]]:
    """The reviews of the samples, some with claims given, and such as have no scores."""
    rows: list[dict[str, Any]] = [
        {"id": one.id, "diff": one.diff, "language": one.language, "system": review.system,
         "review": review.text, "relevance": review.ratings.relevance, "label_short": number % 2}
        for one in [one for one in load_samples().values() if one.language == "python"][::2]
        for number, review in enumerate(rated_reviews(one))
    ]  # fmt: skip
    bare = {"id": "bare", "diff": diff_of(99).replace(".py", ".txt"), "claims": []}
    return [
        *rows,
        *rows_of(4),
        *({"claims": ["The cache is checked."], **row, "diff": diff_of(50)} for row in rows_of(1)),
        *({**bare, "system": system, "review": "Check the cache."} for system in "ab"),
    ]


def by_ray(job: BatchJob) -> pd.DataFrame:
    with ray_engine(job.recipe, workers=WORKERS) as engine:
        run_batch(job, engine)
    return pd.read_parquet(job.folder)


def locally(job: BatchJob, folder: Path) -> pd.DataFrame:
    here = replace(job, folder=folder)
    run(here)
    return pd.read_parquet(folder)


def check_equal(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    """Everything is equal, the best similarities as nearly as other threads may add them up."""
    pd.testing.assert_frame_equal(found.drop(columns=MAXIMA), expected.drop(columns=MAXIMA))
    for name in MAXIMA:
        for one, other in zip(found[name], expected[name], strict=True):
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-5)


@pytest.mark.usefixtures("cluster", "small_pieces")
def test_rows_are_those_of_a_local_run(job_of: JobOf, tmp_path: Path) -> None:
    import ray

    job = job_of(sample_rows(), folder="ray", analyzers=True, tau=0.99)
    found = by_ray(job)
    check_equal(found, locally(job, tmp_path / "local.parquet"))
    assert len(list(job.folder.glob("part-*.parquet"))) > WORKERS
    assert found["relevance"].nunique() > 3
    assert found["label_short"].nunique() == 2
    assert found.query("id == 'bare'")["n_pseudo_references"].tolist() == [0, 0]
    assert ray.is_initialized()


@pytest.mark.usefixtures("cluster", "small_pieces")
def test_a_run_that_is_interrupted_goes_on_with_another_engine(
    job_of: JobOf, tmp_path: Path
) -> None:
    job = job_of(rows_of(12), folder="ray", resume=True)

    def interrupt(progress: CorpusProgress) -> None:
        if progress.stage is CorpusStage.SCORES and progress.done:
            raise KeyboardInterrupt

    with (
        pytest.raises(KeyboardInterrupt),
        ray_engine(job.recipe, workers=1) as engine,
    ):
        run_batch(job, engine, interrupt)
    found = locally(job, job.folder)
    check_equal(found, locally(job, tmp_path / "local.parquet"))


class DiesOnce:
    """Ends its process by SIGKILL, once, but not before something was done."""

    def __init__(self, marks: Path, stage: str) -> None:
        self._marks = marks
        self._stage = stage

    def done(self) -> None:
        (self._marks / f"{self._stage} by {os.getpid()}").touch()

    def perhaps(self) -> None:
        if not list(self._marks.glob(f"{self._stage} by *")):
            return
        try:
            with (self._marks / f"{self._stage} killed").open("x") as file:
                file.write(str(os.getpid()))
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)


class MortalEncoder(WordEncoder):
    def __init__(self, death: DiesOnce) -> None:
        super().__init__()
        self._death = death

    def encode(self, texts: Sequence[str]) -> Embeddings:
        self._death.perhaps()
        embeddings = super().encode(texts)
        self._death.done()
        return embeddings


class MortalClaims(SymbolicClaims):
    def __init__(self, death: DiesOnce) -> None:
        super().__init__()
        self._death = death

    def generate(self, change: CodeChange) -> ClaimSet:
        self._death.perhaps()
        claims = super().generate(change)
        self._death.done()
        return claims


@dataclass(frozen=True, slots=True)
class MortalRecipe(Recipe):
    """A recipe whose workers die."""

    marks: Path = Path()

    def claim_generator(self, progress: Progress = silent) -> ClaimGenerator:  # noqa: ARG002
        return MortalClaims(DiesOnce(self.marks, "claims"))

    def cached_encoder(self) -> CachedEncoder:
        return MortalEncoder(DiesOnce(self.marks, "embeddings"))  # type: ignore[return-value]


@pytest.mark.usefixtures("cluster", "small_pieces")
def test_no_row_is_lost_with_a_worker(tmp_path: Path, encoder: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    corpus = write_rows(tmp_path / "corpus.jsonl", rows_of(12))
    recipe = MortalRecipe(TAU, encoder=str(encoder), analyzers=False, marks=marks)
    job = BatchJob(corpus, tmp_path / "ray.parquet", recipe)
    found = by_ray(job)
    for stage in ("claims", "embeddings"):
        killed = int((marks / f"{stage} killed").read_text())
        assert killed != os.getpid()
        with pytest.raises(ProcessLookupError):
            os.kill(killed, 0)
    check_equal(found, locally(job, tmp_path / "local.parquet"))
    assert len(found) == 36


class FailingClaims(SymbolicClaims):
    def generate(self, change: CodeChange) -> ClaimSet:  # noqa: ARG002
        raise ModelError(f"no answer in process {os.getpid()}")


@dataclass(frozen=True, slots=True)
class FailingRecipe(Recipe):
    """A recipe whose claims nobody makes."""

    def claim_generator(self, progress: Progress = silent) -> ClaimGenerator:  # noqa: ARG002
        return FailingClaims()


@pytest.mark.usefixtures("cluster", "small_pieces")
def test_an_error_in_a_worker_comes_as_itself(tmp_path: Path, encoder: Path) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", rows_of(12))
    recipe = FailingRecipe(TAU, encoder=str(encoder), analyzers=False)
    job = BatchJob(corpus, tmp_path / "ray.parquet", recipe)
    with pytest.raises(ModelError) as caught:
        by_ray(job)
    assert caught.type is ModelError
    text, _, process = str(caught.value).rpartition(" ")
    assert text == "no answer in process"
    assert int(process) != os.getpid()


@pytest.mark.long  # starts a cluster of its own
def test_the_command_says_what_a_worker_says_and_nothing_else(tmp_path: Path) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", rows_of(2))
    command = [
        *(str(Path(sys.executable).with_name("crscore")), "batch", str(corpus)),
        *("--no-analyzers", "--tau", "0.5", "--claims", "endpoint"),
        *("--base-url", "http://127.0.0.1:9/v1", "--model", "none"),
    ]
    local, by_workers = (
        subprocess.run(
            [*command, "-o", str(tmp_path / engine), "--engine", engine],
            capture_output=True, text=True, check=False,
            env=os.environ | {"OPENAI_API_KEY": "none"},
        )
        for engine in ("local", "ray")
    )  # fmt: skip
    assert (by_workers.returncode, by_workers.stdout) == (2, "")
    assert "nothing answers at http://127.0.0.1:9/v1" in local.stderr
    said = [one.stderr.splitlines() for one in (by_workers, local)]
    assert said[0][-1] == said[1][-1]
    assert {line.partition(":")[0] for line in said[0]} == {
        "Reading the corpus", "Scoring reviews", "crscore",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--workers", "2"], "--ray-address and --workers are for --engine ray"),
        (["--ray-address", "auto"], "--ray-address and --workers are for --engine ray"),
        (
            ["--engine", "ray", "--claims", "endpoint", "--api-key", "none"],
            "the engine ray takes no key from an option",
        ),
        (["--engine", "ray", "--workers", "0"], "0 is not in the range x>=1"),
        (["--engine", "ray", "--ray-address", "127.0.0.1:1"], "no Ray cluster at '127.0.0.1:1'"),
        (["--engine", "ray", "--ray-address", "ray://here:1"], "not of the form HOST:PORT"),
        (["--engine", "ray", "--ray-address", "here"], "not of the form HOST:PORT"),
    ],
)
def test_a_cluster_that_cannot_be_had_is_said_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    command = ["batch", "none.jsonl", "-o", str(tmp_path / "out"), *arguments]
    with pytest.raises(SystemExit) as caught:
        main(command)
    assert caught.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_without_ray_is_said_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r'pip install "crscore-dashboard\[ray\]"'):
        by_ray(job_over(tmp_path / "none.jsonl", tmp_path / "out", tmp_path))


def test_another_encoder_of_that_name_is_refused(encoder: Path) -> None:
    scorer = PartScorer(Recipe(0.5, encoder=str(encoder)), "0" * 64)
    with pytest.raises(UnavailableError, match=r"is another on .* than where the run was begun"):
        scorer.ready()
