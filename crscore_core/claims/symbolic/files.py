"""Facts about a file as a whole, and about files that are not code."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from crscore_core.change import FileChange, FileStatus, Hunk, LineKind
from crscore_core.claims.symbolic.edits import Edit
from crscore_core.claims.symbolic.fact import Fact, Rank
from crscore_core.claims.symbolic.wording import contrast, describe_rewording, quote, quote_prose
from crscore_core.text import counted

_NOUNS = {"160000": "submodule", "120000": "symbolic link"}
"""Names of what is not an ordinary file, by git's mode."""

_LARGE = "version https://git-lfs.github.com/spec/"
"""Start of a file that stands for a large one in Git LFS."""

_EFFECTS = {
    FileStatus.MODIFIED: "the {noun} {path} changes{target}",
    FileStatus.ADDED: "the {empty}{noun} {path} is added{target}",
    FileStatus.DELETED: "the {noun} {path} is deleted",
    FileStatus.RENAMED: "the {noun} {old_path} is renamed to {path}{target}",
    FileStatus.COPIED: "the {noun} {old_path} is copied to {path}{target}",
}
_TEST_FILE = re.compile(
    r"(?:^test|^test[_-].*|.*[_.-](?:test|tests|spec)|.*[A-Za-z0-9](?:Test|Tests|TestCase|Spec|IT))"
    r"\.[^.]+$|^Test[A-Z].*\.[^.]+$|^conftest\.py$"
)
_TEST_FOLDER = re.compile(r"(?i:tests?|specs?|__tests__|testing)$|.*[a-z.]Tests?$")
_PROSE = frozenset({"markdown", "restructuredtext", "text"})
_PROSE_NAME = re.compile(
    r"(?i)(?:readme|licen[sc]e|copying|notice|authors|contributing|changelog|changes|history|news|"
    r"install|todo)(?:\.(?:adoc|asciidoc|org|textile))?$|.*\.(?:adoc|asciidoc|textile|mdx|rdoc)$"
)
_LIST_NAME = re.compile(r"(?i)(?:.*requirements.*|.*constraints.*|CMakeLists|robots)\.txt$")
_LOCK_NAME = re.compile(
    r"(?:.*\.lock|.*-lock\.(?:json|yaml)|npm-shrinkwrap\.json|go\.sum|packages\.lock\.json)$"
)
_GENERATED_NAME = re.compile(
    r"(?i)(?:\.min\.(?:js|css)|\.pb\.go|_pb2(?:_grpc)?\.py|\.snap|\.map|\.designer\.cs|\.g\.dart)$"
)
_GENERATED_NOTE = re.compile(r"(?i)code generated|auto-?generated|@generated|do not edit")
_HEADING = re.compile(r"^#{1,6} +(.*?) *#*$|^([^=~^`-].*?) ([=~^\"'*+#-])\3{2,}$")
"""A heading with its title."""

_SECTION = "the section {title} is added to the documentation"
_LINE = re.compile(r"([=~^*+#`\"'-])\1{2,}$")
"""A row that underlines a heading or separates passages."""

_NOTEBOOK_KEY = re.compile(r'^ *"(?P<key>[^"]+)": (?:\[|"(?P<value>\w+)",?)$')
_NOTEBOOK_ROW = re.compile(
    r'^(?: {4}| {8})("(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"),?$'
)
"""A row of the source of a cell."""

_BY_SPACES = frozenset({"shell", "make", "docker"})
"""Languages in which a space may change the meaning of a line."""


def _name(file: FileChange) -> str:
    return (file.path or "").replace("\\", "/").rpartition("/")[2]


def is_test_path(path: str | None) -> bool:
    """Return True if the name of a file or of a parent folder indicates tests."""
    *folders, name = (path or "").replace("\\", "/").split("/")
    return bool(_TEST_FILE.match(name)) or any(map(_TEST_FOLDER.match, folders))


def is_prose(file: FileChange) -> bool:
    """Return True if the file is prose: documentation, a licence, notes."""
    is_named = file.language is None and bool(_PROSE_NAME.match(_name(file)))
    return (is_named or file.language in _PROSE) and not _LIST_NAME.match(_name(file))


def is_generated(file: FileChange) -> bool:
    """Return True if a tool generates the file: a lock file, bundle, snapshot, generated code."""
    if _LOCK_NAME.match(_name(file)) or _GENERATED_NAME.search(_name(file)):
        return True
    head = [line.text for hunk in file.hunks[:1] if hunk.new_start <= 1 for line in hunk.lines[:5]]
    return any(map(_GENERATED_NOTE.search, head))


def is_pointer(file: FileChange) -> bool:
    """Return True if the file stands for another one: a link, a submodule, a file in Git LFS."""
    return file.new_mode in _NOUNS or file.old_mode in _NOUNS or _is_large(file)


def _is_large(file: FileChange) -> bool:
    return any(_LARGE in hunk.lines[0].text for hunk in file.hunks[:1] if hunk.lines)


def is_notebook(file: FileChange) -> bool:
    """Return True if the file is a Jupyter notebook."""
    return _name(file).endswith(".ipynb")


def notebook_cells(hunk: Hunk) -> Hunk:
    """Return the code of the cells of a notebook in a hunk, with Markdown as comments."""
    lines, key, mark = [], "source", ""
    for line in hunk.lines:
        text = line.text.rstrip("\r")
        if match := _NOTEBOOK_KEY.match(text):
            key = match["key"]
            mark = mark if key != "cell_type" else "# " if match["value"] == "markdown" else ""
        elif (row := _NOTEBOOK_ROW.match(text)) and key == "source":
            code = json.loads(row[1]).rstrip("\n").replace("\n", " ")
            lines.append(replace(line, text=mark + code))
        else:
            key = ""
    return replace(hunk, section="", lines=tuple(lines))


def _notebook_facts(file: FileChange) -> Iterator[Fact]:
    """Yield a fact about the changed rows of a notebook outside of its cells."""
    rows = [line for hunk in map(notebook_cells, file.hunks) for line in hunk.lines]
    n_cells = sum(line.kind is not LineKind.CONTEXT for line in rows)
    if n_rest := len(file.added) + len(file.removed) - n_cells:
        fields = {"path": quote(file.path or ""), "rows": counted(n_rest, "changed line")}
        template = "outputs or metadata of the notebook {path} change: {rows}"
        yield Fact(template, Rank.LAYOUT, file.hunks[0].new_start, fields)


def size_fact(file: FileChange) -> Fact:
    """Return a fact about the numbers of added and removed lines of a file."""
    noun = "the generated file " if is_generated(file) else ""
    if _LOCK_NAME.match(_name(file)):
        noun = "the lock file "
    counts = ((len(file.added), "added"), (len(file.removed), "removed"))
    fields = {
        "file": noun + (quote(file.path) if file.path else "the file"),
        "size": " and ".join(f"{counted(n, 'line')} {verb}" for n, verb in counts if n),
    }
    line = file.hunks[0].new_start
    return Fact("{file} changes: {size}", Rank.SUPPLEMENT, line, fields)


def file_facts(file: FileChange) -> list[Fact]:
    """Return facts about a file as a whole; empty if only its lines change."""
    was, now = file.old_mode, file.new_mode
    noun = "binary file" if file.is_binary else "Git LFS file" if _is_large(file) else "file"
    noun = next((_NOUNS[mode] for mode in (now, was) if mode in _NOUNS), noun)
    fields = {
        "noun": noun,
        "empty": "" if file.hunks or file.is_binary else "empty ",
        "path": quote(file.path or "unnamed"),
        "old_path": quote(file.old_path or ""),
        "modes": f"from {was} to {now}",
        "target": _target_change(file) if is_pointer(file) and file.hunks else "",
    }
    templates = []
    if file.path and (file.status is not FileStatus.MODIFIED or noun != "file"):
        templates.append(_EFFECTS[file.status])
    if was and now and was != now:
        templates.append("the mode of {path} changes {modes}")
        if now.endswith("755") != was.endswith("755"):
            verb = "becomes" if now.endswith("755") else "is no longer"
            templates[-1] += f": it {verb} executable"
    facts = [Fact(template, Rank.FILE, None, fields) for template in templates]
    return [*facts, *_notebook_facts(file)] if is_notebook(file) else facts


def _target_change(file: FileChange) -> str:
    """Describe what a pointer stands for: a path, a commit or a size."""
    was, now = (_target(text) for text in (file.hunks[0].old_text, file.hunks[0].new_text))
    return f" from {was} to {now}" if file.status is FileStatus.MODIFIED else f": {now}"


def _target(text: str) -> str:
    if commit := re.match(r"Subproject commit (\w{1,12})", text):
        return f"commit {quote(commit[1])}"
    size = re.search(r"^size (\d{1,15})\s*$", text, re.MULTILINE)
    return counted(int(size[1]), "byte") if _LARGE in text and size else quote(text)


def white_space_fact(file: FileChange, edits: Sequence[Edit]) -> Fact | None:
    """Return a fact about code that changes only in its layout, order, comments or punctuation."""
    before = Counter(edit.old.parsed.key for edit in edits if edit.old)
    if before != Counter(edit.new.parsed.key for edit in edits if edit.new):
        return None
    removed, added = (
        [line.text.strip() for line in lines if line.text.strip()]
        for lines in (file.removed, file.added)
    )
    blank = " " if file.language in _BY_SPACES else ""
    old = blank.join(word for hunk in file.hunks for word in hunk.old_text.split())
    new = blank.join(word for hunk in file.hunks for word in hunk.new_text.split())
    parsed = [edit.statement.parsed for edit in edits if not edit.is_one_sided]
    moved = [statement.text or statement.value for statement in parsed]
    pair = contrast(" ".join(removed), " ".join(added))
    rank = Rank.LAYOUT
    if not removed and not added:
        verbs = ["added"] * bool(file.added) + ["removed"] * bool(file.removed)
        template = f"only blank lines are {' and '.join(verbs)}"
    elif moved or (old != new and sorted(removed) == sorted(added)):
        template, rank = "{item} move{verb_s} to another place", Rank.TEXT
    elif old == new or pair is None:
        template = "only the layout of {item} changes: indentation, blanks or line breaks"
    elif removed and added:
        template = "{was} becomes {now}"
    else:
        template = f"{{item}} {{is_or_are}} {'added' if added else 'removed'}"
    line = file.added[0].new if file.added else file.hunks[0].new_start
    items = tuple(quote(text, 50) for text in dict.fromkeys(moved or added or removed))
    fields = {"was": pair[0], "now": pair[1]} if pair else {}
    return Fact(template, rank, line, fields, items)


def prose_facts(edits: Sequence[Edit]) -> list[Fact]:
    """Return facts about the added, removed, moved and reworded paragraphs of a hunk."""
    sides = ([edit.old for edit in edits if not edit.new], [edit.new for edit in edits])
    removed, added = ({side.parsed.value for side in statements if side} for statements in sides)
    facts: list[Fact] = []
    end = 0
    for edit in edits:
        text, rows = edit.statement.parsed.value, edit.statement.line.rows
        fact = _paragraph_fact(edit, is_moved=text in removed & added)
        if fact and edit.old is None and end and rows.start <= end + 1:  # follows a new heading
            fields = {**facts[-1].fields, "passage": quote_prose(text)}
            facts[-1] = replace(facts[-1], template=f"{_SECTION}: {{passage}}", fields=fields)
        elif fact:
            facts.append(fact)
        end = rows.stop if fact and fact.template == _SECTION else 0
    return facts


def _paragraph_fact(edit: Edit, *, is_moved: bool) -> Fact | None:
    """Return a fact about a paragraph; None if it has no words, or is moved away."""
    text, line = edit.statement.parsed.value, edit.statement.line.line
    if edit.old and edit.new:
        before, after = (
            [word for word in side.parsed.value.split() if not _LINE.match(word)]
            for side in (edit.old, edit.new)
        )
        fields = {"rewording": describe_rewording(before, after, "the text")}
        return Fact("{rewording}", Rank.TEXT, line, fields) if before != after else None
    if _LINE.match(text) or (is_moved and not edit.new):
        return None
    heading = _HEADING.match(text)
    if heading and edit.new and not is_moved:
        fields = {"title": quote_prose(heading[1] or heading[2], 60)}
        return Fact(_SECTION, Rank.TEXT, line, fields)
    change = "added to" if edit.new else "removed from"
    template = f"{{a_passage_is}} {'moved in' if is_moved else change} the text: {{item}}"
    rank = Rank.TEXT if len(re.findall(r"[^\W\d_]{3,}", text)) > 2 else Rank.TRIVIAL
    return Fact(template, rank, line, items=(quote_prose(text),))
