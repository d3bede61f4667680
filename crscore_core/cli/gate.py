"""`crscore gate`."""

import math
import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crscore_core.cli.inputs import corpus_path, json_option
from crscore_core.cli.output import file_to_write, print_json, print_line, write_file
from crscore_core.cli.rank import by_option, ranked
from crscore_core.errors import InputError
from crscore_core.text import visible_text

if TYPE_CHECKING:
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.ranking.gate import Check

_MARKS = {"passed": "✅", "not told": "➖", "failed": "❌"}

FAILED = 4
"""Exit status where a run does not meet a condition."""

_MISSING = "--baseline-may-be-missing"
_STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
_SPECIAL = re.compile(r"^[-+=\d]|[\\`*_{}\[\]()<>#|~@$&!:]")


@click.command("gate")
@click.argument("path", type=corpus_path, metavar="RUN")
@click.option(
    "--fail-under",
    "floors",
    multiple=True,
    metavar="COLUMN=X",
    help="Fail where the mean of a column, such as relevance, is below X; may be repeated.",
)
@by_option
@click.option(
    "--baseline",
    type=corpus_path,
    metavar="BEFORE",
    help="Finished run whose mean this one's must not be below.",
)
@click.option(
    _MISSING,
    "may_be_missing",
    is_flag=True,
    help="Pass where there is no BEFORE yet, as at the first run of a pipeline.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, 1, min_open=True),
    help="Fail unless the run is shown to be lower than the baseline by less than this.",
)
@click.option(
    "--most-unscored",
    type=click.FloatRange(0, 1),
    default=0.3,
    show_default=True,
    metavar="SHARE",
    help="Fail where a larger share of the reviews has no score.",
)
@click.option(
    "--judge-agreement",
    type=click.FloatRange(0, 1),
    metavar="X",
    help="Fail where a judge's agreement with the answers of this run's raters is below X.",
)
@click.option("--system", help="Look at the reviews of one system alone.")
@click.option("--summary", type=file_to_write, help="Write the result in Markdown here too.")
@click.option("--junit", type=file_to_write, help="Write the result as JUnit XML.")
@json_option
def command(
    *,
    path: Path,
    floors: Sequence[str],
    measure: str | None,
    baseline: Path | None,
    margin: float | None,
    may_be_missing: bool,
    most_unscored: float,
    judge_agreement: float | None,
    system: str | None,
    summary: Path | None,
    junit: Path | None,
    as_json: bool,
) -> int:
    """Check the scores of a finished run; exit with 4 where a condition is not met.

    A mean has to reach its floor, and enough of the reviews need a score: those on changes that
    cannot be read are in no mean, and an empty one counts 0. A run fails against a baseline where
    its mean of a measure, by default relevance, is lower beyond chance: by a 95 % interval over the
    changes that both runs have, or where these are fewer than six, over all changes. Several
    systems count together, unless --system names one. In a GitHub workflow the Markdown summary is
    added to that of the step.
    """
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.ranking.gate import check_floor, check_scored

    wanted = [_floor(floor) for floor in floors]
    run = FinishedRun.open(path)
    of_baseline = _baseline_check(
        run, baseline, margin, system, measure, may_be_missing=may_be_missing
    )
    if not wanted and of_baseline is None and judge_agreement is None:
        raise click.UsageError(
            "Nothing to check: give --fail-under, --baseline or --judge-agreement."
        )
    checks = [check_floor(run, column, least, system) for column, least in wanted]
    checks += [of_baseline] if of_baseline else []
    if judge_agreement is not None:
        from crscore_core.validity.judge_agreement import check_judges

        checks += check_judges(run, judge_agreement)
    checks.append(check_scored(run, most_unscored, system))
    is_met = all(check.is_met for check in checks)
    said = _verdict(run, measure)
    text = _markdown(path, checks, said)
    if summary:
        write_file(summary, text)
    if step := os.environ.get(_STEP_SUMMARY):
        write_file(Path(step), text, appends=True)
    if junit:
        write_file(junit, _junit(checks))
    if as_json:
        found = {"run": str(path), "passed": is_met, "verdict": said}
        print_json(found | {"checks": [check.document for check in checks]})
    else:
        for check in checks:
            result = check.result if check.is_met else check.result.upper()
            print_line(f"{result}: {check.name}; {check.words}")
    return 0 if is_met else FAILED


def _baseline_check(
    run: "FinishedRun",
    baseline: Path | None,
    margin: float | None,
    system: str | None,
    measure: str | None,
    *,
    may_be_missing: bool,
) -> "Check | None":
    """Check a run against a baseline; None without one."""
    from crscore_core.corpus.measures import DEFAULT_MEASURE
    from crscore_core.corpus.run.finished import FinishedRun
    from crscore_core.ranking.gate import Check, check_baseline

    if baseline is None:
        for option, is_given in (("--margin", margin is not None), (_MISSING, may_be_missing)):
            if is_given:
                raise click.UsageError(f"{option} needs --baseline BEFORE.")
        return None
    if not baseline.exists():
        words = f"there is no baseline {str(baseline)!r} yet"
        if not may_be_missing:
            raise InputError(f"{words}; at the first run {_MISSING} lets that pass")
        name = "no lower than the baseline"
        return Check(name, is_met=True, words=words, figures={}, is_told=False)
    before = FinishedRun.open(baseline)
    return check_baseline(run, before, margin, system, measure or DEFAULT_MEASURE)


def _floor(text: str) -> tuple[str, float]:
    column, _, least = text.partition("=")
    try:
        value = float(least)
    except ValueError:
        value = math.nan
    if not column or not math.isfinite(value):
        raise InputError(f"--fail-under {text!r} is not COLUMN=X, such as relevance=0.4")
    return column, value


def _verdict(run: "FinishedRun", measure: str | None) -> str:
    """Return the verdict on the systems of a run, nothing where there is none."""
    from crscore_core.ranking.verdict import rests_on, verdict

    order = ranked(run, measure)
    return "" if order is None else f"{verdict(order)} {rests_on(order)}"


def _markdown(path: Path, checks: "Sequence[Check]", said: str) -> str:
    is_met = all(check.is_met for check in checks)
    rows = ""
    for check in checks:
        mark = f"{_MARKS[check.result]} {check.result}"
        rows += f"| {mark} | {_plain(check.name)} | {_plain(check.words)} |\n"
    return (
        f"### Code reviews: {'passed' if is_met else 'failed'}\n\nRun {_plain(path.name)}\n\n"
        f"| result | condition | figures |\n|---|---|---|\n{rows}"
    ) + (f"\n{_plain(said)}\n" if said else "")


def _plain(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line: no markup, mentions or links.

    Sites link names and numbers of issues once the text is rendered, except in code.
    """
    line = " ".join(visible_text(text).split())
    shown = _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", line)
    return f"<code>{shown}</code>" if re.search(r"[@#]|://|www", line) else shown


def _junit(checks: "Sequence[Check]") -> bytes:
    results = [check.result for check in checks]
    suite = ET.Element(
        "testsuite",
        name="crscore gate",
        tests=str(len(checks)),
        failures=str(results.count("failed")),
        skipped=str(results.count("not told")),
    )
    for check in checks:
        name, words = visible_text(check.name), visible_text(check.words)
        case = ET.SubElement(suite, "testcase", classname="crscore.gate", name=name)
        if element := {"failed": "failure", "not told": "skipped"}.get(check.result):
            ET.SubElement(case, element, message=words)
        else:
            ET.SubElement(case, "system-out").text = words
    ET.indent(suite)
    document: bytes = ET.tostring(suite, encoding="UTF-8", xml_declaration=True)
    return document
