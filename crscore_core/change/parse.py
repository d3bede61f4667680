"""Parse diff text into a `CodeChange`; text around the diff is skipped."""

import re
from dataclasses import replace

from crscore_core.change.cursor import Cursor, read_diff
from crscore_core.change.headers import HEADER_STARTS, read_header
from crscore_core.change.hunks import FENCE, continuation, read_hunk
from crscore_core.change.language import language_of_name, normalise_language
from crscore_core.change.model import CodeChange, FileChange, FileStatus, Hunk

_NO_CODE = {"120000", "160000"}
"""Modes of a symbolic link, whose content is a path, and of a submodule (a commit)."""
_NAMELESS = FileChange(None, None, FileStatus.MODIFIED, (), None)
_BETWEEN_FILES = re.compile(
    r"Index: |={5}|_{5}|Property changes on: |commit |From |diff |# |--\s*$|" + FENCE.pattern
)
_CHANGE_NOT_SHOWN = re.compile(
    r"Only in [^:]+: |Files .* differ\s*$|Cannot display: |Submodule \S+ \w+\.\."
)
_MAIL = re.compile(
    r"content-(?:transfer-encoding: *(?:quoted-printable|base64)|type:.*format=\"?flowed)",
    re.IGNORECASE,
)


def parse_change(diff: str | bytes, *, language: str | None = None) -> CodeChange:
    """Parse a unified diff from git, svn, hg or plain `diff -u`, or bare hunks without names.

    The language of a file follows from its name; `language` applies to hunks without a file name.
    Symbolic links and submodules have no language.

    Raises:
        InputError: the diff is empty, too large, not a diff, or cannot be read exactly; or
            `language` is not a name.
    """
    declared = normalise_language(language) if language is not None else None
    cursor = read_diff(diff)
    files = []
    for file, hunks in _read_files(cursor):
        file_language = declared if file.path is None else language_of_name(file.path)
        is_code = not {file.old_mode, file.new_mode} & _NO_CODE
        files.append(replace(file, hunks=tuple(hunks), language=file_language if is_code else None))
    return CodeChange(tuple(files), tuple(cursor.warnings))


def _read_files(cursor: Cursor) -> list[tuple[FileChange, list[Hunk]]]:
    """Read the files of a diff with their hunks."""
    files: list[tuple[FileChange, list[Hunk]]] = []
    end = file_end = None
    while not cursor.at_end:
        start = cursor.index
        if cursor.line.startswith("@@") and not cursor.line.startswith("@@@"):
            hunk = read_hunk(cursor)
            if file_end is None or (files[-1][0].path is None and start != file_end):
                if start and cursor.lines[start - 1][:1] in {" ", "+", "-"}:
                    cursor.warn("is above the first header and was ignored", start - 1)
                files.append((_NAMELESS, []))
            _add_hunk(cursor, files, hunk, start)
        elif cursor.line.startswith(HEADER_STARTS) and (file := read_header(cursor)):
            files.append((file, []))
        else:
            end, file_end = _skip(cursor, end, file_end)
            continue
        end = file_end = cursor.index
    if not files:
        raise cursor.error("no diff found, nor a hunk such as `@@ -1,2 +1,3 @@`; see git diff", 0)
    return files


def _add_hunk(
    cursor: Cursor, files: list[tuple[FileChange, list[Hunk]]], hunk: Hunk, start: int
) -> None:
    """Add a hunk to the last file, or to a new one if the file is nameless and the order wrong."""
    file, hunks = files[-1]
    if file.status is FileStatus.ADDED and hunk.old_count:
        raise cursor.error("a new file with lines from an old one", start)
    if file.status is FileStatus.DELETED and hunk.new_count:
        raise cursor.error("a deleted file that still has lines", start)
    next_hunk = continuation(hunks[-1], hunk) if hunks else hunk
    if next_hunk:
        hunks.append(next_hunk)
    elif file.path is None:
        files.append((_NAMELESS, [hunk]))
    else:
        raise cursor.error("the hunk overlaps or precedes the one before it in the file", start)


def _skip(cursor: Cursor, end: int | None, file_end: int | None) -> tuple[int | None, int | None]:
    """Skip a line outside the diff, with a warning about prose right after a header or hunk.

    Return the end of the last header or hunk, or None after another line, and the end of the last
    file, or None if another file must follow.
    """
    line = cursor.line
    if _MAIL.match(line[:1000]):
        raise cursor.error("the mail is encoded or rewrapped; give the diff as it was attached")
    if _CHANGE_NOT_SHOWN.match(line[:1000]):
        cursor.warn("mentions a change that the diff does not show")
        end = file_end = None
    elif _BETWEEN_FILES.match(line):
        end = file_end = None
    elif line.strip() and end is not None:
        if line[0] in " +-" or line == "~":
            raise cursor.error(
                "looks like a line of a hunk, but the hunk headers above declare no more lines"
            )
        cursor.warn("is outside any hunk and was ignored")
        end = None
    cursor.index += 1
    return end, file_end
