"""`crscore score`."""

from collections.abc import Sequence
from typing import Annotated

import typer

from crscore_cli.options import (
    BaseUrl,
    Claims,
    Device,
    Diff,
    EncoderName,
    Files,
    Json,
    Language,
    Model,
    NoCache,
    Tau,
    claim_options,
    read_change,
    read_claims,
    read_files,
    read_review,
)
from crscore_cli.output import print_analyzers, print_json, print_line, print_warnings
from crscore_core import CRScorer, ReviewScore
from crscore_core.claims import DEFAULT_CLAIMS
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.scoring.documents import score_document, score_warnings

Reviews = Annotated[
    list[str], typer.Option("--review", metavar="TEXT_OR_FILE", help="A review; repeatable.")
]


def score(
    *,
    diff: Diff,
    review: Reviews,
    claims: Claims = DEFAULT_CLAIMS,
    encoder: EncoderName = DEFAULT_ENCODER,
    tau: Tau = None,
    file: Files = None,
    language: Language = None,
    base_url: BaseUrl = None,
    model: Model = None,
    device: Device = None,
    no_cache: NoCache = False,
    as_json: Json = False,
) -> None:
    """Score reviews of a change without a reference review.

    The scores say whether a review is about the change and how much of the change it covers. They
    do not say whether it is right or worth saying.
    """
    options = claim_options(base_url, model, device, no_cache=no_cache)
    scorer = CRScorer(claims=read_claims(claims, options), encoder=encoder, tau=tau)
    change = read_change(diff, language)
    texts = [read_review(text) for text in review]
    scores = scorer.score_many(change, texts, new_files=read_files(file or (), change))
    if as_json:
        print_json(score_document(scores))
    else:
        _print_scores(scores)


def _print_scores(scores: Sequence[ReviewScore]) -> None:
    for number, score in enumerate(scores, start=1):
        print_line(f"review {number}")
        if score.no_threshold is None:
            print_line("  cannot be scored")
        else:
            print_line(f"  {score.in_words}")
            for name in ("conciseness", "comprehensiveness", "relevance"):
                print_line(f"  {name:<20}{getattr(score, name):.3f}")
            print_line(f"  {'without a threshold':<20}{score.no_threshold.relevance:.3f}")
        for sentence in score.sentences:
            print_line(f"  {'matches   ' if sentence.on_topic else 'no match  '}{sentence.text}")
        for index in score.covered:
            print_line(f"  covered   {score.pseudo_references[index].text}")
        for index in score.missed:
            print_line(f"  missed    {score.pseudo_references[index].text}")
    print_line("Not judged: whether a review is right or worth saying.")
    print_analyzers(scores[0].references.analyzers)
    print_line(str(scores[0].signature))
    print_warnings(score_warnings(scores))
