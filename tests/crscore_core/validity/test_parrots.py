"""Every prediction prefers honest reviews to texts that only repeat the change."""

from pathlib import Path

import pytest

from analyzers import analyze
from crscore_core import CRScorer
from crscore_core.change import parse_change
from crscore_core.predicted.model_file import PREDICTIONS
from crscore_core.scoring.smells import source_files
from crscore_core.validity.attacks import ATTACKS, Target, added_lines

SAMPLES = Path(__file__).resolve().parents[3] / "sample_data"
HONEST = {
    "java/active-members-stream": "`total` is computed and never used. Renaming getMembers to "
    "activeMembers breaks callers, and toList() returns an unmodifiable list where the old one "
    "could be changed.",
    "java/customer-email-optional": "remind() calls emailOf(number).get() without checking, so an "
    "unknown customer now gives NoSuchElementException instead of UnknownCustomerException. "
    "Please use orElseThrow.",
    "java/money-equals": "equals without hashCode breaks sets and maps of Money. Comparing the "
    "amounts with BigDecimal.equals also tells 2.0 from 2.00.",
    "java/price-import-resources": "The reader is closed now, good, but the log line drops the "
    "exception, so nobody can tell why the import failed. Log `e` as well, or rethrow it.",
    "java/stock-ledger-synchronized": "Only reserve is synchronized, add still changes `free` "
    "without the lock, so the class is not thread-safe because of that. And why replace for put?",
    "javascript/cart-null-check": "The loop runs to `i <= this.lines.length`, one too far; the "
    "null check hides that. Skipping lines without a product makes the total wrong silently.",
    "javascript/formula-eval": "eval on what a user typed runs any code, this is an injection "
    "hole. Number() was right, please revert that part.",
    "python/exchange-rate-cache": "The mutable default `cache={}` lives for ever and is keyed by "
    "currency alone, so rate_for returns the rate of another day. Key it by (currency, day).",
    "python/nightly-sync-errors": "The bare except swallows every error, even KeyboardInterrupt, "
    "and nothing is logged any more, so a failed night goes unnoticed.",
    "python/order-status-filter": "status goes into the SQL by an f-string, which allows "
    "injection; append it to `values` with a placeholder as for since. Also `is not None`.",
}
FAKES = ("identifiers", "the added lines", "the claims")
PRAISE = "Really good change, I have nothing to add. Approved!"


DIFFS = {name: (SAMPLES / f"{name}.diff").read_text(encoding="utf-8") for name in HONEST}


@pytest.fixture(scope="module")
def scorer() -> CRScorer:
    """The scorer, once each tool has seen all samples in one start."""
    analyze([file for diff in DIFFS.values() for file in source_files(parse_change(diff))])
    return CRScorer()


@pytest.mark.parametrize("sample", HONEST)
def test_an_honest_review_is_preferred_to_parrots(sample: str, scorer: CRScorer) -> None:
    diff = DIFFS[sample]
    honest = scorer.score(diff, HONEST[sample])
    claims = tuple(reference.text for reference in honest.pseudo_references)
    target = Target(diff, claims, added_lines(diff), HONEST[sample], "")
    fakes = {name: ATTACKS[name](target) for name in FAKES} | {"praise": PRAISE}
    scores = scorer.score_many(diff, list(fakes.values()))
    assert honest.predicted is not None
    lost = [
        (name, prediction)
        for name, score in zip(fakes, scores, strict=True)
        for prediction in PREDICTIONS
        if getattr(score.predicted, prediction) >= getattr(honest.predicted, prediction)
    ]
    assert lost == []
