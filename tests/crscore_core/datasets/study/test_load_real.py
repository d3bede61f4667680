"""Loading the released study, against figures that its authors' own scripts give."""

import csv
import shutil
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crscore_core.claims import ClaimKind, claims_of_response
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import CONTEXT_FOLDER, PHASE_1, PHASE_2
from crscore_core.datasets.study.model import STUDY_LANGUAGES, SYSTEMS, HumanStudy, study_contents

# Loading a cell from the wrong person, or a row too many, moves one of these figures.


@pytest.fixture(scope="module")
def study(study_dir: Path) -> HumanStudy:
    return load_study(study_dir)


def test_counts(study: HumanStudy, expected: dict[str, Any]) -> None:
    contents = study_contents(study)
    rated = {name: numbers.rated_changes for name, numbers in contents.languages.items()}
    assert rated == expected["diffs"]
    assert contents.ratings == expected["ratings"]
    assert contents.ratings_without_ground_truth == expected["ratings_without_ground_truth"]
    assert contents.addressed_pairs == expected["pairs"]["addressed"]
    assert contents.not_addressed_pairs == expected["pairs"]["not_addressed"]


def test_every_rated_change_has_references(study: HumanStudy) -> None:
    assert all(change.references for change in study.changes if change.is_rated)


@pytest.mark.parametrize("system", SYSTEMS)
def test_mean_ratings(study: HumanStudy, expected: dict[str, Any], system: str) -> None:
    ratings = [
        review.rating
        for change in study.changes
        for review in change.reviews
        if review.rating and review.system == system
    ]
    means = expected["human_means_0_to_1"][system]
    table = np.array([astuple(rating) for rating in ratings])
    assert ((table.mean(axis=0) - 1) / 4).tolist() == pytest.approx(
        [means["Con"], means["Comp"], means["Rel"]], abs=6e-5
    )


def test_double_ratings(study: HumanStudy) -> None:
    assert len(study.double_ratings) == 90


def test_context_files_are_there_or_named(study: HumanStudy, study_dir: Path) -> None:
    found = {path for one in study.changes for path in (one.old_file, one.new_file) if path}
    assert all(path.is_file() for path in found)
    assert bool(found) == (study_dir / CONTEXT_FOLDER).is_dir()
    if not found:
        assert study.missing


def test_claims_come_back_from_an_answer_as_they_were(study: HumanStudy) -> None:
    """The study does not tell kinds of claims apart, so half of each change's are implications."""
    n = 0
    for change in study.changes:
        texts = list(dict.fromkeys(" ".join(claim.text.split()) for claim in change.coded_claims))
        half = (len(texts) + 1) // 2
        answer = "\n\n".join(
            "\n".join([title, *(f"{number}. {text}" for number, text in enumerate(part, start=1))])
            for title, part in (
                ("Summary of changes:", texts[:half]),
                ("Implications:", texts[half:]),
            )
        )
        claims = claims_of_response(answer, "study")
        assert [claim.text for claim in claims] == texts
        kinds = [ClaimKind.CLAIM] * half + [ClaimKind.IMPLICATION] * (len(texts) - half)
        assert [claim.kind for claim in claims] == kinds
        n += len(claims)
    assert n > 900


def test_a_part_without_the_switches_holds_the_same(
    study: HumanStudy, study_dir: Path, tmp_path: Path
) -> None:
    """What people filled in tells whose entries count, where the switch is not there."""
    shutil.copytree(study_dir / "human_study" / "phase2", tmp_path / "human_study" / "phase2")
    (tmp_path / "human_study" / "phase1").mkdir()
    withheld = set()
    for phase in (PHASE_1, PHASE_2):
        for language in STUDY_LANGUAGES:
            switches = {PHASE_1.switch[language], PHASE_2.switch[language]}
            withheld |= switches
            for file in phase.files(language).values():
                _copy_without(study_dir, tmp_path, file, switches)
    part = {change.index: change for change in load_study(tmp_path).changes}
    assert set(part) == {change.index for change in study.changes} - withheld
    for change in study.changes:
        if change.index in withheld:
            continue
        other = part[change.index]
        assert other.coded_claims == change.coded_claims, change.index
        assert other.added_claims == change.added_claims, change.index
        assert other.references == change.references, change.index
        assert other.reviews == change.reviews, change.index


def _copy_without(source: Path, target: Path, file: str, indices: set[str]) -> None:
    with (source / file).open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    kept, keep = [], True
    for row in rows:
        if row[header.index("index")]:
            keep = row[header.index("index")] not in indices
        if keep:
            kept.append(row)
    with (target / file).open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *kept])
