"""What reviews are like, and the sentences on how groups of them differ."""

import pandas as pd
import pytest

from crscore_eval.metrics.traits import compare_traits, has_inline_code, review_traits
from crscore_eval.table import Run
from tests.crscore_eval.ranking.runs_of_rows import run_of_rows

SHORT, LONG = "Two words.", "This one uses ten words to say that `new_0` is fine."


def a_run(n_changes: int = 8) -> Run:
    """Return a short and a long review of each change; the long ones quote code."""
    texts = {"short": SHORT, "long": LONG}
    return run_of_rows(
        [
            {"system": system, "change": change, "review": f"{text}{' Yes.' * (change % 2)}"}
            for change in range(n_changes)
            for system, text in texts.items()
        ]
    )


def compared(run: Run, group: str, others: str) -> tuple[str, pd.DataFrame]:
    system = run.reviews["system"]
    sentences, figures = compare_traits(
        run, review_traits(run), {"terse reviews": system == group}, system == others
    )
    return sentences[0], pd.DataFrame(figures)


def test_a_sentence_names_the_traits_that_differ_significantly() -> None:
    # Of eight changes, half have one more word: 2.5 words against 11.5, and code in all or none.
    # `new_0` is an identifier of the first change only, so shared identifiers do not differ.
    sentence, figures = compared(a_run(), "short", "long")
    assert "terse reviews are shorter (2 words; others 12)" in sentence
    assert "quote code less often (0%; others 100%)" in sentence
    assert "identifiers" not in sentence
    assert figures["trait"].tolist() == [
        "length", "number of sentences", "quoted code", "shared identifiers"
    ]  # fmt: skip
    sentence, _ = compared(a_run(), "long", "short")
    assert "longer (12 words; others 2)" in sentence


def test_a_sentence_says_so_if_nothing_differs_significantly() -> None:
    run = a_run()
    run.reviews["review"] = SHORT
    sentence, _ = compared(run, "short", "long")
    assert sentence.startswith("Terse reviews do not differ significantly")


def test_too_few_changes_and_groups_without_reviews_are_not_compared() -> None:
    assert "6 are needed" in compared(a_run(5), "short", "long")[0]
    sentence, figures = compared(a_run(), "nobody", "long")
    assert "terse reviews" in sentence
    assert figures.empty


@pytest.mark.parametrize(
    ("review", "has_code"),
    [("`x`", True), ("```\nx\n```", True), ("~~~\nx", True), ("a ` b", False), ("``", False)],
)
def test_inline_code_is_found_as_markdown_marks_it(review: str, has_code: bool) -> None:
    assert has_inline_code(review) is has_code
