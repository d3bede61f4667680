"""`crscore rank`."""

from typing import TYPE_CHECKING, Annotated

import typer

from crscore_cli.options import Json
from crscore_cli.output import print_json, print_line, print_table
from crscore_core.scoring.presets import resolve_tau

if TYPE_CHECKING:
    import pandas as pd

    from crscore_eval.ranking import Order
    from crscore_eval.table import Run

_MOST_PAIRS, _LONGEST_NAME = 20, 20

RunName = Annotated[str, typer.Argument(metavar="RUN", help="A run, study or kinds.")]
By = Annotated[
    str | None,
    typer.Option(
        metavar="MEASURE",
        help="relevance, no_threshold, conciseness, comprehensiveness, people or a column of "
        "numbers; by default people if they rated 50 reviews of 10 changes, else relevance.",
    ),
]
RunTau = Annotated[
    str | None,
    typer.Option("--tau", metavar="X", help="A number, tau_gt or tau_best instead of the run's."),
]


def rank(*, run: RunName, by: By = None, tau: RunTau = None, as_json: Json = False) -> None:
    """Order the systems of a run and compare all pairs.

    Intervals are 95 % over changes. An order is clear if it is significant
    after Holm's correction; systems whose order is open share places.
    """
    from crscore_eval.data import open_data
    from crscore_eval.ranking import basis, mean_words, order_document, order_systems, verdict

    found = open_data(run)
    order = order_systems(found, by, tau_of(found, tau))
    sentences = verdict(order)
    if as_json:
        said = {"run": run, "verdict": " ".join(sentences), "basis": basis(order)}
        print_json({**said, **order_document(order)})
        return
    for sentence in [*sentences, basis(order)]:
        print_line(sentence)
    _print_systems(order, mean_words(found))
    _print_agreement(order)
    _print_pairs(order)


def tau_of(run: "Run", tau: str | None) -> float | None:
    """Return the tau that an option gives, None for the run's own.

    Raises:
        InputError: it is neither a number nor a preset of the run's encoder.
    """
    if tau is None:
        return None
    return resolve_tau(tau, run.settings["encoder"], run.settings["claims"])


def _print_systems(order: "Order", words: "pd.Series[float]") -> None:
    from crscore_core.text import short_name
    from crscore_eval.ranking.verdict import figure_words

    head = ["place", "system", "reviews", _title(order.by.name)]
    head += [_title(order.other.name), "rank"] if order.other else []
    rows = []
    for row in order.systems.to_dict("records"):
        places = dict.fromkeys((row["first_place"], row["last_place"]))
        cells = ["-".join(map(str, places)), short_name(row["system"], _LONGEST_NAME)]
        cells += [f"{row['n']:,}", figure_words(row["mean"], row["low"], row["high"], 2)]
        if order.other:
            cells.append(figure_words(row["other_mean"], digits=2))
            cells.append("" if row["other_rank"] != row["other_rank"] else f"{row['other_rank']:g}")
        rows.append([*cells, f"{words[row['system']]:.0f}"])
    print_table([*head, "words"], rows, left=(0, 1))


def _print_agreement(order: "Order") -> None:
    from crscore_eval.metrics import metric_title
    from crscore_eval.ranking.verdict import figure_words

    if order.agreement is None:
        return
    rows = [
        (
            metric_title(row["name"]) if number else order.measure.title,
            figure_words(row["spearman"], row["low"], row["high"], 2),
            figure_words(row["difference"], digits=2),
            figure_words(row["p"]),
            f"{figure_words(row['lowest'], digits=2)} to {figure_words(row['highest'], digits=2)}",
        )
        for number, row in enumerate(order.agreement.to_dict("records"))
    ]
    print_table(("agreement", "Spearman", "less", "p (Holm)", "without one"), rows)
    print_line(f"less: {order.measure.title} less the baseline; without one: one system left out.")


def _print_pairs(order: "Order") -> None:
    from crscore_core.text import short_name
    from crscore_eval.ranking import pair_words
    from crscore_eval.ranking.verdict import figure_words

    if order.pairs.empty:
        return
    rows = [
        (
            short_name(pair["higher"], _LONGEST_NAME),
            short_name(pair["lower"], _LONGEST_NAME),
            figure_words(pair["difference"], pair["low"], pair["high"], 2),
            pair_words(pair),
            figure_words(pair["other_difference"], digits=2),
        )
        for pair in order.pairs.head(_MOST_PAIRS).to_dict("records")
    ]
    head = ["higher", "lower", "difference", "order"]
    if order.other:
        print_table([*head, f"by {_title(order.other.name)}"], rows, left=(0, 1, 3))
    else:
        print_table(head, [row[:-1] for row in rows], left=(0, 1, 3))
    if (more := len(order.pairs) - len(rows)) > 0:
        print_line(f"{more:,} more pairs: see --json.")


def _title(name: str) -> str:
    return name.removeprefix("label_").replace("_", " ")
