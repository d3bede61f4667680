"""Results of rating a run: raters, their agreement, quality of claims, files."""

from typing import Any

import streamlit as st

from crscore_core.corpus.run.answers import QUESTIONS, RIGHT, WORTH, Answer
from crscore_core.datasets.rated_run import CLAIM, RatedRun, raters_of
from crscore_core.datasets.study.write import study_archive
from crscore_core.scoring import usual_tau
from crscore_core.validity.annotations import agreement_on, claim_quality
from crscore_eval.statistics import FEWEST_CHANGES, Estimate
from pages.components.markup import text_table
from pages.components.offers import offer_file, offer_source
from pages.components.rate_question import keep
from pages.components.source.model import Source
from pages.components.text import counted, figure, number

_TITLES = {RIGHT: "right or wrong", WORTH: "worth saying", CLAIM: "codes of claims"}
_RATES = ("accuracy", "error_rate", "unverifiable_rate", "missing_rate")


def show_results(source: Source, rated: RatedRun) -> None:
    """Show the results of all raters of a run."""
    given = rated.answers.list()
    if not given:
        st.info("Nobody has rated this run yet.")
        return
    st.header("Raters", anchor=False)
    text_table([_rater_row(rated, rater, given) for rater in raters_of(given)])
    _agreement(rated, given)
    _claims(rated, given)
    st.header("Use the ratings", anchor=False)
    st.write("All pages show this run with the mean of its raters.")
    offer_source(source, usual_tau(source.comparison.encoder, source.comparison.claims))
    offer_file(
        "Download in the study's layout",
        lambda: study_archive(
            {rater: rated.study_changes(rater, given) for rater in raters_of(given)}
        ),
        "ratings.zip",
        "A table a rater, phase and language, as the study's release has them.",
    )
    _removal(rated, given)


def _rater_row(rated: RatedRun, rater: str, given: tuple[Answer, ...]) -> dict[str, object]:
    progress = rated.progress(rater, given, rated.answers.plan)
    mine = [one for one in given if one.rater == rater]
    return {
        "rater": rater,
        "reviews rated": progress.rated,
        "changes": len({one.change for one in mine}),
        "answers given blind": f"{sum(one.is_blind for one in mine):,} of {len(mine):,}",
        "seconds a review": number(progress.seconds, 1),
    }


def _agreement(rated: RatedRun, given: tuple[Answer, ...]) -> None:
    st.header("Agreement of raters", anchor=False)
    shared = {name: rated.shared(given, name) for name in (*QUESTIONS, CLAIM)}
    rows = [_agreement_row(name, answers) for name, answers in shared.items() if answers]
    if not rows:
        st.info("No two raters have rated the same review yet.")
        return
    text_table(rows)
    words = (
        "Krippendorff's alpha, nominal for right or wrong and codes of claims, ordinal for the "
        "others, with 95 % intervals that resample changes. The study's raters reach 0.85 to 0.89; "
        "above 0.8 ratings count as reliable."
    )
    if any(row["shared changes"] < FEWEST_CHANGES for row in rows):
        words += f" Fewer than {FEWEST_CHANGES} shared changes say little, and give no interval."
    if not_blind := sum(not one.is_blind for one in given):
        words += f" Answers that are not blind count like others: {not_blind:,} of {len(given):,}."
    st.caption(words)


def _agreement_row(name: str, answers: list[tuple[int, list[int]]]) -> dict[str, Any]:
    changes = len({change for change, _ in answers})
    alpha = agreement_on(answers, is_nominal=name in {RIGHT, CLAIM})
    if changes < FEWEST_CHANGES:
        alpha = Estimate(alpha.value, None)
    shared = {"shared reviews or claims": len(answers), "shared changes": changes}
    return {"": _TITLES.get(name, name), "alpha (95 %)": figure(alpha), **shared}


def _claims(rated: RatedRun, given: tuple[Answer, ...]) -> None:
    changes = rated.coded_changes(given)
    if not changes:
        return
    quality = claim_quality(changes)
    st.header("Quality of claims", anchor=False)
    rates = {name.replace("_", " "): getattr(quality, name) for name in _RATES}
    text_table([{"": name, "percent (95 %)": figure(rate, 1)} for name, rate in rates.items()])
    st.caption(
        f"Percent of {counted(quality.claims, 'coded claim')} (Table 1 of the paper); the missing "
        "rate counts claims that raters added."
    )


def _removal(rated: RatedRun, given: tuple[Answer, ...]) -> None:
    with st.popover("Remove a rater", icon=":material/delete:"):
        rater = st.selectbox("Rater", raters_of(given), index=None)
        st.write("Everything that this rater said of the run is removed for good.")
        st.button(
            "Remove",
            type="primary",
            disabled=rater is None,
            on_click=lambda: keep(lambda: rated.answers.remove(rater or "")),
        )
