"""Tables of reviews from published data sets with people's labels: ClearCRC and GradedReviews.

ClearCRC has comments of real reviewers in nine languages, each with its hunk. People labelled each
comment 0 or 1 for relevance to the change, informativeness and clear expression (Chen et al., FSE
2025). The file has a row for each comment: patch, msg, lang and the three labels.

GradedReviews has reviews by four systems, graded against a reference review. Three people graded
each review from 1 (unrelated to the reference) to 5 (identical to it) and agreed on one grade
("Deep Assessment of Code Review Generation Approaches", section 4). The workbook has a row for
each change: ID, groundTruth, relatedCode, then a column for each system, each followed by its
grade. The code is a method, not a diff, so reviews have no scores.
"""

from pathlib import Path

import pandas as pd

from crscore_core.change import normalise_language
from crscore_eval.table import LABEL_PREFIX, Run

GRADE = f"{LABEL_PREFIX}grade"
"""Column of the grades of GradedReviews, 1 to 5."""

LABELS = ("relevance", "informativeness", "expression")
"""Labels of ClearCRC, each 0 or 1, in columns `label_<name>`."""

SYSTEMS = ("Tufano's", "commentFinder", "Auger", "LLaMA-Reviewer")


def read_clearcrc(path: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return reviews and changes of ClearCRC, the input of `crscore_eval.run.score_table`.

    Comments on the same patch belong to one change. Its language is the first comment's, as some
    patches are listed with two languages.
    """
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    number, patches = pd.factorize(rows["patch"])
    change = pd.Series(number, rows.index).map("patch {}".format)
    language = rows["lang"].map(normalise_language).groupby(change).transform("first")
    reviews = pd.DataFrame(
        {
            "id": [f"row {row}" for row in range(2, len(rows) + 2)],
            "change": change,
            "system": "reviewer",
            "language": language,
            "review": rows["msg"],
            **{f"{LABEL_PREFIX}{name}": rows[name].astype(float) for name in LABELS},
        }
    )
    changes = reviews.drop_duplicates("change")[["change", "language"]]
    return reviews, changes.assign(diff=list(patches))


def read_graded(path: Path) -> Run:
    """Return GradedReviews as a run without scores, for reference-based metrics.

    Reviews have the columns `reference` and `GRADE`; the `diff` of a change is its code.
    """
    # Words such as "null" are reviews here, not missing values.
    sheet = pd.read_excel(path, dtype=object, keep_default_na=False)
    change = sheet["ID"].astype(str)
    parts = [
        pd.DataFrame(
            {
                "id": change + f"/{system}",
                "change": change,
                "system": system,
                "language": "java",
                "review": sheet[system].astype(str),
                "reference": sheet["groundTruth"].astype(str),
                GRADE: sheet.iloc[:, list(sheet.columns).index(system) + 1].astype(float),
            }
        )
        for system in SYSTEMS
    ]
    reviews = pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)
    code = sheet["relatedCode"].astype(str)
    changes = pd.DataFrame({"change": change, "language": "java", "diff": code})
    return Run(reviews, changes, {})
