"""Render tables of strings as Markdown or LaTeX (booktabs), and a gate's result as Markdown."""

import re
from collections.abc import Mapping, Sequence

import pandas as pd

from crscore_core.text import escape_invisible

TABLE_FORMATS = {"tex": "LaTeX", "md": "Markdown"}
"""Formats of `tables_content`, keyed by file extension."""

_MAX_NARROW = 5  # columns of a LaTeX table that need no fixed width
_MARKS = {"passed": "✅", "failed": "❌", "not compared": "➖"}
_MARKDOWN = re.compile(r"[\\`*\[\]<>#|~@$&]|:(?=\w)|(?<![^\W_])_|_(?![^\W_])")  # not a_b
_LATEX = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "_&%#${}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"\textbar{}\allowbreak{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "\N{MINUS SIGN}": "$-$",
        "–": "--",
        "…": r"\dots{}",
    }
)


def tables_content(
    tables: Mapping[str, pd.DataFrame], signature: str, ending: str, notes: Mapping[str, str]
) -> str:
    """Return tables of strings as one document; `ending` is a key of `TABLE_FORMATS`.

    A table's caption consists of its key in `tables`, its note in `notes` (see `shown`), and the
    signature of the scores.
    """
    make = _latex if ending == "tex" else _markdown
    return "\n".join(
        make(table, title, f"{title}. {notes.get(title, '')}".strip(), signature)
        for title, table in tables.items()
    )


def gate_markdown(
    checks: pd.DataFrame, name: str, baseline: str, sentences: Sequence[str], signature: str
) -> str:
    """Return the checks of a run as Markdown; the first of `sentences` is its title.

    `baseline` is the name of the earlier run, or "".
    """
    marks = checks["result"].map(_MARKS) + " " + checks["result"]
    columns = {"result": marks, "condition": checks["condition"], "figures": checks["detail"]}
    title, *others = map(_inline, sentences)
    names = f"Run {_inline(name)}" + (f", baseline {_inline(baseline)}" if baseline else "")
    parts = [f"### Code reviews: {title}", names, _rows(pd.DataFrame(columns)), *others]
    return "\n\n".join([*parts, f"Signature: {_inline(signature, is_code=True)}"]) + "\n"


def _latex(table: pd.DataFrame, title: str, caption: str, signature: str) -> str:
    cells = table.map(_latex_text).rename(columns=_latex_text)
    caption = f"{_latex_text(caption)} Signature: \\texttt{{{_latex_text(signature)}}}"
    label = "tab:" + "-".join(re.findall(r"\w+", title.lower()))
    n_columns, column = cells.shape[1], "l"
    if n_columns > _MAX_NARROW:  # lines break so that the table fits the page
        column = f"p{{{max(0.02, 1 / n_columns - 0.035):.3f}\\textwidth}}"
    text = cells.to_latex(
        index=False, caption=caption, label=label, column_format=column * n_columns
    )
    return text.replace("\\begin{tabular}", "\\small\n\\begin{tabular}", 1)


def _latex_text(value: object) -> str:
    return " ".join(escape_invisible(str(value)).split()).translate(_LATEX)


def _markdown(table: pd.DataFrame, _: str, caption: str, signature: str) -> str:
    code = _inline(signature, is_code=True)
    return f"{_inline(caption)} Signature: {code}\n\n{_rows(table)}\n"


def _rows(table: pd.DataFrame) -> str:
    cells = table.map(_inline).rename(columns=_inline)
    return cells.to_markdown(index=False, disable_numparse=True)


def _inline(text: object, *, is_code: bool = False) -> str:
    """Return text as one line of Markdown without markup, mentions or links.

    Sites turn user names and issue numbers into links in rendered text, but not in code.
    """
    line = " ".join(escape_invisible(str(text)).split())
    escaped = _MARKDOWN.sub(lambda match: f"&#{ord(match[0])};", line)
    is_code |= bool(re.search(r"[@#]|://|www", line))
    return f"<code>{escaped}</code>" if is_code else escaped
