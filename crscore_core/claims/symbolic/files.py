"""Facts about a file as a whole, and about files that are not code."""

from crscore_core.change import FileChange, FileStatus
from crscore_core.claims.symbolic.patterns import FILE_KINDS, ROWS, languages
from crscore_core.claims.symbolic.sentences import Fact, Rank
from crscore_core.claims.symbolic.wording import quote
from crscore_core.text import counted

_EFFECTS = {
    FileStatus.MODIFIED: "the {noun} {path} changes",
    FileStatus.ADDED: "the {empty}{noun} {path} is added",
    FileStatus.DELETED: "the {noun} {path} is deleted",
    FileStatus.RENAMED: "the {noun} {old_path} is renamed to {path}",
    FileStatus.COPIED: "the {noun} {old_path} is copied to {path}",
}


def is_a(kind: str, file: FileChange) -> bool:
    """Return True if the name of a file indicates this kind, such as `lock` or `notebook`."""
    name = (file.path or "").replace("\\", "/").rpartition("/")[2]
    return bool(FILE_KINDS[kind].match(name))


def is_test_path(path: str | None) -> bool:
    """Return True if the name of a file or of a parent folder indicates tests."""
    *folders, name = (path or "").replace("\\", "/").split("/")
    is_test = bool(FILE_KINDS["test"].match(name))
    return is_test or any(map(FILE_KINDS["test_folder"].match, folders))


def is_prose(file: FileChange) -> bool:
    """Return True if the file is prose, such as documentation, a licence or notes."""
    is_named = file.language is None and is_a("prose", file)
    return (is_named or file.language in languages("prose")) and not is_a("list", file)


def is_generated(file: FileChange) -> bool:
    """Return True if a tool writes the file: a lock file, notebook, snapshot or generated code."""
    if any(is_a(kind, file) for kind in ("lock", "notebook", "generated")):
        return True
    head = [line.text for hunk in file.hunks[:1] if hunk.new_start <= 1 for line in hunk.lines[:5]]
    return any(map(ROWS["generated"].search, head))


def size_fact(file: FileChange) -> Fact:
    """Return a fact about how many lines are added to and removed from a file."""
    noun = "the generated file " if is_generated(file) else ""
    noun = "the notebook " if is_a("notebook", file) else noun
    noun = "the lock file " if is_a("lock", file) else noun
    counts = ((len(file.added), "added"), (len(file.removed), "removed"))
    fields = {
        "file": noun + (quote(file.path) if file.path else "the file"),
        "size": " and ".join(f"{counted(n, 'line')} {verb}" for n, verb in counts if n),
    }
    return Fact("{file} changes: {size}", Rank.SUPPLEMENT, file.hunks[0].new_start, fields)


def file_facts(file: FileChange) -> list[Fact]:
    """Return facts about a file as a whole; empty if only its lines change."""
    was, now = file.old_mode, file.new_mode
    nouns = {"160000": "submodule", "120000": "symbolic link"}  # by git's modes
    noun = nouns.get(now or was or "", "binary file" if file.is_binary else "file")
    fields = {
        "noun": noun,
        "empty": "" if file.hunks or file.is_binary else "empty ",
        "path": quote(file.path or "unnamed"),
        "old_path": quote(file.old_path or ""),
        "modes": f"from {was} to {now}",
    }
    is_whole = file.path and (file.status is not FileStatus.MODIFIED or noun != "file")
    templates = [_EFFECTS[file.status]] if is_whole else []
    if was and now and was != now:
        templates.append("the mode of {path} changes {modes}")
    return [Fact(template, Rank.FILE, None, fields) for template in templates]


def layout_fact(file: FileChange) -> Fact | None:
    """Return a fact about a file in which only blanks and line breaks seem to change, or None."""
    template = "only the layout of {path} changes"
    if not any(line.text.strip() for line in (*file.added, *file.removed)):
        verbs = ["added"] * bool(file.added) + ["removed"] * bool(file.removed)
        template = f"only blank lines are {' and '.join(verbs)}"
    elif file.language not in languages("free_form by_line python"):
        return None
    line = file.added[0].new if file.added else file.hunks[0].new_start
    return Fact(template, Rank.LAYOUT, line, {"path": quote(file.path or "the code")})
