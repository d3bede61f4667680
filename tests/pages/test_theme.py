"""Colours of the app: contrast as WCAG requires it, in both modes."""

import colorsys
import itertools
import re
import tomllib
from typing import Any

import pytest

from pages.components.charts import TEXT_COLOURS
from pages.components.diff_view import BACKGROUNDS, FOREGROUNDS
from tests.pages.browser import ROOT

THEME: dict[str, Any] = tomllib.loads(
    (ROOT / ".streamlit/config.toml").read_text(encoding="utf-8")
)["theme"]
MODES = ("light", "dark")
READABLE = 4.5
"""WCAG 2.1, 1.4.3: contrast of text."""
VISIBLE = 3.0
"""WCAG 2.1, 1.4.11: contrast of elements other than text."""


def luminance(colour: str) -> float:
    assert re.fullmatch("#[0-9a-f]{6}", colour), colour
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("mode", MODES)
def test_text_and_links_can_be_read_on_every_background(mode: str) -> None:
    theme = THEME[mode]
    page, text = theme["backgroundColor"], theme["textColor"]
    names = ("backgroundColor", "secondaryBackgroundColor", "codeBackgroundColor")
    backgrounds = [part[name] for part in (theme, theme["sidebar"]) for name in names]
    for background in [*backgrounds, theme["dataframeHeaderBackgroundColor"]]:
        assert contrast(text, background) >= 7
    pairs = ((int(text[at : at + 2], 16), int(page[at : at + 2], 16)) for at in (1, 3, 5))
    # A caption lets 40 % through.
    caption = "#" + "".join(f"{round(0.6 * one + 0.4 * other):02x}" for one, other in pairs)
    for colour in (caption, theme["linkColor"], theme["codeTextColor"], theme["primaryColor"]):
        assert contrast(colour, page) >= READABLE
    assert contrast("#ffffff", theme["primaryColor"]) >= READABLE


@pytest.mark.parametrize("mode", MODES)
def test_colours_of_charts_stand_out_and_are_the_ten_that_streamlit_asks_for(mode: str) -> None:
    theme = THEME[mode]
    colours = theme["chartCategoricalColors"]
    for colour in colours:
        assert contrast(colour, theme["backgroundColor"]) >= VISIBLE
    assert len(set(colours)) == len(colours) == 10
    steps = [luminance(colour) for colour in theme["chartSequentialColors"]]
    assert len(steps) == len(theme["chartDivergingColors"]) == 10
    # Low values are near the background, high values far from it.
    assert steps == sorted(steps, reverse=mode == "light")
    assert all(map(luminance, theme["chartDivergingColors"]))


@pytest.mark.parametrize("mode", MODES)
def test_marked_text_can_be_read_on_what_it_stands_on(mode: str) -> None:
    at = MODES.index(mode)
    page = THEME[mode]["backgroundColor"]
    behind = {name: pair[at] for name, pair in BACKGROUNDS.items()}
    for name, background in behind.items():
        assert contrast(THEME[mode]["textColor"], background) >= READABLE, name
    for (name, pair), background in itertools.product(
        FOREGROUNDS.items(), [page, *behind.values()]
    ):
        assert contrast(pair[at], background) >= READABLE, name


@pytest.mark.parametrize("mode", MODES)
def test_text_of_charts_can_be_read(mode: str) -> None:
    assert contrast(TEXT_COLOURS[mode], THEME[mode]["backgroundColor"]) >= READABLE


def test_added_and_removed_differ_in_hue() -> None:
    for at in range(len(MODES)):
        hues = [
            colorsys.rgb_to_hsv(*(int(BACKGROUNDS[name][at][n : n + 2], 16) for n in (1, 3, 5)))[0]
            for name in ("added", "removed")
        ]
        assert abs(hues[0] - hues[1]) > 0.25


def test_no_theme_is_forced_and_no_font_is_asked_of_another_host() -> None:
    assert "base" not in THEME
    text = (ROOT / ".streamlit/config.toml").read_text(encoding="utf-8")
    assert "://" not in text
