"""Results of rating a run: raters, their agreement, and the answers as a file."""

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_eval.data.ratings import CANNOT_TELL, QUESTIONS, RIGHT, WORTH, Ratings, rating_progress
from crscore_eval.statistics import MIN_CHANGES, ClusterBootstrap, krippendorff_alpha
from crscore_eval.table import Run
from pages.components.offers import offer_file
from pages.components.text import between, escape_markdown, number, safe_table

_TITLES = {RIGHT: "right or wrong", WORTH: "worth saying"}


def show_results(run: Run, ratings: Ratings) -> None:
    """Show the raters, their agreement, and where the ratings count."""
    try:
        answers = ratings.answers()
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return
    if answers.empty:
        st.info("Nobody has rated this run yet.")
        return
    st.header("Raters", anchor=False)
    by_rater = answers.groupby("rater", sort=False)
    rows = {
        "rater": list(by_rater.groups),
        "reviews rated": [rating_progress(run, answers, str(name))[0] for name in by_rater.groups],
        "answers": by_rater.size().tolist(),
        "given blind": by_rater["is_blind"].sum().tolist(),
    }
    st.dataframe(safe_table(pd.DataFrame(rows)), hide_index=True)
    _show_agreement(run, answers)
    st.header("Use the ratings", anchor=False)
    st.write(
        "All pages use the mean rating of each review, over everybody who rated it. Ratings from "
        "the file count too."
    )
    st.page_link("pages/rankings.py", label="Rankings", icon=":material/leaderboard:")
    offer_file("Answers as CSV", lambda: safe_table(answers).to_csv(index=False), "ratings.csv")


def _show_agreement(run: Run, answers: pd.DataFrame) -> None:
    st.header("Agreement of raters", anchor=False)
    rows = [row for name in QUESTIONS if (row := _agreement_row(run, answers, name))]
    if not rows:
        st.info("No two raters have rated the same review yet.")
        return
    st.dataframe(pd.DataFrame(rows), hide_index=True)
    st.caption(
        "Krippendorff's alpha on the ordinal scale, with 95% "
        "intervals that resample changes; fewer than "
        f"{MIN_CHANGES} shared changes give no interval. The study's raters reach 0.85 to 0.89; "
        "alpha of 0.8 or more usually counts as reliable."
    )


def _agreement_row(run: Run, answers: pd.DataFrame, name: str) -> dict[str, object] | None:
    counted = answers[(answers["question"] == name) & (answers["value"] != CANNOT_TELL)]
    table = counted.pivot(index="id", columns="rater", values="value").dropna(thresh=2)
    if table.empty:
        return None
    change = run.reviews.set_index("id")["change"].reindex(table.index)
    cluster = pd.factorize(change)[0]
    n_changes = int(cluster.max()) + 1
    bootstrap = ClusterBootstrap(n_changes)
    alpha = krippendorff_alpha(table.to_numpy(), cluster, bootstrap)
    interval = alpha.interval if n_changes >= MIN_CHANGES else None
    return {
        "question": _TITLES.get(name, name),
        "alpha": number(alpha.value),
        "95% interval": between(interval),
        "shared reviews": len(table),
        "shared changes": n_changes,
    }
