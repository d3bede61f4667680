"""Figures from the study's annotations: claim codes, double ratings, addressed references."""

from collections.abc import Mapping
from math import inf

import numpy as np
import pandas as pd

from crscore_eval.data.ratings import agreement_of_raters, rater_agreement
from crscore_eval.data.study import Study
from crscore_eval.metrics.values import labels_by_name
from crscore_eval.statistics.bootstrap import Estimate, clustered_mean, clustered_ratio, resample
from crscore_eval.table import DIMENSIONS, HUMAN
from crscore_eval.table.clusters import bootstrap_changes, clusters
from crscore_eval.validity.agreement import Figures

RATES = {
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
    codes = codes.reindex(index=study.changes["change"], columns=[*RATES.values()], fill_value=0)
    language = study.changes["language"].to_numpy()
    figures = {}
    for name in (*dict.fromkeys(language.tolist()), "all"):
        counts = codes if name == "all" else codes[language == name]
        n_claims, weights = counts.drop(columns="missing").sum(axis=1), resample(len(counts))
        rates = {
            rate: clustered_ratio(
                100 * counts[code], n_claims, weights, inf if code == "missing" else 100
            )
            for rate, code in RATES.items()
        }
        figures[name] = {"claims": Estimate(float(n_claims.sum()))} | rates
    return figures


def alpha_figures(reviews: pd.DataFrame, study: Study | None = None) -> Figures:
    """Return Krippendorff's ordinal alpha of each rating and label (of the study: section 4.2).

    The column n is the number of reviews that several raters rated; without any, a row is omitted.
    """
    found = {name: agreement_of_raters(reviews, name) for name in labels_by_name(reviews)}
    if study and not study.double_ratings.empty:
        rated = study.double_ratings
        change = rated.drop_duplicates("item").set_index("item")["change"].sort_index()
        tables = {
            name: rated.pivot(index="item", columns="rater", values=HUMAN[name])
            for name in DIMENSIONS
        }
        found |= {name: rater_agreement(table, change) for name, table in tables.items()}
    return {
        name: {"alpha": of.alpha, "n": Estimate(of.n_reviews)}
        for name, of in found.items()
        if of and of.n_reviews
    }


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
