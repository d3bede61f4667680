"""Attacks in `benchmarks.attacks`: each does what its name says, and means are over changes."""

from dataclasses import asdict
from pathlib import Path

import pandas as pd
import pytest

from benchmarks import attacks
from crscore_core.claims import PseudoReference, ReferenceKind
from crscore_core.scoring import DEFAULT_ENCODER, load_encoder, resolve_tau
from crscore_eval.data.sources import open_data
from crscore_eval.table import Run
from tests.cases import cases
from tests.word_encoder import WordEncoder

ATTACKS_OF_CLAIMS = Path(__file__).with_name("attacks.txt")
CLAIMS = ("The retries are 5 now.", "A timeout is added")
LINES = ("retries = 5", "wait(timeout)")
TARGET = attacks.Target("", CLAIMS, LINES, "Why 5? Please explain.", "Other.")


@pytest.mark.parametrize(("attack", "claim", "expected"), cases(ATTACKS_OF_CLAIMS))
def test_an_attack_is_what_its_name_says(attack: str, claim: str, expected: str) -> None:
    target = attacks.Target("", (claim.strip(),), (), "", "") if claim else TARGET
    assert attacks.ATTACKS[attack](target) == expected


def test_words_without_content_earn_little_on_the_commits_of_the_six_kinds() -> None:
    tau = resolve_tau(None, DEFAULT_ENCODER, "symbolic")
    changes = open_data("kinds").changes
    means = attacks.relevance_without_content(changes, load_encoder(), tau)["mean"]
    assert len(attacks.CONTENT_FREE) >= 12
    assert means[list(attacks.CONTENT_FREE)].le(0.10).all(), means.sort_values()
    assert means[list(attacks.CONTENT_FREE)].median() < 0.05
    assert means["its identifiers"] > 0.5  # names are words of claims: they match


def test_changes_with_an_honest_review_are_attacked() -> None:
    claim = asdict(PseudoReference(CLAIMS[0], ReferenceKind.CLAIM, "given"))
    diff = "@@ -1 +1 @@\n-retries = 3\n+retries = 5\n"
    cells = {"change": ["0", "1"], "language": "python", "diff": diff, "references": [[claim]] * 2}
    rows = [
        ("0", "good", "Why 5?", 4.0), ("0", "best", "Why 5 retries?", 5.0),
        ("0", "msg", "Fine.", 5.0), ("1", "msg", "Fine.", 5.0),
        ("0", "bad", "lol", 1.0), ("1", "bad", "lol", 1.0),
    ]  # fmt: skip
    reviews = pd.DataFrame(rows, columns=["change", "system", "review", "human_relevance"])
    run = attacks.attacked(Run(reviews, pd.DataFrame(cells), {}), WordEncoder(), 0.5)
    assert len(run.reviews) == 1 + len(attacks.ATTACKS)
    honest = run.reviews.loc[run.reviews["system"] == "honest", "review"]
    assert honest.to_list() == ["Why 5 retries?"]
    assert run.reviews["relevance"].max() == pytest.approx(1)  # the claims match themselves


def test_wins_and_gains_are_means_over_changes() -> None:
    systems = ["honest", *attacks.ATTACKS]
    reviews = pd.DataFrame(
        [(change, system) for change in "abc" for system in systems], columns=["change", "system"]
    )
    known = {"honest": [0.5, 0.5, 0.2], "the claims": [0.8, 0.5, 0.1]}
    nothing = [float("nan")] * 3  # cannot be scored: counts 0
    values = [known.get(name, nothing)[place] for place in range(3) for name in systems]
    results = attacks.attack_results(reviews, pd.Series(values))
    assert [*results.loc["the claims"]] == pytest.approx([1.5 / 3, (0.3 + 0 - 0.1) / 3])
    assert [*results.loc["empty"]] == pytest.approx([0, -0.4])
