"""`crscore judge-agreement`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crscore_core.cli.inputs import json_option
from crscore_core.cli.output import print_json, print_line, print_warnings
from crscore_core.errors import CorpusError
from crscore_core.statistics import Estimate

if TYPE_CHECKING:
    from crscore_core.validity.judge_agreement import JudgeAgreement

_SOME_WITHOUT = 3
"""Exit status where some rows cannot be read."""

_SHOWN = 5
_NAME = 36


@click.command("judge-agreement")
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--truth",
    multiple=True,
    metavar="COLUMN",
    help="Truth: 0 or 1, or people's ratings from 1 to 5; repeat for several people, whose median "
    "counts. [default: is_pass]",
)
@click.option(
    "--judge",
    "judges",
    multiple=True,
    metavar="COLUMN",
    help="Column of a judge; repeat for several. [default: all that end in _rating, _grade or "
    "_verdict]",
)
@click.option(
    "--resamples",
    default=1000,
    show_default=True,
    type=click.IntRange(50, 100_000),
    help="How many resamples of targets the intervals rest on.",
)
@json_option
def command(
    *, path: Path, truth: tuple[str, ...], judges: tuple[str, ...], resamples: int, as_json: bool
) -> int:
    """Show how far judges agree with the truth, and which candidates each of them favours.

    FILE is JSON Lines, CSV or Parquet with a row a candidate: judgements of several models, or the
    output of `crscore judge` with a column of people's ratings.
    """
    from crscore_core.corpus.reading import read_table
    from crscore_core.validity.judge_agreement import judge_agreement

    try:
        table = read_table(path.read_bytes(), path.name)
    except OSError as error:
        raise CorpusError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    found = judge_agreement(table, truth, judges, resamples)
    if as_json:
        print_json({**asdict(found), "rejected": len(table.rejected)})
    else:
        _print(found, resamples)
    print_warnings(f"row {row.number}: {row.reason}" for row in table.rejected[:_SHOWN])
    if table.rejected:
        print_warnings([f"rows set aside, as they cannot be read: {len(table.rejected):,}"])
    return _SOME_WITHOUT if table.rejected else 0


def _print(found: "JudgeAgreement", resamples: int) -> None:
    print_line(
        f"truth: {' and '.join(found.truth)} ({found.kind}), {found.rows:,} rows about "
        f"{found.targets:,} targets"
    )
    if found.without_truth:
        print_line(f"left out: {found.without_truth:,} rows without a truth")
    print_line(f"intervals: 95 %, percentiles of {resamples} resamples of targets")
    print_line()
    name = "kappa" if found.kind == "pass or fail" else "alpha"
    print_line(
        f"{'judge':<{_NAME}}{'judged':>8}{'invalid':>9}{name:>9}{'':<18}{'bias':>9}".rstrip()
    )
    for judge in found.judges:
        print_line(
            f"{judge.judge[:_NAME]:<{_NAME}}{judge.n:>8,}{judge.invalid:>9,}"
            f"{_estimate(judge.agreement)}{_estimate(judge.bias)}".rstrip()
        )
    if not any(judge.by_generator for judge in found.judges):
        return
    print_line()
    print_line(
        "bias: mean of judgement less truth, by who wrote the candidate (* the judge itself)"
    )
    for judge in found.judges:
        print_line(judge.judge)
        for one in judge.by_generator:
            label = f"{'*' if one.is_own else ' '} {one.generator}"[:_NAME]
            print_line(f"{label:<{_NAME}}{one.n:>8,}{'':<9}{_estimate(one.bias)}".rstrip())


def _estimate(estimate: Estimate) -> str:
    value = "–" if estimate.value is None else f"{estimate.value:.3f}"
    interval = estimate.interval
    bounds = f" [{interval.low:.3f}, {interval.high:.3f}]" if interval else ""
    return f"{value:>9}{bounds:<18}"
