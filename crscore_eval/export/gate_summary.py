"""The result of a gate as Markdown, for the summary of a workflow on GitHub."""

import re
from collections.abc import Sequence

import pandas as pd

from crscore_core.text import escape_invisible

_MARKS = {"passed": "✅", "failed": "❌", "not compared": "➖"}
_SPECIAL = re.compile(
    r"^[-+=]|^\d(?=\d*[.)])|[\\`*\[\]<>#|~@$&]|:(?=\w)|(?<![^\W_])_|_(?![^\W_])"  # not a_b
)


def gate_markdown(checks: pd.DataFrame, name: str, sentences: Sequence[str]) -> str:
    """Return the checks of a run as Markdown; the first of `sentences` is its title."""
    rows = (
        f"| {_MARKS[result]} {result} | {_plain(condition)} | {_plain(detail)} |"
        for result, condition, detail in checks[["result", "condition", "detail"]].to_numpy()
    )
    title, *others = map(_plain, sentences)
    table = "\n".join(["| result | condition | figures |", "|---|---|---|", *rows])
    return "\n\n".join([f"### Code reviews: {title}", f"Run {_plain(name)}", table, *others]) + "\n"


def _plain(text: str) -> str:
    """Return a text as one line of Markdown without markup, mentions or links.

    Sites turn names of users and numbers of issues into links in rendered text, but not in code.
    """
    line = " ".join(escape_invisible(text).split())
    escaped = _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", line)
    return f"<code>{escaped}</code>" if re.search(r"[@#]|://|www", line) else escaped
