"""`crscore claims`."""

import click

from crscore_core.cli.inputs import (
    claims_option,
    diff_option,
    json_option,
    language_option,
    read_change,
    read_claims_option,
)
from crscore_core.cli.output import print_json, print_line, print_warnings
from crscore_core.report import claims_document

__all__ = ["command"]


@click.command("claims")
@diff_option
@claims_option
@language_option
@json_option
def command(*, diff: str, claims: str, language: str | None, as_json: bool) -> None:
    """Show the claims about a change and its implications."""
    generator = read_claims_option(claims)
    change = read_change(diff, language)
    document = claims_document(generator.generate(change), change.warnings)
    if as_json:
        print_json(document)
        return
    for claim in document["claims"]:
        place = f"{claim['path'] or 'hunk'}:{claim['line'] or '-'}"
        print_line(f"{claim['kind']:<12}{place}  {claim['text']}")
    print_warnings(document["warnings"])
