"""Print what it takes to score whole corpora, in tables of Markdown.

Rates of one run, and ratios of them, are of one machine at one time, which the first line names.
"""

import argparse
from collections.abc import Callable

from benchmarks.batch.commands import in_child
from benchmarks.batch.engines import time_engines
from benchmarks.batch.growth import time_growth
from benchmarks.batch.kills import check_kills
from benchmarks.batch.output import machine
from benchmarks.batch.starts import time_starts
from benchmarks.batch.sweep import time_sweep
from benchmarks.batch.throughput import time_throughput
from benchmarks.corpus import study_folder

_RATED_IN_THE_PAPER = 2_619
_PLAIN = 200
_BY_ENGINES = 2_000

SECTIONS: dict[str, Callable[[int], None]] = {
    "starts": lambda _: time_starts(),
    "sweep": lambda most: time_sweep(min(most, _RATED_IN_THE_PAPER)),
    "engines": lambda most: time_engines(min(most, _BY_ENGINES)),
    "throughput": lambda most: in_child(time_throughput, most, min(most, _PLAIN)),
    "growth": lambda most: time_growth((most // 100, most // 10, most)),
    "kills": check_kills,
}
"""What can be measured, with at most so many reviews."""

_USUAL = [name for name in SECTIONS if name != "kills"]


def main() -> None:
    """Measure and print."""
    arguments = _arguments()
    print(in_child(machine))
    data = "the human study" if study_folder() else "the samples; the study is not there"
    print(f"data: {data}", flush=True)
    for section in arguments.sections or _USUAL:
        SECTIONS[section](arguments.reviews)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch", description=__doc__)
    parser.add_argument(
        "sections",
        nargs="*",
        metavar="SECTION",
        help=f"{', '.join(SECTIONS)}; without any, all but kills",
    )
    parser.add_argument(
        "--reviews", type=int, default=100_000, help="of the largest corpus [default: 100,000]"
    )
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.sections if name not in SECTIONS]:
        parser.error(f"no section {unknown[0]!r}; choose {', '.join(SECTIONS)}")
    return arguments


if __name__ == "__main__":
    main()
