"""Captions: the numbers of reviews, changes and tests that figures rest on."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from crscore_eval.export.shown import (
    metrics_caption,
    pairs_caption,
    systems_caption,
    systems_figures,
    systems_table,
)
from crscore_eval.ranking.order import order_systems
from tests.crscore_eval.ranking.runs_of_rows import run_of_rows, run_of_systems


@pytest.mark.parametrize(("n_rated", "n_labelled", "part", "has_n"), [
    (20, 10, "People's ratings of relevance: over the same reviews.", False),
    (14, 10, "People's ratings of relevance: over n of these reviews.", True),
    (0, 10, "", False),
    (0, 9, "", True),
])  # fmt: skip
def test_means_state_their_reviews(n_rated: int, n_labelled: int, part: str, has_n: bool) -> None:
    rows = [
        {"system": name, "change": at // 2, "label_own": 1.0 if at // 2 < n_labelled else None,
         "label_a": 1.0, "label_b": 1.0, "label_c": 1.0,
         "rating": 3 if (at if name == "first" else 19 - at) < n_rated else None}
        for name in ("first", "second")
        for at in range(20)
    ]  # fmt: skip
    caption = systems_caption(order_systems(run_of_rows(rows), "relevance"))
    assert part in caption
    assert ("People's" in caption) is bool(part)
    assert ("n: number of reviews" in caption) is has_n
    assert "Labels not shown: c." in caption


@pytest.mark.parametrize(
    ("n_changes", "corrected"), [((8, 8, 8), "3 comparisons"), ((8, 4, 8), "1 comparison")]
)
def test_pairs_have_the_number_of_comparisons(n_changes: tuple[int, ...], corrected: str) -> None:
    caption = pairs_caption(order_systems(run_of_systems(dict.fromkeys("abc", 0.5), n_changes)))
    assert f"Holm's correction for {corrected}, all pairs" in caption
    assert "Negative" not in caption


@pytest.mark.parametrize(("rows", "parts", "missing"), [
    ([["rel", 0.5, 0.4, np.nan], ["words", 0.3, 0.2, 0.01], ["bleu", 0.2, 0.1, 0.02]],
     ["same 28 reviews of 7 changes", "95%", "minus that of relevance",
      "1 comparison with simple metrics and, separately, 1 comparison with other metrics"], []),
    ([["rel", 0.5, 0.4, np.nan]], ["same 28 reviews of 7 changes", "95%"], ["Holm"]),
    ([["rel", 0.5, np.nan, np.nan]], ["same 28 reviews of 7 changes"], ["95%", "Holm"]),
])  # fmt: skip
def test_metrics_state_their_reviews(
    rows: list[list[Any]], parts: list[str], missing: list[str]
) -> None:
    table = pd.DataFrame(rows, columns=["metric", "value", "low", "p"])
    caption = metrics_caption(table.assign(base="rel", rows=28, changes=7, within=np.nan))
    assert all(part in caption for part in parts), caption
    assert not any(part in caption for part in missing), caption


def test_downloaded_figures_have_the_titles_of_their_table() -> None:
    rows = [{"system": name, "change": at, "rating": 3, "label_own": 1.0}
            for name in "ab" for at in range(8)]  # fmt: skip
    order = order_systems(run_of_rows(rows), "relevance")
    shown, figures = systems_table(order), systems_figures(order)
    assert {*shown} <= {*figures}
    assert {"relevance, 95% from", "reviews with label own"} <= {*figures}
    assert not figures.columns.str.contains("_").any()


def test_metrics_without_a_figure_have_no_caption() -> None:
    table = pd.DataFrame({"metric": ["bleu"], "base": [""], "rows": [0], "changes": [0]})
    assert metrics_caption(table) == ""
