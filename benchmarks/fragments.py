"""Print how many hunks of the human study each analyzer can look at.

Run as `python -m benchmarks.fragments`, over the development part of the study. A hunk counts as
analysed where its status is `fragment`; hunks that only remove lines have nothing to analyse and
are counted apart.
"""

from collections import Counter
from dataclasses import replace
from itertools import chain

from crscore_core.datasets.study.model import STUDY_LANGUAGES
from crscore_core.datasets.study.shipped import shipped_study

from analyzers import SourceFile, Status, analyze_each
from crscore_core.change import parse_change
from crscore_core.scoring.smells import source_files


def main() -> None:
    """Count and print."""
    print("| language | analyzer | hunks | as fragment | share | only removing |")
    print("|---|---|---|---|---|---|")
    for short, language in STUDY_LANGUAGES.items():
        hunks = hunks_of(short)
        changed = [hunk for hunk in hunks if hunk.changed_lines]
        fragments: Counter[str] = Counter()
        asked: Counter[str] = Counter()
        for result in chain.from_iterable(analyze_each(changed)):
            asked[result.name] += 1
            fragments[result.name] += result.status is Status.FRAGMENT
        for name, count in asked.items():
            share = f"{fragments[name] / count:.1%}"
            only_removing = len(hunks) - len(changed)
            row = (language, name, count, fragments[name], share, only_removing)
            print("|", " | ".join(map(str, row)), "|")


def hunks_of(short: str) -> list[SourceFile]:
    """Return each hunk of a language as if it were a change of its own."""
    hunks: list[SourceFile] = []
    for change in shipped_study().changes:
        if change.language == short and change.references:
            for file in source_files(parse_change(change.diff, language=STUDY_LANGUAGES[short])):
                hunks += _split(file)
    return hunks


def _split(file: SourceFile) -> list[SourceFile]:
    parts: list[SourceFile] = []
    for fragment in file.fragments:
        end = fragment.first_line + fragment.text.count("\n") + 1
        lines = file.changed_lines & frozenset(range(fragment.first_line, end))
        parts.append(replace(file, fragments=(fragment,), changed_lines=lines, old_fragments=()))
    return parts


if __name__ == "__main__":
    main()
