"""The prompt for claims, the same for every language model (paper, section 3.2), and its fences.

The prompt never contains a review. The change is untrusted text: it is inside a fence that it
cannot close, and the prompt calls it data. Judge prompts show text in the same way.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from crscore_core.change import CodeChange
from crscore_core.text import escape_invisible

MAX_CONTEXT_TOKENS = 1500  # default limit on the tokens of a change shown to a model
DIFF = "diff"  # info string on the fence around a change
_PROMPT = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
_MAX_LINE, _MAX_NAME = 2000, 300  # characters shown of a line and of a name


def build_prompt(shown: str) -> str:
    """Return the prompt for claims about a change, given the text from `shown_change`."""
    return _PROMPT.format(change=shown)


def shown_change(
    change: CodeChange, count_tokens: Callable[[str], int], limit: int = MAX_CONTEXT_TOKENS
) -> tuple[str, tuple[str, ...]]:
    """Return a change between fences, for use in a prompt, and warnings.

    Whole lines are shown up to `limit` tokens, counted by `count_tokens`. Warnings say whether
    lines, or the ends of long lines, are left out.
    """
    lines: list[str] = []
    warnings: list[str] = []
    tokens_left = limit - count_tokens(fenced("", DIFF))
    for whole_line in _lines(change):
        line = whole_line[: _MAX_LINE + 1]  # after the mark: `+`, `-` or a space
        tokens_left -= count_tokens(f"{line}\n")
        if tokens_left < 0:
            warnings.append(f"the model saw only the start of the change: {limit:,} tokens")
            break
        if len(line) < len(whole_line):
            warnings.append(
                f"the model saw only the start of a long line: {_MAX_LINE:,} characters"
            )
        lines.append(line)
    return fenced("\n".join(lines), DIFF), tuple(dict.fromkeys(warnings))


def _lines(change: CodeChange) -> Iterator[str]:
    """Yield the lines of a change as the model sees them."""
    for file in change.files:
        if file.path is not None:  # not a bare hunk
            for mark, path in (("---", file.old_path), ("+++", file.new_path)):
                name = "/dev/null" if path is None else escape_invisible(path[:_MAX_NAME])
                yield f"{mark} {name}"
        if file.old_mode != file.new_mode and file.old_mode and file.new_mode:
            yield f"old mode {escape_invisible(file.old_mode)}"
            yield f"new mode {escape_invisible(file.new_mode)}"
        if file.is_binary:
            yield "Binary files differ"
        for hunk in file.hunks:
            ranges = f"-{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count}"
            yield f"@@ {ranges} @@ {escape_invisible(hunk.section[:_MAX_NAME])}".rstrip()
            for line in hunk.lines:
                yield line.kind.value + shown_line(line.text)


def shown_line(text: str) -> str:
    """Return a line of code with control characters escaped and tabs kept."""
    return "\t".join(map(escape_invisible, text.removesuffix("\r").split("\t")))


def fenced(text: str, kind: str) -> str:
    """Return `text` between two fences that are longer than any run of backticks in it.

    `kind` is a trusted word that describes the text.
    """
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    return f"{fence}{kind}\n{text}\n{fence}"
