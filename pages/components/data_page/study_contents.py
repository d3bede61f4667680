"""What a study holds, as a table and a few numbers."""

import streamlit as st

from crscore_core.datasets.study.model import STUDY_LANGUAGES, StudyContents

__all__ = ["show_contents"]


def show_contents(contents: StudyContents) -> None:
    """Show what the study holds, by language and in all."""
    st.dataframe(
        [
            {
                "language": STUDY_LANGUAGES[language],
                "changes": numbers.changes,
                "changes with rated reviews": numbers.rated_changes,
                "coded claims": numbers.coded_claims,
            }
            for language, numbers in contents.languages.items()
        ],
        hide_index=True,
    )
    for column, (name, number) in zip(
        st.columns(4),
        {
            "Rated reviews": contents.ratings,
            "of them by systems": contents.ratings_without_ground_truth,
            "Reviews rated twice": contents.double_ratings,
            "Context files": contents.context_files,
        }.items(),
        strict=True,
    ):
        column.metric(name, f"{number:,}")
    if contents.missing_context_files:
        st.caption(f"{contents.missing_context_files} context files are not there.")
