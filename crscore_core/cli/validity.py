"""`crscore validity`."""

from pathlib import Path

import click

from crscore_core.cli.claims import ClaimChoice, claim_options, shown_answers
from crscore_core.cli.inputs import csv_option, encoder_option, json_option, resamples_option
from crscore_core.cli.output import (
    print_json,
    print_line,
    print_progress,
    print_table,
    print_warnings,
    write_file,
)
from crscore_eval.statistics import Estimate


@click.command("validity")
@click.option(
    "--study",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the released study. [default: the development part that comes with the "
    "package, 183 changes]",
)
@claim_options(
    "study",
    "or study, gpt-4o (comes with the study), or a file with claims about its changes",
)
@encoder_option
@click.option(
    "--tau",
    metavar="X",
    help="Similarity threshold: a number, tau_best or tau_gt as this study gives them; by "
    "default the encoder's preset.",
)
@resamples_option
@csv_option
@json_option
def command(
    *,
    folder: Path | None,
    claims: ClaimChoice,
    encoder: str,
    tau: str | None,
    resamples: int,
    csv_file: Path | None,
    as_json: bool,
) -> None:
    """Recompute the paper's tables on the human study: paper | here | interval."""
    from crscore_core.datasets.study.corpus import STUDY_CLAIMS, study_corpus
    from crscore_core.datasets.study.load import load_study
    from crscore_core.datasets.study.shipped import SHIPPED, shipped_study
    from crscore_core.scoring import DEFAULT_ENCODER, CachedEncoder
    from crscore_core.validity.document import validity_csv, validity_document
    from crscore_core.validity.figures import validity_tables
    from crscore_core.validity.shipped import shipped_validity
    from crscore_core.validity.study_validity import StudyValidity

    if folder is None and (claims.name, encoder) == (STUDY_CLAIMS, DEFAULT_ENCODER):
        validity = shipped_validity(resamples)
    else:
        study = shipped_study() if folder is None else load_study(folder)
        print_progress("scoring the reviews; texts that are new take minutes")
        with shown_answers() as progress:
            corpus = study_corpus(study, claims.name, folder or SHIPPED, claims.options, progress)
            validity = StudyValidity.of(study, corpus, CachedEncoder(encoder), resamples)
    print_progress("computing the tables")
    at = validity.at(validity.resolve_tau(tau))
    tables = validity_tables(validity, at)
    print_warnings(validity.warnings)
    if csv_file:
        write_file(csv_file, validity_csv(tables))
    if as_json:
        print_json(validity_document(validity, at, tables))
        return
    if folder is None:
        print_line("the development part of the human study; `crscore study fetch` gets all of it")
    print_line(
        f"{int(validity.comparison.is_judged.sum())} rated reviews of "
        f"{len(validity.comparison.changes)} changes, the ground truth left out"
    )
    print_line(
        f"claims {validity.comparison.claims}, encoder {validity.comparison.encoder}, "
        f"tau {at.tau:.4f}"
    )
    if validity.comparison.left_out:
        print_line(
            f"left out: {len(validity.comparison.left_out)} changes without pseudo-references"
        )
    print_line(f"intervals: 95 %, percentiles of {resamples} resamples of changes")
    for table in tables:
        print_line()
        print_line(f"{table.title}{f' ({table.source})' if table.source else ''}")
        rows: list[tuple[str, ...]] = [("figure", "paper", "here", "interval")]
        for figure in table.figures:
            digits = 0 if figure.is_count else table.digits
            values = (_number(value, digits) for value in (figure.paper, figure.here.value))
            rows.append((figure.name, *values, _interval(figure.here, digits)))
        print_table(rows, left=(0, 3))


def _number(value: float | None, digits: int) -> str:
    if value is None:
        return "–"
    return f"{value:.1e}" if 0 < abs(value) < 0.001 else f"{value:.{digits}f}"


def _interval(estimate: Estimate, digits: int) -> str:
    if estimate.interval is None:
        return ""
    low, high = estimate.interval.low, estimate.interval.high
    return f"[{low:.{digits}f}, {high:.{digits}f}]"
