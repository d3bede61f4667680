"""`crscore score`."""

from collections.abc import Sequence

import click

from crscore_core.cli.analysis import AnalysisOptions, analysis_options, read_analysis
from crscore_core.cli.claim_options import (
    ClaimChoice,
    claim_options,
    read_claim_choice,
    shown_answers,
)
from crscore_core.cli.inputs import (
    diff_option,
    encoder_option,
    json_option,
    language_option,
    read_change,
    read_review,
    tau_option,
)
from crscore_core.cli.output import print_analyzers, print_json, print_line, print_warnings
from crscore_core.scoring.documents import score_document, score_warnings
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.scorer import CRScorer


@click.command("score")
@diff_option
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
@language_option
@analysis_options
@json_option
def command(
    *,
    diff: str,
    reviews: tuple[str, ...],
    claims: ClaimChoice,
    encoder: str,
    tau: str | None,
    language: str | None,
    as_json: bool,
    analysis: AnalysisOptions,
) -> None:
    """Score reviews of a change, without a reference review.

    Predicted relevance is what people would say, from 0 to 1. Con, Comp and Rel say how much of
    the change the review talks about.
    """
    change, new_files, analyzers = read_analysis(analysis, read_change(diff, language))
    with shown_answers() as progress:
        scorer = CRScorer(
            claims=read_claim_choice(claims, progress),
            encoder=encoder,
            tau=tau,
            analyzers=analyzers,
        )
        texts = [read_review(review) for review in reviews]
        scores = scorer.score_many(change, texts, new_files=new_files)
    if as_json:
        print_json(score_document(scores))
    else:
        _print_scores(scores)


def _print_scores(scores: Sequence[ReviewScore]) -> None:
    from crscore_core.corpus.at_odds import reviews_at_odds

    for number, score in enumerate(scores, start=1):
        print_line(f"review {number}")
        _print_predicted(score)
        for name in ("conciseness", "comprehensiveness", "relevance"):
            value = getattr(score, name)
            print_line(f"  {name:<18}{'cannot be scored' if value is None else f'{value:.3f}'}")
        for sentence in score.sentences:
            print_line(f"  {'on topic ' if sentence.on_topic else 'off topic'} {sentence.text}")
        for index in score.covered:
            print_line(f"  covered   {score.pseudo_references[index].text}")
        for index in score.missed:
            print_line(f"  missed    {score.pseudo_references[index].text}")
        print_line(f"  {score.feedback.summary}")
    named = {f"review {number}": score for number, score in enumerate(scores, start=1)}
    for line in reviews_at_odds(named):
        print_line(line)
    print_analyzers(scores[0].references.analyzers)
    print_line(str(scores[0].signature))
    print_warnings(score_warnings(scores))


def _print_predicted(score: ReviewScore) -> None:
    predicted = score.predicted
    if predicted is None:
        return
    print_line(
        f"  predicted relevance {predicted.relevance:.3f} (people would rate it "
        f"{predicted.rating:.1f} of 5)"
    )
    print_line(
        f"  probably relevant {predicted.relevant:.2f}, informative {predicted.informative:.2f}, "
        f"well expressed {predicted.well_expressed:.2f}, if it is about the change at all"
    )
    for reason in predicted.raised_by:
        print_line(f"  raised by {reason}")
    for reason in predicted.lowered_by:
        print_line(f"  lowered by {reason}")
    for suggestion in predicted.suggestions:
        print_line(f"  to mend: the review {suggestion}")
    if predicted.remark:
        print_line(f"  {predicted.remark}")
    print_line("  how much of the change it talks about:")
