"""Runs: a corpus scored, kept as a folder of Parquet files, opened, compared and scored again."""

from crscore_core.corpus.run.batch import BatchJob, run_batch
from crscore_core.corpus.run.document import RunDocument
from crscore_core.corpus.run.engine import Engine, LocalEngine
from crscore_core.corpus.run.recipe import Recipe

__all__ = [
    "BatchJob",
    "Engine",
    "LocalEngine",
    "Recipe",
    "RunDocument",
    "run_batch",
]
