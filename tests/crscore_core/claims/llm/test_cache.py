"""Answers cached on disk by model, version and prompt."""

import stat
from pathlib import Path

import pytest

from crscore_core.claims import Answer
from crscore_core.claims.llm import cache
from crscore_core.claims.llm.cache import AnswerCache
from crscore_core.claims.llm.prompt import PROMPT_VERSION


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "caches" / "answers"


@pytest.mark.parametrize("text", ["1. It grows.", "", "half \ud800 a pair\0\n" * 1000])
def test_stored_answers_are_found(kept: Path, text: str) -> None:
    for answer in (Answer(text), Answer(text, is_complete=False)):
        AnswerCache(kept).keep("model", "prompt", answer)
        assert AnswerCache(kept).known("model", "prompt") == answer


def test_an_answer_belongs_to_model_version_and_prompt(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = AnswerCache(kept)
    answers.keep("model", "prompt", Answer("mine"))
    assert answers.known("model@2", "prompt") is None
    assert answers.known("model", "prompt ") is None
    answers.keep("model", f"{PROMPT_VERSION}prompt", Answer("mine"))
    assert answers.known(f"model{PROMPT_VERSION}", "prompt") is None
    monkeypatch.setattr(cache, "PROMPT_VERSION", "another")
    assert answers.known("model", "prompt") is None


def test_the_cache_is_readable_only_by_its_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    AnswerCache().keep("model", "prompt", Answer("mine"))
    assert stat.S_IMODE((tmp_path / "crscore" / "answers").stat().st_mode) == 0o700
    assert AnswerCache().known("model", "prompt") == Answer("mine")


def test_neither_prompt_nor_model_is_stored(kept: Path) -> None:
    AnswerCache(kept).keep("model of a secret server", "the secret change", Answer("words"))
    stored = b"".join(path.read_bytes() for path in kept.rglob("*") if path.is_file())
    assert b"words" in stored
    assert b"secret" not in stored
