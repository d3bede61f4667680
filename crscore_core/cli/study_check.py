"""`crscore study check`."""

from pathlib import Path
from typing import Any

import click

from crscore_core.cli.inputs import json_option
from crscore_core.cli.output import print_json, print_line, print_warnings
from crscore_core.datasets.download.published import PublishedFiles, compare_with_published
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import default_study_folder, find_release
from crscore_core.datasets.study.model import (
    STUDY_LANGUAGES,
    HumanStudy,
    StudyContents,
    study_contents,
)

__all__ = ["check"]


@click.command("check")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@json_option
def check(*, folder: Path | None, as_json: bool) -> None:
    """Read the study in DIR, and say what it holds; DIR defaults to where fetch puts it."""
    where = folder or default_study_folder()
    study = load_study(where)
    contents = study_contents(study)
    published = compare_with_published(find_release(where))
    if as_json:
        print_json(_document(where, contents, study, published))
        return
    print_line(f"study: {where}")
    for language, numbers in contents.languages.items():
        print_line(
            f"{STUDY_LANGUAGES[language]}: {numbers.changes} changes, {numbers.rated_changes} of "
            f"them rated; {numbers.coded_claims} claims coded"
        )
    print_line(
        f"ratings: {contents.ratings}, without ground truth {contents.ratings_without_ground_truth}"
    )
    print_line(
        f"pairs: {contents.addressed_pairs} addressed, {contents.not_addressed_pairs} not addressed"
    )
    print_line(f"rated by two people: {contents.double_ratings} reviews")
    print_line(
        f"context files: {contents.context_files} present, {contents.missing_context_files} missing"
    )
    print_line(
        f"published files: {len(published.same)} as published, {len(published.different)} differ, "
        f"{len(published.missing)} missing"
    )
    print_warnings(f"{line}; left out" for line in study.oddities)


def _document(
    folder: Path, contents: StudyContents, study: HumanStudy, published: PublishedFiles
) -> dict[str, Any]:
    return {
        "folder": str(folder),
        "languages": {
            language: {
                "changes": numbers.changes,
                "rated_changes": numbers.rated_changes,
                "coded_claims": numbers.coded_claims,
            }
            for language, numbers in contents.languages.items()
        },
        "ratings": contents.ratings,
        "ratings_without_ground_truth": contents.ratings_without_ground_truth,
        "pairs": {
            "addressed": contents.addressed_pairs,
            "not_addressed": contents.not_addressed_pairs,
        },
        "double_ratings": contents.double_ratings,
        "context_files": {
            "present": contents.context_files,
            "missing": contents.missing_context_files,
        },
        "missing": list(study.missing),
        "published_files": {
            "same": len(published.same),
            "different": list(published.different),
            "missing": list(published.missing),
        },
        "oddities": list(study.oddities),
    }
