"""Print how long commands, one warm score, claims, analyzers, tables and pages take.

Seconds depend on the machine; the last column is relative to starting Python and importing
sentence-transformers, in the same run on the same machine. `benchmarks.batch` times whole corpora.
"""

import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path

from streamlit.testing.v1 import AppTest

from analyzers import Fragment, SourceFile, analyze_files
from benchmarks.measuring import COMMAND, machine, seconds
from crscore_core import CRScorer
from crscore_core.change import LANGUAGE_TITLES, CodeChange, parse_change
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.errors import InputError
from crscore_core.scoring.smells import find_smells, source_files
from crscore_eval.data import load_examples, shipped_pairs, shipped_run, shipped_study
from crscore_eval.validity import sweep, validity_tables

_REPEATS = 5
_FILES = 100
_SUFFIXES = {"java": "java", "javascript": "js", "python": "py"}
_JAVA = "java/customer-email-optional"
_LARGE = 1000
_TIMEOUT = 300
_PAGES = ("heatmap", "failures", "rankings", "thresholds", "validity", "data")
_APP = Path(__file__).resolve().parents[1] / "app.py"


def main() -> None:
    """Measure and print."""
    print(machine())
    start = partial(_run_process, sys.executable, "-c", "import sentence_transformers")
    base_times = seconds(start, _REPEATS)
    base = statistics.median(base_times)
    print(f"{'':<58}{'min s':>8}{'median':>8}{'max':>8}{'relative':>10}")
    _report("import sentence_transformers", base_times, base)
    _time_scores(base)
    _time_claims()
    _time_analyzers(base)
    _time_validity(base)
    _time_pages(base)


def _run_process(*arguments: str) -> None:
    subprocess.run(arguments, check=True, capture_output=True)  # noqa: S603 - our own words


def _report(name: str, times: list[float], base: float) -> None:
    """Print minimum, median and maximum in seconds, and the median relative to `base`."""
    median = statistics.median(times)
    print(
        f"{name:<58}{min(times):8.3f}{median:8.3f}{max(times):8.3f}{median / base:9.2f}x",
        flush=True,
    )


def _time_scores(base: float) -> None:
    sample = load_examples()["retry-backoff"]
    reviews = list(sample.reviews.values())
    review, diff = reviews[0], "sample_data/python/retry-backoff.diff"
    for name, arguments in (
        ("crscore --help", ("--help",)),
        ("crscore claims, one change", ("claims", "--diff", diff)),
        ("crscore analyze, one Python change", ("analyze", "--diff", diff)),
        ("crscore score, cold, one Python change", ("score", "--diff", diff, "--review", review)),
    ):
        _report(name, seconds(partial(_run_process, *COMMAND, *arguments), _REPEATS), base)
    scorer = CRScorer()
    score = scorer.score(sample.diff, review)
    _report("scorer.score, warm", seconds(lambda: scorer.score(sample.diff, review), 20), base)
    name = f"scorer.score_many, warm, {len(reviews)} reviews"
    _report(name, seconds(lambda: scorer.score_many(sample.diff, reviews), 20), base)
    _report("score.at(tau) and its scores", seconds(lambda: score.at(0.5).relevance, 200), base)


def _time_claims() -> None:
    """Print milliseconds of symbolic claims for changes not seen before, and for a large one."""
    changes = list(_changes())
    backend = SymbolicClaims()
    backend.generate(changes[0])  # imports, grammars
    times = sorted(
        1000 * seconds(partial(backend.generate, change), 1)[0] for change in changes[1:]
    )
    print(
        f"symbolic claims, ms a change ({len(times)} changes): "
        f"median {statistics.median(times):.1f}, "
        f"95th percentile {times[int(0.95 * len(times))]:.1f}, maximum {times[-1]:.1f}"
    )
    lines = "".join(f"+value_{n} = compute(value_{n - 1}, {n})\n" for n in range(_LARGE))
    change = parse_change(f"--- a/big.py\n+++ b/big.py\n@@ -0,0 +1,{_LARGE} @@\n{lines}")
    large = 1000 * seconds(partial(backend.generate, change), 1)[0]
    print(f"symbolic claims, ms for {_LARGE} added lines of one file: {large:.0f}")


def _changes() -> Iterator[CodeChange]:
    """Yield the changes of the shipped study."""
    for change in shipped_study().changes.itertuples():
        try:
            yield parse_change(str(change.diff), language=str(change.language))
        except InputError:
            continue


def _time_analyzers(base: float) -> None:
    """Print seconds for one change, cold and warm, and for a hundred files in one start."""
    diff = Path(f"sample_data/{_JAVA}.diff").read_text(encoding="utf-8")
    cold = partial(_run_process, *COMMAND, "analyze", "--diff", f"sample_data/{_JAVA}.diff")
    _report("crscore analyze, cold, one Java change", seconds(cold, _REPEATS), base)
    number = count()

    def another_change() -> None:
        change = parse_change(diff.replace("emailOf", f"emailOf{next(number)}"))
        find_smells([source_files(change)])

    _report("smells, warm, one Java change", seconds(another_change, _REPEATS), base)
    change = parse_change(diff)
    same_change = partial(find_smells, [source_files(change)])
    same_change()
    _report("smells, warm, the same Java change again", seconds(same_change, _REPEATS), base)
    for language in _SUFFIXES:
        analyze_all = partial(analyze_files, list(_files(language)))
        _report(
            f"{_FILES} {LANGUAGE_TITLES[language]} hunks, one start", seconds(analyze_all, 1), base
        )


def _files(language: str) -> Iterator[SourceFile]:
    """Yield a hundred distinct files, made of hunks of the samples."""
    texts = [
        hunk.new_text
        for sample in load_examples().values()
        for file in parse_change(sample.diff, language=sample.language).files
        if file.language == language
        for hunk in file.hunks
    ]
    comment = "#" if language == "python" else "//"
    for number, text in enumerate(islice(cycle(texts), _FILES)):
        content = f"{text}\n{comment} {number}\n"
        lines = frozenset(range(1, content.count("\n") + 1))
        path = f"{number}.{_SUFFIXES[language]}"
        yield SourceFile(path, language, (Fragment(1, content),), lines, is_whole=False)


def _time_validity(base: float) -> None:
    """Print seconds of whole commands on the study, and of its tables at a new tau."""
    for command in ("validity", "compare"):
        call = partial(_run_process, *COMMAND, command, "--json")
        _report(f"crscore {command}", seconds(call, _REPEATS), base)
    run, study, pairs, steps = shipped_run(), shipped_study(), shipped_pairs(), count()

    def move_tau() -> None:
        validity_tables(run, 0.3 + 0.01 * next(steps), study, pairs)

    _report("all tables and intervals at a new tau", seconds(move_tau, _REPEATS), base)
    taus = [step / 100 for step in range(101)]
    _report("101 taus", seconds(lambda: sweep(run.reviews, taus), _REPEATS), base)


def _time_pages(base: float) -> None:
    """Print the server's seconds until a page is open, and until it shows a new tau."""
    for name in _PAGES:
        app = AppTest.from_file(str(_APP), default_timeout=_TIMEOUT)
        app.query_params["data"] = "study"
        app.run()
        app.switch_page(f"pages/{name}.py").run()
        _report(f"page {name}, opens again", seconds(app.run, _REPEATS), base)
        if any("tau" in slider.label for slider in app.slider):
            values = iter(range(_REPEATS))

            def move_tau(app: AppTest = app, values: Iterator[int] = values) -> None:
                slider = next(slider for slider in app.slider if "tau" in slider.label)
                slider.set_value(0.3 + 0.01 * next(values)).run()

            _report(f"page {name}, tau moves", seconds(move_tau, _REPEATS), base)


if __name__ == "__main__":
    main()
