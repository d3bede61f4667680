"""A page of the app without a browser, opened as a link would open it."""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test
from streamlit.testing.v1.element_tree import Selectbox

from tests.crscore_core.changes import PYTHON

APP = str(Path(__file__).resolve().parents[2] / "app.py")
WITHIN = 240
REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks!"
WIDGETS = (
    "text_area", "text_input", "number_input", "selectbox", "multiselect", "slider",
    "segmented_control", "toggle", "checkbox",
)  # fmt: skip


class _Navigation(PagesManager):
    """Pages of `st.navigation`, even in a first run, in which AppTest would show one page alone."""

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - as its base
        PagesManager.uses_pages_directory = False
        super().__init__(*arguments, **options)


app_test.PagesManager = _Navigation  # type: ignore[attr-defined]


class AppPage(AppTest):
    """The app at one page; its runs must not raise errors."""

    def run(self, *, timeout: float | None = None) -> "AppPage":
        super().run(timeout=timeout)
        assert not self.exception, [element.value for element in self.exception]
        return self

    def visit(self, *names: str) -> "AppPage":
        """Go from page to page, as links do; Streamlit drops the parameters of the URL."""
        for name in names:
            self.query_params.clear()
            self.switch_page(f"pages/{name}.py")
            self.run()
        return self

    def put(self, **values: object) -> "AppPage":
        """Set widgets by their keys, and run the page."""
        for key, value in values.items():
            widgets = (widget for kind in WIDGETS for widget in getattr(self, kind))
            next(widget for widget in widgets if widget.key == key).set_value(value)
            if key == "tau":
                self.query_params[key] = f"{value:g}"  # as the browser does
        return self.run()

    def press(self, *names: str) -> "AppPage":
        """Press buttons, each by its label or key, and run the page after each."""
        for name in names:
            next(button for button in self.button if name in (button.label, button.key)).click()
            self.run()
        return self

    def box(self, label: str) -> Selectbox[Any]:
        return next(box for box in self.selectbox if box.label == label)

    def labels(self) -> list[str]:
        """Labels of the buttons that can be pressed."""
        return [button.label for button in self.button if not button.disabled]

    def scores(self) -> list[dict[str, str]]:
        """The scores at tau of each review on the Score page; none where nothing is scored."""
        overview = [table for table in self.text_tables() if "relevance" in table]
        rows = overview[0].filter(regex="^(rel|con|comp)").to_dict("records") if overview else []
        return [{str(name): str(value) for name, value in row.items()} for row in rows]

    def texts(self) -> str:
        """All text that Streamlit renders as Markdown on a page, except headings."""
        notes = self.info, self.success, self.warning, self.error
        kinds = self.markdown, self.caption, *notes
        return "\n".join(str(element.value) for elements in kinds for element in elements)

    def lacks(self, *words: str) -> list[str]:
        """The words that are neither in the text of the page nor in its HTML."""
        shown = self.texts() + self.markup()
        return [word for word in words if word not in shown]

    def markup(self) -> str:
        return "".join(element.proto.body for element in self.get("html"))

    def assert_only_text(self) -> None:
        """Check that no text becomes an element, a link, or a chart's formula or template."""
        row = r"#T_[PS]_level0_row\d+"  # our links
        assert not re.search(rf"\]\((?!{row}\))", self.texts())
        markup = re.sub(rf'<a id="P\d+-\d+" href="{row}">', "", self.markup())
        assert not re.search(r"<(img|script|svg|iframe|a|b|i|h1|form)\b", markup)
        for at in range(len(self.get("plotly_chart"))):
            figure = self.chart(at)
            for trace in figure["data"]:
                trace.pop("customdata", None)  # is not shown
                assert "%{" not in str(trace.get("hovertext"))
            assert figure["layout"]["yaxis"]["fixedrange"]  # so that a swipe scrolls the page
            drawn = json.dumps(figure, ensure_ascii=False)
            assert not re.search(r"<(?!/?b>|br>|extra>|/extra>)", drawn)
            assert "$" not in drawn

    def chart(self, number: int = 0) -> dict[str, Any]:
        return dict(json.loads(self.get("plotly_chart")[number].proto.spec))

    def alt(self, number: int = 0) -> str:
        return str(self.get("plotly_chart")[number].proto.alt)

    def text_tables(self) -> list[pd.DataFrame]:
        """The tables of `show_texts` in order, with cells as a user reads them."""
        return [_as_read(table.proto.arrow_data.styler.display_values) for table in self.table]

    def text_table(self, column: str) -> pd.DataFrame:
        """The first table of `show_texts` with this column."""
        return next(table for table in self.text_tables() if column in table)


def opened(
    name: str = "", url: Mapping[str, str] | None = None, run: Path | None = None
) -> AppPage:
    """A page of `pages`, or the first page, opened with this URL.

    It shows the run in the folder `run` unless the URL names another, as do later pages in a test.
    """
    if run is not None:
        os.environ["CRSCORE_RUN"] = str(run)
    page = AppPage(APP, default_timeout=WITHIN)
    page.query_params.update(url or {})
    if name:
        page.switch_page(f"pages/{name}.py")
    return page.run()


def open_form(**url: str) -> AppPage:
    """The Score page, open at the form."""
    return opened("", {"view": "own", **url})


def fill(page: AppPage, diff: str = PYTHON, *reviews: str) -> AppPage:
    """Fill the form with a diff and reviews, by default one."""
    page.press("Clear")
    for _ in reviews[1:]:
        page.press("Add a review")
    page.text_area(key="diff").set_value(diff)
    for number, review in enumerate(reviews or (REVIEW,), start=1):
        page.text_area(key=f"review_{number}").set_value(review)
    return page


def shown_claims(page: AppPage) -> list[str]:
    return list(page.data_editor[0].value["claim"])


def sources(page: AppPage) -> dict[str, str]:
    """The source of each pseudo-reference, keyed by its text."""
    table = page.text_table("pseudo-reference")
    origins = [origin.split(", ")[1] for origin in table["origin"]]
    return dict(zip(table["pseudo-reference"], origins, strict=True))


def _as_read(display_values: bytes) -> pd.DataFrame:
    """Return the cells of a table without the escapes of Markdown."""
    cells = convert_arrow_bytes_to_pandas_df(display_values).astype(str)
    table = cells.map(_unescape).rename(columns=_unescape)
    if "pseudo-reference" in table:  # its last line says where it is from
        parts = table["pseudo-reference"].str.rpartition("\n— ")
        table["pseudo-reference"], table["origin"] = parts[0], parts[2]
    return table


def _unescape(markdown: str) -> str:
    text = re.sub(r"\[([^]]+)\]\(#\w+(-1)?\)", r"\1", markdown)  # a link on the page
    text = re.sub(r"(?<!\\)`(.+?)`", r"\1", text)  # code, such as an address
    return re.sub(r"\\(.)", r"\1", text).replace("  \n", "\n")
