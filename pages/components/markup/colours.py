"""Colours of marked text, each for the light and for the dark theme.

Streamlit sets `color-scheme` on the page by the theme that is on, and CSS chooses by it.
"""

from markupsafe import Markup

BACKGROUNDS: dict[str, tuple[str, str]] = {
    "head": ("#eef2f7", "#1a212b"),
    "hunk": ("#e4eefa", "#14243a"),
    "added": ("#e2f5e6", "#10291a"),
    "removed": ("#fdeaea", "#351a1d"),
    "mark": ("#ffd968", "#6a5000"),
}
"""Colours behind text, beside the page itself."""

FOREGROUNDS: dict[str, tuple[str, str]] = {
    "muted": ("#525d6b", "#a3afbd"),
    "unseen": ("#8a1466", "#f5a3dc"),
    "plus": ("#0f5c28", "#6cd895"),
    "minus": ("#9c0f24", "#ff9d99"),
    "keyword": ("#7423a0", "#d3aeff"),
    "name": ("#0a4c96", "#8cc2ff"),
    "string": ("#7d4200", "#e8ba7a"),
    "number": ("#0a566f", "#83d3e2"),
    "comment": ("#525d6b", "#a3afbd"),
}
"""Colours of text; each can be read on the page and on what stands behind a line of a diff."""

LINES: dict[str, tuple[str, str]] = {"line": ("#ccd4dd", "#39434f")}
"""Rules between cells."""

PALETTE = Markup(".typed{{{}}}").format(
    Markup().join(
        Markup("--typed-{}:light-dark({},{});").format(name, light, dark)
        for name, (light, dark) in (BACKGROUNDS | FOREGROUNDS | LINES).items()
    )
)
"""Style that defines every colour as `var(--typed-NAME)` inside an element of class `typed`."""
