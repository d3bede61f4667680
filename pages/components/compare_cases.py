"""The reviews on which two metrics disagree most, and everything about one of them."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from crscore_core.datasets.labelled import LabelledData
from crscore_core.statistics.disagreement import disagreement, rank_shares
from crscore_core.validity.compare import LabelComparison
from crscore_core.validity.metric_columns import BASELINES, CRSCORE, TITLES, MetricColumn
from pages.components.compare_table import choose_metric
from pages.components.compare_tokens import show_tokens
from pages.components.markup import diff_view, plain_text, text_table
from pages.components.review_choice import show_review_list
from pages.components.text import escape_markdown, shorten

_REVIEW = "compare_review"
"""Key of the id of the review that is shown, in the URL under the same name."""

_MOST = 200
_TEXT_WIDTH = 200
_CODE_HEIGHT = 480


@st.fragment
def show_disagreement(
    data: LabelledData, columns: Sequence[MetricColumn], table: LabelComparison
) -> None:
    """Show the labelled reviews that two metrics rank most differently, and one review."""
    st.header("Where two metrics disagree", anchor=False)
    known = [one for one in table.metrics if one.main.value is not None]
    best = sorted(known, key=lambda one: (one.metric in CRSCORE, -(one.main.value or 0.0)))
    usual = next((one.metric for one in best if one.metric != table.chosen), table.chosen)
    left, right = st.columns(2)
    with left:
        one = choose_metric("One metric", "compare_one", columns, table.chosen)
    with right:
        other = choose_metric("Another metric", "compare_other", columns, usual)
    if one is other:
        st.info("Choose two different metrics.")
        return
    reviews, label = data.reviews, data.reviews.labels[table.label]
    found = disagreement(
        *(np.where(label.is_given, column.values, np.nan) for column in (one, other))
    )
    if not found.positions.size:
        st.info("No review with this label has a value of both metrics.")
        return
    st.caption(
        f"{found.positions.size:,} reviews have the label and both values"
        + (f"; the first {_MOST} are listed" if found.positions.size > _MOST else "")
        + ". A rank is the share of them that the metric puts lower. Choose a row to read it."
    )
    positions = found.positions[:_MOST].tolist()
    rows = pd.DataFrame(
        {
            f"people: {table.label}": label.values[positions],
            f"rank by {TITLES[one.name]}": 100 * found.one[:_MOST],
            f"rank by {TITLES[other.name]}": 100 * found.other[:_MOST],
            "review": [shorten(reviews.texts[at], _TEXT_WIDTH) for at in positions],
            "system": [reviews.reviews[at].system for at in positions],
            "language": reviews.language[positions],
            "id": [reviews.reviews[at].id for at in positions],
        }
    )
    listed = st.container()
    position = _choose_review(data, positions)
    with listed:
        shown = [row for row, at in enumerate(positions) if at == position]
        share = st.column_config.NumberColumn(format="%.0f %%")
        show_review_list("compare", rows, shown, _REVIEW, dict.fromkeys(rows.columns[1:3], share))
    if position is not None:
        _show_review(data, columns, position)


def _choose_review(data: LabelledData, positions: Sequence[int]) -> int | None:
    wanted = st.text_input(
        "Review by its id",
        key=_REVIEW,
        bind="query-params",
        placeholder="the first of the list",
        width=320,
    )
    if not wanted:
        return positions[0]
    for position, review in enumerate(data.reviews.reviews):
        if review.id == wanted:
            return position
    st.warning(f"No review of these data has the id “{escape_markdown(shorten(wanted, 100))}”.")
    return None


def _show_review(data: LabelledData, columns: Sequence[MetricColumn], position: int) -> None:
    reviews = data.reviews
    review, reference = reviews.reviews[position], reviews.references[position]
    change = reviews.changes[reviews.change[position]]
    labels = ", ".join(f"{name} {value:g}" for name, value in review.labels.items())
    facts = f"Review {review.id}, change {change.id}, {change.language or 'language not known'}"
    st.markdown(f"**{escape_markdown(shorten(facts, 200))}.** People: {escape_markdown(labels)}.")
    left, right = st.columns(2)
    with left:
        st.markdown("**The review, as it was written**")
        plain_text(review.text)
        st.markdown("**The reference review**")
        if reference:
            plain_text(reference)
        else:
            st.caption("There is none.")
        text_table(
            [
                {
                    "metric": f"{TITLES[one.name]}{' (baseline)' if one.name in BASELINES else ''}",
                    "value": float(one.values[position]),
                    "rank": f"{100 * rank_shares(one.values)[position]:.0f} %",
                }
                for one in columns
                if not np.isnan(one.values[position])
            ],
            wide=(),
            caption="All metrics; a rank is the share of all reviews with a lower value",
        )
    with right:
        st.markdown("**The change**" if data.has_diffs else "**The code**")
        with st.container(height=_CODE_HEIGHT, border=False):
            if data.has_diffs:
                diff_view(change.diff, change.language)
            else:
                st.code(change.diff, language=change.language, wrap_lines=True)
    show_tokens(review.text, reference)
