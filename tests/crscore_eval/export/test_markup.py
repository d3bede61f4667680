"""Tables as LaTeX and Markdown: captions with the signature, and text that stays text."""

import re
from html import unescape

import pandas as pd
import pytest
from markdown_it import MarkdownIt

from crscore_eval.export.markup import TABLE_FORMATS, tables_content

SIGNATURE = "crscore:1|claims:mine_2|tau:0.5"
TABLES = {
    "By relevance": pd.DataFrame({"system": ["a_b|c", "50% $x$"], "mean": ["−0.100", "0.2"]}),
    "Pairs": pd.DataFrame({"n": [1, -0.25], "mean": ["2.907 (1 to 2)", "1. x"]}),
}


@pytest.mark.parametrize(("ending", "parts"), [
    ("tex", [r"\caption{By relevance. n: 5\% of all. Signature: \texttt{crscore:1\textbar{}",
             r"\textbar{}\allowbreak{}claims:mine\_2\textbar{}\allowbreak{}tau:0.5}}",
             r"\toprule", r"a\_b\textbar{}\allowbreak{}c & $-$0.100 \\",
             r"50\% \$x\$ & 0.2 \\"]),
    ("md", ["By relevance. n: 5% of all. Signature: <code>crscore&#58;1&#124;claims",
            "\nPairs. Signature: <code>crscore&#58;1&#124;claims", "a_b&#124;c",
            "50% &#36;x&#36;", "| 0.2 ", "| -0.25 ", "| 2.907 (1 to 2) |"]),
])  # fmt: skip
def test_tables_have_cells_and_a_caption_with_the_signature(ending: str, parts: list[str]) -> None:
    content = tables_content(TABLES, SIGNATURE, ending, {"By relevance": "n: 5% of all."})
    assert ending in TABLE_FORMATS
    assert all(part in content for part in parts)
    assert content.index("By relevance") < content.index("Pairs")
    assert content.count("ignature") == len(TABLES)


def test_a_wide_latex_table_fits_on_the_page_and_labels_differ() -> None:
    wide = pd.DataFrame({f"column {number}": ["a cell"] for number in range(8)})
    content = tables_content({**TABLES, "Wide": wide}, SIGNATURE, "tex", {})
    (width,) = {float(found) for found in re.findall(r"p\{([\d.]+)\\textwidth\}", content)}
    separators = 8 * 2 * 6 / 345  # \tabcolsep is 6pt, \textwidth 345pt in the class article
    assert 8 * width + separators <= 1.001
    labels = re.findall(r"\\label\{(.+?)\}", content)
    assert len({*labels}) == len(labels) == 3


@pytest.mark.parametrize("signature", ["a`b|c", "``", "<b>|@all # x", "\\`*_", "__a__"])
def test_a_signature_is_code_whatever_it_contains(signature: str) -> None:
    content = tables_content({"T": TABLES["Pairs"]}, signature, "md", {})
    shown = MarkdownIt("commonmark").render(content)
    assert unescape(shown.partition("<code>")[2].partition("</code>")[0]) == signature
