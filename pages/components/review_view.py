"""Looking at reviews of one change, in the same way on all pages: texts, scores, matches, diff."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from crscore_core.corpus.change_matrix import ChangeMatrix, change_matrix
from crscore_core.corpus.measures import unchecked_judges
from crscore_core.corpus.reviews import ComparedReview
from crscore_core.corpus.run.judgements import Finding
from crscore_core.corpus.search import position_of_review
from pages.components.source.model import Source

from crscore_core.scoring.references import PseudoReference
from crscore_core.text import capital
from pages.components.controls import two_columns
from pages.components.markup import diff_view, plain_text, text_table
from pages.components.markup.plain import whole
from pages.components.review_choice import REVIEW, Positions, choose_review
from pages.components.text import escape_markdown, shorten, system_name

_HEIGHT = 560
_VERDICTS = {"right": "✓ right", "wrong": "✗ wrong", "cannot tell": "? cannot tell"}
_SCORES = {"relevance": "relevance", "comprehensiveness": "Comp", "conciseness": "Con"}


def walk_through(source: Source, positions: Positions, tau: float) -> int | None:
    """Step through reviews, one of which is shown in a box; return its position, None for none.

    It stands next to a chart, or below it.
    """
    position = choose_review(source.comparison, positions)
    if position is not None:
        with st.container(height=_HEIGHT):
            matrix = change_matrix(source.comparison, (position,))
            show_reviews(source, matrix, tau)
            show_change(source, matrix)
            st.page_link(
                "pages/heatmap.py",
                label="Look at the similarities in the Heatmap",
                icon=":material/grid_on:",
                query_params={REVIEW: source.comparison[position].id},
            )
    return position


def show_reviews(source: Source, matrix: ChangeMatrix, tau: float) -> None:
    """Show one review of a change, or several: their scores, people's ratings, and matches."""
    reviews = matrix.reviews
    change = source.comparison.changes[reviews[0].change]
    named = capital(change.id) if change.id.startswith("change ") else f"Change {change.id}"
    st.header(escape_markdown(shorten(change.title or named, 120)), anchor=False)
    facts = f"{shorten(named, 80)}, {change.language or 'language not known'}"
    if len(reviews) == 1:
        facts += f". {_facts(source, reviews[0])}"
    st.caption(escape_markdown(f"{facts}."))
    if len(reviews) == 1:
        plain_text(reviews[0].text)
    for review in reviews:
        of = f"{system_name(source, review.system)}: " if len(reviews) > 1 else ""
        for warning in review.warnings:
            st.warning(escape_markdown(f"{of}{warning}"))
    if not all(review.sentences for review in reviews):
        st.info(
            "The metric finds no sentence in an empty review, which therefore has no score. "
            "Means count it as 0."
        )
    text_table(
        _scores(source, matrix, tau),
        wide=(),
        caption="Scores from 0 to 1, and people's ratings from 1 to 5",
    )
    if len(reviews) == 1:
        show_judged(source, reviews[0])
    systems = [system_name(source, review.system) for review in reviews]
    show_matches(matrix, tau, systems if len(systems) > 1 else ())


def show_judged(source: Source, review: ComparedReview) -> None:
    """Show what the judges of a run say of the findings of a review."""
    position = position_of_review(source.comparison, review.id)
    if source.run is None or position is None:
        return
    row = int(source.comparison.rows[position])
    for name, judged in source.run.judgements.by_name().items():
        if row in judged:
            of = name.replace("_", " ")
            unchecked = unchecked_judges(source.comparison, [name])
            caption = f"Findings, says the {of}{unchecked and f' ({unchecked})'}"
            show_findings(judged[row].findings, caption, judged[row].reason)


def show_findings(findings: Sequence[Finding] | None, caption: str, reason: str) -> None:
    """Show findings with a judge's verdicts, or the `reason` why there are none."""
    if findings:
        rows = [
            {
                "verdict": _VERDICTS[found.verdict],
                "finding": found.finding,
                "line of the diff": found.line or "–",
            }
            for found in findings
        ]
        text_table(rows, wide=("finding", "line of the diff"), caption=caption)
    elif findings is not None:
        st.caption(f"{escape_markdown(caption)}: none.")
    if reason:
        st.caption(escape_markdown(reason))


def show_change(source: Source, matrix: ChangeMatrix) -> None:
    """Show the diff, with the numbers of the pseudo-references at the lines that they are about."""
    change = source.comparison.changes[matrix.reviews[0].change]
    st.markdown("**The change**")
    if not change.diff:
        st.caption("The diff is not known.")
        return
    marks = tuple(
        (one.path, one.line, f"P{row}")
        for row, one in enumerate(matrix.references, start=1)
        if one.line is not None
    )
    diff_view(change.diff, change.language or None, marks)


def _facts(source: Source, review: ComparedReview) -> str:
    system = shorten(system_name(source, review.system), 80)
    words = f"Review {shorten(review.id, 80)} by {system}"
    if review.labels:
        labels = (f"{shorten(name, 80)} {value:g}" for name, value in review.labels.items())
        words += f". Labels: {', '.join(labels)}"
    return words


def _scores(source: Source, matrix: ChangeMatrix, tau: float) -> list[dict[str, object]]:
    """Return a row of scores a review, and people's ratings: all of one, relevance of several."""
    rows: list[dict[str, object]] = []
    is_one = len(matrix.reviews) == 1
    for review, at_tau, without in zip(
        matrix.reviews, matrix.scores(tau), matrix.no_threshold(), strict=True
    ):
        scores: dict[str, object] = {
            title: getattr(at_tau, name, None) for name, title in _SCORES.items()
        }
        scores["no threshold"] = getattr(without, "relevance", None)
        ratings = {name: getattr(review.ratings, name) for name in _SCORES}
        told = {_SCORES[name]: "–" if one is None else f"{one:g}" for name, one in ratings.items()}
        if not is_one:
            scores["people"] = told["relevance"]
        rows.append({"": "metric" if is_one else system_name(source, review.system), **scores})
        if is_one and set(ratings.values()) != {None}:
            rows.append({"": "people", **told})
    return rows


def show_matches(matrix: ChangeMatrix, tau: float, systems: Sequence[str] = ()) -> None:
    """Show every sentence and pseudo-reference in full, with the text that each is most like.

    `systems` names the writer of each review, where there are several.
    """
    left, right = two_columns()
    if matrix.sentences:
        with left:
            text_table(
                sentence_table(matrix, tau, systems),
                wide=("sentence",),
                caption="Sentences, and the pseudo-reference that each is most like",
            )
    with right if matrix.sentences else left:
        text_table(
            reference_table(matrix, tau),
            wide=("pseudo-reference",),
            caption="Pseudo-references, and the sentence that each is most like",
        )


def sentence_table(matrix: ChangeMatrix, tau: float, systems: Sequence[str] = ()) -> pd.DataFrame:
    """Return one row a sentence, from S1."""
    is_on = matrix.best_of_sentences > tau
    texts = [whole(sentence) for sentence in matrix.sentences]
    names = [f"S{column + 1}" for column in range(len(texts))]
    table = pd.DataFrame(
        {
            "match": ["✓ matches" if on else "✗ no match" for on in is_on],
            "sentence": pd.Series(texts, names, dtype=object),
            "best match": _most_like(matrix, axis=0),
        },
        index=names,
    )
    if systems:
        table.insert(0, "system", [systems[review] for review in matrix.review_of])
    return table


def reference_table(matrix: ChangeMatrix, tau: float) -> pd.DataFrame:
    """Return one row a pseudo-reference, from P1; the sentences of all reviews compete."""
    is_covered = matrix.best_of_references > tau
    texts = [whole(one.text) + "\n" + whole(_origin(one)) for one in matrix.references]
    names = [f"P{row + 1}" for row in range(len(texts))]
    return pd.DataFrame(
        {
            "coverage": ["✓ covered" if covered else "✗ missed" for covered in is_covered],
            "pseudo-reference": pd.Series(texts, names, dtype=object),
            "best match": _most_like(matrix, axis=1),
        },
        index=names,
    )


def _best(matrix: ChangeMatrix, axis: int) -> list[int]:
    """Return the other text that is most like each; nothing where there is none."""
    similarity = matrix.similarity
    best: list[int] = similarity.argmax(axis).tolist() if similarity.size else []
    return best


def _most_like(matrix: ChangeMatrix, axis: int) -> list[str]:
    """Name the best of the other texts for each, and its cosine; nothing where there is none."""
    similarity = matrix.similarity
    if not similarity.size:
        return [""] * similarity.shape[1 - axis]
    partners = zip(_best(matrix, axis), similarity.max(axis), strict=True)
    return [f"{'PS'[axis]}{at + 1} {cosine:.3f}" for at, cosine in partners]


def _origin(reference: PseudoReference) -> str:
    """Name kind, source and place of a pseudo-reference."""
    place = reference.path or ""
    if reference.line is not None:
        place = f"{place}:{reference.line}" if place else f"line {reference.line}"
    return ", ".join(filter(None, (f"— {reference.kind.value}", reference.source, place)))
