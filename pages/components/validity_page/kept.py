"""What the page computes once for all who look at the same reviews."""

from dataclasses import dataclass

import streamlit as st

from crscore_core.validity.corpus_validity import CorpusValidity
from crscore_core.validity.figures import FigureTable, validity_tables
from crscore_core.validity.study_validity import StudyValidity, ValidityAtTau
from pages.components.source.kept_beside import KeptBeside
from pages.components.source.model import Source

__all__ = ["StudyAtTau", "corpus_validity", "study_at"]


@dataclass(frozen=True, slots=True)
class StudyAtTau:
    """The study at one tau, with its tables by their keys."""

    validity: StudyValidity
    at: ValidityAtTau
    tables: dict[str, FigureTable]


# The study is known by its identity; what is kept holds it, so that no other object has the same
# one meanwhile.
@st.cache_resource(
    max_entries=16, show_spinner="Computing the tables", hash_funcs={StudyValidity: id}
)
def study_at(validity: StudyValidity, tau: float) -> StudyAtTau:
    """Everything that the page shows of the study at a tau."""
    at = validity.at(tau)
    return StudyAtTau(validity, at, {table.key: table for table in validity_tables(validity, at)})


_CORPORA: KeptBeside[CorpusValidity] = KeptBeside()


def corpus_validity(source: Source) -> CorpusValidity:
    """What other reviews say, each part computed when it is first asked for."""
    return _CORPORA.get(source, lambda: CorpusValidity(source.comparison, source.bootstrap))
