"""`crscore judge`."""

from pathlib import Path

import click

from crscore_core.claims import answer_cache, language_model
from crscore_core.claims.llm.cache import NOT_KEPT
from crscore_core.cli.claim_options import ClaimChoice, claim_options
from crscore_core.cli.inputs import column_option, corpus_path, json_option, read_columns
from crscore_core.cli.output import (
    StatusLine,
    check_file_to_write,
    print_json,
    print_line,
    print_warnings,
)
from crscore_core.metrics.judges import JUDGES, JudgedFile, ReviewJudge, judge_file

_SOME_WITHOUT = 3
"""Exit status where some rows have no judgement."""

_SHOWN = 5
_SECONDS_BETWEEN_LINES = 30
_FIELDS = ("id", "diff", "review", "reference")


@click.command("judge")
@click.argument("corpus", type=corpus_path, metavar="INPUT")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="OUT.jsonl",
    help="JSON Lines that each row goes to, with its judgement; rows that it has already are "
    "skipped.",
)
@click.option(
    "--judge",
    "kind",
    required=True,
    type=click.Choice(list(JUDGES)),
    help="; ".join(f"{name}: {judge.title}" for name, judge in JUDGES.items()),
)
@column_option
@claim_options("endpoint", purpose="Whose language model judges: magicoder or endpoint.")
@json_option
def command(
    *,
    corpus: Path,
    output: Path,
    kind: str,
    columns: tuple[str, ...],
    claims: ClaimChoice,
    as_json: bool,
) -> int:
    """Let a language model judge each review of INPUT: JSON Lines, CSV or Parquet.

    After an interruption, the same command goes on.
    """
    check_file_to_write(output)
    chosen = read_columns(columns, _FIELDS)
    done, share, characters = JudgedFile(), 0.0, 0

    def written() -> str:
        known = f" and {done.known:,} known" if done.known else ""
        return (
            f"{done.judged:,} reviews judged{known}, {share:.0%} of the file read; the model wrote "
            f"{characters:,} characters"
        )

    with StatusLine(_SECONDS_BETWEEN_LINES) as line:

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
        try:
            done = judge_file(corpus, output, judge, chosen, note)
        except KeyboardInterrupt:
            print_warnings([f"what is done is in {output}; the same command goes on"])
            raise
    if as_json:
        counts = {"judged": done.judged, "known": done.known, "without": done.without}
        print_json(
            counts | {"others": done.others, "rejected": len(done.rejected), "calls": done.calls}
        )
    else:
        known = f", {done.known:,} known from before" if done.known else ""
        print_line(f"{done.judged:,} reviews judged by {done.calls:,} answers{known}: {output}")
    print_warnings(_remarks(done, kind, is_kept=judge.is_kept))
    return _SOME_WITHOUT if done.rejected or done.without else 0


def _remarks(done: JudgedFile, kind: str, *, is_kept: bool) -> list[str]:
    remarks = [] if is_kept else [NOT_KEPT]
    if done.rejected:
        remarks += done.rejected[:_SHOWN]
        remarks.append(f"rows set aside, as they cannot be read: {len(done.rejected):,}")
    if done.others:
        remarks.append(
            "rows of the output that the input does not have, or has changed since: "
            f"{done.others:,}"
        )
    if done.without:
        remarks.append(
            f"reviews without a judgement: {done.without:,}; their column `{kind}_reason` says why"
        )
    return remarks
