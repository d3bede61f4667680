"""Corpora of any size made of the rated reviews of the human study."""

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.datasets.study.corpus import study_corpus
from crscore_core.datasets.study.shipped import shipped_study

from crscore_core.change import parse_change
from crscore_core.errors import InputError
from crscore_core.scoring import split_sentences

REVIEWS_A_CHANGE = 10

_COMMENT = {"python": "#"}
_CHANGED_LINE = re.compile(r"^[+-](?![+-]).*$", re.MULTILINE)

Row = Mapping[str, Any]
"""A review with its change's diff, language and claims, as `crscore batch` reads it."""


def rated_rows() -> list[Row]:
    """The rated reviews of the study's development part with the pseudo-references of people."""
    return list(_rated_rows())


def without_claims(rows: Iterable[Row]) -> Iterator[Row]:
    """The same rows, for which claims have to be made."""
    for row in rows:
        yield {name: value for name, value in row.items() if name != "claims"}


def recombined(rows: Sequence[Row], reviews: int, *, is_distinct: bool) -> Iterator[Row]:
    """Reviews of other changes than those of `rows`, ten a change, of sentences of all reviews.

    The sentences of a review are as many as some review of `rows` has. With `is_distinct` no
    sentence and no claim is there twice.
    """
    chance = random.Random(1)  # noqa: S311 - the same corpus every time
    numbers = count()
    lengths = [len(split_sentences(row["review"])) for row in rows]
    sentences = [sentence for row in rows for sentence in split_sentences(row["review"])]

    def spoken(texts: Iterable[str]) -> list[str]:
        return [f"In {next(numbers)}, {text}" for text in texts] if is_distinct else list(texts)

    for review in range(reviews):
        if review % REVIEWS_A_CHANGE == 0:
            model = chance.choice(rows)
            change = {
                "language": model["language"],
                "diff": _marked(model["diff"], model["language"], review),
                "claims": spoken(model["claims"]),
            }
        said = spoken(chance.choices(sentences, k=chance.choice(lengths)))
        rated = chance.choice(rows)
        yield change | {
            "id": f"review {review}",
            "system": rated["system"],
            "review": "\n".join(said),
            **{dimension: rated[dimension] for dimension in DIMENSIONS},
        }


def write_rows(path: Path, rows: Iterable[Row]) -> Path:
    """Write a corpus as JSON Lines."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)
    return path


def _marked(diff: str, language: str, number: int) -> str:
    """The diff with a comment at the end of its first changed line."""
    comment = f" {_COMMENT.get(language, '//')} {number}"
    return _CHANGED_LINE.sub(lambda line: line[0] + comment, diff, count=1)


def _rated_rows() -> Iterator[Row]:
    for change in study_corpus(shipped_study()).corpus.changes:
        try:
            parse_change(change.diff, language=change.language)
        except InputError:
            continue
        for review in change.reviews if change.references else ():
            yield {
                "id": review.id,
                "language": change.language,
                "diff": change.diff,
                "claims": [one.text for one in change.references or ()],
                "system": review.system,
                "review": review.text,
                **{name: getattr(review.ratings, name) for name in DIMENSIONS},
            }
