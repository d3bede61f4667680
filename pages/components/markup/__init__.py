"""Untrusted text as HTML in which the text adds no markup.

`markupsafe.Markup.format` escapes each value, and `st.html` sanitises the result once more.
"""

from pages.components.markup.diff import diff_view as diff_view
from pages.components.markup.plain import plain_text as plain_text
from pages.components.markup.table import Plotted as Plotted
from pages.components.markup.table import text_table as text_table
