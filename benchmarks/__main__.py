"""Print how long commands, one warm score, claims, analyzers, tables and pages take.

Seconds depend on the machine; the last column is relative to starting Python and importing
sentence-transformers, in the same run on the same machine. `benchmarks.batch` times whole corpora.
"""

import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path

from streamlit.testing.v1 import AppTest

from analyzers import Fragment, SourceFile, analyze_each
from benchmarks.measuring import COMMAND, machine, seconds
from crscore_core import CRScorer
from crscore_core.change import LANGUAGES, CodeChange, parse_change
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.errors import InputError
from crscore_core.scoring.smells import find_smells_of_each, source_files
from crscore_eval.data import load_examples, shipped_pairs, shipped_run, shipped_study
from crscore_eval.validity import sweep, validity_tables

_REPEATS = 5
_FILES = 100
_SUFFIXES = {"java": "java", "javascript": "js", "python": "py"}
_JAVA = "java/customer-email-optional"
_LARGE = 1000
_PATIENCE = 300
_PAGES = ("heatmap", "failures", "rankings", "thresholds", "validity", "data")
_APP = Path(__file__).resolve().parents[1] / "app.py"


def main() -> None:
    """Measure and print."""
    print(machine())
    start = partial(_process, sys.executable, "-c", "import sentence_transformers")
    base_times = seconds(start, _REPEATS)
    base = statistics.median(base_times)
    print(f"{'':<58}{'min s':>8}{'median':>8}{'max':>8}{'relative':>10}")
    _report("import sentence_transformers", base_times, base)
    _time_scores(base)
    _time_claims()
    _time_analyzers(base)
    _time_validity(base)
    _time_pages(base)


def _process(*arguments: str) -> None:
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
        _report(name, seconds(partial(_process, *COMMAND, *arguments), _REPEATS), base)
    scorer = CRScorer()
    score = scorer.score(sample.diff, review)
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
        _report(name, seconds(call, repeats), base)


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
    """Yield the changes of the shipped study."""
    for change in shipped_study().changes.itertuples():
        try:
            yield parse_change(str(change.diff), language=str(change.language))
        except InputError:
            continue


def _time_analyzers(base: float) -> None:
    """Print seconds for one change, cold and warm, and for a hundred files in one start."""
    diff = Path(f"sample_data/{_JAVA}.diff").read_text(encoding="utf-8")
    cold = partial(_process, *COMMAND, "analyze", "--diff", f"sample_data/{_JAVA}.diff")
    _report("crscore analyze, cold, one Java change", seconds(cold, _REPEATS), base)
    number = count()

    def another_change() -> None:
        # Another name keeps its result from being known.
        change = parse_change(diff.replace("emailOf", f"emailOf{next(number)}"))
        find_smells_of_each([source_files(change)])

    _report("smells, warm, one Java change", seconds(another_change, _REPEATS), base)
    change = parse_change(diff)
    same = partial(find_smells_of_each, [source_files(change)])
    same()
    again = seconds(same, _REPEATS)
    _report("smells, warm, the same Java change again", again, base)
    for language in _SUFFIXES:
        analyze_all = partial(analyze_each, list(_files(language)))
        _report(f"{_FILES} {LANGUAGES[language]} hunks, one start", seconds(analyze_all, 1), base)


def _files(language: str) -> Iterator[SourceFile]:
    """A hundred different texts: hunks of the samples."""
    texts = [
        hunk.new_text
        for sample in load_examples().values()
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
    for command in ("validity", "compare"):
        whole = partial(_process, *COMMAND, command, "--json")
        _report(f"crscore {command}", seconds(whole, _REPEATS), base)
    run, study, pairs, steps = shipped_run(), shipped_study(), shipped_pairs(), count()

    def move_tau() -> None:
        validity_tables(run, 0.3 + 0.01 * next(steps), study, pairs)

    _report("all tables and intervals at a new tau", seconds(move_tau, _REPEATS), base)
    taus = [step / 100 for step in range(101)]
    _report("101 taus", seconds(lambda: sweep(run.reviews, taus), _REPEATS), base)


def _time_pages(base: float) -> None:
    """Print seconds of server time until a page has opened, and until tau has moved."""
    for name in _PAGES:
        app = AppTest.from_file(str(_APP), default_timeout=_PATIENCE)
        app.query_params["data"] = "study"
        app.run()
        app.switch_page(f"pages/{name}.py").run()
        _report(f"page {name}, opens again", seconds(app.run, _REPEATS), base)
        sliders = [one for one in app.slider if "tau" in one.label]
        if sliders:
            values = iter(range(_REPEATS))

            def move_tau(app: AppTest = app, values: Iterator[int] = values) -> None:
                slider = next(one for one in app.slider if "tau" in one.label)
                slider.set_value(0.3 + 0.01 * next(values)).run()

            _report(f"page {name}, tau moves", seconds(move_tau, _REPEATS), base)


if __name__ == "__main__":
    main()
