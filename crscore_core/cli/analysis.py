"""Options of the analyzers: whole files to show them, and rules to hold code to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path

import click

from analyzers import Analyzer
from crscore_core.change import CodeChange
from crscore_core.cli.inputs import read_text
from crscore_core.errors import WholeFileError
from crscore_core.scoring.smells import choose_analyzers, patched_files
from crscore_core.scoring.working_tree import files_of_tree

pmd_option = click.option(
    "--pmd",
    "pmd_rulesets",
    multiple=True,
    metavar="RULESET",
    help="Rules for Java: a rule set of PMD, such as category/java/design.xml, or a file; "
    "may be given several times. Default: rulesets/java/quickstart.xml.",
)
jshint_option = click.option(
    "--jshint",
    default="modern",
    show_default=True,
    metavar="CONFIGURATION",
    help="Rules for JavaScript: modern, or original as in the paper's study.",
)

_OPTIONS = (
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
    pmd_option,
    jshint_option,
)


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """Values of the options; the files that they name are not read yet."""

    new_files: tuple[str, ...]
    old_files: tuple[str, ...]
    repo: str | None
    pmd_rulesets: tuple[str, ...]
    jshint: str


def analysis_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give `command` the options of an analysis; their values are its parameter `analysis`."""

    @wraps(command)
    def wrapped(
        *,
        new_files: tuple[str, ...],
        old_files: tuple[str, ...],
        repo: str | None,
        pmd_rulesets: tuple[str, ...],
        jshint: str,
        **others: object,
    ) -> None:
        analysis = AnalysisOptions(new_files, old_files, repo, pmd_rulesets, jshint)
        command(analysis=analysis, **others)

    decorated: Callable[..., None] = wrapped
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def read_analysis(
    options: AnalysisOptions, change: CodeChange
) -> tuple[CodeChange, Mapping[str, str], Mapping[str, Sequence[Analyzer]]]:
    """Read full new files, by path, and choose analyzers, by language.

    The change comes back with warnings about files that the working tree does not have.
    """
    new_paths = [file.new_path for file in change.files if file.new_path]
    old_paths = [file.old_path for file in change.files if file.old_path]
    old_files = _read_pairs("--old-file", options.old_files, old_paths)
    new_files = _read_pairs("--file", options.new_files, new_paths)
    analyzers = choose_analyzers(options.pmd_rulesets, options.jshint)
    new_files = {**patched_files(change, old_files), **new_files}
    if options.repo is None:
        return change, new_files, analyzers
    new_files, warnings = files_of_tree(change, Path(options.repo), new_files)
    return replace(change, warnings=(*change.warnings, *warnings)), new_files, analyzers


def _read_pairs(option: str, pairs: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Read the files that pairs `PATH=LOCALFILE` name, by path; `known` are likely paths."""
    files: dict[str, str] = {}
    for pair in pairs:
        path = next((path for path in known if pair.startswith(f"{path}=")), pair.partition("=")[0])
        local = pair[len(path) + 1 :]
        if not local:
            raise WholeFileError(f"{option} {pair[:80]!r} is not of the form PATH=LOCALFILE")
        files[path] = read_text(local, "file")
    return files
