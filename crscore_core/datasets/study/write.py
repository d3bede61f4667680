"""Codes and ratings of one's own raters, as tables of the study's layout."""

import io
import itertools
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.datasets.study.location import (
    ADDED,
    ADDRESSED,
    CODE,
    INDEX,
    NECESSARY,
    PHASE_1,
    PHASE_2,
    RATINGS,
    SYSTEM,
)
from crscore_core.datasets.study.model import StudyChange
from crscore_core.scoring.references import ReferenceKind
from crscore_core.text import csv_text

_LONGEST_WORD = 100


def study_archive(changes: Mapping[str, Sequence[StudyChange]]) -> bytes:
    """Write what each rater said as a ZIP archive of the study's tables, by rater.

    Each rater has a table a phase and language, named as the study's are; one of claims only where
    some are coded. Systems bear the study's ending, and what reviews address stays empty.
    """
    content = io.BytesIO()
    of_raters = _file_words(changes, "rater")
    languages = dict.fromkeys(change.language for some in changes.values() for change in some)
    of_languages = _file_words(languages, "other")
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for rater, of_rater in changes.items():
            for language in dict.fromkeys(change.language for change in of_rater):
                some = [change for change in of_rater if change.language == language]
                coded = [row for change in some for row in _coded_rows(change)]
                rated = [row for change in some for row in _rated_rows(change)]
                is_coded = any(change.added_claims for change in some) or any(
                    claim.code is not None for change in some for claim in change.coded_claims
                )
                for phase, rows in ((PHASE_1, coded if is_coded else []), (PHASE_2, rated)):
                    if rows:
                        table = [[row.get(column, "") for column in phase.columns] for row in rows]
                        path = phase.file_name.format(
                            language=of_languages[language], annotator=of_raters[rater]
                        )
                        archive.writestr(path, csv_text([phase.columns, *table]))
    return content.getvalue()


def _file_words(names: Iterable[str], kind: str) -> dict[str, str]:
    """Return a word for each name that is safe in a file name and that no other name has."""
    words: dict[str, str] = {}
    numbers = itertools.count(1)
    for name in names:
        word = re.sub(r"[^a-z0-9]+", "-", name.lower())[:_LONGEST_WORD].strip("-")
        while not word or word in words.values():
            word = f"{kind}-{next(numbers)}"
        words[name] = word
    return words


def _coded_rows(change: StudyChange) -> Iterator[dict[str, object]]:
    first: dict[str, object] = {INDEX: change.index, "diff": change.diff}
    for claim, added in itertools.zip_longest(
        change.coded_claims, change.added_claims, fillvalue=None
    ):
        row: dict[str, object] = {ADDED: added or ""}
        if claim is not None:
            row |= {"claim": claim.text, CODE: "" if claim.code is None else int(claim.code)}
        yield first | row
        first = {}
    if first:
        yield first


def _rated_rows(change: StudyChange) -> Iterator[dict[str, object]]:
    first: dict[str, object] = {INDEX: change.index, "diff": change.diff}
    for reference, review in itertools.zip_longest(
        change.references, change.reviews, fillvalue=None
    ):
        row: dict[str, object] = {}
        if reference is not None:
            kind = "issue" if reference.kind is ReferenceKind.SMELL else "claim"
            row = {"claim": reference.text, NECESSARY: int(reference.is_necessary), "type": kind}
        if review is not None:
            name = review.system
            system = name if name == GROUND_TRUTH else f"{name}_pred"
            addressed = ",".join(map(str, review.addressed))
            row |= {"review": review.text, SYSTEM: system, ADDRESSED: addressed}
            if review.rating is not None:
                values = (getattr(review.rating, name) for name in DIMENSIONS)
                row |= dict(zip(RATINGS, values, strict=True))
        yield first | row
        first = {}
