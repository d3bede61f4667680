"""Files that pages offer, and a choice that the URL keeps."""

import mimetypes
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st
from streamlit.elements.lib.utils import LabelVisibility

from crscore_core.corpus.exports import export_reviews
from crscore_core.corpus.measures import DEFAULT_MEASURE
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.ranking.html_report import file_name, html_report
from pages.components.source.model import Source


def offer_file(
    label: str, make: Callable[[], str | bytes], name: str, help_text: str | None = None
) -> None:
    """Offer a file, whose name tells its kind; it is made when its button is used."""
    st.download_button(
        label,
        make,
        name,
        mimetypes.guess_type(name)[0],
        key=f"download_{label}_{name}",
        icon=":material/download:",
        on_click="ignore",
        help=help_text,
    )


def choose_view(
    label: str, options: Sequence[str], key: str, label_visibility: LabelVisibility = "collapsed"
) -> str:
    """Choose one of a few views, the first unless the URL says another."""
    chosen = st.segmented_control(
        label,
        options,
        default=options[0],
        required=True,
        key=key,
        bind="query-params",
        label_visibility=label_visibility,
    )
    return chosen or options[0]


_LABELS = {"csv": "CSV", "jsonl": "JSON Lines", "parquet": "Parquet"}


def offer_downloads(  # noqa: PLR0913 - see `html_report`
    load: Callable[[], Reviews],
    tau: float,
    name: str,
    *,
    note: str = "",
    made: datetime,
    version: str = "",
    measure: str | None = None,
    run: FinishedRun | None = None,
) -> None:
    """Offer what `load` gives at `tau` as a report and as files that import takes back.

    The report orders systems by `measure` and lists what judges of `run` call wrong. Files bear a
    run's name and the day of `made`; each is made when its button is used.
    """

    def report() -> str:
        return html_report(
            load(), tau, name, note=note, scored_at=made, version=version, measure=measure, run=run
        )

    def exported(ending: str) -> Callable[[], bytes]:
        return lambda: export_reviews(load(), tau, ending)

    with st.container(horizontal=True):
        offer_file("Download report", report, file_name(name, made, "html"))
        for ending, label in _LABELS.items():
            offer_file(f"Download {label}", exported(ending), file_name(name, made, ending))
    st.caption(
        "The report is a page to read, print or send on; with a few systems it is one sheet of A4. "
        "Each other file holds reviews, changes, ratings and scores, and can be imported again, "
        "with ratings from 1 to 5 that you add in its columns human_relevance, human_conciseness "
        "and human_comprehensiveness."
    )


def offer_source(source: Source, tau: float, measure: str = DEFAULT_MEASURE) -> None:
    """Offer the reviews that pages show, as they are today, with the measure that a page shows."""
    with st.expander("Report and downloads", icon=":material/download:"):
        offer_downloads(
            lambda: source.comparison, tau, source.label,
            made=datetime.now(UTC), measure=None if measure == DEFAULT_MEASURE else measure,
            run=source.run,
        )  # fmt: skip
