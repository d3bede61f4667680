"""Skip lines outside the diff: prose, mail, fences, messages of tools.

A line that may be a damaged part of the diff is an error if ignoring it would lose something, and
a warning if it probably would not.
"""

import re

from crscore_core.change.cursor import Cursor
from crscore_core.errors import DiffError

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([\w+-]*)[ \t]*")
_BETWEEN_FILES = (
    "Index: ", "=====", "Property changes on: ", "commit ", "From ", "diff ", "# ",
)  # fmt: skip
_SIGNATURE = "--"
_UNSHOWN = re.compile(
    r"Only in [^:]+: .|Cannot display: file marked as a binary type|Binary file .* has changed$"
    r"|Submodule \S+ [0-9a-f]+\.\.|Files .* differ$"
)
_MAIL_HEADER = re.compile(r"content-(?:type|transfer-encoding):", re.IGNORECASE)
_FLOWED = re.compile(r"format=\"?flowed", re.IGNORECASE)
_ENCODED = re.compile(r"transfer-encoding:\s*(quoted-printable|base64)", re.IGNORECASE)
_LONGEST_HEADER = 1000


class Outside:
    """Skips or rejects the lines between the files of a diff.

    `file_goes_on` is True until a line ends the previous file: a hunk without a header then
    belongs to that file.
    """

    def __init__(self, cursor: Cursor) -> None:
        self.file_goes_on = False
        self._cursor = cursor
        self._after_part = False
        self._fence = ""

    def after_part(self) -> None:
        """Record that a part of the diff ends before the current line."""
        self.file_goes_on = self._after_part = True

    def before_bare_hunk(self) -> None:
        """Warn if lines of a hunk are directly above a hunk without a file header."""
        at = self._cursor.index - 1
        if at >= 0 and self._cursor.lines[at][:1] in {" ", "+", "-"}:
            self._cursor.warn("is above the first header and was ignored", at)

    def skip(self) -> None:
        """Skip the current line, which starts neither a file nor a hunk."""
        cursor = self._cursor
        line = cursor.line.rstrip()
        if _MAIL_HEADER.match(line):
            self._check_mail()
        if _UNSHOWN.match(line[:_LONGEST_HEADER]):
            cursor.warn("mentions a change that the diff does not show")
            self._end_file()
        elif line == _SIGNATURE or line.startswith(_BETWEEN_FILES) or self._is_fence(line):
            self._end_file()
        elif line and self._after_part:
            self._after_part = False
            if line[0] in " +-" or line == "~":
                raise cursor.error(
                    "looks like a line of a hunk, but the hunk headers above declare no more lines"
                )
            cursor.warn("is outside any hunk and was ignored")
        cursor.index += 1

    def _end_file(self) -> None:
        self.file_goes_on = self._after_part = False

    def _is_fence(self, line: str) -> bool:
        """Return True if the line opens a markdown fence or closes the open one."""
        match = _FENCE.fullmatch(line)
        if not match:
            return False
        if not self._fence:
            # A bare fence right after a hunk closes one that was never opened.
            opens = bool(match[2]) or not self._after_part
            self._fence = match[1] if opens else ""
            return opens
        if match[1].startswith(self._fence) and not match[2]:
            self._fence = ""
            return True
        return False

    def _check_mail(self) -> None:
        """Reject mail that rewraps or encodes lines; its header may continue on indented lines."""
        cursor = self._cursor
        header = cursor.line[:_LONGEST_HEADER]
        for line in cursor.lines[cursor.index + 1 : cursor.index + 5]:
            if line[:1] not in {" ", "\t"}:
                break
            header += line[:_LONGEST_HEADER]
        if _FLOWED.search(header):
            raise _unreadable(cursor, "is format=flowed, which rewraps lines")
        if encoded := _ENCODED.search(header):
            raise _unreadable(cursor, f"is encoded as {encoded[1].lower()}")


def _unreadable(cursor: Cursor, reason: str) -> DiffError:
    return cursor.error(f"this mail {reason}; give the diff as it was attached or decoded")
