"""The annotators' own work in the study: codes of claims, double ratings, addressed references."""

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
    """Rate generated claims by the annotators' codes, by language and over all (Table 1).

    Return language, column and figure. `claims` counts the claims called correct, incorrect or
    unverifiable; `accuracy`, `error_rate` and `unverifiable_rate` are their shares in percent.
    `missing_rate` is the number of claims that an annotator added for every 100 that count. Claims
    without code, and those called incomplete or ambiguous (Table 8), count nowhere.
    """
    codes = pd.crosstab(study.claims["change"], study.claims["code"])
    codes = codes.reindex(
        index=study.changes["change"], columns=[*_COUNTED, "missing"], fill_value=0
    )
    language = study.changes["language"].to_numpy()
    rows = []
    for name in (*dict.fromkeys(language.tolist()), "all"):
        chosen = codes if name == "all" else codes[language == name]
        counted = chosen[_COUNTED].sum(axis=1)
        bootstrap = ClusterBootstrap(len(chosen), n_resamples)
        rows.append((name, "claims", Estimate(float(counted.sum()))))
        for rate, code in RATES.items():
            rows.append((name, rate, clustered_ratio(100 * chosen[code], counted, bootstrap)))
    return rows


def rater_agreement(study: Study, n_resamples: int = 1000) -> dict[str, Estimate]:
    """Return Krippendorff's alpha on the ordinal scale by dimension (section 4.2)."""
    double = study.double_ratings
    if double.empty:
        return {}
    change = np.unique(double.groupby("item")["change"].first(), return_inverse=True)[1]
    bootstrap = ClusterBootstrap(int(change.max()) + 1, n_resamples)
    return {
        name: krippendorff_alpha(
            double.pivot(index="item", columns="rater", values=HUMAN[name]), change, bootstrap
        )
        for name in DIMENSIONS
    }


def addressed_agreement(
    pairs: pd.DataFrame, taus: Sequence[tuple[str, float]], n_resamples: int = 1000
) -> list[tuple[str, str, Estimate]]:
    """Evaluate "more similar than tau" at finding what a review addresses (section 4.3, Table 4).

    `pairs` has the columns of `shipped_pairs`: a row for each noted review and each
    pseudo-reference of its change. `taus` are named. Return tau, column (precision, recall, f1)
    and figure; row `all` has the average precision, which does not depend on tau.
    """
    change = pd.factorize(pairs["change"])[0]
    is_match = pairs["addressed"].to_numpy(dtype=bool)
    similarity = pairs["similarity"].to_numpy(dtype=float)
    bootstrap = ClusterBootstrap(int(change.max()) + 1, n_resamples)
    n_changes = bootstrap.weights.shape[1]
    matches = np.bincount(change, is_match, minlength=n_changes)
    rows = []
    for name, tau in taus:
        is_above = similarity > tau
        above = np.bincount(change, is_above, minlength=n_changes)
        hits = np.bincount(change, is_above & is_match, minlength=n_changes)
        rows.append((name, "precision", clustered_ratio(hits, above, bootstrap)))
        rows.append((name, "recall", clustered_ratio(hits, matches, bootstrap)))
        rows.append((name, "f1", clustered_ratio(2 * hits, above + matches, bootstrap)))
    clustered = ClusteredPairs(similarity, is_match, change)
    rows.append(("all", "average_precision", bootstrap.estimate(clustered.average_precision)))
    return rows
