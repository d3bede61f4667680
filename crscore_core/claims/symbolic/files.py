"""Facts about a file as a whole, and about files that are not code."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from crscore_core.change import FileChange, FileStatus, Hunk, LineKind
from crscore_core.claims.symbolic.edits import Edit
from crscore_core.claims.symbolic.fact import IS_OR_ARE, ITEM, PLURAL_S, VERB_S, Fact, Rank
from crscore_core.claims.symbolic.lexis import new_lines
from crscore_core.claims.symbolic.wording import (
    contrast,
    describe_rewording,
    quote,
    quote_prose,
)
from crscore_core.text import counted

_SUBMODULE, _SYMLINK = "160000", "120000"
_TEST_FILE = re.compile(
    r"(?:^test|^test[_-].*|.*[_.-](?:test|tests|spec)|.*[A-Za-z0-9](?:Test|Tests|TestCase|Spec|IT))"
    r"\.[^.]+$|^Test[A-Z].*\.[^.]+$|^conftest\.py$"
)
_TEST_FOLDER = re.compile(r"(?i:tests?|specs?|__tests__|testing)$|.*[a-z.]Tests?$")
_PROSE = frozenset({"markdown", "restructuredtext", "text"})
_PROSE_NAME = re.compile(
    r"(?:readme|licen[sc]e|copying|notice|authors|contributing|changelog|changes|history|news|"
    r"install|todo)(?:\.(?:adoc|asciidoc|org|textile))?$|.*\.(?:adoc|asciidoc|textile|mdx)$",
    re.IGNORECASE,
)
_LIST_NAME = re.compile(
    r"(?:.*requirements.*|.*constraints.*|CMakeLists|robots)\.txt$", re.IGNORECASE
)
_LOCK_NAME = re.compile(
    r"(?:.*\.lock|.*-lock\.(?:json|yaml)|npm-shrinkwrap\.json|go\.sum|packages\.lock\.json)$"
)
_GENERATED_NAME = re.compile(
    r"(?:\.min\.(?:js|css)|\.pb\.go|_pb2(?:_grpc)?\.py|\.snap|\.map|\.designer\.cs|\.g\.dart)$",
    re.IGNORECASE,
)
_GENERATED_NOTE = re.compile(
    r"(?:code generated|auto-?generated|@generated|do not edit)", re.IGNORECASE
)
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
_BY_SPACES = frozenset({"shell", "make", "docker"})
"""Languages in which a space may change the meaning of a line."""


def _name(file: FileChange) -> str:
    return (file.path or "").replace("\\", "/").rpartition("/")[2]


def is_test_path(path: str | None) -> bool:
    """Return True if the name of a file or of a parent folder indicates tests."""
    *folders, name = (path or "").replace("\\", "/").split("/")
    return bool(_TEST_FILE.match(name)) or any(map(_TEST_FOLDER.match, folders))


def is_submodule(file: FileChange) -> bool:
    """Return True if the file is a submodule: a commit of another repository."""
    return _SUBMODULE in {file.old_mode, file.new_mode}


def is_prose(file: FileChange) -> bool:
    """Return True if the file is prose: documentation, a licence, notes."""
    if _LIST_NAME.match(_name(file)):
        return False
    return file.language in _PROSE or (
        file.language is None and bool(_PROSE_NAME.match(_name(file)))
    )


def is_generated(file: FileChange) -> bool:
    """Return True if a tool generates the file: a lock file, bundle, snapshot, generated code."""
    if _LOCK_NAME.match(_name(file)) or _GENERATED_NAME.search(_name(file)):
        return True
    head = [line.text for hunk in file.hunks[:1] if hunk.new_start <= 1 for line in hunk.lines[:5]]
    return any(map(_GENERATED_NOTE.search, head))


def fact_of_size(file: FileChange) -> Fact:
    """Return a fact about the numbers of added and removed lines of a file."""
    is_lock = bool(_LOCK_NAME.match(_name(file)))
    noun = "the lock file " if is_lock else "the generated file " * is_generated(file)
    counts = ((len(file.added), "added"), (len(file.removed), "removed"))
    size = " and ".join(f"{counted(number, 'line')} {verb}" for number, verb in counts if number)
    text = f"{noun}{quote(file.path) if file.path else 'the file'} changes: {size}"
    wordings = ("the locked versions of dependencies change",) * is_lock
    line = file.hunks[0].new_start if file.hunks else None
    return Fact(text, Rank.SUPPLEMENT, line, wordings=wordings)


def facts_of_file(file: FileChange) -> list[Fact]:
    """Return facts about a file as a whole; empty if only its lines change."""
    path = quote(file.path or "unnamed")
    if is_submodule(file):
        names = [line.text.rpartition(" ")[2][:12] for line in (*file.removed, *file.added)]
        change = f"moves from commit {names[0]} to {names[1]}" if len(names) == 2 else "changes"
        verbs = {FileStatus.ADDED: "is added", FileStatus.DELETED: "is removed"}
        return [Fact(f"the submodule {path} {verbs.get(file.status, change)}", Rank.FILE, None)]
    noun = "binary file" if file.is_binary else "file"
    noun = "symbolic link" if _SYMLINK in {file.old_mode, file.new_mode} else noun
    empty = "" if file.hunks or file.is_binary else "empty "
    sentence = {
        FileStatus.ADDED: f"the {empty}{noun} {path} is added" * bool(file.path),
        FileStatus.DELETED: f"the {noun} {path} is deleted" * bool(file.path),
        FileStatus.RENAMED: f"the {noun} {quote(file.old_path or '')} is renamed to {path}",
        FileStatus.COPIED: f"the {noun} {quote(file.old_path or '')} is copied to {path}",
        FileStatus.MODIFIED: f"the binary file {path} changes" * file.is_binary,
    }[file.status]
    facts = [Fact(sentence, Rank.FILE, None)] if sentence else []
    was, now = file.old_mode, file.new_mode
    if was and now and was != now:
        verb = "becomes" if now.endswith("755") else "is no longer"
        effect = f": it {verb} executable" * (now.endswith("755") != was.endswith("755"))
        text = f"the mode of {path} changes from {was} to {now}{effect}"
        facts.append(Fact(text, Rank.FILE, None))
    return facts


def fact_of_layout(file: FileChange, edits: Sequence[Edit]) -> Fact | None:
    """Return a fact about code that changes only in its layout, order, comments or punctuation."""
    before = Counter(edit.old.parsed.key for edit in edits if edit.old)
    if before != Counter(edit.new.parsed.key for edit in edits if edit.new):
        return None
    removed, added = (
        [line.text.strip() for line in lines if line.text.strip()]
        for lines in (file.removed, file.added)
    )
    line = file.added[0].new if file.added else file.hunks[0].new_start
    if not removed and not added:
        wording = "an empty line, only whitespace or formatting"
        verbs = ["added"] * bool(file.added) + ["removed"] * bool(file.removed)
        text = f"only blank lines are {' and '.join(verbs)}"
        return Fact(text, Rank.LAYOUT, line, wordings=(wording,))
    blank = " " if file.language in _BY_SPACES else ""
    old = blank.join(word for hunk in file.hunks for word in hunk.old_text.split())
    new = blank.join(word for hunk in file.hunks for word in hunk.new_text.split())
    parsed = [edit.statement.parsed for edit in edits if not edit.is_one_sided]
    moved = [statement.text or statement.value for statement in parsed]
    items = tuple(quote(text, 50) for text in dict.fromkeys(moved or added or removed))
    if old == new and not moved:
        text = f"only the layout of {ITEM} changes: indentation, blanks or line breaks"
        return Fact(text, Rank.LAYOUT, line, items)
    if moved or sorted(removed) == sorted(added):
        place = "block" if moved else "place"
        return Fact(f"{ITEM} move{VERB_S} to another {place}", Rank.TEXT, line, items)
    if not (removed and added):
        verb = "added" if added else "removed"
        return Fact(f"{ITEM} {IS_OR_ARE} {verb}", Rank.LAYOUT, line, items)
    pair = contrast(" ".join(removed), " ".join(added))
    return Fact(f"{pair[0]} becomes {pair[1]}", Rank.LAYOUT, line) if pair else None


def facts_of_prose(hunks: Sequence[Hunk]) -> list[Fact]:
    """Return facts about added, removed and reworded passages."""
    facts = []
    for hunk in hunks:
        rows = zip(hunk.lines, new_lines(hunk.lines), strict=True)
        for is_context, passage in groupby(rows, lambda row: row[0].kind is LineKind.CONTEXT):
            lines = list(passage)
            old, new = (
                [line.text for line, _ in lines if line.kind is kind]
                for kind in (LineKind.REMOVED, LineKind.ADDED)
            )
            if not is_context and any(text.strip() for text in (*old, *new)):
                facts.append(_fact_of_passage(old, new, lines[0][1]))
    return facts


def _fact_of_passage(old: Sequence[str], new: Sequence[str], line: int) -> Fact:
    before, after = " ".join(old).split(), " ".join(new).split()
    words = " ".join(after or before)
    titles = [match[1] for text in new if (match := _HEADING.match(text))]
    items: tuple[str, ...] = ()
    rank = Rank.TEXT
    if before == after:
        text = f"only the line breaks or blanks of {quote_prose(words, 80)} change"
        rank = Rank.LAYOUT
    elif titles and not before:
        items = tuple(quote_prose(title, 60) for title in titles)
        text = f"the section{PLURAL_S} {ITEM} {IS_OR_ARE} added to the documentation"
    elif before and after:
        text = describe_rewording(before, after, "the text")
    else:
        verb = "added to" if after else "removed from"
        text = f"a passage is {verb} the text: {quote_prose(words)}"
        rank = Rank.TEXT if len(re.findall(r"[^\W\d_]{3,}", words)) > 2 else Rank.TRIVIAL
    return Fact(text, rank, line, items, wordings=(f"the documentation about {words[:200]}",))
