"""What the page computes once for all who look at the same reviews."""

from dataclasses import dataclass

import streamlit as st

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.statistics import ClusterBootstrap
from crscore_core.study.validity.corpus_validity import CorpusValidity
from crscore_core.study.validity.figures import FigureTable, validity_tables
from crscore_core.study.validity.study_validity import StudyValidity, ValidityAtTau

__all__ = ["StudyAtTau", "corpus_validity", "study_at"]

# Reviews are known by their identity, so that nobody gets those of another. What is kept holds
# them, so that no other object has the same one meanwhile.


@dataclass(frozen=True, slots=True)
class StudyAtTau:
    """The study at one tau, with its tables by their keys."""

    validity: StudyValidity
    at: ValidityAtTau
    tables: dict[str, FigureTable]


@st.cache_resource(
    max_entries=16, show_spinner="Computing the tables", hash_funcs={StudyValidity: id}
)
def study_at(validity: StudyValidity, tau: float) -> StudyAtTau:
    """Everything that the page shows of the study at a tau."""
    at = validity.at(tau)
    return StudyAtTau(validity, at, {table.key: table for table in validity_tables(validity, at)})


@st.cache_resource(max_entries=4, show_spinner=False, hash_funcs={CorpusComparison: id})
def corpus_validity(comparison: CorpusComparison, _bootstrap: ClusterBootstrap) -> CorpusValidity:
    """What other reviews say, each part computed when it is first asked for."""
    return CorpusValidity(comparison, _bootstrap)
