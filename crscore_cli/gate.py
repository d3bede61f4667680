"""`crscore gate`."""

from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer

from crscore_cli import options, output
from crscore_core.errors import InputError, quoted


def _floor(text: str) -> tuple[str, float]:
    """Return the column and the minimum of a condition such as `relevance=0.4`."""
    column, value = options.pair(text)
    with suppress(ValueError):
        if isfinite(floor := float(value)):
            return column, floor
    raise typer.BadParameter(f"{quoted(text)}: {quoted(value)} is not a number")


def gate(
    *,
    data: options.Data,
    fail_under: Annotated[
        list[Any] | None,
        typer.Option(
            metavar="COLUMN=X",
            parser=_floor,
            help="Fail if a mean or the share of scored reviews (scored; 0.7 if unset) is below X.",
        ),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(metavar="DATA", help="An earlier run to compare with.")
    ] = None,
    by: options.Measure = None,
    summary: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also write the result as Markdown.")
    ] = None,
    tau: options.Tau = None,
    as_json: options.Json = False,
) -> int:
    """Check a run against minimum scores and an earlier run.

    The exit status is 4 if it fails, and 3 if too few changes can be compared. A run fails against
    a baseline if its mean, or that of people's ratings, is significantly lower on shared changes.
    """
    from crscore_eval.export.markup import gate_markdown
    from crscore_eval.formatting import records
    from crscore_eval.metrics.values import figures_signature
    from crscore_eval.ranking.gate import (
        FAILED,
        NOT_COMPARED,
        PASSED,
        check_names,
        check_run,
        gate_conclusion,
        gate_result,
    )
    from crscore_eval.ranking.two_runs import compare_runs, lower_systems
    from crscore_eval.ranking.verdict import LIMIT

    if baseline is not None and Path(baseline).resolve() == Path(data).resolve():
        raise InputError(f"the baseline {baseline!r} is the run itself")
    if baseline is None and by is not None:
        raise InputError("--by names the measure to compare", "also give --baseline DATA")
    floors = dict(sorted(fail_under or ()))  # of several floors, the highest counts
    summary_file = None if summary is None else output.file_to_write(summary)
    run, threshold, _ = options.open_at_tau(data, tau, lambda of: check_names(of, floors, by))
    earlier = None if baseline is None else options.open_at_tau(baseline)[0]
    checks = check_run(run, floors, earlier, by, threshold)
    sentences = [gate_conclusion(checks), LIMIT]
    signature = figures_signature(run.settings, checks["measure"], threshold)
    systems: list[dict[str, Any]] = []
    if earlier is not None:
        compared = checks[checks["p"].notna() | (checks["result"] == NOT_COMPARED)]
        by_system = compare_runs(run, earlier, [*compared["measure"]], threshold)
        sentences += filter(None, [lower_systems(by_system, run)])
        systems = records(by_system)
    if summary_file is not None:
        run_name, earlier_name = Path(data).name, Path(baseline or "").name
        text = gate_markdown(checks, run_name, earlier_name, sentences, signature)
        summary_file.write_text(text, encoding="utf-8")
    outcome = gate_result(checks)
    if as_json:
        texts = {"run": data, "verdict": " ".join(sentences), "signature": signature}
        rows = {"checks": records(checks), "systems": systems}
        output.print_json({**texts, "passed": outcome == PASSED, "result": outcome, **rows})
    else:
        output.print_line(sentences[0])
        for result, condition, detail in checks[["result", "condition", "detail"]].to_numpy():
            output.print_line(f"  {result.upper()}: {condition} ({detail})", indent=4)
        for sentence in [*sentences[1:], f"signature {signature}"]:
            output.print_line(sentence)
    return {FAILED: 4, NOT_COMPARED: output.INCOMPLETE}.get(outcome, 0)  # see docs/commands.md
