"""A parsed diff in a few lines of text."""

from crscore_core.change import ChangedLine, CodeChange, FileChange, Hunk, LineKind, parse_change
from crscore_core.errors import InputError


def reading(diff: str | bytes) -> str:
    """Format the files, hunks, lines and warned lines of a diff, or the line of its error."""
    try:
        change = parse_change(diff)
    except InputError as error:
        return f"error, {_place(str(error).removeprefix('diff, '))}"
    return shown(change)


def shown(change: CodeChange) -> str:
    """Format everything in a change except the words of its warnings."""
    parts = []
    for file in change.files:
        parts += [_shown_file(file), *map(_shown_hunk, file.hunks)]
    return "\n".join([*parts, *(f"warning, {_place(text)}" for text in change.warnings)])


def _place(message: str) -> str:
    words = message.split()
    return f"line {words[1].removesuffix(':')}" if words[0] in {"line", "lines"} else "no line"


def _shown_file(file: FileChange) -> str:
    parts = [f"{file.status} {file.old_path!r} -> {file.new_path!r}"]
    if file.language:
        parts.append(file.language)
    if file.old_mode or file.new_mode:
        parts.append(f"mode {file.old_mode} -> {file.new_mode}")
    if file.is_binary:
        parts.append("binary")
    return ", ".join(parts)


def _shown_hunk(hunk: Hunk) -> str:
    ranges = f"-{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count}"
    return "; ".join([f"@@ {ranges} @@ {hunk.section!r}", *map(_shown_line, hunk.lines)])


def _shown_line(line: ChangedLine) -> str:
    """Format position, kind, old and new line number, and text."""
    numbers = f"{line.old}/{line.new}" if line.kind is LineKind.CONTEXT else line.old or line.new
    return f"{line.position}: {line.kind}{numbers} {line.text!r}"
