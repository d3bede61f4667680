"""Notes of the study's annotators: codes of claims, double ratings, addressed references."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from crscore_eval.data.study import Study
from crscore_eval.statistics import (
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    clustered_ratio,
    krippendorff_alpha,
)
from crscore_eval.table import DIMENSIONS, HUMAN

_COUNTED = ["correct", "incorrect", "unverifiable"]
RATES = {
    "accuracy": "correct",
    "error_rate": "incorrect",
    "unverifiable_rate": "unverifiable",
    "missing_rate": "missing",
}


def claim_quality(study: Study, n_resamples: int = 1000) -> list[tuple[str, str, Estimate]]:
    """Return the quality of generated claims by the annotators' codes (Table 1).

    Each figure comes with its row, a language or `all`, and its column:

        claims: number of claims that are correct, incorrect or unverifiable
        accuracy, error_rate, unverifiable_rate: their shares in percent
        missing_rate: number of claims that the annotators added, per 100 of `claims`

    Claims that have no code, or are incomplete or ambiguous (Table 8), do not count.
    """
    codes = pd.crosstab(study.claims["change"], study.claims["code"])
    codes = codes.reindex(
        index=study.changes["change"], columns=[*_COUNTED, "missing"], fill_value=0
    )
    language = study.changes["language"].to_numpy()
    rows = []
    for name in (*dict.fromkeys(language.tolist()), "all"):
        counts = codes if name == "all" else codes[language == name]
        n_claims = counts[_COUNTED].sum(axis=1)
        bootstrap = ClusterBootstrap(len(counts), n_resamples)
        rows.append((name, "claims", Estimate(float(n_claims.sum()))))
        for rate, code in RATES.items():
            rows.append((name, rate, clustered_ratio(100 * counts[code], n_claims, bootstrap)))
    return rows


def rater_agreement(study: Study, n_resamples: int = 1000) -> dict[str, Estimate]:
    """Return Krippendorff's alpha on the ordinal scale by dimension (section 4.2)."""
    ratings = study.double_ratings
    if ratings.empty:
        return {}
    change = np.unique(ratings.groupby("item")["change"].first(), return_inverse=True)[1]
    bootstrap = ClusterBootstrap(int(change.max()) + 1, n_resamples)
    return {
        name: krippendorff_alpha(
            ratings.pivot(index="item", columns="rater", values=HUMAN[name]), change, bootstrap
        )
        for name in DIMENSIONS
    }


def addressed_agreement(
    pairs: pd.DataFrame, taus: Sequence[tuple[str, float]], n_resamples: int = 1000
) -> list[tuple[str, str, Estimate]]:
    """Evaluate how well similarity above tau finds what a review addresses (section 4.3, Table 4).

    `pairs`, as from `shipped_pairs`, has a row for each annotated review and pseudo-reference of
    its change. `taus` have names. Each figure comes with its row, the name of a tau, and its column
    (precision, recall, f1). The row `all` has the average precision, which needs no tau.
    """
    change = pd.factorize(pairs["change"])[0]
    is_addressed = pairs["addressed"].to_numpy(dtype=bool)
    similarity = pairs["similarity"].to_numpy(dtype=float)
    bootstrap = ClusterBootstrap(int(change.max()) + 1, n_resamples)
    n_changes = bootstrap.weights.shape[1]
    addressed = np.bincount(change, is_addressed, minlength=n_changes)
    rows = []
    for name, tau in taus:
        is_match = similarity > tau
        matches = np.bincount(change, is_match, minlength=n_changes)
        hits = np.bincount(change, is_match & is_addressed, minlength=n_changes)
        rows.append((name, "precision", clustered_ratio(hits, matches, bootstrap)))
        rows.append((name, "recall", clustered_ratio(hits, addressed, bootstrap)))
        rows.append((name, "f1", clustered_ratio(2 * hits, matches + addressed, bootstrap)))
    clustered = ClusteredPairs(similarity, is_addressed, change)
    rows.append(("all", "average_precision", bootstrap.estimate(clustered.average_precision)))
    return rows
