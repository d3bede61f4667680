"""How long symbolic claims take, a change at a time."""

import statistics
from collections.abc import Iterator
from functools import partial

from benchmarks.corpus import study_folder
from benchmarks.timing import seconds
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.datasets.samples import load_samples
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.model import STUDY_LANGUAGES
from crscore_core.errors import DiffError

__all__ = ["time_claims"]

_LARGE = 1000


def time_claims() -> None:
    """Print milliseconds for changes seen for the first time, and for a very large one.

    The changes are those of the study, or of the samples where it is not there.
    """
    changes = list(_changes())
    backend = SymbolicClaims()
    backend.generate(changes[0])  # imports, grammars
    spent = sorted(1000 * seconds(partial(backend.generate, one), 1)[0] for one in changes[1:])
    print(
        f"symbolic claims, ms a change ({len(spent)} changes): "
        f"median {statistics.median(spent):.1f}, "
        f"95th percentile {spent[int(0.95 * len(spent))]:.1f}, most {spent[-1]:.1f}"
    )
    large = 1000 * seconds(partial(backend.generate, _large_change()), 1)[0]
    print(f"symbolic claims, ms for {_LARGE} added lines of one file: {large:.0f}")


def _large_change() -> CodeChange:
    lines = "".join(f"+value_{n} = compute(value_{n - 1}, {n})\n" for n in range(_LARGE))
    return parse_change(f"--- a/big.py\n+++ b/big.py\n@@ -0,0 +1,{_LARGE} @@\n{lines}")


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
