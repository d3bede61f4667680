"""`crscore claims`."""

from dataclasses import asdict

from crscore_cli import options, output
from crscore_core.claims import DEFAULT_CLAIMS, MAX_TOKENS, ModelOptions, claim_backend
from crscore_core.text import counted


def claims(
    *,
    diff: options.Diff,
    claims: options.Claims = DEFAULT_CLAIMS,
    language: options.Language = None,
    base_url: options.BaseUrl = None,
    model: options.Model = None,
    max_tokens: options.MaxTokens = MAX_TOKENS,
    as_json: options.Json = False,
) -> None:
    """Show the claims about a change."""
    model_options = ModelOptions(model, base_url=base_url, max_tokens=max_tokens)
    change = options.read_change(diff, language)
    claim_set = claim_backend(claims, model_options).generate(change)
    claim_list, left_out = (list(map(asdict, of)) for of in (claim_set.claims, claim_set.left_out))
    warnings = [*change.warnings, *claim_set.warnings]
    if as_json:
        output.print_json({"claims": claim_list, "left_out": left_out, "warnings": warnings})
        return
    output.print_line(counted(len(claim_list), "claim"))
    marks = {"claim": "", "implication": "implication: "}
    output.print_by_file(claim_list, lambda claim: marks[claim["kind"]] + claim["text"])
    output.print_warnings(warnings)
