"""Print how symbolic claims compare with parts of themselves, and with quoted lines.

The figure is Spearman's rho of relevance with people on the shipped part of the human study. Its
tau (tau_gt, paper section 3.3) is computed on the other nine of ten folds of the changes; the
figure is the mean of three divisions into folds.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from benchmarks.measuring import print_table
from crscore_core.change import CodeChange, LineKind
from crscore_core.claims import ClaimBackend, ClaimSet, PseudoReference, ReferenceKind
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.claims.symbolic.wording import to_plain_words
from crscore_eval.data.shipped import shipped_study
from crscore_eval.data.study_run import score_rated_reviews
from crscore_eval.statistics.bootstrap import clusters
from crscore_eval.table.measures import measure_values
from crscore_eval.validity.agreement import procedure_taus, system_ratings

_FOLDS, _SEEDS = 10, 3
_MAX_LINES = 12  # as many as symbolic claims about a change of few files


VARIANTS: dict[str, Callable[[PseudoReference], PseudoReference]] = {
    "all": lambda claim: claim,
    "with shared places": lambda claim: replace(
        claim, wordings=(claim.text, to_plain_words(claim.text))
    ),
    "without plain words": lambda claim: replace(claim, wordings=claim.wordings[:1]),
    "in plain words alone": lambda claim: replace(claim, wordings=claim.wordings[1:]),
}


class _QuotedLines:
    """A baseline without rules: the first changed lines, quoted."""

    name = "changed lines, quoted"

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return a claim for each of the first `_MAX_LINES` changed lines."""
        actions = {LineKind.ADDED: "added", LineKind.REMOVED: "removed"}
        claims = [
            PseudoReference(
                f"`{line.text.strip()}` is {actions[line.kind]}", ReferenceKind.CLAIM, self.name
            )
            for file in change.files
            for line in file.lines()
            if line.kind in actions and line.text.strip()
        ]
        return ClaimSet(tuple(claims[:_MAX_LINES]))


class _VariantClaims:
    """Symbolic claims, each changed by a variant."""

    def __init__(self, name: str) -> None:
        self.name = f"symbolic, {name}"
        self._change_claim = VARIANTS[name]
        self._symbolic = SymbolicClaims()

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims of the variant."""
        return ClaimSet(tuple(map(self._change_claim, self._symbolic.generate(change).claims)))


def main() -> None:
    """Compare the variants and print a table."""
    rows = []
    backends: list[ClaimBackend] = [*map(_VariantClaims, VARIANTS), _QuotedLines()]
    for backend in backends:
        run = score_rated_reviews(shipped_study(), backend)
        rated = system_ratings(run.reviews, "relevance").dropna()
        rhos = [_rho(_held_out(run.reviews, seed), rated) for seed in range(_SEEDS)]
        mean_claims = run.changes["references"].map(len).mean()
        tau = _tau(run.reviews)
        rows.append((backend.name, f"{mean_claims:.2f}", f"{tau:.3f}", f"{np.mean(rhos):.3f}"))
    head = ("claims", "per change", "tau_gt", "Spearman, tau out of fold")
    print_table("Variants of symbolic claims", head, rows)


def _rho(relevance: "pd.Series[float]", rated: "pd.Series[float]") -> float:
    """Return Spearman's rho of rated reviews; those that cannot be scored are left out."""
    return float(spearmanr(relevance[rated.index], rated, nan_policy="omit").statistic)


def _tau(reviews: pd.DataFrame) -> float:
    value = procedure_taus(reviews)["tau_gt"].value
    if np.isnan(value):
        raise ValueError("no ground truth, so no tau_gt")
    return value


def _held_out(reviews: pd.DataFrame, seed: int) -> "pd.Series[float]":
    """Return the relevance of each review at the tau_gt of the changes outside its fold."""
    change = clusters(reviews)
    fold = np.random.default_rng(seed).integers(0, _FOLDS, change.max() + 1)[change]
    parts: list[pd.Series[float]] = [
        measure_values(reviews[fold == number], "relevance", _tau(reviews[fold != number]))
        for number in np.unique(fold)
    ]
    held_out: pd.Series[float] = pd.concat(parts)
    return held_out


if __name__ == "__main__":
    main()
