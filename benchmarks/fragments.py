"""Print how many hunks of the human study each analyzer can read.

Run as `python -m benchmarks.fragments`, over the shipped part of the study. A hunk counts as
analysed if its status is `fragment`. Hunks that only remove lines have nothing to analyse and are
counted separately.
"""

from collections import Counter
from dataclasses import replace
from itertools import chain

from benchmarks.measuring import print_table
from crscore_core.analyzers import SourceFile, Status, analyze_files
from crscore_core.change import parse_change
from crscore_core.scoring.source_files import source_files
from crscore_eval.data.shipped import shipped_study
from crscore_eval.data.study import LANGUAGE_OF_SUFFIX


def main() -> None:
    """Count and print."""
    rows: list[list[str]] = []
    for short, language in LANGUAGE_OF_SUFFIX.items():
        hunks = example_hunks(short)
        changed = [hunk for hunk in hunks if hunk.changed_lines]
        fragments: Counter[str] = Counter()
        hunks_by_analyzer: Counter[str] = Counter()
        for result in chain.from_iterable(analyze_files(changed)):
            hunks_by_analyzer[result.name] += 1
            fragments[result.name] += result.status is Status.FRAGMENT
        for name, count in hunks_by_analyzer.items():
            share = f"{fragments[name] / count:.1%}"
            numbers = count, fragments[name], share, len(hunks) - len(changed)
            rows.append([language, name, *map(str, numbers)])
    head = ("language", "analyzer", "hunks", "as fragment", "share", "only removing")
    print_table("Hunks that analyzers can read", head, rows)


def example_hunks(short: str) -> list[SourceFile]:
    """Return each hunk of the rated changes in a language as a separate file.

    `short` is the study's name for the language, a key of `LANGUAGE_OF_SUFFIX`.
    """
    changes, language = shipped_study().changes, LANGUAGE_OF_SUFFIX[short]
    diffs = changes.loc[changes["is_rated"] & (changes["language"] == language), "diff"]
    files = (source_files(parse_change(diff, language=language))[0] for diff in diffs)
    return [hunk for file in chain.from_iterable(files) for hunk in _split(file)]


def _split(file: SourceFile) -> list[SourceFile]:
    parts: list[SourceFile] = []
    for fragment in file.fragments:
        end = fragment.first_line + fragment.text.count("\n") + 1
        lines = file.changed_lines & frozenset(range(fragment.first_line, end))
        parts.append(replace(file, fragments=(fragment,), changed_lines=lines, old_fragments=()))
    return parts


if __name__ == "__main__":
    main()
