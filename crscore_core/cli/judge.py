"""`crscore judge`: let a language model judge reviews, and compare judges with people."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crscore_core.claims import answer_cache, language_model
from crscore_core.claims.llm.cache import NOT_KEPT
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
from crscore_core.metrics.judges import (
    JUDGES,
    JudgedFile,
    ReviewFile,
    ReviewJudge,
    column_name,
)

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
    done, share, characters = JudgedFile(), 0.0, 0

    def written() -> str:
        known = f" and {done.known:,} known" if done.known else ""
        return (
            f"{done.judged:,} reviews judged{known}, {share:.0%} of the file read; the model wrote "
            f"{characters:,} characters"
        )

    with StatusLine() as line:

        def answers(_index: int, text: str) -> None:
            nonlocal characters
            if text:
                characters += len(text)
                line.show(written)

        def note(counts: JudgedFile, read: float) -> None:
            nonlocal done, share
            done, share = counts, read
            line.show(written)

        model = language_model(claims.name, claims.options, answers)
        judge = ReviewJudge(kind, model, answer_cache(claims.options), answers)
        of_file = ReviewFile(corpus, output, judge, chosen, column_name(kind, called))
        try:
            done = of_file.estimate() if estimate else of_file.run(note)
        except KeyboardInterrupt:
            print_warnings([f"what is done is in {of_file.target}; the same command goes on"])
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
            f"{done.judged:,} reviews judged by {done.calls:,} answers{known}: {of_file.target}"
        )
    print_warnings(_remarks(done, of_file.name, is_kept=judge.is_kept))
    return SET_ASIDE if done.rejected or done.without else 0


def _remarks(done: JudgedFile, name: str, *, is_kept: bool) -> list[str]:
    remarks = [] if is_kept else [NOT_KEPT]
    if done.rejected:
        remarks += done.rejected[:SHOWN_ROWS]
        remarks.append(f"rows set aside, as they cannot be read: {len(done.rejected):,}")
    if done.others:
        remarks.append(
            "rows of the output that the input does not have, or has changed since: "
            f"{done.others:,}"
        )
    if done.without:
        remarks.append(
            f"reviews without a judgement: {done.without:,}; their column `{name}_reason` says why"
        )
    if done.failed:
        remarks.append(
            f"reviews about which the model failed: {done.failed:,}; the same command asks again"
        )
    return remarks


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
    output of `crscore judge run` with a column of people's ratings. A run has its judgements and
    what its raters answered.
    """
    from crscore_core.corpus.reading import Table, read_table
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.corpus.run.sources import is_run
    from crscore_core.errors import CorpusError
    from crscore_core.validity.judge_agreement import (
        TRUTH,
        answered_agreements,
        judge_agreement,
        run_agreements,
    )

    table = Table((), ()) if is_run(path) else read_table(path)
    if is_run(path) and not (truth or judges):
        found = run_agreements(FinishedRun.open(path), resamples)
    elif truth or judges or TRUTH in table.columns:
        found = [judge_agreement(table, truth, judges, resamples)]
    else:
        found = answered_agreements(table, resamples)
    if not found:
        raise CorpusError(
            "nobody answered whether these reviews are right, worth saying or relevant; answer on "
            "the page Rate, or name the column of a truth with --truth"
        )
    if as_json:
        documents = [{**asdict(one), "rejected": len(table.rejected)} for one in found]
        print_json(documents[0] if len(found) == 1 else {"agreements": documents})
    else:
        for one in found:
            _print(one, resamples)
    print_warnings(f"row {row.number}: {row.reason}" for row in table.rejected[:SHOWN_ROWS])
    if table.rejected:
        print_warnings([f"rows set aside, as they cannot be read: {len(table.rejected):,}"])
    return SET_ASIDE if table.rejected else 0


def _print(found: "JudgeAgreement", resamples: int) -> None:
    print_line(
        f"truth: {' and '.join(found.truth)} ({found.kind}), {found.rows:,} rows about "
        f"{found.targets:,} targets"
    )
    if found.without_truth:
        print_line(f"left out: {found.without_truth:,} rows without a truth")
    print_line(f"intervals: 95 %, percentiles of {resamples} resamples of targets")
    print_line()
    rows = [("judge", "judged", "invalid", found.statistic, "bias")]
    for one in found.judges:
        numbers = f"{one.n:,}", f"{one.invalid:,}"
        rows.append((one.judge, *numbers, str(one.agreement) or "–", str(one.bias) or "–"))
    print_table(rows, left=(0, 3, 4))
    if not any(judge.by_generator for judge in found.judges):
        return
    print_line()
    print_line("bias: mean of judgement less truth, by who wrote the candidate (* is the judge)")
    biases = [("judge", "candidate by", "n", "bias")]
    for judge in found.judges:
        for each in judge.by_generator:
            label = f"{'*' if each.is_own else ' '} {each.generator}"
            biases.append((judge.judge, label, f"{each.n:,}", str(each.bias) or "–"))
    print_table(biases, left=(0, 1, 3))
