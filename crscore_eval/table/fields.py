"""Usual names of columns: parts of a review, people's ratings, and persons."""

from collections.abc import Mapping
from functools import lru_cache

from crscore_eval.table.schema import DIMENSIONS

PERSON_COLUMNS = ("reviewer", "reviewed_by", "author", "user")
"""Columns that may hold a person as an object, as in answers of GitHub, GitLab and Bitbucket."""

PERSON_KEYS = ("login", "username", "nickname", "display_name", "name")
"""Keys of a person's name in such an object; the first that it has counts."""

TEXT_COLUMNS, TEXT_KEYS = ("message", "content", "body", "comment"), ("raw", "text", "body")
"""Columns that may hold a text as an object, as in SARIF and answers of Bitbucket, and its keys."""


@lru_cache(maxsize=10_000)
def bare_name(column: str) -> str:
    """Return the name of a column in lower case without blanks, `_`, `-` and `.`."""
    return "".join(letter for letter in column.lower() if letter not in " \t_-.")


def _inner(columns: tuple[str, ...], keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(bare_name(f"{column}{key}") for column in columns for key in keys)


FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "reviewid", "commentid", "idx", "index"),
    "diff": (
        *("diff", "patch", "codechange", "codediff", "codepatch", "unifieddiff", "diffhunk"),
        *("oldhunk", "change", "hunk"),
    ),
    "review": (
        *("review", "reviewtext", "reviewcomment", "comment", "prediction", "pred", "generated"),
        *("generatedreview", "generatedcomment", "generation", "hypothesis", "candidate"),
        *("output", "body", "msg", "message", *_inner(TEXT_COLUMNS, TEXT_KEYS)),
    ),
    "system": (
        *("system", "systemname", "model", "modelname", "reviewer", "reviewername", "reviewedby"),
        *("tool", "bot", "author", *_inner(PERSON_COLUMNS, PERSON_KEYS)),
        *("commenter", "writtenby", "by"),
    ),
    "language": ("language", "lang", "programminglanguage", "codelanguage"),
    "reference": ("reference", "referencereview", "groundtruth", "gold", "goldreview", "target",
                  "msg"),
    "claims": ("claims", "givenclaims"),
    "new_file": ("newfile", "newf", "fileafter"),
    "old_file": ("oldfile", "oldf", "filebefore"),
    "change": ("changeid", "changename", "change", "commit"),
    "title": ("title", "changetitle", "pullrequesttitle"),
    "path": ("path", "filename"),
}  # fmt: skip
"""Parts of a review that a column may hold, and the usual bare names of such columns.

The first name that a file has counts.
"""

RATINGS: dict[str, tuple[str, ...]] = {
    dimension: (f"human{dimension}", f"{dimension}rating", dimension) for dimension in DIMENSIONS
}
"""Usual bare names of columns with ratings. The first column with numbers from 1 to 5 counts."""
RATINGS["relevance"] += ("humanrating", "rating", "humanscore", "score")

RATING_SCALE = (1.0, 5.0)
"""Range of ratings in the table."""
