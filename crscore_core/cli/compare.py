"""`crscore compare`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from crscore_core.cli.inputs import (
    csv_option,
    encoder_option,
    json_option,
    resamples_option,
    tau_option,
)
from crscore_core.cli.output import (
    SET_ASIDE,
    StatusLine,
    print_json,
    print_line,
    print_progress,
    print_table,
    print_warnings,
    write_file,
)
from crscore_core.corpus.reading import label_name, label_remark
from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.statistics import FEWEST_CHANGES

if TYPE_CHECKING:
    from crscore_core.validity.compare import LabelComparison


@click.command("compare")
@click.option(
    "--data",
    "name",
    default="study",
    show_default=True,
    metavar="NAME_OR_FILE",
    help="A data set (study, kinds, clearcrc, graded), or a file of your own with labels.",
)
@click.option(
    "--path",
    type=click.Path(path_type=Path),
    help="Where the data set lies; by default where `crscore study list` says.",
)
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="NAME",
    help="A label to compare with, a column of a file; repeat for several. [default: all]",
)
@click.option(
    "--metrics", default="", metavar="A,B", help="Metrics by name, with commas. [default: all]"
)
@click.option(
    "--column",
    "own",
    multiple=True,
    metavar="NAME",
    help="A column of your file that is a metric, such as a judge's grade; repeat for several.",
)
@click.option(
    "--against",
    metavar="NAME",
    help="Metric that all others are tested against. [default: rel, else the first]",
)
@click.option(
    "--claims",
    metavar="NAME",
    help="Claims for CRScore: study (the data set's own), symbolic, ... [default: the data set's "
    "own, else symbolic]",
)
@encoder_option
@tau_option
@resamples_option
@csv_option
@json_option
def command(
    *,
    name: str,
    path: Path | None,
    labels: tuple[str, ...],
    metrics: str,
    own: tuple[str, ...],
    against: str | None,
    claims: str | None,
    encoder: str,
    tau: str | None,
    resamples: int,
    csv_file: Path | None,
    as_json: bool,
) -> int:
    """Compare metrics by their agreement with people on one data set."""
    from crscore_core.datasets.registry import OWN, load_data
    from crscore_core.scoring import CachedEncoder
    from crscore_core.validity.compare import LabelTable, first_choice
    from crscore_core.validity.compare_document import compare_csv, compare_document
    from crscore_core.validity.metric_columns import (
        Scoring,
        metric_columns,
        metric_names,
        own_columns,
    )
    from crscore_eval.statistics import ClusterBootstrap

    wanted = metric_names([part.strip() for part in metrics.split(",") if part.strip()])
    if own and not labels:
        raise InputError(
            "a column that is a metric needs a label to agree with: name it by --label"
        )
    if both := set(labels) & set(own):
        raise InputError(f"the column {min(both)!r} cannot be both a label and a metric")
    data = load_data(name, path, (*labels, *own))
    bootstrap = ClusterBootstrap(len(data.corpus.changes), resamples)
    if against is not None and against not in (*wanted, *map(label_name, own)):
        raise InputError(f"--against {against[:80]!r} is none of the metrics compared")
    scoring = Scoring(claims, CachedEncoder(encoder), tau)
    measured = tuple(own_columns(data, own))
    with StatusLine() as line:
        columns = tuple(
            metric_columns(
                data,
                wanted,
                scoring,
                print_progress,
                lambda now: line.show(lambda: f"{now.stage.value}: {now.done:,} of {now.total:,}"),
            )
        )
    columns = (*columns, *measured)
    chosen = against or first_choice(columns)
    of_file = {*map(label_name, own)}
    labels = tuple(label for label in data.labels if label not in of_file)
    print_progress("resampling")
    tables = [
        LabelTable(data.reviews, label, bootstrap).compare(columns, chosen) for label in labels
    ]
    print_warnings(data.oddities)
    status = SET_ASIDE if data.name == OWN and data.oddities else 0
    if csv_file:
        write_file(csv_file, compare_csv(data, tables))
    if as_json:
        print_json(compare_document(data, tables))
        return status
    print_line(f"{data.title}: {len(data.reviews.reviews):,} reviews")
    print_line(
        f"intervals: 95 %, percentiles of {resamples} resamples of changes; p: two-sided, from the "
        f"same (at least {2 / (resamples + 1):.4f}), corrected for the number of metrics"
    )
    for table in tables:
        _print_table(table)
    return status


def _print_table(table: "LabelComparison") -> None:
    kind = "0 or 1" if table.is_binary else "graded"
    print_line()
    print_line(f"{table.label} ({kind}, {table.rows:,} reviews)")
    if table.changes < FEWEST_CHANGES:
        few = counted(table.changes, "change")
        print_line(f"too few changes for intervals: {few}, and {FEWEST_CHANGES} are needed")
    if remark := label_remark(table.label):
        print_line(remark)
    first, *others = table.metrics[0].statistics
    names = (name.replace("_", " ") for name in others)
    rows = [["metric", "rows", first, *names, f"less {table.chosen}", "p", "s a 1,000", ""]]
    without: dict[str, list[str]] = {}
    for one in table.metrics:
        if not one.rows:
            without.setdefault(one.remark, []).append(one.metric)
            continue
        main, *more = one.statistics.values()
        difference = str(one.against.difference) if one.against else ""
        p = one.against.p_corrected if one.against else None
        rows.append(
            [
                one.metric,
                f"{one.rows:,}",
                str(main) or "–",
                *("–" if number.value is None else f"{number.value:.3f}" for number in more),
                difference,
                "" if p is None else f"{p:.3f}",
                f"{one.seconds:.2f}",
                one.remark,
            ]
        )
    print_table(rows, left=(0, 2, len(rows[0]) - 4, len(rows[0]) - 1))
    for reason, names_without in without.items():
        print_line(f"no value, as {reason}: {', '.join(names_without)}")
