"""Drafts: one's own diff and reviews after a reload."""

import os
import time
from pathlib import Path

import pytest

from pages.components.score_draft import drafts_folder, read_draft, write_draft
from tests.crscore_core.changes import PYTHON
from tests.pages.app_page import open_form

KEY, OTHER = "k" * 22, "o" * 22
DAY = 24 * 60 * 60


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return drafts_folder()


def test_a_reload_keeps_the_diff_and_the_reviews() -> None:
    page = open_form().press("Clear", "Add a review")
    page.put(diff=PYTHON, review_1="Why?", review_2="Ünsure?", name_2="Ann")
    key = str(page.query_params["draft"])
    assert "Why" not in str(dict(page.query_params))
    again = open_form({"draft": key})
    assert again.text_area(key="diff").value == PYTHON
    assert [again.text_area(key=f"review_{n}").value for n in (1, 2)] == ["Why?", "Ünsure?"]
    assert again.text_input(key="name_2").value == "Ann"


def test_a_reload_keeps_the_options() -> None:
    page = open_form().put(claims="given below", language="java")
    page.put(given_claims="The cache is shared.")
    again = open_form({"draft": str(page.query_params["draft"])})
    values = {box.key: box.value for box in again.selectbox}
    assert (values["claims"], values["language"]) == ("given below", "java")
    assert again.text_area(key="given_claims").value == "The cache is shared."


def test_two_sessions_with_the_same_link_keep_a_draft_each() -> None:
    link = {"draft": str(open_form().put(diff=PYTHON, review_1="Why?").query_params["draft"])}
    first, second = open_form(link), open_form(link)
    first.put(review_1="The first.")
    second.put(review_1="The second.")
    for page, review in ((first, "The first."), (second, "The second.")):
        again = open_form({"draft": str(page.query_params["draft"])})
        assert again.text_area(key="review_1").value == review
    assert open_form(link).text_area(key="review_1").value == "Why?"


@pytest.mark.parametrize("key", ["", "../../etc/passwd", "k", "x" * 22, "ü" * 22])
def test_an_unknown_draft_shows_the_example(key: str) -> None:
    page = open_form({"draft": key})
    assert (page.text_area(key="diff").value or "").startswith("diff --git")
    assert "draft" not in page.query_params


def test_a_draft_lives_for_a_day_and_only_its_owner_reads_it(folder: Path) -> None:
    assert write_draft(KEY, {"diff": "x"})
    assert read_draft(KEY) == {"diff": "x"}
    path = folder / f"{KEY}.json"
    assert path.stat().st_mode & 0o077 == 0
    old = time.time() - DAY - 1
    os.utime(path, (old, old))
    assert read_draft(KEY) is None
    assert write_draft(OTHER, {})
    assert [path.stem for path in folder.iterdir()] == [OTHER]


def test_rejects_a_huge_or_damaged_draft(folder: Path) -> None:
    assert not write_draft(KEY, {"diff": "x" * 6_000_000})
    folder.mkdir(parents=True)
    (folder / f"{KEY}.json").write_text("{", encoding="utf-8")
    assert read_draft(KEY) is None
