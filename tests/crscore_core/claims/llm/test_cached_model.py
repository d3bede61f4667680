"""Answers kept in a folder that may be full, damaged or shared."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from crscore_core.claims import Answer
from crscore_core.claims.llm.cached_model import CachedModel
from tests.crscore_core.claims.llm.scripted_model import ANSWER, ScriptedModel

ROOT = Path(__file__).parents[4]


def test_the_oldest_answers_are_evicted_at_200_megabytes() -> None:
    model = ScriptedModel(lambda prompt: Answer(prompt * 5_000_000))  # 10 MB
    with TemporaryDirectory() as folder:
        cached = CachedModel(model, Path(folder))
        for number in range(21):
            list(cached.answer([f"{number:02}"]))
        list(cached.answer(["20"]))
        assert len(model.asked) == 21
        list(cached.answer(["00"]))
    assert model.asked[21:] == ["00"]


def test_an_unusable_cache_folder_stores_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "cache.db").write_bytes(b"no database" * 1000)
    for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "damaged"):
        model = ScriptedModel()
        for _ in range(2):
            assert list(CachedModel(model, folder).answer(["a"])) == [Answer(ANSWER)]
        assert len(model.asked) == 2


PROGRAM = """
import sys
from pathlib import Path
from crscore_core.claims.llm.cached_model import CachedModel
from tests.crscore_core.claims.llm.scripted_model import ScriptedModel
cached = CachedModel(ScriptedModel(), Path(sys.argv[1]))
list(cached.answer([f"{sys.argv[2]} {n}" for n in range(50)]))
"""


def test_processes_and_threads_share_a_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    running = [subprocess.Popen([*command, name], cwd=ROOT) for name in "xy"]
    cached = CachedModel(ScriptedModel(), tmp_path)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: list(cached.answer([f"t {n}"])), range(50)))
    assert [process.wait() for process in running] == [0, 0]
    model = ScriptedModel()
    list(CachedModel(model, tmp_path).answer([f"{name} {n}" for name in "xyt" for n in range(50)]))
    assert model.asked == []
