"""`crscore score`."""

from collections.abc import Sequence

import click

from crscore_core.cli.analyze import Analysis, analysis_options
from crscore_core.cli.claims import (
    ClaimChoice,
    claim_options,
    read_claim_choice,
    shown_answers,
)
from crscore_core.cli.inputs import encoder_option, json_option, read_review, tau_option
from crscore_core.cli.output import print_analyzers, print_json, print_line, print_warnings
from crscore_core.scoring.documents import score_document, score_warnings
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.scorer import CRScorer


@click.command("score")
@click.option(
    "--review",
    "reviews",
    required=True,
    multiple=True,
    metavar="TEXT_OR_FILE",
    help="A review, or a file that holds one; may be given several times.",
)
@claim_options()
@encoder_option
@tau_option
@analysis_options
@json_option
def command(
    *,
    reviews: tuple[str, ...],
    claims: ClaimChoice,
    encoder: str,
    tau: str | None,
    as_json: bool,
    analysis: Analysis,
) -> None:
    """Score reviews of a change, without a reference review.

    The scores say whether a review is about the change, and how much of the change it talks
    about. They do not say whether it is right, or worth saying.
    """
    with shown_answers() as progress:
        scorer = CRScorer(
            claims=read_claim_choice(claims, progress),
            encoder=encoder,
            tau=tau,
            analyzers=analysis.analyzers,
        )
        texts = [read_review(review) for review in reviews]
        scores = scorer.score_many(analysis.change, texts, new_files=analysis.new_files)
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
            print_line(f"  {'matches ' if sentence.on_topic else 'no match'} {sentence.text}")
        for index in score.covered:
            print_line(f"  covered   {score.pseudo_references[index].text}")
        for index in score.missed:
            print_line(f"  missed    {score.pseudo_references[index].text}")
    print_line("Not judged: whether it is right, or worth saying.")
    print_analyzers(scores[0].references.analyzers)
    print_line(str(scores[0].signature))
    print_warnings(score_warnings(scores))
