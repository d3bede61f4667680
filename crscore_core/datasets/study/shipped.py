"""The development part of the human study, which comes with this project.

`crscore_core.validity.shipped` writes its files; the others of the study's changes are kept apart
as a test set.
"""

import gzip
from dataclasses import replace
from functools import cache
from pathlib import Path

from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.datasets.study.model import HumanStudy

SHIPPED = Path(__file__).resolve().parents[3] / "sample_data" / "human_study"
"""Folder of the development part."""

SHIPPED_RUN = SHIPPED / "run.parquet"
"""Its rated reviews as a finished run: the study's own claims and smells, the embedded encoder."""

_STUDY = "study.json.gz"


@cache
def shipped_study() -> HumanStudy:
    """Read the development part: codes of claims, rated reviews, double ratings."""
    from pydantic import TypeAdapter

    content = gzip.decompress((SHIPPED / _STUDY).read_bytes())
    return TypeAdapter(HumanStudy).validate_json(content)


@cache
def shipped_comparison() -> Reviews:
    """Read the rated reviews, compared with the claims and smells that annotators edited."""
    return FinishedRun.open(SHIPPED_RUN).reviews().loaded()


def write_study(study: HumanStudy, folder: Path) -> None:
    """Write a study without its context files; the same study gives the same bytes."""
    from pydantic import TypeAdapter

    changes = tuple(replace(one, old_file=None, new_file=None) for one in study.changes)
    content = TypeAdapter(HumanStudy).dump_json(replace(study, changes=changes))
    (folder / _STUDY).write_bytes(gzip.compress(content, mtime=0))
