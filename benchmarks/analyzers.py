"""How long the analyzers take: one change, cold and warm, and a hundred files in one start."""

import subprocess
import sys
from functools import partial
from itertools import count
from pathlib import Path

from analyzers import analyze
from benchmarks.corpus import COUNT, SUFFIXES, hundred_files, study_folder
from benchmarks.timing import report, seconds
from crscore_core.change import LANGUAGES, parse_change
from crscore_core.datasets.samples import load_samples
from crscore_core.scoring.smells import find_smells

__all__ = ["time_analyzers"]

_REPEATS = 5
_JAVA = "java/customer-email-optional"
_CRSCORE = str(Path(sys.executable).with_name("crscore"))


def time_analyzers(base: float) -> None:
    """Print seconds, and their ratio to `base`."""
    diff = load_samples()[_JAVA].diff
    command = (_CRSCORE, "analyze", "--diff", f"sample_data/{_JAVA}.diff")
    cold = partial(subprocess.run, command, check=True, capture_output=True)
    report("crscore analyze, cold, one Java change", seconds(cold, _REPEATS), base)

    number = count()

    def another_change() -> None:
        # Another name keeps its result from being known.
        text = diff.replace("emailOf", f"emailOf{next(number)}")
        find_smells(parse_change(text))

    report("find_smells, warm, one Java change", seconds(another_change, _REPEATS), base)
    change = parse_change(diff)
    find_smells(change)
    again = seconds(lambda: find_smells(change), _REPEATS)
    report("find_smells, warm, the same Java change again", again, base)
    origin = "files of the study" if study_folder() else "sample hunks"
    for language in SUFFIXES:
        analyze_all = partial(analyze, hundred_files(language))
        report(f"{COUNT} {LANGUAGES[language]} {origin}, one start", seconds(analyze_all, 1), base)
