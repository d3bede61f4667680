"""Text in tables and in charts."""

import math
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest

from pages.components.tables import MAX_ROWS
from pages.components.text import (
    MAX_CHARACTERS,
    escape_except_code,
    escape_hover,
    escape_markdown,
    value_text,
    wrap_hover,
)
from tests.pages.app_page import WITHIN, AppPage


def show_table(rows: "list[dict[str, Any]]") -> None:
    import pandas as pd

    from pages.components.tables import show_texts

    show_texts(pd.DataFrame(rows), "Caption", {"rating": "{:.3g}"})


def shown(*rows: dict[str, Any]) -> tuple[pd.DataFrame, AppTest]:
    page = AppTest.from_function(show_table, args=(list(rows),), default_timeout=WITHIN).run()
    (table,) = AppPage.text_tables(page)  # type: ignore[arg-type] # reads only its tables
    return table, page


def test_numbers_have_three_digits_and_missing_values_are_blank() -> None:
    row = {"f": 0.12345, "rating": 4.0, "i": 3, "none": None, "nan": math.nan, "t": "x\n y"}
    table, page = shown(row)
    assert table.to_numpy().tolist() == [["0.123", "4", "3", "", "", "x\ny"]]
    assert page.table[0].proto.alt == "Caption"
    assert [*map(value_text, (5.0, 4.55556, 0.0012, 0.0))] == ["5", "4.56", "0.0012", "0"]


def test_rows_and_characters_that_are_left_out_are_counted() -> None:
    table, page = shown(*[{"review": "x" * (MAX_CHARACTERS + 7)}] * (MAX_ROWS + 3))
    assert len(table) == MAX_ROWS
    assert table["review"][0].endswith("x … 7 more characters are not shown")
    assert page.caption[-1].value == "3 more rows are not shown."


def test_text_between_backticks_is_code_on_demand() -> None:
    text = "`a*b` is ``f(`c`)``, see www.x.y: `"
    assert escape_except_code(text) == r"`a*b` is ``f(`c`)``, see `www.x.y:` \`"
    assert escape_markdown(text).startswith(r"\`a\*b\`")
    assert escape_except_code("*") == r"\*"
    assert escape_except_code("“```js x” not “`x`, ```js”") == r"“\`\`\`js x” not “`x`, \`\`\`js”"


def test_a_hover_wraps_at_blanks_breaks_long_words_and_ends_with_an_ellipsis() -> None:
    assert wrap_hover("one two three", 8) == "one two<br>three"
    assert wrap_hover("a" * 25, 10) == "<br>".join(("a" * 10, "a" * 10, "a" * 5))
    assert wrap_hover("a" * 25, 10, 2) == f"{'a' * 10}<br>{'a' * 9}…"
    assert wrap_hover("one two three four", 8, 2) == "one two<br>three…"
    assert wrap_hover("  \n ", 8) == ""


def test_plotly_interprets_no_markup_template_or_formula() -> None:
    for escaped in (wrap_hover('<b>%{x} $y$ & "'), escape_hover('<b>%{x} $y$ & "')):
        assert escaped == '&lt;b&gt;&#37;{x} &#36;y&#36; &amp; "'
    assert wrap_hover("a\u202eb") == escape_hover("a\u202eb") == "aU+202Eb"
