"""Sources that the server makes once for everybody: the sample data and the human study."""

import functools
from pathlib import Path

import streamlit as st

from crscore_core.claims import claim_generator
from crscore_core.corpus.progress import Note
from crscore_core.corpus.score import NotedEncoder, score_corpus
from crscore_core.datasets.samples import load_samples, sample_corpus
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import check_folder, release_state
from crscore_core.datasets.study.pseudo_references import compare_study, study_references
from crscore_core.scoring import CachedEncoder
from crscore_core.validity.study_validity import StudyValidity
from pages.components.source.kept import KeptSources
from pages.components.source.model import Source, SourceKind

__all__ = ["default_encoder", "kept_sources", "sample_source", "study_source"]

_SOURCES_AT_MOST = 4


@st.cache_resource(max_entries=1)
def default_encoder() -> CachedEncoder:
    """The embedded encoder with its embeddings, for everything but the Score page."""
    return CachedEncoder()


@st.cache_resource(max_entries=1)
def kept_sources() -> KeptSources:
    """The sources of this server."""
    return KeptSources(_SOURCES_AT_MOST)


def sample_source() -> Source:
    """The sample data."""
    return kept_sources().get(SourceKind.SAMPLE, _sample_source)


def study_source(folder: str) -> Source:
    """The human study in a folder, with its own claims and smells.

    Raises:
        StudyError: there is none, or it is damaged.
        EncoderError: the encoder cannot be loaded.
    """
    place = check_folder(Path(folder))
    state = release_state(place)
    return kept_sources().get((SourceKind.STUDY, state), functools.partial(_study_source, place))


def _sample_source(note: Note) -> Source:
    corpus = sample_corpus(load_samples().values())
    comparison = score_corpus(corpus, claim_generator("symbolic"), default_encoder(), note)
    text = (
        "Changes, systems, reviews and ratings made up to show how things work: no finding rests "
        "on them."
    )
    return Source.of(SourceKind.SAMPLE, "Sample data", text, comparison)


def _study_source(folder: Path, note: Note) -> Source:
    study = load_study(folder)
    references = study_references(study)
    # The long part, whose embeddings are kept; what stays must not tell this page of anything.
    compare_study(references, NotedEncoder(default_encoder(), note))
    return Source.of_study(StudyValidity(study, references, default_encoder()))
