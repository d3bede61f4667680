"""`crscore validity`."""

from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crscore_cli import options, output
from crscore_core.claims import CLAIM_BACKENDS, MAX_TOKENS, ModelOptions, claim_backend
from crscore_core.claims.registry import check_options
from crscore_core.scoring import DEFAULT_ENCODER, canonical_name
from crscore_core.scoring.presets import check_tau
from crscore_core.text import counted
from crscore_eval.formatting import figure_cells

if TYPE_CHECKING:
    import pandas as pd

_INTERVAL = ("low", "high", "digits")


def validity(
    *,
    folder: Annotated[
        Path | None,
        typer.Option("--study", metavar="DIR", help="Clone of the release; else the shipped part."),
    ] = None,
    claims: Annotated[
        str,
        typer.Option(metavar="NAME_OR_FILE", help="study, symbolic, magicoder, endpoint, a file."),
    ] = "study",
    encoder: options.EncoderName = DEFAULT_ENCODER,
    tau: Annotated[
        str | None,
        typer.Option(
            metavar="X", help="Number, or tau_gt or tau_best of the study; else the preset."
        ),
    ] = None,
    base_url: options.BaseUrl = None,
    model: options.Model = None,
    max_tokens: options.MaxTokens = MAX_TOKENS,
    all_tables: Annotated[
        bool, typer.Option("--all", metavar="", help="Also print the paper's other tables.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Compare CRScore with people on the human study.

    Intervals are 95%, over changes. A file of claims is JSON Lines, with a diff and its claims on
    each line. The study's own claims take seconds, symbolic claims minutes, models longer.
    """
    from crscore_eval.data.study_run import score_study
    from crscore_eval.table import is_by_system, remarks, run_signature
    from crscore_eval.validity import shown_tables as shown
    from crscore_eval.validity.agreement import TAU_NAMES, resolve_study_tau
    from crscore_eval.validity.figures import agreement_rows, validity_document, validity_tables

    if tau is not None and tau not in TAU_NAMES:
        check_tau(tau)  # fails before the study is scored
    model_options = ModelOptions(model, base_url=base_url, max_tokens=max_tokens)
    check_options(claims, model_options)
    source = claim_backend(claims, model_options) if claims in CLAIM_BACKENDS else claims
    with output.progress_reporter("scoring the study") as show:
        study, run, pairs = score_study(folder, source, canonical_name(encoder), show)
        used_tau = resolve_study_tau(run, tau)
        tables = validity_tables(run, used_tau, study, pairs)
    output.print_warnings(remarks(run.settings))
    if as_json:
        output.print_json(validity_document(run, tables, used_tau, study, pairs))
        return
    if folder is None:
        output.print_line("The shipped part of the human study; --study DIR reads all of it.")
    output.print_line(f"signature {run_signature(run.settings, used_tau)}")
    title = "Spearman's correlation of relevance with people's ratings"
    agreement = agreement_rows(tables).assign(digits=3)
    _print_table(title, agreement, {"of": "level", "at": "tau"})
    n_by_systems, n_changes = int(is_by_system(run.reviews).sum()), len(run.changes)
    sizes = f"{counted(n_by_systems, 'review')} of {counted(n_changes, 'change')}"
    n_reference = counted(len(run.reviews) - n_by_systems, "reference review")
    output.print_line(f"The data has {sizes}; left out: {n_reference}.")
    output.print_line(f"Chance is 0. In parentheses: 95% intervals. {shown.INTERVALS_NOTE}")
    output.print_line(shown.PRESETS_NOTE)
    if agreement["paper"].notna().any():
        output.print_line(shown.PAPER_SETTING_NOTE)
    others = shown.shown_tables(tables, used_tau) if all_tables else {}
    for heading, figures in others.items():
        _print_table(heading, figures, {"row_title": "row", "column_title": "figure"})


def _print_table(title: str, rows: "pd.DataFrame", heads: dict[str, str]) -> None:
    """Print figures after columns of text; `heads` maps these columns to their headings."""
    table = rows[[*heads]].rename(columns=heads)
    if rows["paper"].notna().any():
        table["paper"] = figure_cells(rows.assign(low=nan, high=nan), "paper", *_INTERVAL)
    name = "recomputed (95%)" if rows["low"].notna().any() else "recomputed"
    table[name] = figure_cells(rows, "recomputed", *_INTERVAL)
    if "n" in rows:
        table["n"] = rows["n"].map("{:.0f}".format)
    output.print_table(table, len(heads), title)
