"""How the tests of diffs that arrive are written down: a text, and exactly what is read of it."""

from dataclasses import dataclass

from crscore_core.change import ChangedLine, CodeChange, FileChange, Hunk, LineKind

__all__ = ["Arrival", "shown"]


@dataclass(frozen=True, slots=True)
class Arrival:
    """One diff that arrives, and what comes out of it.

    `name` begins with the number of the hazard. `expected` is the message of the error, or
    the change as `shown` writes it.
    """

    name: str
    diff: str | bytes
    expected: str | list[str]

    @property
    def number(self) -> int:
        """Number of the hazard."""
        return int(self.name.partition(" ")[0])


def shown(change: CodeChange) -> list[str]:
    """Everything that a change holds, a line for each file, hunk, line and warning."""
    result = []
    for file in change.files:
        result.append(_file(file))
        for hunk in file.hunks:
            result.append(_hunk(hunk))
            result += [_line(line) for line in hunk.lines]
    return result + [f"warning: {warning}" for warning in change.warnings]


def _file(file: FileChange) -> str:
    parts = [f"{file.status} {file.old_path!r} -> {file.new_path!r}"]
    if file.language:
        parts.append(f"{file.language} by {file.language_source}")
    if file.old_mode or file.new_mode:
        parts.append(f"mode {file.old_mode} -> {file.new_mode}")
    if file.is_binary:
        parts.append("binary")
    return ", ".join(parts)


def _hunk(hunk: Hunk) -> str:
    ranges = f"-{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count}"
    return f"@@ {ranges} @@ {hunk.section}".rstrip()


def _line(line: ChangedLine) -> str:
    """Place in the given text, mark, place in the old and new file, text."""
    numbers = f"{line.old}/{line.new}" if line.kind is LineKind.CONTEXT else line.old or line.new
    end = " without newline" if line.ends_without_newline else ""
    return f"{line.position}: {line.kind}{numbers} {line.text!r}{end}"
