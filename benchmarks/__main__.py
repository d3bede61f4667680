"""Print how long commands, one warm score, claims, analyzers, tables and pages take.

Seconds depend on the machine; the last column is relative to starting Python and importing
sentence-transformers, in the same run on the same machine. The tables of `benchmarks.batch` follow.
"""

import statistics
import subprocess
import sys
from functools import partial
from pathlib import Path

from benchmarks.analyzers import time_analyzers
from benchmarks.claims import time_claims
from benchmarks.dashboard import time_dashboard
from benchmarks.timing import report, seconds
from benchmarks.validity import time_validity
from crscore_core import CRScorer
from crscore_core.datasets.samples import load_samples

_REPEATS = 5
_CRSCORE = str(Path(sys.executable).with_name("crscore"))


def _process(*arguments: str) -> None:
    subprocess.run(arguments, check=True, capture_output=True)  # noqa: S603 - our own words


def main() -> None:
    """Measure and print."""
    sample = load_samples()["python/retry-backoff"]
    review = sample.reviews[0].review
    diff = str(Path("sample_data") / f"{sample.id}.diff")
    importing = partial(_process, sys.executable, "-c", "import sentence_transformers")
    base_times = seconds(importing, _REPEATS)
    base = statistics.median(base_times)
    print(f"{'':<58}{'min s':>8}{'median':>8}{'max':>8}{'relative':>10}")
    report("import sentence_transformers", base_times, base)
    for name, arguments in (
        ("crscore --help", ("--help",)),
        ("crscore claims, one change", ("claims", "--diff", diff)),
        ("crscore analyze, one Python change", ("analyze", "--diff", diff)),
        ("crscore score, cold, one Python change", ("score", "--diff", diff, "--review", review)),
    ):
        report(name, seconds(partial(_process, _CRSCORE, *arguments), _REPEATS), base)
    scorer = CRScorer()
    scorer.score(sample.diff, review)
    report("scorer.score, warm", seconds(lambda: scorer.score(sample.diff, review), 20), base)
    reviews = [one.review for one in sample.reviews]
    report(
        f"scorer.score_many, warm, {len(reviews)} reviews",
        seconds(lambda: scorer.score_many(sample.diff, reviews), 20),
        base,
    )
    score = scorer.score(sample.diff, review)
    report("score.at(tau) and its scores", seconds(lambda: score.at(0.5).relevance, 200), base)
    time_claims()
    time_analyzers(base)
    time_validity(base)
    time_dashboard(base)
    # in a process that is small, as the peaks of memory that it prints ask for
    subprocess.run((sys.executable, "-m", "benchmarks.batch"), check=True)


if __name__ == "__main__":
    main()
