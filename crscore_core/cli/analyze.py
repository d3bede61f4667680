"""`crscore analyze`."""

import click

from crscore_core.cli.inputs import (
    diff_option,
    json_option,
    language_option,
    new_file_option,
    old_file_option,
    read_change,
    read_whole_files,
)
from crscore_core.cli.output import print_analyzers, print_json, print_line, print_warnings
from crscore_core.report import smells_document
from crscore_core.smells import find_smells

__all__ = ["command"]


@click.command("analyze")
@diff_option
@language_option
@new_file_option
@old_file_option
@json_option
def command(
    *,
    diff: str,
    language: str | None,
    new_files: tuple[str, ...],
    old_files: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show the smells on the changed lines, and what was analysed."""
    change = read_change(diff, language)
    results = find_smells(change, read_whole_files(new_files, old_files, change))
    document = smells_document(results, change.warnings)
    if as_json:
        print_json(document)
        return
    for smell in document["smells"]:
        print_line(f"{smell['path'] or 'hunk'}:{smell['line']}  {smell['text']} ({smell['rule']})")
    print_analyzers(results)
    print_warnings(document["warnings"])
