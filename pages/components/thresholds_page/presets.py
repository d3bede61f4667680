"""Where tau comes from, for the reviews at hand and in the product."""

import streamlit as st

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.scoring import PRESETS
from pages.components.figure_words import between, number
from pages.components.markup import text_table
from pages.components.names import system_name
from pages.components.source.model import Source
from pages.components.text import escape_markdown, shorten
from pages.components.thresholds_page.curves import Curves

__all__ = ["show_presets"]


def show_presets(source: Source, curves: Curves) -> None:
    """Show tau_gt and tau_best as the paper's procedure gives them here, and the product's."""
    encoder, found = source.comparison.encoder, curves.presets
    preset = PRESETS.get(encoder)
    text_table(
        [
            {
                "": name,
                "by these reviews": number(one.value),
                "95 %": between(one.interval),
                "the product's preset": number(None if preset is None else getattr(preset, name)),
            }
            for name, one in (("tau_gt", found.tau_gt), ("tau_best", found.tau_best))
        ],
        wide=("95 %",),
        caption="Mean best similarity of review sentences to a pseudo-reference",
    )
    words = [
        f"By these reviews with {escape_markdown(shorten(encoder, 80))}: tau_gt is of the "
        "reference reviews"
        + (
            ""
            if found.tau_gt.value is not None
            else f", of which there are none (`{GROUND_TRUTH}`)"
        )
    ]
    if found.best_system is None:
        words.append("tau_best needs people's ratings to say whose reviews are best")
    else:
        name = escape_markdown(shorten(system_name(source, found.best_system), 80))
        words.append(f"tau_best is of the system that people rate best, {name}")
    st.caption(f"{'; '.join(words)}.")
