"""`crscore gate`."""

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from crscore_cli.options import Json, RunName, Tau, split_pair, tau_of
from crscore_cli.output import file_to_write, print_json, print_line
from crscore_core.errors import InputError
from crscore_core.text import escape_invisible

GATE_FAILED = 4
"""Exit status if a run does not meet a condition."""

_MARKS = {"passed": "✅", "failed": "❌", "not compared": "➖"}
_SPECIAL = re.compile(r"^[-+=\d]|[\\`*_{}\[\]()<>#|~@$&!:]")


def gate(
    *,
    run: RunName,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=X", help="Fail if the mean of a column, such as relevance, or "
                     "the share of scored reviews (scored, by default 0.7), is below X."),
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
    """Check a run against minimum scores and an earlier run.

    The exit status is 4 if it fails. A run fails against a baseline if its mean is significantly
    lower on the changes that both have. If people rated both, their ratings must not be
    significantly lower either. In a GitHub workflow, the step's summary has the result.
    """
    from crscore_eval.data import open_data
    from crscore_eval.ranking import NOT_MEASURED, conclusion, passed
    from crscore_eval.ranking import gate as check_run

    if baseline is not None and Path(baseline).resolve() == Path(run).resolve():
        raise InputError(f"the baseline {baseline!r} is the run itself")
    if baseline is None and not fail_under:
        raise InputError("there is nothing to check: give --fail-under COLUMN=X or --baseline RUN")
    minima = dict(_minimum(pair) for pair in fail_under or ())
    summary_file = None if summary is None else file_to_write(summary)
    checked = open_data(run)
    earlier = None if baseline is None else open_data(baseline)
    checks = check_run(checked, minima, earlier, by, tau_of(checked, tau))
    sentences = [conclusion(checks), NOT_MEASURED.format("Relevance")]
    is_met = passed(checks)
    rows = checks.astype(object).where(checks.notna(), None).to_dict("records")
    text = _markdown(rows, Path(run).name, sentences)
    if summary_file is not None:
        summary_file.write_text(text, encoding="utf-8")
    if step_summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(step_summary).open("a", encoding="utf-8") as file:
            file.write(text)
    if as_json:
        print_json({"run": run, "passed": is_met, "verdict": " ".join(sentences), "checks": rows})
    else:
        print_line(sentences[0])
        for check in rows:
            print_line(
                f"  {check['result'].upper()}: {check['condition']} ({check['detail']})", indent=4
            )
        for sentence in sentences[1:]:
            print_line(sentence)
    return 0 if is_met else GATE_FAILED


def _minimum(pair: str) -> tuple[str, float]:
    """Return the column and the least value of a condition such as `relevance=0.4`."""
    column, text = split_pair("--fail-under", "COLUMN=X", pair)
    try:
        minimum = float(text)
    except ValueError:
        minimum = math.nan
    if not math.isfinite(minimum):
        raise InputError(f"--fail-under {pair[:80]!r}: {text[:40]!r} is not a number")
    return column, minimum


def _markdown(checks: Iterable[Mapping[Any, Any]], name: str, sentences: Sequence[str]) -> str:
    head = "| result | condition | figures |\n|---|---|---|"
    rows = (
        f"| {_MARKS[check['result']]} {check['result']} | {_plain(check['condition'])} "
        f"| {_plain(check['detail'])} |"
        for check in checks
    )
    title, *others = map(_plain, sentences)
    table = "\n".join([head, *rows])
    return "\n\n".join([f"### Code reviews: {title}", f"Run {_plain(name)}", table, *others]) + "\n"


def _plain(text: str) -> str:
    """Return a text as one line of Markdown without markup, mentions or links.

    Sites turn names of users and numbers of issues into links in rendered text, but not in code.
    """
    line = " ".join(escape_invisible(text).split())
    escaped = _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", line)
    return f"<code>{escaped}</code>" if re.search(r"[@#]|://|www", line) else escaped
