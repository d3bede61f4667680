"""Figures from the study's annotations: claim codes, double ratings, addressed references."""

from collections.abc import Mapping
from math import inf

import numpy as np
import pandas as pd

from crscore_eval.data.study import Study
from crscore_eval.statistics.bootstrap import Estimate, clustered_ratio, resample
from crscore_eval.statistics.krippendorff import krippendorff_alpha
from crscore_eval.table import DIMENSIONS, HUMAN
from crscore_eval.table.clusters import bootstrap_changes, clusters
from crscore_eval.validity.agreement import Figures

_COUNTED = ["correct", "incorrect", "unverifiable"]
RATES = {
    "accuracy": "correct",
    "error_rate": "incorrect",
    "unverifiable_rate": "unverifiable",
    "missing_rate": "missing",
}


def claim_quality(study: Study, n_resamples: int = 1000) -> Figures:
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
        n_claims, weights = counts[_COUNTED].sum(axis=1), resample(len(counts), n_resamples)
        rates = {
            rate: clustered_ratio(
                100 * counts[code], n_claims, weights, inf if code == "missing" else 100
            )
            for rate, code in RATES.items()
        }
        figures[name] = {"claims": Estimate(float(n_claims.sum()))} | rates
    return figures


def rater_agreement(study: Study, n_resamples: int = 1000) -> Figures:
    """Return Krippendorff's alpha on the ordinal scale for each dimension (section 4.2).

    The column n is the number of reviews that several raters rated.
    """
    if study.double_ratings.empty:
        return {}
    items = study.double_ratings.drop_duplicates("item")
    change, weights = clusters(items), bootstrap_changes(items, n_resamples)
    tables = {
        name: study.double_ratings.pivot(index="item", columns="rater", values=HUMAN[name])
        for name in DIMENSIONS
    }
    return {
        name: {"alpha": krippendorff_alpha(table, change, weights), "n": Estimate(len(table))}
        for name, table in tables.items()
    }


def matching_figures(
    pairs: pd.DataFrame, taus: Mapping[str, float], n_resamples: int = 1000
) -> Figures:
    """Evaluate how well similarity above tau finds what a review addresses (section 4.3, Table 4).

    `pairs`, as from `shipped_pairs`, has a row for each annotated review and pseudo-reference of
    its change. The figures have a row for each tau, with the columns precision, recall, f1 and
    pairs, the number of pairs.
    """
    weights = bootstrap_changes(pairs, n_resamples)
    similarity = pairs["similarity"].to_numpy(dtype=float)
    counts = pd.DataFrame({"addressed": pairs["addressed"].to_numpy(dtype=bool)})
    figures = {}
    for name, tau in taus.items():
        counts["matches"] = similarity > tau
        counts["hits"] = counts["matches"] & counts["addressed"]
        sums = counts.groupby(clusters(pairs)).sum().astype(np.float64)
        rates = {
            "precision": (sums["hits"], sums["matches"]),
            "recall": (sums["hits"], sums["addressed"]),
            "f1": (2 * sums["hits"], sums["matches"] + sums["addressed"]),
        }
        figures[name] = {rate: clustered_ratio(*of, weights) for rate, of in rates.items()}
        figures[name]["pairs"] = Estimate(len(pairs))
    return figures
