"""Downloads, and the signature of the figures shown."""

import mimetypes
import re
from collections.abc import Callable, Mapping

import pandas as pd
import streamlit as st

from crscore_core.scoring.signature import Signature
from crscore_eval.export.markup import TABLE_FORMATS, tables_content
from crscore_eval.export.report import report
from crscore_eval.export.reviews import export_frame
from crscore_eval.table import EXPORTS, Run, file_content
from pages.components.text import safe_table

_LABELS = {"csv": "CSV", "jsonl": "JSON Lines", "parquet": "Parquet"}


def offer_file(
    label: str, make: Callable[[], str | bytes], name: str, help_text: str | None = None
) -> None:
    """Offer a file that is created when its button is pressed; `name` determines its type."""
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
                    lambda ending=ending: file_content(export_frame(run, tau), ending),  # type: ignore[misc]
                    f"crscore-{name}.{ending}",
                )
            st.caption(
                "Contains changes, ratings and scores; a blank cell has no value. You can add "
                "ratings and upload it again."
            )


def offer_tables(
    label: str,
    figures: pd.DataFrame,
    tables: Mapping[str, pd.DataFrame],
    notes: Mapping[str, str],
    signature: str,
) -> None:
    """Offer `figures` as CSV, and `tables`, keyed by title, as LaTeX and Markdown.

    `notes`, keyed by table title, explain the figures. The first CSV column and each caption
    contain the signature.
    """
    name = f"crscore-{label.lower().replace(' ', '-')}"
    csv = safe_table(figures)
    csv.insert(0, "signature", signature)
    with st.container(horizontal=True):
        offer_file(f"{label} (CSV)", lambda: csv.to_csv(index=False), f"{name}.csv")
        for ending, title in TABLE_FORMATS.items():
            offer_file(
                f"{label} ({title})",
                lambda ending=ending: tables_content(tables, signature, ending, notes),  # type: ignore[misc]
                f"{name}.{ending}",
            )


def show_signature(signature: Signature | str, of: str = "the scores") -> None:
    """Show a signature as text that users can copy."""
    st.caption(f"Signature of {of}, to report with the figures:")
    st.code(str(signature), language=None, wrap_lines=True)
