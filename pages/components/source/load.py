"""Sources that the server makes once for everybody: the sample data and the human study."""

from pathlib import Path

import streamlit as st

from crscore_core.claims import claim_generator
from crscore_core.corpus.samples import sample_corpus
from crscore_core.corpus.score import score_corpus
from crscore_core.samples import load_samples
from crscore_core.sts import CachedEncoder
from crscore_core.study.location import check_folder
from crscore_core.study.pseudo_references import study_references
from crscore_core.study.release.layout import release_state
from crscore_core.study.release.load import load_study
from crscore_core.study.validity.study_validity import StudyValidity
from pages.components.source.model import Source, SourceKind

__all__ = ["default_encoder", "sample_source", "study_source"]

_STUDIES_AT_MOST = 2


@st.cache_resource(max_entries=1)
def default_encoder() -> CachedEncoder:
    """The embedded encoder with its embeddings, for everything but the Score page."""
    return CachedEncoder()


@st.cache_resource(max_entries=1, show_spinner="Scoring the sample data, once")
def sample_source() -> Source:
    """The sample data."""
    comparison = score_corpus(
        sample_corpus(load_samples().values()), claim_generator("symbolic"), default_encoder()
    )
    note = (
        "Changes, systems, reviews and ratings made up to show how things work: no finding rests "
        "on them."
    )
    return Source.of(SourceKind.SAMPLE, "Sample data", note, comparison)


def study_source(folder: str) -> Source:
    """The human study in a folder, with its own claims and smells.

    Raises:
        StudyError: there is none, or it is damaged.
        EncoderError: the encoder cannot be loaded.
    """
    place = check_folder(Path(folder))
    return _study_source(str(place), release_state(place))


@st.cache_resource(max_entries=_STUDIES_AT_MOST, show_spinner="Reading and comparing the study")
def _study_source(folder: str, state: tuple[tuple[str, int, int], ...]) -> Source:  # noqa: ARG001
    study = load_study(Path(folder))
    return Source.of_study(StudyValidity(study, study_references(study), default_encoder()))
