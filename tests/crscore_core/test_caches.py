"""A store of bytes on disk that never fails, and digests of files."""

import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from crscore_core.caches import ByteStore

MAX_BYTES = 10_000_000
VALUES = {b"a": b"one", b"b": b"", b"c": bytes(range(256)) * 1000}


def test_stored_values_are_found_later(tmp_path: Path) -> None:
    ByteStore(tmp_path / "store", MAX_BYTES).set(b"a", b"earlier")
    for key, value in VALUES.items():
        ByteStore(tmp_path / "store", MAX_BYTES).set(key, value)
    store = ByteStore(tmp_path / "store", MAX_BYTES)
    assert {key: store.get(key) for key in VALUES} == VALUES
    assert store.get(b"other") is None
    assert stat.S_IMODE((tmp_path / "store").stat().st_mode) == 0o700


def test_the_oldest_values_are_evicted(tmp_path: Path) -> None:
    store = ByteStore(tmp_path, 200_000)
    for number in range(100):
        store.set(str(number).encode(), bytes(10_000))
    assert store.get(b"99")
    assert not store.get(b"0")


def test_an_unusable_folder_is_an_empty_store(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "cache.db").write_bytes(b"no database" * 1000)
    for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "damaged"):
        store = ByteStore(folder, MAX_BYTES)
        store.set(b"a", b"one")
        assert store.get(b"a") is None


PROGRAM = """
import sys
from pathlib import Path
from crscore_core.caches import ByteStore
store = ByteStore(Path(sys.argv[1]), 10_000_000)
for number in range(50):
    store.set(f"{sys.argv[2]} {number}".encode(), sys.argv[2].encode())
"""


def test_processes_and_threads_share_a_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    running = [subprocess.Popen([*command, name]) for name in "xy"]
    store = ByteStore(tmp_path, MAX_BYTES)

    def keep(number: int) -> None:
        store.set(f"t {number}".encode(), b"t")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(keep, range(50)))
    assert [process.wait() for process in running] == [0, 0]
    keys = [f"{name} {number}".encode() for name in "xyt" for number in range(50)]
    assert all(map(store.get, keys))
