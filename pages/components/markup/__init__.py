"""People's text as HTML that holds nothing but their text.

Everything here is made by `markupsafe.Markup.format`, which escapes each value, and shown by
`st.html`, which sanitises what it gets once more.
"""

from pages.components.markup.diff import diff_view
from pages.components.markup.table import Plotted, text_table
from pages.components.markup.typed import plain_text

__all__ = ["Plotted", "diff_view", "plain_text", "text_table"]
