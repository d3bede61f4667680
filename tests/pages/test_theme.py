"""Colours that the browser's check of accessibility does not see: contrast as WCAG requires it."""

import itertools
import tomllib
from typing import Any

import pytest

from pages.components.charts import TEXT_COLOURS
from pages.components.diff_view import BACKGROUNDS, FOREGROUNDS
from tests.pages.browser import ROOT

THEME: dict[str, Any] = tomllib.loads(
    (ROOT / ".streamlit/config.toml").read_text(encoding="utf-8")
)["theme"]
READABLE, VISIBLE = 4.5, 3.0
"""WCAG 2.1, 1.4.3 and 1.4.11: contrast of text and of other elements."""


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize(("at", "mode"), [(0, "light"), (1, "dark")])
def test_charts_and_diffs_can_be_read(at: int, mode: str) -> None:
    page, text = THEME[mode]["backgroundColor"], THEME[mode]["textColor"]
    assert contrast(TEXT_COLOURS[mode], page) >= READABLE
    assert all(
        contrast(colour, page) >= VISIBLE for colour in THEME[mode]["chartCategoricalColors"]
    )
    foregrounds = [text, *(pair[at] for pair in FOREGROUNDS.values())]
    backgrounds = [page, *(pair[at] for pair in BACKGROUNDS.values())]
    for front, behind in itertools.product(foregrounds, backgrounds):
        assert contrast(front, behind) >= READABLE, (front, behind)
