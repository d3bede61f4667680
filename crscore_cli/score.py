"""`crscore score`."""

from collections.abc import Hashable, Sequence
from typing import Annotated

import typer

from crscore_cli import options, output
from crscore_core import CRScorer, ReviewScore
from crscore_core.claims import DEFAULT_CLAIMS, MAX_TOKENS, ModelOptions, claim_backend
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.scoring.metric import matches
from crscore_core.text import shorten
from crscore_eval.export.score_document import score_document, score_warnings
from crscore_eval.formatting import format_figure


def score(
    *,
    diff: options.Diff,
    review: Annotated[
        list[str], typer.Option(metavar="TEXT_OR_FILE", help="A review or its file; repeatable.")
    ],
    claims: options.Claims = DEFAULT_CLAIMS,
    encoder: options.EncoderName = DEFAULT_ENCODER,
    tau: options.PresetTau = None,
    file: options.Files = None,
    language: options.Language = None,
    base_url: options.BaseUrl = None,
    model: options.Model = None,
    max_tokens: options.MaxTokens = MAX_TOKENS,
    as_json: options.Json = False,
) -> int:
    """Score reviews of a change without a reference review.

    The scores say whether a review is about the change and how much of the change it covers. They
    do not say whether it is right or worth saying. The exit status is 3 if a review has no score.
    """
    model_options = ModelOptions(model, base_url=base_url, max_tokens=max_tokens)
    scorer = CRScorer(claims=claim_backend(claims, model_options), encoder=encoder, tau=tau)
    change = options.read_change(diff, language)
    texts = [options.read_review_option(text) for text in review]
    scores = scorer.score_many(change, texts, new_files=options.read_files(file or ()))
    if as_json:
        output.print_json(score_document(scores))
    else:
        _print_scores(scores)
    return output.INCOMPLETE if any(score.relevance is None for score in scores) else 0


def _print_scores(scores: Sequence[ReviewScore]) -> None:
    table: dict[Hashable, list[str]] = {
        "review": [f"{at}: {shorten(one.review)}" for at, one in enumerate(scores, start=1)]
    }
    for name in ("relevance", "conciseness", "comprehensiveness", "no_threshold"):
        table[name.replace("_", " ")] = [format_figure(getattr(one, name)) or "–" for one in scores]
    output.print_table(table)
    for number, score in enumerate(scores, start=1):
        if score.no_threshold is not None:
            output.print_line(f"review {number}: {score.summary}")
            _print_matches(score)
    output.print_line("S: sentences, P: pseudo-references, each with its most similar counterpart.")
    output.print_line("Scores range from 0 to 1. They do not say whether a review is right.")
    output.print_analyzers(scores[0].reference_set.analyzers)
    output.print_line(f"signature {scores[0].signature}")
    output.print_warnings(score_warnings(scores))


def _print_matches(score: ReviewScore) -> None:
    """Print sentences, then pseudo-references, each with its best match."""
    texts = [reference.text for reference in score.pseudo_references]
    for letter, other, results, of_side, similarity in (
        ("S", "P", ("no match", "matches"), score.sentence_texts, score.similarity.T),
        ("P", "S", ("missed", "covered"), texts, score.similarity),
    ):
        for number, (text, row) in enumerate(zip(of_side, similarity, strict=True), start=1):
            result = results[bool(matches(row, score.tau).any())]
            best = f"{other}{row.argmax() + 1} {row.max():.3f}"
            output.print_line(f"  {letter}{number:<3}{result:<10}{best:<10}{text}", indent=26)
