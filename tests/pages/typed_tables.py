"""The tables of people's text on a page that AppTest ran."""

import xml.etree.ElementTree as ET

import pandas as pd
from streamlit.testing.v1 import AppTest

__all__ = ["typed_tables"]


def typed_tables(page: AppTest) -> list[pd.DataFrame]:
    """What `text_table` showed, in order; cells as text, the names of rows as index."""
    bodies = [element.proto.body for element in page.get("html")]
    return [_table(body) for body in bodies if 'class="typed-table"' in body]


def _table(body: str) -> pd.DataFrame:
    start, end = body.index("<table"), body.rindex("</table>") + len("</table>")
    table = ET.fromstring(body[start:end])  # noqa: S314 - our own markup
    head, rows = table.find("thead/tr"), table.findall("tbody/tr")
    assert head is not None
    return pd.DataFrame(
        [["".join(cell.itertext()) for cell in row.findall("td")] for row in rows],
        index=["".join(name.itertext()) for row in rows for name in row.findall("th")] or None,
        columns=["".join(name.itertext()) for name in head.findall("th")],
    )
