"""Print what second wordings add to symbolic claims.

Run as `python -m benchmarks.claims [CLEARCRC.csv]`. The first figure, on the development part of
the human study, is Spearman's rho of relevance with people, where tau (tau_gt, paper section 3.3)
is computed on the changes of the other nine folds, the mean of three ways to fold. The second is
the area under the ROC curve of relevance for ClearCRC's label "relevance", at tau_gt of the whole
study.
"""

import csv
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.corpus.reviews import Reviews
from crscore_core.datasets.study.corpus import study_corpus
from crscore_core.datasets.study.shipped import shipped_study
from numpy.typing import NDArray

from crscore_core.change import CodeChange
from crscore_core.claims import Claim, ClaimSet
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.scoring.cached import CachedEncoder
from crscore_core.scoring.pipeline import ChangeInput, Tools, score_changes

_FOLDS, _SEEDS = 10, 3
_RELEVANCE = DIMENSIONS.index("relevance")
_LANGUAGES = {"py": "python", "js": "javascript", ".cs": "csharp", "rb": "ruby"}

Array = NDArray[np.float64]

VARIANTS: dict[str, Callable[[Claim], Claim]] = {
    "all": lambda claim: claim,
    "without second wordings": lambda claim: replace(claim, wordings=()),
    "second wordings alone": lambda claim: replace(
        claim, text=claim.wordings[0] if claim.wordings else claim.text, wordings=()
    ),
}


class _Part:
    """Symbolic claims, each changed by a variant."""

    def __init__(self, name: str) -> None:
        self.name = f"symbolic, {name}"
        self._changed = VARIANTS[name]
        self._all = SymbolicClaims()

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims of the variant."""
        return ClaimSet(tuple(map(self._changed, self._all.generate(change).claims)))


def main() -> None:
    """Compare the variants and print a table."""
    from scipy.stats import spearmanr

    study, encoder = shipped_study(), CachedEncoder()
    print("| claims | a change | Spearman, tau out of fold | AUC, ClearCRC |")
    print("|---|---|---|---|")
    for name in VARIANTS:
        comparison = study_corpus(study, _Part(name)).score(encoder)
        judged = comparison.is_judged
        rated = comparison.ratings[judged, _RELEVANCE]
        rhos = [
            float(spearmanr(_held_out(comparison, seed)[judged], rated).statistic)
            for seed in range(_SEEDS)
        ]
        size = np.mean([len(change.references) for change in comparison.changes])
        auc = ""
        if sys.argv[1:]:
            auc = f"{_auc(Path(sys.argv[1]), _Part(name), _tau(comparison), encoder):.3f}"
        print(f"| {name} | {size:.2f} | {np.mean(rhos):.3f} | {auc} |", flush=True)


def _tau(comparison: Reviews, chosen: NDArray[np.bool_] | None = None) -> float:
    """Return tau_gt over the chosen reviews, or all."""
    reviews = [
        review.similarity.max(axis=0)
        for index, review in enumerate(comparison)
        if review.system == GROUND_TRUTH
        and review.similarity.size
        and (chosen is None or chosen[index])
    ]
    return float(np.concatenate(reviews).mean())


def _held_out(comparison: Reviews, seed: int) -> Array:
    """Relevance of each review at the tau_gt of the changes outside of its fold."""
    fold = np.random.default_rng(seed).integers(0, _FOLDS, len(comparison.changes))
    of_review = fold[comparison.change]
    relevance = np.zeros(len(comparison))
    for number in range(_FOLDS):
        tau = _tau(comparison, of_review != number)
        relevance[of_review == number] = comparison.scores([tau])[_RELEVANCE, 0][
            of_review == number
        ]
    return relevance


def _auc(path: Path, claims: _Part, tau: float, encoder: CachedEncoder) -> float:
    """Return the share of pairs of comments in which the relevant one scores higher."""
    from scipy.stats import rankdata

    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    changes = [
        ChangeInput(row["patch"], (row["msg"],), _LANGUAGES.get(row["lang"], row["lang"]))
        for row in rows
    ]
    scored = score_changes(changes, Tools(claims, encoder, tau, {}))
    scores = np.array([one.scores[0].relevance or 0 if one.scores else 0 for one in scored])
    is_relevant = np.array([row["relevance"] == "1" for row in rows])
    n = int(is_relevant.sum())
    ranks = rankdata(scores)
    return float((ranks[is_relevant].sum() - n * (n + 1) / 2) / (n * (len(rows) - n)))


if __name__ == "__main__":
    main()
