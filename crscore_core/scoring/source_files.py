"""The new side of a change, in which analyzers find smells."""

from collections.abc import Mapping

from crscore_core.analyzers import Fragment, SourceFile
from crscore_core.change import CodeChange, FileChange, FileStatus, other_side
from crscore_core.errors import InputError, quoted


def source_files(
    change: CodeChange,
    new_files: Mapping[str, str] | None = None,
    new_file: str | None = None,
    old_file: str | None = None,
) -> tuple[list[SourceFile], list[str]]:
    """Return the input of the analyzers (the new side of each file) and warnings.

    `new_files` maps new paths, or endings that match only one path, to complete new files; the old
    files are derived from the hunks. Any path matches the only file of a diff without names.
    `new_file`, or else `old_file`, is the text of the first named file. Text that contradicts a
    hunk is ignored with a warning. A file without text consists of the fragments in its hunks; a
    new file is whole if its only hunk starts at line 1.

    Raises:
        InputError: a path does not match exactly one file, or several paths match one file.
    """
    new_files = new_files or {}
    texts = {_new_path(change, path): text for path, text in new_files.items()}
    if len(texts) < len(new_files):
        raise InputError(f"several texts are given for one file: {', '.join(new_files)}")
    files = [file for file in change.files if file.status is not FileStatus.DELETED]
    first = next((file for file in files if file.path), next(iter(files), None))
    sources, warnings = [], []
    for file in files:
        given = texts.get(file.new_path or "")
        try:
            if file is first and given is None and (new_file or old_file):
                given = new_file or other_side(file, old_file or "", is_new=False)
            sources.append(_source(file, given))
        except InputError as error:
            sources.append(_source(file, None))
            warnings.append(f"the whole file is not used: {error}")
    return sources, warnings


def _new_path(change: CodeChange, path: str) -> str:
    """Return the new path of the file `path`, or of the only file whose path ends in it."""
    names = [file.new_path or "" for file in change.files]
    if path in names or names == [""]:
        return path if path in names else ""
    found = [name for name in names if path and name.endswith(f"/{path}")]
    if len(found) == 1:
        return found[0]
    in_change = ", ".join(filter(None, names)) or "no file with a name"
    problem = "more than one changed file ends in" if found else "no changed file is called"
    raise InputError(f"{problem} {quoted(path)}; the change has: {in_change}")


def _source(file: FileChange, given: str | None) -> SourceFile:
    hunks = () if file.is_binary else file.hunks
    new = [Fragment(hunk.new_start, hunk.new_text) for hunk in hunks]
    old = [Fragment(hunk.old_start, hunk.old_text) for hunk in hunks]
    is_shown = file.status is FileStatus.ADDED and [hunk.new_start for hunk in file.hunks] == [1]
    if given is not None:
        new, old = [Fragment(1, given)], [Fragment(1, other_side(file, given, is_new=True))]
    return SourceFile(
        file.path,
        file.language,
        tuple(fragment for fragment in new if fragment.text),
        frozenset(line.new for line in file.added if line.new),
        is_whole=is_shown or given is not None,
        old_fragments=tuple(fragment for fragment in old if fragment.text),
        is_given=given is not None and not is_shown,
    )
