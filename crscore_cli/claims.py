"""`crscore claims`."""

from crscore_cli.options import (
    BaseUrl,
    Claims,
    Device,
    Diff,
    Json,
    Language,
    Model,
    NoCache,
    claim_options,
    read_change,
    read_claims,
)
from crscore_cli.output import print_json, print_line, print_warnings
from crscore_core.claims import DEFAULT_CLAIMS
from crscore_core.scoring.documents import claims_document


def claims(
    *,
    diff: Diff,
    claims: Claims = DEFAULT_CLAIMS,
    language: Language = None,
    base_url: BaseUrl = None,
    model: Model = None,
    device: Device = None,
    no_cache: NoCache = False,
    as_json: Json = False,
) -> None:
    """Show the claims about a change and its implications."""
    generator = read_claims(claims, claim_options(base_url, model, device, no_cache=no_cache))
    change = read_change(diff, language)
    document = claims_document(generator.generate(change), change.warnings)
    if as_json:
        print_json(document)
        return
    for claim in document["claims"]:
        place = f"{claim['path'] or 'hunk'}:{claim['line'] or '-'}"
        print_line(f"{claim['kind']:<12}{place}  {claim['text']}")
    print_warnings(document["warnings"])
