"""Notes of the study's annotators: codes of claims, double ratings, addressed references."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from crscore_eval.data.study import Study
from crscore_eval.statistics import (
    ClusterBootstrap,
    Estimate,
    clustered_ratio,
    krippendorff_alpha,
)
from crscore_eval.table import DIMENSIONS, HUMAN
from crscore_eval.table.clusters import bootstrap_changes, clusters
from crscore_eval.validity.agreement import TableCell
from crscore_eval.validity.thresholds import NamedTau

_COUNTED = ["correct", "incorrect", "unverifiable"]
RATES = {
    "accuracy": "correct",
    "error_rate": "incorrect",
    "unverifiable_rate": "unverifiable",
    "missing_rate": "missing",
}


def claim_quality(study: Study, n_resamples: int = 1000) -> Iterator[TableCell]:
    """Yield the quality of generated claims by the annotators' codes (Table 1).

    Rows are the languages and `all`. Columns:

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
    for name in (*dict.fromkeys(language.tolist()), "all"):
        counts = codes if name == "all" else codes[language == name]
        n_claims = counts[_COUNTED].sum(axis=1)
        bootstrap = ClusterBootstrap(len(counts), n_resamples)
        yield TableCell(name, "claims", Estimate(float(n_claims.sum())))
        for rate, code in RATES.items():
            yield TableCell(name, rate, clustered_ratio(100 * counts[code], n_claims, bootstrap))


def rater_agreement(study: Study, n_resamples: int = 1000) -> Iterator[TableCell]:
    """Yield Krippendorff's alpha on the ordinal scale for each dimension (section 4.2)."""
    if study.double_ratings.empty:
        return
    items = study.double_ratings.drop_duplicates("item")
    bootstrap = bootstrap_changes(items, n_resamples)
    for name in DIMENSIONS:
        ratings = study.double_ratings.pivot(index="item", columns="rater", values=HUMAN[name])
        yield TableCell(name, "alpha", krippendorff_alpha(ratings, clusters(items), bootstrap))


def matching_figures(
    pairs: pd.DataFrame, taus: Sequence[NamedTau], n_resamples: int = 1000
) -> Iterator[TableCell]:
    """Evaluate how well similarity above tau finds what a review addresses (section 4.3, Table 4).

    `pairs`, as from `shipped_pairs`, has a row for each annotated review and pseudo-reference of
    its change. Rows of the figures are the names of the taus, columns precision, recall and f1.
    """
    change = clusters(pairs)
    is_addressed = pairs["addressed"].to_numpy(dtype=bool)
    similarity = pairs["similarity"].to_numpy(dtype=float)
    bootstrap = bootstrap_changes(pairs, n_resamples)
    n_changes = bootstrap.weights.shape[1]
    addressed = np.bincount(change, is_addressed, minlength=n_changes)
    for name, tau in taus:
        is_match = similarity > tau
        matches = np.bincount(change, is_match, minlength=n_changes)
        hits = np.bincount(change, is_match & is_addressed, minlength=n_changes)
        yield TableCell(name, "precision", clustered_ratio(hits, matches, bootstrap))
        yield TableCell(name, "recall", clustered_ratio(hits, addressed, bootstrap))
        yield TableCell(name, "f1", clustered_ratio(2 * hits, matches + addressed, bootstrap))
