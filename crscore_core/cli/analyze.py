"""`crscore analyze`."""

import click

from crscore_core.cli.analysis import AnalysisOptions, analysis_options, read_analysis
from crscore_core.cli.inputs import diff_option, json_option, language_option, read_change
from crscore_core.cli.output import print_analyzers, print_json, print_line, print_warnings
from crscore_core.scoring.documents import smells_document
from crscore_core.scoring.smells import find_smells


@click.command("analyze")
@diff_option
@language_option
@analysis_options
@json_option
def command(*, diff: str, language: str | None, as_json: bool, analysis: AnalysisOptions) -> None:
    """Show the smells on the changed lines, and what was analysed."""
    change, new_files, analyzers = read_analysis(analysis, read_change(diff, language))
    results = find_smells(change, new_files, analyzers)
    document = smells_document(results, change.warnings)
    if as_json:
        print_json(document)
        return
    for smell in sorted(document["smells"], key=lambda smell: (smell["path"] or "", smell["line"])):
        print_line(f"{smell['path'] or 'hunk'}:{smell['line']}  {smell['text']} ({smell['rule']})")
    print_analyzers(results)
    print_warnings(document["warnings"])
