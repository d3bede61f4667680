"""Whole corpora: as many reviews as there are, in bounded memory, going on where it stopped."""

from crscore_core.corpus.run.engine import Engine
from crscore_core.corpus.run.local import LocalEngine
from crscore_core.corpus.run.progress import BatchNote, BatchProgress, BatchStage
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.corpus.run.run import BatchJob, run_batch
from crscore_core.corpus.run.run_document import RunDocument

__all__ = [
    "BatchJob",
    "BatchNote",
    "BatchProgress",
    "BatchStage",
    "Engine",
    "LocalEngine",
    "Recipe",
    "RunDocument",
    "run_batch",
]
