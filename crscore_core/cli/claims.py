"""`crscore claims`."""

import click

from crscore_core.cli.claim_options import (
    ClaimChoice,
    claim_options,
    read_claim_choice,
    shown_answers,
)
from crscore_core.cli.inputs import diff_option, json_option, language_option, read_change
from crscore_core.cli.output import print_json, print_line, print_warnings
from crscore_core.scoring.documents import claims_document


@click.command("claims")
@diff_option
@claim_options()
@language_option
@json_option
def command(*, diff: str, claims: ClaimChoice, language: str | None, as_json: bool) -> None:
    """Show the claims about a change and its implications."""
    with shown_answers() as progress:
        generator = read_claim_choice(claims, progress)
        change = read_change(diff, language)
        document = claims_document(generator.generate(change), change.warnings)
    if as_json:
        print_json(document)
        return
    for claim in document["claims"]:
        place = f"{claim['path'] or 'hunk'}:{claim['line'] or '-'}"
        print_line(f"{claim['kind']:<12}{place}  {claim['text']}")
    print_warnings(document["warnings"])
