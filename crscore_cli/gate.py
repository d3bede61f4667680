"""`crscore gate`."""

import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crscore_cli.options import Json, RunName, Tau, pair_of, tau_of
from crscore_cli.output import file_to_write, print_json, print_line
from crscore_core.errors import InputError
from crscore_core.text import visible_text

if TYPE_CHECKING:
    import pandas as pd


GATE_FAILED = 4
"""Exit status if a run does not meet a condition."""

_STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
_MARKS = {"passed": "✅", "failed": "❌", "not compared": "➖"}
_SPECIAL = re.compile(r"^[-+=\d]|[\\`*_{}\[\]()<>#|~@$&!:]")


def gate(
    *,
    run: RunName,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=X", help="Fail if the mean of a column, such as relevance, or "
                     "the share of scored reviews (scored) is below X; repeatable."),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(metavar="RUN", help="An earlier run to compare with.")
    ] = None,
    by: Annotated[
        str, typer.Option(metavar="MEASURE", help="Measure that is compared with the baseline.")
    ] = "relevance",
    summary: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also write the result as Markdown.")
    ] = None,
    tau: Tau = None,
    as_json: Json = False,
) -> int:  # fmt: skip
    """Check a run against minimum scores and an earlier run; exit with 4 if it fails.

    A run fails against a baseline if its mean is significantly lower on the changes that both have.
    If people rated both runs, their ratings must not be significantly lower either; --fail-under
    people=3 demands ratings. In a GitHub workflow, the result is added to the step's summary.
    """
    from crscore_eval.data import open_data
    from crscore_eval.ranking import NOT_MEASURED, conclusion, passed
    from crscore_eval.ranking import gate as check_run

    if baseline is not None and Path(baseline).resolve() == Path(run).resolve():
        raise InputError(f"the baseline {baseline!r} is the run itself")
    floors = dict(_floor(text) for text in fail_under or ())
    summary_file = None if summary is None else file_to_write(summary)
    found = open_data(run)
    before = None if baseline is None else open_data(baseline)
    checks = check_run(found, floors, before, by, tau_of(found, tau))
    sentences = [conclusion(checks), NOT_MEASURED.format("Relevance")]
    is_met = passed(checks)
    text = _markdown(checks, Path(run).name, sentences)
    if summary_file is not None:
        summary_file.write_text(text, encoding="utf-8")
    if step := os.environ.get(_STEP_SUMMARY):
        with Path(step).open("a", encoding="utf-8") as file:
            file.write(text)
    if as_json:
        cells = checks.astype(object).where(checks.notna(), None)
        document = {"run": run, "passed": is_met, "verdict": " ".join(sentences)}
        print_json({**document, "checks": cells.to_dict("records")})
    else:
        for check in checks.to_dict("records"):
            print_line(f"{check['result'].upper()}: {check['condition']} ({check['words']})")
        for sentence in sentences:
            print_line(sentence)
    return 0 if is_met else GATE_FAILED


def _floor(pair: str) -> tuple[str, float]:
    column, least = pair_of("--fail-under COLUMN=X", pair)
    try:
        value = float(least)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"--fail-under {pair[:80]!r}: {least[:40]!r} is not a number")
    return column, value


def _markdown(checks: "pd.DataFrame", name: str, sentences: Sequence[str]) -> str:
    rows = "".join(
        f"| {_MARKS[check['result']]} {check['result']} | {_plain(check['condition'])} "
        f"| {_plain(check['words'])} |\n"
        for check in checks.to_dict("records")
    )
    lead, *others = map(_plain, sentences)
    paragraphs = "".join(f"\n{sentence}\n" for sentence in others)
    return (
        f"### Code reviews: {lead}\n\nRun {_plain(name)}\n\n"
        f"| result | condition | figures |\n|---|---|---|\n{rows}{paragraphs}"
    )


def _plain(text: str) -> str:
    """Escape a text for Markdown, on one line: no markup, mentions or links.

    Sites link names and numbers of issues once the text is rendered, except in code.
    """
    line = " ".join(visible_text(text).split())
    shown = _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", line)
    return f"<code>{shown}</code>" if re.search(r"[@#]|://|www", line) else shown
