"""`crscore judge`: let a language model judge reviews, and compare judges with people."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crscore_core.claims import language_model
from crscore_core.cli.claims import ClaimChoice, claim_options
from crscore_core.cli.inputs import (
    column_option,
    corpus_path,
    json_option,
    read_columns,
    resamples_option,
)
from crscore_core.cli.output import (
    SET_ASIDE,
    SHOWN_ROWS,
    StatusLine,
    file_to_write,
    print_json,
    print_line,
    print_table,
    print_warnings,
)
from crscore_core.errors import InputError
from crscore_core.metrics.judges import JUDGES, JudgedFile, ReviewFile, ReviewJudge, column_name

if TYPE_CHECKING:
    from crscore_core.validity.judge_agreement import JudgeAgreement

_FIELDS = ("id", "diff", "review", "reference")


@click.group("judge")
def command() -> None:
    """Let a language model judge each review, and show how far judges agree with people."""


@command.command()
@click.argument("corpus", type=corpus_path, metavar="INPUT")
@click.option(
    "-o",
    "--output",
    type=file_to_write,
    metavar="OUT.jsonl",
    help="JSON Lines that each row goes to, with its judgement; rows that it has already are "
    "skipped. A run keeps its judgements itself.",
)
@click.option(
    "--judge",
    "kind",
    default=next(iter(JUDGES)),
    show_default=True,
    type=click.Choice(list(JUDGES)),
    help="; ".join(f"{name}: {judge.title}" for name, judge in JUDGES.items()),
)
@click.option(
    "--as", "called", default="", metavar="NAME", help="Name that tells this judge from another."
)
@click.option(
    "--estimate", is_flag=True, help="Count reviews, calls and tokens, and ask about none."
)
@column_option
@claim_options("endpoint", purpose="Whose language model judges: magicoder or endpoint.")
@json_option
def run(
    *,
    corpus: Path,
    output: Path | None,
    kind: str,
    called: str,
    estimate: bool,
    columns: tuple[str, ...],
    claims: ClaimChoice,
    as_json: bool,
) -> int:
    """Let a language model judge each review of INPUT: a run, JSON Lines, CSV or Parquet.

    The same command goes on after an interruption, and asks again where the server failed.
    """
    chosen = read_columns(columns, _FIELDS)
    model = language_model(claims.name, claims.options)
    judge = ReviewJudge(kind, model)
    reviews = ReviewFile(corpus, output, judge, chosen, column_name(kind, called))

    def note(counts: JudgedFile) -> None:
        line.show(lambda: f"{counts.judged:,} reviews judged, {counts.read:.0%} of the file read")

    with StatusLine() as line:
        try:
            done = reviews.estimate() if estimate else reviews.run(note)
        except KeyboardInterrupt:
            print_warnings([f"what is done is in {reviews.target}; the same command goes on"])
            raise
    known = f", {done.known:,} known from before" if done.known else ""
    if as_json:
        print_json({**asdict(done), "rejected": len(done.rejected)})
    elif estimate:
        print_line(
            f"{done.judged:,} reviews to judge{known}: at least {done.calls:,} calls with "
            f"{done.tokens:,} tokens of prompts"
        )
    else:
        print_line(
            f"{done.judged:,} reviews judged by {done.calls:,} answers{known}: {reviews.target}"
        )
    remarks = []
    if done.without:
        remarks.append(
            f"reviews without a judgement: {done.without:,}; their column `{reviews.name}_reason` "
            "says why"
        )
    if done.failed:
        remarks.append(
            f"reviews about which the model failed: {done.failed:,}; the same command asks again"
        )
    print_warnings(remarks)
    return _set_aside(done.rejected) or (SET_ASIDE if done.without else 0)


def _set_aside(rejected: Sequence[str]) -> int:
    """Warn of rows that cannot be read; return the exit status."""
    print_warnings(rejected[:SHOWN_ROWS])
    if not rejected:
        return 0
    print_warnings([f"rows set aside, as they cannot be read: {len(rejected):,}"])
    return SET_ASIDE


@command.command()
@click.argument("path", type=corpus_path, metavar="FILE_OR_RUN")
@click.option(
    "--truth",
    multiple=True,
    metavar="COLUMN",
    help="Truth: 0 or 1, or people's ratings from 1 to 5; repeat for several people, whose median "
    "counts. [default: is_pass, else people's answers about the judge `review`]",
)
@click.option(
    "--judge",
    "judges",
    multiple=True,
    metavar="COLUMN",
    help="Column of a judge; repeat for several. [default: all that end in _rating or _grade]",
)
@resamples_option
@json_option
def agreement(
    *, path: Path, truth: tuple[str, ...], judges: tuple[str, ...], resamples: int, as_json: bool
) -> int:
    """Show how far judges agree with the truth, and which candidates each of them favours.

    FILE is JSON Lines, CSV or Parquet with a row a candidate: judgements of several models, or the
    output of `crscore judge run` with people's columns. A run has its judgements and what its
    raters answered.
    """
    from crscore_core.corpus.reading import read_table
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.corpus.run.sources import is_run
    from crscore_core.validity.judge_agreement import (
        TRUTH,
        answered_agreements,
        judge_agreement,
        judged_table,
    )

    table = judged_table(FinishedRun.open(path)) if is_run(path) else read_table(path)
    if truth or judges or TRUTH in table.columns:
        found = [judge_agreement(table, truth, judges, resamples)]
    else:
        found = answered_agreements(table, resamples)
    if not found:
        raise InputError(
            "nobody answered whether these reviews are right, worth saying or relevant; answer on "
            "the page Rate, or name the column of a truth with --truth"
        )
    if as_json:
        documents = [{**asdict(one), "rejected": len(table.rejected)} for one in found]
        print_json(documents[0] if len(found) == 1 else {"agreements": documents})
    else:
        for one in found:
            _print(one, resamples)
    return _set_aside([f"row {row.number}: {row.reason}" for row in table.rejected])


def _print(found: "JudgeAgreement", resamples: int) -> None:
    left_out = f" (left out: {found.without_truth:,} without a truth)"
    print_line(
        f"truth: {' and '.join(found.truth)} ({found.kind}), {found.rows:,} rows about "
        f"{found.targets:,} targets{left_out if found.without_truth else ''}"
    )
    print_line(f"intervals: 95 %, percentiles of {resamples} resamples of targets")
    print_line("bias: mean of judgement less truth, by who wrote the candidate (* is the judge)")
    print_line()
    rows = [("judge", "candidates by", "judged", "invalid", found.statistic, "bias")]
    for judge in found.judges:
        numbers = f"{judge.n:,}", f"{judge.invalid:,}", str(judge.agreement) or "–"
        rows.append((judge.judge, "", *numbers, str(judge.bias) or "–"))
        for each in judge.by_generator:
            writer = f"{'*' if each.is_own else ' '} {each.generator}"
            rows.append(("", writer, f"{each.n:,}", "", "", str(each.bias) or "–"))
    print_table(rows, left=(0, 1, 4, 5))
