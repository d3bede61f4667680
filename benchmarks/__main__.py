"""Print how long commands, one warm score, claims, analyzers, tables and pages take.

Seconds depend on the machine; the last column is relative to starting Python and importing
sentence-transformers, in the same run on the same machine. The tables of `benchmarks.batch` follow.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path

from crscore_core.datasets.examples import load_samples
from crscore_core.datasets.study.model import STUDY_LANGUAGES
from crscore_core.datasets.study.shipped import shipped_study
from crscore_core.validity.figures import validity_tables
from crscore_core.validity.shipped import shipped_validity
from crscore_core.validity.thresholds import sweep_thresholds

from analyzers import Fragment, SourceFile, analyze_each
from benchmarks.app import time_app
from benchmarks.measuring import CRSCORE, report, seconds
from crscore_core import CRScorer
from crscore_core.change import LANGUAGES, CodeChange, parse_change
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.errors import InputError
from crscore_core.scoring.smells import find_smells_of_each

_REPEATS = 5
_FILES = 100
_SUFFIXES = {"java": "java", "javascript": "js", "python": "py"}
_JAVA = "java/customer-email-optional"
_LARGE = 1000


def main() -> None:
    """Measure and print."""
    base_times = seconds(
        partial(_process, sys.executable, "-c", "import sentence_transformers"), _REPEATS
    )
    base = statistics.median(base_times)
    print(f"{'':<58}{'min s':>8}{'median':>8}{'max':>8}{'relative':>10}")
    report("import sentence_transformers", base_times, base)
    _time_scores(base)
    _time_claims()
    _time_analyzers(base)
    _time_validity(base)
    time_app(base)
    # in a process that is small, as the peaks of memory that it prints ask for
    subprocess.run((sys.executable, "-m", "benchmarks.batch"), check=True)


def _process(*arguments: str, **environment: str) -> None:
    subprocess.run(  # noqa: S603 - our own words
        arguments, check=True, capture_output=True, env={**os.environ, **environment}
    )


def _time_scores(base: float) -> None:
    sample = load_samples()["python/retry-backoff"]
    review = sample.reviews[0]
    diff = str(Path("sample_data") / f"{sample.id}.diff")
    for name, arguments in (
        ("crscore --help", ("--help",)),
        ("crscore claims, one change", ("claims", "--diff", diff)),
        ("crscore analyze, one Python change", ("analyze", "--diff", diff)),
        ("crscore score, cold, one Python change", ("score", "--diff", diff, "--review", review)),
    ):
        report(name, seconds(partial(_process, CRSCORE, *arguments), _REPEATS), base)
    scorer = CRScorer()
    score = scorer.score(sample.diff, review)
    reviews = sample.reviews
    warm: tuple[tuple[str, int, Callable[[], object]], ...] = (
        ("scorer.score, warm", 20, lambda: scorer.score(sample.diff, review)),
        (
            f"scorer.score_many, warm, {len(reviews)} reviews",
            20,
            lambda: scorer.score_many(sample.diff, reviews),
        ),
        ("score.at(tau) and its scores", 200, lambda: score.at(0.5).relevance),
    )
    for name, repeats, call in warm:
        report(name, seconds(call, repeats), base)


def _time_claims() -> None:
    """Print milliseconds of symbolic claims for changes not seen before, and for a large one."""
    changes = list(_changes())
    backend = SymbolicClaims()
    backend.generate(changes[0])  # imports, grammars
    spent = sorted(1000 * seconds(partial(backend.generate, one), 1)[0] for one in changes[1:])
    print(
        f"symbolic claims, ms a change ({len(spent)} changes): "
        f"median {statistics.median(spent):.1f}, "
        f"95th percentile {spent[int(0.95 * len(spent))]:.1f}, most {spent[-1]:.1f}"
    )
    lines = "".join(f"+value_{n} = compute(value_{n - 1}, {n})\n" for n in range(_LARGE))
    change = parse_change(f"--- a/big.py\n+++ b/big.py\n@@ -0,0 +1,{_LARGE} @@\n{lines}")
    large = 1000 * seconds(partial(backend.generate, change), 1)[0]
    print(f"symbolic claims, ms for {_LARGE} added lines of one file: {large:.0f}")


def _changes() -> Iterator[CodeChange]:
    """The changes of the study's development part."""
    for change in shipped_study().changes:
        try:
            yield parse_change(change.diff, language=STUDY_LANGUAGES[change.language])
        except InputError:
            continue


def _time_analyzers(base: float) -> None:
    """Print seconds for one change, cold and warm, and for a hundred files in one start."""
    diff = load_samples()[_JAVA].diff
    cold = partial(_process, CRSCORE, "analyze", "--diff", f"sample_data/{_JAVA}.diff")
    report("crscore analyze, cold, one Java change", seconds(cold, _REPEATS), base)
    number = count()

    def another_change() -> None:
        # Another name keeps its result from being known.
        change = parse_change(diff.replace("emailOf", f"emailOf{next(number)}"))
        find_smells_of_each([(change, {})])

    report("smells, warm, one Java change", seconds(another_change, _REPEATS), base)
    change = parse_change(diff)
    same = partial(find_smells_of_each, [(change, {})])
    same()
    again = seconds(same, _REPEATS)
    report("smells, warm, the same Java change again", again, base)
    for language in _SUFFIXES:
        analyze_all = partial(analyze_each, list(_files(language)))
        report(f"{_FILES} {LANGUAGES[language]} hunks, one start", seconds(analyze_all, 1), base)


def _files(language: str) -> Iterator[SourceFile]:
    """A hundred different texts: hunks of the samples."""
    texts = [
        hunk.new_text
        for sample in load_samples().values()
        for file in parse_change(sample.diff, language=sample.language).files
        if file.language == language
        for hunk in file.hunks
    ]
    mark = "#" if language == "python" else "//"
    for number, text in enumerate(islice(cycle(texts), _FILES)):
        content = f"{text}\n{mark} {number}\n"
        lines = frozenset(range(1, content.count("\n") + 1))
        path = f"{number}.{_SUFFIXES[language]}"
        yield SourceFile(path, language, (Fragment(1, content),), lines, is_whole=False)


def _time_validity(base: float) -> None:
    """Print seconds of the study's tables: all of the command, and at a new tau."""
    command = partial(_process, CRSCORE, "validity")
    report("crscore validity", seconds(command, _REPEATS), base)
    validity = shipped_validity()
    validity_tables(validity, validity.at(0.5))
    steps = count()

    def move_tau() -> None:
        validity_tables(validity, validity.at(0.3 + 0.01 * next(steps)))

    report("all tables and intervals at a new tau", seconds(move_tau, _REPEATS), base)
    taus = [step / 100 for step in range(101)]
    sweep = partial(sweep_thresholds, validity.comparison, taus)
    report("101 taus without intervals", seconds(sweep, _REPEATS), base)


if __name__ == "__main__":
    main()
