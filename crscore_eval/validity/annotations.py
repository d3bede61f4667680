"""Figures from the study's annotations: claim codes, double ratings, addressed references."""

from collections.abc import Mapping
from math import inf

import numpy as np
import pandas as pd

from crscore_eval.data.ratings import rater_agreement
from crscore_eval.data.study import Study
from crscore_eval.statistics.bootstrap import (
    Estimate,
    bootstrap_changes,
    clustered_mean,
    clustered_ratio,
    clusters,
    resample,
)
from crscore_eval.table import DIMENSIONS, HUMAN
from crscore_eval.validity.agreement import Figures

_RATES = {
    "accuracy": "correct",
    "error_rate": "incorrect",
    "unverifiable_rate": "unverifiable",
    "missing_rate": "missing",
}


def claim_quality(study: Study) -> Figures:
    """Return the quality of generated claims by the annotators' codes (Table 1).

    Rows are the languages and `all`. Columns:

        claims: number of claims that are correct, incorrect or unverifiable
        accuracy, error_rate, unverifiable_rate: their shares in percent
        missing_rate: number of claims that the annotators added, per 100 of `claims`

    Claims that have no code, or are incomplete or ambiguous (Table 8), do not count.
    """
    codes = pd.crosstab(study.claims["change"], study.claims["code"])
    codes = codes.reindex(index=study.changes["change"], columns=[*_RATES.values()], fill_value=0)
    language, figures = study.changes["language"].to_numpy(), {}
    for name in (*dict.fromkeys(language.tolist()), "all"):
        counts = codes if name == "all" else codes[language == name]
        n_claims, weights = counts.drop(columns="missing").sum(axis=1), resample(len(counts))
        figures[name] = {"claims": Estimate(float(n_claims.sum()))} | {
            rate: clustered_ratio(
                100 * counts[code], n_claims, weights, inf if code == "missing" else 100
            )
            for rate, code in _RATES.items()
        }
    return figures


def alpha_figures(study: Study) -> Figures:
    """Return Krippendorff's ordinal alpha of the study's ratings in each dimension (section 4.2).

    The column n is the number of reviews that both annotators rated; without any, no row exists.
    """
    rated = study.double_ratings
    if rated.empty:
        return {}
    change = rated.drop_duplicates("item").set_index("item")["change"].sort_index()
    figures = {}
    for name in DIMENSIONS:
        ratings = rated.pivot(index="item", columns="rater", values=HUMAN[name])
        found = rater_agreement(ratings, change)
        figures[name] = {"alpha": found.alpha, "n": Estimate(found.n_reviews)}
    return figures


def matching_figures(pairs: pd.DataFrame, taus: Mapping[str, float]) -> Figures:
    """Evaluate how well similarity above tau finds what a review addresses (section 4.3, Table 4).

    `pairs`, as from `shipped_pairs`, has a row for each annotated review and pseudo-reference of
    its change. The figures have a row for each tau, with the columns precision, recall, f1 and
    pairs, the number of pairs.
    """
    change, weights, figures = clusters(pairs), bootstrap_changes(pairs), {}
    is_addressed = pairs["addressed"].to_numpy(bool)
    for name, tau in taus.items():
        is_match = pairs["similarity"].to_numpy(float) > tau
        counted = {"precision": np.flatnonzero(is_match), "recall": np.flatnonzero(is_addressed)}
        counted["f1"] = np.concatenate([*counted.values()])  # the share of hits in both together
        figures[name] = {
            rate: clustered_mean((is_match & is_addressed)[rows], change[rows], weights)
            for rate, rows in counted.items()
        } | {"pairs": Estimate(len(pairs))}
    return figures
