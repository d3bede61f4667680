"""`crscore claims`."""

from crscore_cli import options
from crscore_cli.output import print_json, print_line, print_warnings
from crscore_core.claims import DEFAULT_CLAIMS, claim_generator
from crscore_core.scoring.documents import claims_document


def claims(
    *,
    diff: options.Diff,
    claims: options.Claims = DEFAULT_CLAIMS,
    language: options.Language = None,
    base_url: options.BaseUrl = None,
    model: options.Model = None,
    device: options.Device = None,
    no_cache: options.NoCache = False,
    as_json: options.Json = False,
) -> None:
    """Show the claims about a change and its implications."""
    generator = claim_generator(
        claims, options.claim_options(base_url, model, device, no_cache=no_cache)
    )
    change = options.read_change(diff, language)
    document = claims_document(generator.generate(change), change.warnings)
    if as_json:
        print_json(document)
        return
    for claim in document["claims"]:
        place = f"{claim['path'] or 'hunk'}:{claim['line'] or '-'}"
        print_line(f"{claim['kind']:<12}{place}  {claim['text']}")
    print_warnings(document["warnings"])
