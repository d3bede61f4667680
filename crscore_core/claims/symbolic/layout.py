"""Claims about moved code and whole files, and the place of a block."""

import re
from collections.abc import Sequence
from itertools import groupby

from crscore_core.change import FileChange, FileStatus, Hunk
from crscore_core.claims.symbolic.candidate import (
    Candidate,
    Scene,
    are,
    claim,
    implication,
    listed,
    quoted,
)
from crscore_core.claims.symbolic.lexing import NESTED_BY_INDENT, LogicalLine
from crscore_core.claims.symbolic.pairing import Block, Pair, same_code
from crscore_core.claims.symbolic.recognition import recognise
from crscore_core.claims.symbolic.statement import Sort, Statement

MIN_MOVED = 12
"""Characters from which equal lines are taken to be one that moved."""

_RUN = frozenset({Sort.CALL, Sort.ASSIGNMENT, Sort.LOG, Sort.ASSERTION})
"""Statements that happen one after another."""

_LONG_STRINGS = ('"""', "'''", "`")
"""Marks of strings that can span lines, the blanks of which count."""


def take_moved(blocks: Sequence[Block]) -> list[Candidate]:
    """Take statements that moved out of `blocks`, and describe each run of them as one claim."""
    gone: dict[str, list[tuple[Block, Statement]]] = {}
    come: dict[str, list[tuple[Block, Statement]]] = {}
    for block in blocks:
        for statement in block.removed:
            if statement.sort is Sort.COMMENT:
                continue
            gone.setdefault(statement.source.text, []).append((block, statement))
        for statement in block.added:
            come.setdefault(statement.source.text, []).append((block, statement))
    moved = [
        (gone[text][0], come[text][0])
        for text in gone
        if len(text) >= MIN_MOVED and len(gone[text]) == len(come.get(text, ())) == 1
    ]
    if not moved:
        return []
    taken = {id(s) for pair in moved for _, s in pair}
    for block in blocks:
        block.removed = [s for s in block.removed if id(s) not in taken]
        block.added = [s for s in block.added if id(s) not in taken]
    return _moves([(old, new) for (_, old), (_, new) in moved])


def moves_within(block: Block) -> list[Candidate]:
    """Describe unchanged statements of `block` that changed places, or the block they are in."""
    shifted = {id(shift.statement) for shift in block.shifts}
    found = []
    for how, shifts in groupby(block.shifts, key=lambda shift: shift.how):
        statements = [shift.statement for shift in shifts]
        shown = listed([quoted(s.text, 70) for s in statements], 3)
        verb = "gets" if how.startswith("another") else "moves"
        verb = verb if len(statements) == 1 else verb.removesuffix("s")
        found.append(claim(f"{shown} {verb} {how}", 78, statements[0].line))
    moved = [(p.old, p.new) for p in block.moved if id(p.new) not in shifted]
    return [*found, *(_moves(moved) if moved else [])]


def _moves(moved: Sequence[tuple[Statement, Statement]]) -> list[Candidate]:
    shown = listed([quoted(new.text, 70) for _, new in moved], 3)
    old, new = moved[0]
    where = "further down" if new.source.positions[0] > old.source.positions[0] else "further up"
    found = [claim(f"{shown} {are(moved)} moved {where}", 70, new.line)]
    if new.sort in _RUN and old.source.indent == new.source.indent:
        text = f"The order in which {quoted(new.text, 50)} happens changes"
        found.append(implication(text, 44, new.line))
    return found


def layout_of(
    blocks: Sequence[Block], hunks: Sequence[Hunk], language: str | None
) -> list[Candidate]:
    """Describe `blocks` of `hunks`, in which no statement changes but its layout."""
    line = max(min((h.new_start for h in hunks), default=1), 1)
    pairs = [p for b in blocks for p in b.pairs]
    respaced = [p for p in pairs if same_code(p.old, p.new, language)]
    if respaced or any(b.reflowed for b in blocks):
        texts = [row.text for hunk in hunks for row in hunk.lines]
        in_string = any(mark in text for text in texts for mark in _LONG_STRINGS)
        return _respaced(blocks, respaced, line, None if in_string else language)
    added = [s for b in blocks for s in b.added]
    removed = [s for b in blocks for s in b.removed]
    verb = "changed" if added and removed else "added" if added else "removed"
    if not (added or removed):
        return []
    if all(s.sort is Sort.BLANK for s in (*added, *removed)):
        return [
            claim(f"Blank lines or whitespace are {verb}", 40, line),
        ]
    marks = listed([quoted(s.source.text, 30) for s in (*added, *removed)], 4)
    return [claim(f"The brackets or marks {marks} are {verb}", 45, line)]


def _respaced(
    blocks: Sequence[Block], respaced: Sequence[Pair], line: int, language: str | None
) -> list[Candidate]:
    shown = [s for b in blocks for s in b.members if s.sort not in {Sort.BLANK, Sort.BRACKETS}]
    example = f" of {quoted(shown[0].text, 70)}" if shown else ""
    if any(p.old.sort is not Sort.COMMENT and _other_end(p) for p in respaced):
        return [claim(f"Only the mark at the end{example} changes", 60, blocks[0].line)]
    indented = any(p.old.source.indent != p.new.source.indent for p in respaced)
    how = "indentation" if indented else "formatting, whitespace or line breaks"
    found = [claim(f"Only the {how}{example} changes", 60, blocks[0].line)]
    known = language is not None and not (indented and language in NESTED_BY_INDENT)
    if known:
        effect = "Behaviour stays the same, the formatting is for readability"
        found.append(implication(effect, 40, line))
    return found


def _other_end(pair: Pair) -> bool:
    return [t.text for t in pair.old.tokens] != [t.text for t in pair.new.tokens]


_SUBMODULE = "160000"
_SYMLINK = "120000"


def line_of(file: FileChange, line: int) -> int | None:
    """The line to name: none in a deleted file, nor where the new file has no such line."""
    return None if file.status is FileStatus.DELETED or line < 1 else line


def is_submodule(file: FileChange) -> bool:
    """Whether `file` is a link to a commit of another repository."""
    return _SUBMODULE in {file.old_mode, file.new_mode}


_TEST_NAME = re.compile(
    r"(?:^test|^test[_-].*|.*[_.-](?:test|tests|spec)|.*[a-z0-9](?:Test|Tests|TestCase|Spec|IT))"
    r"\.[^.]+$|^Test[A-Z].*\.[^.]+$|^conftest\.py$"
)
_TEST_FOLDERS = frozenset({"test", "tests", "spec", "specs", "__tests__", "testing"})


def is_test_path(path: str | None) -> bool:
    """Whether the name of a file, or of a folder that holds it, says that it holds tests."""
    *folders, name = (path or "").replace("\\", "/").split("/")
    return bool(_TEST_NAME.match(name)) or bool(_TEST_FOLDERS & {f.casefold() for f in folders})


def file_events(file: FileChange) -> list[Candidate]:
    """Describe what happens to `file` as a whole; nothing where only its lines change."""
    old, new = quoted(file.old_path or "the file"), quoted(file.new_path or "the file")
    if is_submodule(file):
        return _submodule(file)
    found: list[Candidate] = []
    noun = "binary file" if file.is_binary else "file"
    if _SYMLINK in {file.old_mode, file.new_mode}:
        noun = "symbolic link"
    empty = not file.hunks and not file.is_binary
    match file.status:
        case FileStatus.ADDED if file.path:
            kind = f"empty {noun}" if empty else noun
            found.append(claim(f"The new {kind} {new} is added", 70, None))
        case FileStatus.DELETED if file.path:
            found.append(claim(f"The {noun} {old} is deleted", 90, None))
            text = f"Code that refers to {old} has to do without it"
            found.append(implication(text, 50, None))
        case FileStatus.RENAMED:
            found.append(claim(f"The {noun} {old} is renamed to {new}", 90, None))
            text = f"Imports of and references to {old} have to use {new}"
            found.append(implication(text, 50, None))
        case FileStatus.COPIED:
            found.append(claim(f"The {noun} {old} is copied to {new}", 90, None))
            text = f"{old} and {new} duplicate code that has to be kept in step"
            found.append(implication(text, 50, None))
        case _ if file.is_binary:
            found.append(claim(f"The binary file {new} changes", 80, None))
    return found + _mode(file)


def _mode(file: FileChange) -> list[Candidate]:
    if file.old_mode is None or file.new_mode is None or file.old_mode == file.new_mode:
        return []
    name = quoted(file.path or "the file")
    found = [claim(f"The mode of {name} changes from {file.old_mode} to {file.new_mode}", 80, None)]
    was, now = file.old_mode.endswith("755"), file.new_mode.endswith("755")
    if was != now:
        text = f"{name} {'becomes' if now else 'is no longer'} executable"
        found.append(implication(text, 60, None))
    return found


def _submodule(file: FileChange) -> list[Candidate]:
    name = quoted(file.path or "the submodule")
    commits = [
        line.text.removeprefix("Subproject commit ").strip()[:12]
        for line in (*file.removed[:1], *file.added[:1])
    ]
    if len(commits) == 2:
        text = f"The submodule {name} moves from commit {commits[0]} to {commits[1]}"
    elif file.status is FileStatus.DELETED:
        text = f"The submodule {name} is removed"
    else:
        text = f"The submodule {name} is added or changed"
    return [
        claim(text, 90, None),
        implication(f"The code of the submodule {name} is at another version", 50, None),
    ]


def size_of(file: FileChange, added: int, removed: int, line: int | None) -> Candidate:
    """Say how much of a file changes, for one that is too large to examine line by line."""
    name = quoted(file.path or "the file")
    parts = []
    if added:
        parts.append(f"{_lines(added)} added to {name}")
    if removed:
        parts.append(f"{_lines(removed)} removed from {name}")
    text = " and ".join(parts)
    return claim(text, 40, line)


def _lines(count: int) -> str:
    return "1 line is" if count == 1 else f"{count} lines are"


def section_statement(hunk: Hunk, language: str | None) -> Statement | None:
    """Return what the text after the hunk's range says, read as code, or None without it."""
    if not hunk.section.strip():
        return None
    source = LogicalLine(hunk.section.strip(), (), (), hunk.new_start, 0, prose=False)
    return recognise(source, language)


def scene_of(block: Block, section: Statement | None, file: FileChange) -> Scene:
    """Return the scene of `block`, by what encloses it in the hunk and by the section."""
    around = list(reversed(block.within))
    if section is not None and block.indent:
        around.append(section)
    phrases = [(statement.sort, phrase) for statement in around if (phrase := _phrase(statement))]
    owner = phrases[0][1] if phrases else ""
    inside = phrases[0][1] if phrases and phrases[0][0] is not Sort.TYPE else ""
    return Scene(
        inside,
        owner,
        file.language,
        is_test_path(file.path),
        block.called_before,
        block.called_now,
        block.in_loop or file.language == "python",
        block.text_now,
    )


def _phrase(statement: Statement) -> str:
    if statement.heading is not None:
        return f" in the {quoted(statement.subject, 60)} {statement.heading.noun}"
    match statement.sort:
        case Sort.TEST:
            return f" in the tests {quoted(statement.detail, 60)}"
        case Sort.ASSIGNMENT | Sort.CALL | Sort.ENTRY if statement.subject:
            return f" in {quoted(statement.subject, 60)}"
    return ""
