"""Colours that the browser's accessibility check does not see: contrast as WCAG requires it."""

import itertools
import tomllib
from typing import Any

import pytest

from pages.components.charts import TEXT_COLOURS
from pages.components.diff_view import BACKGROUNDS, FOREGROUNDS
from tests.pages.browser import ROOT

THEME: dict[str, Any] = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"]
READABLE, VISIBLE = 4.5, 3.0
"""WCAG 2.1, 1.4.3 and 1.4.11: contrast of text and of other elements."""


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (((x + 0.055) / 1.055) ** 2.4 if x > 0.04045 else x / 12.92 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("at", "mode"), [(0, "light"), (1, "dark")])
def test_charts_and_diffs_can_be_read(at: int, mode: str) -> None:
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)  # by WCAG
    page, text = THEME[mode]["backgroundColor"], THEME[mode]["textColor"]
    assert contrast(TEXT_COLOURS[mode], page) >= READABLE
    assert min(contrast(one, page) for one in THEME[mode]["chartCategoricalColors"]) >= VISIBLE
    foregrounds = [text, *(pair[at] for pair in FOREGROUNDS.values())]
    backgrounds = [page, *(pair[at] for pair in BACKGROUNDS.values())]
    for front, behind in itertools.product(foregrounds, backgrounds):
        assert contrast(front, behind) >= READABLE, (front, behind)
