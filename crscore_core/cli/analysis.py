"""Options for what the analyzers see, and how strict they are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps

import click

from analyzers import Analyzer
from crscore_core.change import CodeChange
from crscore_core.cli.inputs import read_pairs
from crscore_core.scoring.smells import choose_analyzers, patched_files

__all__ = [
    "Analysis",
    "AnalysisOptions",
    "analysis_options",
    "jshint_option",
    "pmd_option",
    "read_analysis",
]

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
    pmd_option,
    jshint_option,
)


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """What the options say, unread."""

    new_files: tuple[str, ...]
    old_files: tuple[str, ...]
    pmd_rulesets: tuple[str, ...]
    jshint: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """Full new files by path, and the analyzers to ask."""

    new_files: Mapping[str, str]
    analyzers: Mapping[str, Sequence[Analyzer]]


def analysis_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give `command` the options of an analysis, and what they say as `analysis`."""

    @wraps(command)
    def wrapped(
        *,
        new_files: tuple[str, ...],
        old_files: tuple[str, ...],
        pmd_rulesets: tuple[str, ...],
        jshint: str,
        **others: object,
    ) -> None:
        analysis = AnalysisOptions(new_files, old_files, pmd_rulesets, jshint)
        command(analysis=analysis, **others)

    decorated: Callable[..., None] = wrapped
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def read_analysis(options: AnalysisOptions, change: CodeChange) -> Analysis:
    """Read what the options name.

    Raises:
        WholeFileError: not a pair `PATH=LOCALFILE`, or an old file that the change does not fit.
        AnalyzerError: there is no such rule set or configuration.
        InputError: a file cannot be read or is not UTF-8.
    """
    new_paths = [file.new_path for file in change.files if file.new_path]
    old_paths = [file.old_path for file in change.files if file.old_path]
    old_files = read_pairs("--old-file", options.old_files, old_paths)
    new_files = read_pairs("--file", options.new_files, new_paths)
    return Analysis(
        {**patched_files(change, old_files), **new_files},
        choose_analyzers(options.pmd_rulesets, options.jshint),
    )
