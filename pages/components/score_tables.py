"""Scores of the Score page as tables."""

from collections.abc import Sequence

import pandas as pd

from analyzers import Status
from crscore_core import ReviewScore
from crscore_core.predicted.features import FEATURES


def overview_table(scores: Sequence[ReviewScore], names: Sequence[str]) -> pd.DataFrame:
    """Return one row a review: its scores, the calibrated one if any, and feedback in words."""
    table = pd.DataFrame(
        {
            "review": names,
            "conciseness": [score.conciseness for score in scores],
            "comprehensiveness": [score.comprehensiveness for score in scores],
            "relevance": [score.relevance for score in scores],
            "calibrated relevance": [score.calibrated_relevance for score in scores],
            "feedback": [feedback_in_words(score) for score in scores],
        }
    )
    if all(score.calibrated_relevance is None for score in scores):
        return table.drop(columns="calibrated relevance")
    return table


def feedback_in_words(score: ReviewScore) -> str:
    """Sum the scores up, or say that there are none."""
    return "It cannot be scored." if score.relevance is None else score.feedback.summary


def sentence_table(score: ReviewScore) -> pd.DataFrame:
    """Return one row a sentence, from S1: on topic or off, and its best pseudo-reference."""
    return pd.DataFrame(
        {
            "topic": ["✓ on topic" if s.on_topic else "✗ off topic" for s in score.sentences],
            "sentence": [s.text for s in score.sentences],
            "best similarity": [
                "" if s.best_similarity is None else f"{s.best_similarity:.3f}"
                for s in score.sentences
            ],
            "to": [
                "" if s.best_reference is None else f"P{s.best_reference + 1}"
                for s in score.sentences
            ],
        },
        index=[f"S{number}" for number in range(1, len(score.sentences) + 1)],
    )


def reference_table(score: ReviewScore) -> pd.DataFrame:
    """Return one row a pseudo-reference, from P1: covered or missed, and its source."""
    covered = set(score.covered)
    references = score.pseudo_references
    return pd.DataFrame(
        {
            "coverage": [
                "✓ covered" if index in covered else "✗ missed" for index in range(len(references))
            ],
            "pseudo-reference": [r.text for r in references],
            "kind": [r.kind.value for r in references],
            "source": [r.source for r in references],
            "file": [r.path or "" for r in references],
            "line": ["" if r.line is None else str(r.line) for r in references],
        },
        index=[f"P{number}" for number in range(1, len(references) + 1)],
    )


def contribution_table(score: ReviewScore) -> pd.DataFrame:
    """Return one row a feature of the calibrated relevance: its meaning and its effect."""
    return pd.DataFrame(
        [
            {
                "feature": part.name.replace("_", " "),
                "meaning": feature.meaning,
                "value": f"{part.value:.3f}",
                "log odds": f"{part.contribution:+.2f}",
            }
            for feature, part in zip(FEATURES, score.calibrated_contributions, strict=True)
        ]
    )


def analyzer_table(score: ReviewScore) -> pd.DataFrame:
    """Return one row for each analyzer and file: its status, and why it was not analysed."""
    return pd.DataFrame(
        [
            {
                "analyzer": result.name,
                "file": result.path or "",
                "status": result.status.value.replace("_", " "),
                "reason": result.reason or "",
                "smells": len(result.smells),
            }
            for result in score.references.analyzers
        ]
    )


def not_analysed_in_words(score: ReviewScore) -> list[str]:
    """List files that were not analysed, which may not be clean, by analyzer and reason."""
    files: dict[tuple[str, str], list[str]] = {}
    for result in score.references.analyzers:
        if result.status is Status.NOT_ANALYSED:
            key = result.name, result.reason or ""
            files.setdefault(key, []).append(result.path or "the hunk")
    return [
        f"Not analysed{'' if name == 'none' else f' by {name}'}: {', '.join(paths)}. {reason}."
        for (name, reason), paths in files.items()
    ]
