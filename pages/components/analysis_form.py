"""The part of the Score page's form that is about the analyzers."""

import math
from dataclasses import dataclass

import streamlit as st

from analyzers import JSHINT_CONFIGURATIONS, PMD_RULESETS
from crscore_core.change import MAX_BYTES

__all__ = ["AnalysisInputs", "analysis_form"]


@dataclass(frozen=True, slots=True)
class AnalysisInputs:
    """Names and contents of full new files, and the rules for Java and JavaScript."""

    new_files: tuple[tuple[str, bytes], ...]
    pmd_rulesets: tuple[str, ...]
    jshint: str


def analysis_form() -> AnalysisInputs:
    """Show the form, folded, and return what it holds."""
    with st.expander("Analyzers"):
        uploads = st.file_uploader(
            "Full new version of changed files",
            accept_multiple_files=True,
            key="new_files",
            max_upload_size=math.ceil(MAX_BYTES / 1_000_000),
            help="Without them the analyzers see no more than the hunks show. A file belongs to "
            "the changed file of the same name.",
        )
        java, javascript = st.columns(2)
        rulesets = java.multiselect(
            "Java: rule sets of PMD",
            PMD_RULESETS,
            default=PMD_RULESETS[0],
            key="pmd_rulesets",
            persist_state="session",
            help=f"With none chosen, {PMD_RULESETS[0]} counts.",
        )
        jshint = javascript.selectbox(
            "JavaScript: configuration of JSHint",
            JSHINT_CONFIGURATIONS,
            key="jshint",
            persist_state="session",
            help="The original one reports every `const` and `import`, as in the paper's study.",
        )
    files = tuple((upload.name, upload.getvalue()) for upload in uploads or ())
    return AnalysisInputs(files, tuple(rulesets), str(jshint))
