"""Answers kept in a folder that may be full or damaged."""

from pathlib import Path

from crscore_core.claims import Answer
from crscore_core.claims.llm.cached_model import CachedModel
from tests.crscore_core.claims.llm.scripted_model import ANSWER, ScriptedModel


def test_an_unusable_cache_folder_stores_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "cache.db").write_bytes(b"no database" * 1000)
    for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "damaged"):
        model = ScriptedModel()
        for _ in range(2):
            assert list(CachedModel(model, folder).answer(["a"])) == [Answer(ANSWER)]
        assert len(model.asked) == 2
