"""`crscore attacks`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crscore_core.cli.inputs import encoder_option, json_option, tau_option
from crscore_core.cli.output import (
    StatusLine,
    check_file_to_write,
    print_json,
    print_line,
    print_progress,
    write_file,
)

if TYPE_CHECKING:
    from crscore_core.validity.attacks import AttackResult

_SECONDS_BETWEEN_LINES = 5


@click.command("attacks")
@click.option(
    "--data",
    "name",
    default="study",
    show_default=True,
    metavar="NAME_OR_FILE",
    help="Rated reviews: study, or a file of your own.",
)
@click.option(
    "--path", type=click.Path(path_type=Path), help="Where the study lies, if not in its place."
)
@click.option(
    "--metrics", default="", metavar="A,B", help="Metrics by name, with commas. [default: all]"
)
@click.option(
    "--claims",
    metavar="NAME",
    help="Claims: study (the study's own), symbolic, ... [default: the data set's own, else "
    "symbolic]",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the attacks as a corpus (JSON Lines), for `crscore judge`.",
)
@click.option(
    "--column",
    "own",
    multiple=True,
    metavar="NAME",
    help="Read a file with the attacks of -o, and take this column as a metric: a judge's grade.",
)
@encoder_option
@tau_option
@json_option
def command(
    *,
    name: str,
    path: Path | None,
    metrics: str,
    claims: str | None,
    output: Path | None,
    own: tuple[str, ...],
    encoder: str,
    tau: str | None,
    as_json: bool,
) -> None:
    """Show how often reviews that try to win beat an honest review, metric by metric."""
    from crscore_core.corpus.progress import CorpusProgress
    from crscore_core.corpus.score import NotedEncoder
    from crscore_core.datasets.registry import load_data
    from crscore_core.scoring import CachedEncoder
    from crscore_core.validity.attacks import (
        attack_results,
        attack_rows,
        attacked,
        check_honest,
    )
    from crscore_core.validity.metric_columns import (
        Scoring,
        metric_columns,
        metric_names,
        own_columns,
    )

    wanted = metric_names([part.strip() for part in metrics.split(",") if part.strip()])
    data = load_data(name, path, own)
    if own:
        results = attack_results(data, tuple(own_columns(data, own)))
    else:
        if output:
            check_file_to_write(output)
        check_honest(data)
        scoring = Scoring(claims, CachedEncoder(encoder), tau)
        with StatusLine(_SECONDS_BETWEEN_LINES) as line:

            def note(now: CorpusProgress) -> None:
                line.show(lambda: f"{now.stage.value}: {now.done:,} of {now.total:,}")

            comparison = scoring.compare(data, note)
            print_progress("making the attacks and comparing them")
            attacks = attacked(comparison, NotedEncoder(scoring.encoder, note))
            if output:
                rows = attack_rows(attacks)
                write_file(output, "".join(f"{json.dumps(row)}\n" for row in rows))
            columns = tuple(metric_columns(attacks, wanted, scoring, print_progress, note))
        results = attack_results(attacks, columns)
    if as_json:
        print_json({"data": data.name, "attacks": _document(results)})
        return
    _print_table(results)


def _document(results: "tuple[AttackResult, ...]") -> list[dict[str, object]]:
    return [
        {
            **asdict(result),
            "wins": result.wins.value,
            "wins_ci": result.wins.ends,
            "gain": result.gain.value,
            "gain_ci": result.gain.ends,
        }
        for result in results
    ]


def _print_table(results: "tuple[AttackResult, ...]") -> None:
    metrics = list(dict.fromkeys(result.metric for result in results))
    cells = {(result.attack, result.metric): result for result in results}
    if results:
        print_line(
            f"share of {results[0].changes} changes in which the attack beats the honest one"
        )
    widths = [max(8, len(name) + 2) for name in metrics]
    print_line(
        f"  {'':<32}"
        + "".join(f"{name:>{width}}" for name, width in zip(metrics, widths, strict=True))
    )
    for attack in dict.fromkeys(result.attack for result in results):
        values = [cells[attack, name].wins.value for name in metrics]
        print_line(
            f"  {attack:<32}"
            + "".join(
                f"{'–' if value is None else f'{value:.0%}':>{width}}"
                for value, width in zip(values, widths, strict=True)
            )
        )
