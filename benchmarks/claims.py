"""How long symbolic claims take, a change at a time."""

import statistics
from collections.abc import Iterator
from functools import partial

from benchmarks.corpus import study_folder
from benchmarks.timing import seconds
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.errors import DiffError
from crscore_core.samples import load_samples
from crscore_core.study.model import STUDY_LANGUAGES
from crscore_core.study.release.load import load_study

__all__ = ["time_claims"]

_REPEATS = 5


def time_claims() -> None:
    """Print milliseconds for the changes of the study, or of the samples where it is not there."""
    changes = list(_changes())
    backend = SymbolicClaims()
    best = sorted(
        1000 * min(seconds(partial(backend.generate, change), _REPEATS)) for change in changes
    )
    print(
        f"symbolic claims, ms a change ({len(best)} changes): median {statistics.median(best):.1f},"
        f" 95th percentile {best[int(0.95 * len(best))]:.1f}, most {best[-1]:.1f}"
    )


def _changes() -> Iterator[CodeChange]:
    folder = study_folder()
    if folder is None:
        for sample in load_samples().values():
            yield parse_change(sample.diff, language=sample.language)
        return
    for change in load_study(folder).changes:
        try:
            yield parse_change(change.diff, language=STUDY_LANGUAGES[change.language])
        except DiffError:
            continue
