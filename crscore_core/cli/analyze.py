"""`crscore analyze`, and the options of analyzers that commands share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import NamedTuple

import click

from analyzers import ANALYZERS, Analyzer
from crscore_core.change import CodeChange
from crscore_core.cli.inputs import (
    diff_option,
    json_option,
    language_option,
    read_change,
    read_text,
)
from crscore_core.cli.output import print_analyzers, print_json, print_line, print_warnings
from crscore_core.errors import InputError
from crscore_core.scoring.documents import smells_document
from crscore_core.scoring.smells import (
    files_of_tree,
    find_smells_of_each,
    patched_files,
)

_OPTIONS = (
    diff_option,
    language_option,
    click.option(
        "--file",
        "new_files",
        multiple=True,
        metavar="NEWPATH=LOCALFILE",
        help="Full new version of a changed file, for the analyzers.",
    ),
    click.option(
        "--old-file",
        "old_files",
        multiple=True,
        metavar="OLDPATH=LOCALFILE",
        help="Full old version of a changed file, from which the new one follows.",
    ),
    click.option(
        "--repo",
        metavar="DIR",
        help="Working tree with the full new versions of all changed files; --file and --old-file "
        "count before it.",
    ),
)


class Analysis(NamedTuple):
    """A change to analyze, full new files by path, and analyzers by language."""

    change: CodeChange
    new_files: Mapping[str, str]
    analyzers: Mapping[str, Sequence[Analyzer]]


def analysis_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give `command` the options of a change and its analysis, and what they name as `analysis`.

    The change has a warning for each file that the working tree lacks.
    """

    @wraps(command)
    def wrapped(
        *,
        diff: str,
        language: str | None,
        new_files: tuple[str, ...],
        old_files: tuple[str, ...],
        repo: str | None,
        **others: object,
    ) -> None:
        change = read_change(diff, language)
        new_paths = [file.new_path for file in change.files if file.new_path]
        old_paths = [file.old_path for file in change.files if file.old_path]
        old = _read_pairs("--old-file", old_files, old_paths)
        new = _read_pairs("--file", new_files, new_paths)
        new = {**patched_files(change, old), **new}
        if repo is not None:
            new, warnings = files_of_tree(change, Path(repo), new)
            change = replace(change, warnings=(*change.warnings, *warnings))
        command(analysis=Analysis(change, new, ANALYZERS), **others)

    decorated: Callable[..., None] = wrapped
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def _read_pairs(option: str, pairs: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Read the files that pairs `PATH=LOCALFILE` name, by path; `known` are likely paths."""
    files: dict[str, str] = {}
    for pair in pairs:
        path = next((path for path in known if pair.startswith(f"{path}=")), pair.partition("=")[0])
        local = pair[len(path) + 1 :]
        if not local:
            raise InputError(f"{option} {pair[:80]!r} is not of the form PATH=LOCALFILE")
        files[path] = read_text(local, "file")
    return files


@click.command("analyze")
@analysis_options
@json_option
def command(*, analysis: Analysis, as_json: bool) -> None:
    """Show the smells on the changed lines, and what was analysed."""
    change, new_files, analyzers = analysis
    (results,) = find_smells_of_each([(change, new_files)], analyzers)
    document = smells_document(results, change.warnings)
    if as_json:
        print_json(document)
        return
    for smell in sorted(document["smells"], key=lambda smell: (smell["path"] or "", smell["line"])):
        print_line(f"{smell['path'] or 'hunk'}:{smell['line']}  {smell['text']} ({smell['rule']})")
    print_analyzers(results)
    print_warnings(document["warnings"])
