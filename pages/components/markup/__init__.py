"""Untrusted text as HTML that contains no markup of its own.

`markupsafe.Markup.format` escapes each value, and `st.html` sanitises the result once more.
"""

from pages.components.markup.diff import diff_view
from pages.components.markup.plain import plain_text
from pages.components.markup.table import Plotted, text_table

__all__ = ["Plotted", "diff_view", "plain_text", "text_table"]
