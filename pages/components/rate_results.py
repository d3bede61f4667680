"""Results of rating: the raters of a run, their agreement, and a file of the answers."""

from collections.abc import Sequence
from math import isnan

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_eval.data.ratings import (
    ANSWER_COLUMNS,
    CANNOT_TELL,
    RIGHT,
    WORTH,
    Ratings,
    describe_source,
)
from crscore_eval.formatting import format_figure
from crscore_eval.statistics.bootstrap import MIN_CHANGES
from crscore_eval.statistics.krippendorff import krippendorff_alpha
from crscore_eval.table import Run
from crscore_eval.table.clusters import bootstrap_changes, clusters
from pages.components.downloads import offer_file
from pages.components.text import describe_error, safe_table

_TITLES = {RIGHT: "right or wrong", WORTH: "worth saying"}


def show_results(run: Run, ratings: Ratings, questions: Sequence[str]) -> None:
    """Show who answered the questions, their agreement, and where the answers count."""
    try:
        answers = ratings.answers()
    except InputError as error:
        st.error(describe_error(error))
        return
    answers = answers[answers["question"].isin(questions)]
    if answers.empty:
        st.info("Nobody has answered these questions in the app.")
        return
    st.header("Raters", anchor=False)
    by_rater = answers.groupby("rater", sort=False)
    rows = {
        "rater": list(by_rater.groups),
        "reviews with answers": by_rater["id"].nunique().tolist(),
        "answers": by_rater.size().tolist(),
        "given blind": by_rater["is_blind"].sum().tolist(),
    }
    st.dataframe(safe_table(pd.DataFrame(rows)), hide_index=True)
    _show_agreement(run, answers)
    st.write(f"All pages use the mean answer about each review, {_with_file(run, questions)}.")
    st.page_link("pages/rankings.py", label="Rankings", icon=":material/leaderboard:")
    offer_file("Answers as CSV", lambda: safe_table(answers).to_csv(index=False), "ratings.csv")


def _with_file(run: Run, questions: Sequence[str]) -> str:
    """Say how the ratings of the file count."""
    sources = {name: describe_source(run.reviews, ANSWER_COLUMNS[name]) for name in questions}
    named = [f"{_TITLES.get(name, name)} is {source}" for name, source in sources.items() if source]
    return "; ".join(["without ratings of the file", *named])


def _show_agreement(run: Run, answers: pd.DataFrame) -> None:
    st.header("Agreement of raters", anchor=False)
    names = answers["question"].unique()
    rows = [row for name in names if (row := _agreement_row(run, answers, name))]
    if not rows:
        n_raters = answers["rater"].nunique()
        reason = "one rater has answered" if n_raters == 1 else "no review has two raters' answers"
        st.info(f"Agreement needs two raters of the same review; so far, {reason}.")
        return
    st.dataframe(pd.DataFrame(rows), hide_index=True)
    st.caption(
        "Krippendorff's alpha on the ordinal scale, with 95% intervals over changes; fewer than "
        f"{MIN_CHANGES} shared changes give no interval. The study's raters reach 0.85 to 0.89; "
        "an alpha of 0.8 or more usually counts as reliable."
    )


def _agreement_row(run: Run, answers: pd.DataFrame, name: str) -> dict[str, object] | None:
    values = answers[(answers["question"] == name) & (answers["value"] != CANNOT_TELL)]
    table = values.pivot(index="id", columns="rater", values="value").dropna(thresh=2)
    if table.empty:
        return None
    changes = run.reviews.set_index("id")["change"].reindex(table.index)
    shared = changes.to_frame()
    alpha = krippendorff_alpha(table.to_numpy(), clusters(shared), bootstrap_changes(shared))
    return {
        "question": _TITLES.get(name, name),
        "alpha": format_figure(alpha.value, missing="–"),
        "95% interval": "–" if isnan(alpha.low) else f"{alpha.low:.3f} to {alpha.high:.3f}",
        "shared reviews": len(table),
        "shared changes": changes.nunique(),
    }
