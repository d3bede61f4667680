"""Runs: a corpus scored, kept as a folder of Parquet files, opened, compared and scored again."""

from crscore_core.corpus.run.batch import BatchJob, run_batch
from crscore_core.corpus.run.folder import RunDocument
from crscore_core.corpus.run.recipe import Engine, LocalEngine, Recipe

__all__ = [
    "BatchJob",
    "Engine",
    "LocalEngine",
    "Recipe",
    "RunDocument",
    "run_batch",
]
