"""Imports of the app: what goes wrong while they are kept and scored, and what is left of them."""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from crscore_core.corpus.progress import CorpusProgress
from crscore_core.corpus.run import imports as module
from crscore_core.corpus.run.folder import RunDocument
from crscore_core.corpus.run.imports import Import, Imports
from crscore_core.errors import InputError
from crscore_core.job import JobState, JobStatus

WITHIN = 60
CONTENT = b'diff,review\n"@@ -1 +1 @@\n-x = 1\n+x = 2\n",Why 2?\n'
COLUMNS = {"diff": "diff", "review": "review"}
IN_CHILD = module.scored_in_child
CHILD = """
import os, sys, time
from multiprocessing.connection import Connection
server = Connection(int(sys.argv[2]))
"""


@pytest.fixture
def imports(tmp_path: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch) -> Imports:
    """Imports that are scored in this process by a tiny encoder."""
    monkeypatch.setattr(module, "DEFAULT_ENCODER", str(encoder))

    def here(place: Path, note: Callable[..., None], _: threading.Event) -> RunDocument:
        return module.score_import(place, note)

    monkeypatch.setattr(module, "scored_in_child", here)
    return Imports(tmp_path / "imports")


def begun(imports: Imports) -> str:
    return imports.begin("a b.CSV", CONTENT, COLUMNS, ())


def ended(imports: Imports, key: str) -> JobStatus[CorpusProgress, RunDocument]:
    found = imports.find(key)
    assert found
    assert found.job
    return found.job.wait(WITHIN)


def scored(imports: Imports, key: str) -> Import:
    """The import once it was begun again."""
    again = imports.find(key, again=True)
    assert again
    assert again.job is None or again.job.wait(WITHIN).state is JobState.DONE
    found = imports.find(key)
    assert found
    assert [review.text for review in found.run().reviews()] == ["Why 2?"]
    assert found.job is None
    return found


@pytest.mark.parametrize(
    ("child", "state", "message"),
    [
        ("server.send('no room')", JobState.FAILED, "no room"),
        ("os.kill(os.getpid(), 9)", JobState.FAILED, "the scoring ran out of memory"),
        ("sys.exit(1)", JobState.FAILED, "the scoring failed; see the log"),
        ("server.poll(None)", JobState.STOPPED, "the scoring was stopped"),
    ],
)
def test_a_child_that_fails_or_is_stopped_loses_nothing(
    imports: Imports,
    monkeypatch: pytest.MonkeyPatch,
    child: str,
    state: JobState,
    message: str,
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("threading.excepthook", lambda _: None)
        patch.setattr(module, "scored_in_child", IN_CHILD)
        patch.setattr(module, "_CHILD", (sys.executable, "-c", CHILD + child))
        key = begun(imports)
        found = imports.find(key)
        assert found
        assert found.job
        if state is JobState.STOPPED:
            found.job.stop()
        end = ended(imports, key)
    assert (end.state, str(end.error)[: len(message)]) == (state, message)
    assert scored(Imports(imports.folder), key).name == "a b.CSV"  # a server started again


def test_a_full_disk_is_a_message_and_what_is_done_is_kept(
    imports: Imports, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(InputError, match="cannot be kept on this server: No space left"):
            begun(imports)
    assert not list(imports.folder.iterdir())
    with monkeypatch.context() as patch:
        patch.setattr("crscore_core.corpus.run.folder.os.fsync", full)
        key = begun(imports)
        error = str(ended(imports, key).error)
    assert "No space left on device" in error
    assert "try again" in error
    scored(imports, key)


def test_a_file_that_unpacks_without_end_does_not_fill_the_disk(
    imports: Imports, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited = "import sys; from crscore_core.corpus.run import imports as module\n"
    limited += "module.MOST_BYTES = 50_000; module._main(*sys.argv[1:])"
    monkeypatch.setattr(module, "scored_in_child", IN_CHILD)
    monkeypatch.setattr(module, "_CHILD", (sys.executable, "-c", limited))
    content = CONTENT + CONTENT.partition(b"\n")[2] * 2_000
    key = imports.begin("a.csv", content, COLUMNS, ())
    end = ended(imports, key)
    assert end.state is JobState.FAILED
    assert "make room on the disk" in str(end.error)


def test_what_cannot_be_read_or_has_no_room_is_a_message_and_stays(
    imports: Imports, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = begun(imports)
    ended(imports, key)
    monkeypatch.setattr(module, "MOST_BYTES", 1_000)
    with pytest.raises(InputError, match="keeps 1,000 bytes of imports at most"):
        begun(imports)
    (imports.folder / key / "import.json").write_bytes(b"{")
    with pytest.raises(InputError, match="cannot be read at the moment"):
        imports.find(key)
    assert (imports.folder / key).is_dir()
    assert imports.find("x" * 22) is None


def test_imports_are_private_and_go_once_nobody_wants_them(imports: Imports) -> None:
    key = begun(imports)
    ended(imports, key)
    place = imports.folder / key
    assert {path.stat().st_mode & 0o777 for path in (imports.folder, place)} == {0o700}
    assert {path.name for path in place.iterdir()} == {"import.json", "run"}
    assert not any(map(imports.find, ("..", "x" * 22, f"../{key}", "")))
    Imports(imports.folder)
    for path in (place, *place.rglob("*")):
        os.utime(path, (0, 0))
    assert imports.find(key)  # somebody wants it again
    Imports(imports.folder)
    assert imports.find(key)
    for path in (place, *place.rglob("*")):
        os.utime(path, (0, 0))
    Imports(imports.folder)
    assert imports.find(key) is None
