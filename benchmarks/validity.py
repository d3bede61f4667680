"""How long the tables of the human study take: from nothing, known already, and at a new tau."""

import os
import subprocess
import sys
import tempfile
from functools import partial
from itertools import count
from pathlib import Path

from benchmarks.corpus import study_folder
from benchmarks.timing import report, seconds
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.pseudo_references import study_references
from crscore_core.scoring import CachedEncoder
from crscore_core.validity.figures import validity_tables
from crscore_core.validity.study_validity import StudyValidity
from crscore_core.validity.thresholds import sweep_thresholds

__all__ = ["time_validity"]

_REPEATS = 5
_CRSCORE = str(Path(sys.executable).with_name("crscore"))


def time_validity(base: float) -> None:
    """Print seconds, and their ratio to `base`; nothing where the study is not there."""
    folder = study_folder()
    if folder is None:
        print("crscore validity: the human study is not there")
        return
    with tempfile.TemporaryDirectory() as cache:
        command = partial(
            subprocess.run,
            (_CRSCORE, "validity", "--study", str(folder)),
            check=True,
            capture_output=True,
            env={**os.environ, "XDG_CACHE_HOME": cache},
        )
        report("crscore validity, from nothing", seconds(command, 1), base)
        report("crscore validity, embeddings known", seconds(command, _REPEATS), base)
    study = load_study(folder)
    with tempfile.TemporaryDirectory() as cache:
        validity = StudyValidity(
            study, study_references(study), CachedEncoder(folder=Path(cache) / "embeddings")
        )
    validity_tables(validity, validity.at(0.5))
    steps = count()

    def move_tau() -> None:
        validity_tables(validity, validity.at(0.3 + 0.01 * next(steps)))

    report("all tables and intervals at a new tau", seconds(move_tau, _REPEATS), base)
    sweep = [step / 100 for step in range(101)]
    report(
        "101 taus without intervals",
        seconds(lambda: sweep_thresholds(validity.comparison.rated_maxima, sweep), 5),
        base,
    )
