"""Files to download."""

import mimetypes
import re
from collections.abc import Callable

import streamlit as st

from crscore_eval.export import export_reviews, report
from crscore_eval.table import EXPORTS, Run

_LABELS = {"csv": "CSV", "jsonl": "JSON Lines", "parquet": "Parquet"}


def offer_file(
    label: str, make: Callable[[], str | bytes], name: str, help_text: str | None = None
) -> None:
    """Offer a file, which is created when its button is pressed; its type follows from `name`."""
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


def offer_run(run: Run, tau: float, by: str | None = None) -> None:
    """Offer the reviews at `tau` as a report and as files that can be uploaded again.

    The report orders systems by the measure `by`; None leaves the choice to `order_systems`.
    """
    name = re.sub(r"[^\w-]+", "-", run.settings.get("name") or "reviews").strip("-") or "reviews"
    with st.container(horizontal=True):
        offer_file("Download report", lambda: report(run, by=by, tau=tau), f"crscore-{name}.html")
        with st.popover("Download reviews", icon=":material/download:"):
            for ending in EXPORTS:
                offer_file(
                    f"Download {_LABELS[ending]}",
                    lambda ending=ending: export_reviews(run, tau, ending),  # type: ignore[misc]
                    f"crscore-{name}.{ending}",
                )
            st.caption(
                "With changes, ratings and scores. Add ratings to a file, and upload it again."
            )
