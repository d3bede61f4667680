"""Print how many hunks of the human study each analyzer can look at.

Run as `python -m benchmarks.fragments`; CRSCORE_STUDY names the folder of the study, which is
looked for beside the project otherwise. A hunk counts as analysed where its status is
`fragment`; hunks that only remove lines have nothing to analyse and are counted apart.
"""

import csv
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from analyzers import SourceFile, Status, analyze
from benchmarks.measuring import study_folder
from crscore_core.change import parse_change
from crscore_core.scoring.smells import source_files

_LANGUAGES = {"py": "python", "java": "java", "js": "javascript"}


def main() -> None:
    """Count and print."""
    study = study_folder()
    if study is None:
        sys.exit("the human study is not there; name its folder in CRSCORE_STUDY")
    print("| language | analyzer | hunks | as fragment | share | only removing |")
    print("|---|---|---|---|---|---|")
    for short, language in _LANGUAGES.items():
        hunks = hunks_of(study, short, language)
        changed = [hunk for hunk in hunks if hunk.changed_lines]
        fragments: Counter[str] = Counter()
        asked: Counter[str] = Counter()
        for result in analyze(changed):
            asked[result.name] += 1
            fragments[result.name] += result.status is Status.FRAGMENT
        for name, count in asked.items():
            share = f"{fragments[name] / count:.1%}"
            only_removing = len(hunks) - len(changed)
            row = (language, name, count, fragments[name], share, only_removing)
            print("|", " | ".join(map(str, row)), "|")


def hunks_of(study: Path, short: str, language: str) -> list[SourceFile]:
    """Return each hunk as if it were a change of its own."""
    path = study / "human_study" / "phase2" / f"{short}_marcus_review_qual_final.csv"
    hunks: list[SourceFile] = []
    with path.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            if row["diff"].strip():
                for file in source_files(parse_change(row["diff"], language=language)):
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
