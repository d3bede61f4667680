"""Whole corpora: as many reviews as there are, in bounded memory, going on where it stopped."""

from crscore_core.batch.engine import Engine
from crscore_core.batch.local import LocalEngine
from crscore_core.batch.progress import BatchNote, BatchProgress, BatchStage
from crscore_core.batch.recipe import Recipe
from crscore_core.batch.run import BatchJob, run_batch
from crscore_core.batch.run_document import RunDocument

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
