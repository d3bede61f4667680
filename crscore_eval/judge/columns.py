"""Columns with a judge's answers, and which reviews lack an answer."""

import re

import pandas as pd

from crscore_core.errors import InputError, quoted
from crscore_core.text import counted, listed, shorten
from crscore_eval.table import JUDGE_PREFIX, is_by_system, split_judge_column

COLUMNS = ("right", "wrong", "worth", "relevance", "findings")
"""Names of the columns for an answer, without the judge's prefix."""


def column_prefix(name: str = "") -> str:
    """Return the prefix of a judge's columns; `name` distinguishes judges.

    Raises:
        InputError: the name is too long, or has characters other than a to z, digits and `_`.
    """
    if name and not re.fullmatch(r"[a-z0-9_]{1,40}", name):
        advice = "use at most 40 lower-case letters, digits and _"
        raise InputError(f"{quoted(name)} cannot name a judge", advice)
    return f"{JUDGE_PREFIX}{name}_" if name else JUDGE_PREFIX


def describe_unjudged(reviews: pd.DataFrame, measure: str) -> str:
    """Count the systems' reviews without a judgement by the judge of a measure, and say why.

    Returns "" if the measure is not a judge's, or no judgement is missing.
    """
    if not measure.startswith(JUDGE_PREFIX):
        return ""
    prefix = column_prefix(split_judge_column(measure)[0])
    judged = reviews[is_by_system(reviews)].reindex(columns=[f"{prefix}{one}" for one in COLUMNS])
    missing = judged.index[judged.isna().all(axis="columns")]
    reasons = reviews.loc[missing].reindex(columns=[f"{prefix}reason"]).iloc[:, 0].astype(object)
    counts = reasons.fillna("").value_counts()
    n_not_asked = int(counts.pop("")) if "" in counts else 0
    parts = [f"{n:,} since {shorten(str(reason), 100)}" for reason, n in counts.items()]
    if n_not_asked:
        parts.insert(0, f"{n_not_asked:,} not asked about, which `crscore judge` does if repeated")
    n_missing = counted(len(missing), "review")
    return f"The judge has no judgement of {n_missing}: {listed(parts)}." if parts else ""
