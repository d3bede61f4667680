"""The part of the human study that comes with this project: 183 of its 291 rated changes.

The other changes are kept as a test set. `python -m benchmarks.study` writes these files.
"""

from functools import cache
from pathlib import Path

import pandas as pd

from crscore_eval.data.study import Study
from crscore_eval.run.folder import open_run
from crscore_eval.table import Run

SHIPPED = Path(__file__).with_name("sample_data") / "human_study"
"""Folder of the shipped part of the study."""

SHIPPED_RUN = SHIPPED / "run"
"""The run of its rated reviews, with the study's own pseudo-references and the default encoder."""

_TABLES = SHIPPED / "study"


@cache
def shipped_study() -> Study:
    """Return the shipped part of the study; see `Study`. Callers must not change its tables."""
    return Study(*(pd.read_parquet(_TABLES / f"{name}.parquet") for name in Study._fields))


@cache
def shipped_run() -> Run:
    """Return the run in `SHIPPED_RUN`. Callers must not change its tables."""
    return open_run(SHIPPED_RUN)


@cache
def shipped_pairs() -> pd.DataFrame:
    """Return pairs of a review and a pseudo-reference of its change (paper, section 4.3).

    Columns:
        change, id: the change and the review.
        number: number of the pseudo-reference, as in `Study.references`.
        similarity: its best similarity to a sentence of the review, by the default encoder.
        addressed: whether an annotator noted that the review addresses it.
    """
    return pd.read_parquet(_TABLES / "pairs.parquet")
