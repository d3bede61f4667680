"""Caches on disk: a value is found or missing, never wrong and never an error."""

import hashlib
import os
import pickle
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import diskcache
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.caches import ByteStore, remembered_sha256

ROOT = Path(__file__).resolve().parents[2]
MOST = 1_000_000
VALUES = {b"a": b"first" * 20, b"b": b"second" * 20, b"": b"", b"\xff" * 32: b"\0" * 10_000}
OTHERS = {key: value for key, value in VALUES.items() if key != b"a"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


def test_the_last_stored_value_is_read_by_any_store(folder: Path) -> None:
    ByteStore(folder, MOST).keep({**VALUES, b"a": b"earlier"})
    ByteStore(folder, MOST).keep({b"a": VALUES[b"a"]})
    assert ByteStore(folder, MOST).known([*VALUES, b"other"]) == VALUES


@given(values=st.dictionaries(st.binary(max_size=40), st.binary(max_size=200), max_size=8))
def test_any_bytes_can_be_stored(
    tmp_path_factory: pytest.TempPathFactory, values: dict[bytes, bytes]
) -> None:
    store = ByteStore(tmp_path_factory.getbasetemp() / "any", 10_000_000)
    store.keep(values)
    assert store.known(values) == values


def test_a_new_folder_is_private_and_existing_ones_keep_their_mode(folder: Path) -> None:
    folder.mkdir(mode=0o750)
    mode = folder.stat().st_mode
    assert ByteStore(folder, MOST).is_open
    assert folder.stat().st_mode == mode
    assert ByteStore(folder / "deeper", MOST).is_open
    assert stat.S_IMODE((folder / "deeper").stat().st_mode) == 0o700


def test_a_value_under_the_wrong_key_is_rejected(folder: Path) -> None:
    ByteStore(folder, MOST).keep({b"a": b"mine", b"b": b"yours"})
    execute(folder, "UPDATE Cache SET value = (SELECT value FROM Cache WHERE rowid = 2)")
    assert ByteStore(folder, MOST).known([b"a", b"b"]) == {b"b": b"yours"}


def test_the_oldest_value_is_evicted_first(folder: Path) -> None:
    store = ByteStore(folder, 100_000)
    keys = [bytes([number]) for number in range(100)]
    for key in keys:
        store.keep({key: b"x" * 4000})
    known = list(store.known(keys))
    assert 5 < len(known) < 60
    assert known == keys[-len(known) :]
    assert (folder / "cache.db").stat().st_size < 400_000


def execute(folder: Path, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
    with closing(sqlite3.connect(folder / "cache.db")) as database, database:
        return database.execute(statement, values).fetchall()


def a_file(folder: Path) -> None:
    folder.write_bytes(b"no folder")


def no_database(folder: Path) -> None:
    folder.mkdir()
    (folder / "cache.db").write_bytes(b"no database" * 1000)


def a_folder_as_database(folder: Path) -> None:
    (folder / "cache.db").mkdir(parents=True)


def other_tables(folder: Path) -> None:
    folder.mkdir()
    execute(folder, "CREATE TABLE Settings (key TEXT NOT NULL UNIQUE, value)")
    execute(folder, "CREATE TABLE Cache (other)")


def settings(name: str, value: object) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        diskcache.Cache(str(folder)).close()
        execute(folder, "INSERT OR REPLACE INTO Settings VALUES (?, ?)", (name, value))

    return write


@pytest.mark.parametrize(
    "damage",
    [
        a_file,
        no_database,
        a_folder_as_database,
        other_tables,
        settings("disk_unheard_of", 1),
        settings("sqlite_cache_size", "x; y"),
        settings("eviction_policy", "none of them"),
        settings("disk_min_file_size", 0),
    ],
)
def test_a_strange_folder_gives_no_wrong_value(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    damage(tmp_path / "store")
    store = ByteStore(tmp_path / "store", MOST)
    assert store.known(VALUES) == {}
    store.keep(VALUES)
    assert store.known(VALUES) in ({}, VALUES)


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_an_impossible_folder_stays_empty(tmp_path: Path, name: str) -> None:
    store = ByteStore(tmp_path / name, MOST)
    assert not store.keep(VALUES)
    assert store.known(VALUES) == {}


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM Settings",
        "UPDATE Settings SET value = 'none'",
        "DROP TABLE Cache",
        "ALTER TABLE Cache RENAME COLUMN value TO other",
    ],
)
def test_a_database_damaged_in_use_gives_no_wrong_value(tmp_path: Path, statement: str) -> None:
    store = ByteStore(tmp_path, MOST)
    store.keep(VALUES)
    execute(tmp_path, statement)
    for opened in (store, ByteStore(tmp_path, MOST)):
        assert opened.known(VALUES).items() <= VALUES.items()
        opened.keep(VALUES)
        assert opened.known(VALUES).items() <= VALUES.items()


def flipped(position: int) -> Callable[[bytes], bytes]:
    def flip(value: bytes) -> bytes:
        damaged = bytearray(value)
        damaged[position] ^= 64
        return bytes(damaged)

    return flip


@pytest.mark.parametrize(
    "damage",
    [
        *(lambda _, value=value: value
          for value in (b"", b"\0", b"12345678", b"12345678\0", b"x" * 3000, "text", 5, 0.5, None)),
        *map(flipped, (0, 7, 8, 9, 40, -1)),
    ],
)  # fmt: skip
def test_a_damaged_value_is_missing_and_can_be_stored_again(
    tmp_path: Path, damage: Callable[[bytes], object]
) -> None:
    store = ByteStore(tmp_path, MOST)
    store.keep(VALUES)
    ((value,),) = execute(tmp_path, "SELECT value FROM Cache WHERE rowid = 1")
    execute(tmp_path, "UPDATE Cache SET value = ? WHERE rowid = 1", (damage(value),))
    assert store.known(VALUES) == OTHERS
    store.keep(VALUES)
    assert store.known(VALUES) == VALUES


class Planted:
    """A value whose unpickling creates a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("in_a_file", [False, True])
def test_nothing_is_unpickled(tmp_path: Path, in_a_file: bool) -> None:
    created, folder = tmp_path / "created", tmp_path / "store"
    pickled = pickle.dumps(Planted(created))
    ByteStore(folder, MOST).keep(VALUES)
    if in_a_file:
        (folder / "planted.val").write_bytes(pickled)
    row = ("planted.val", None) if in_a_file else (None, pickled)
    execute(folder, "UPDATE Cache SET mode = 4, filename = ?, value = ?", row)
    with diskcache.Cache(str(folder)) as trusting:  # the library alone would run it
        trusting.get(next(iter(trusting)))
    assert created.exists()
    created.unlink()
    assert ByteStore(folder, MOST).known(VALUES) == {}
    assert not created.exists()


@pytest.mark.parametrize("mode", [2, 3, 99])
def test_no_file_that_a_row_names_is_read_or_removed(tmp_path: Path, mode: int) -> None:
    mine, folder = tmp_path / "mine.txt", tmp_path / "store"
    mine.write_bytes(VALUES[b"a"])
    store = ByteStore(folder, MOST)
    store.keep(VALUES)
    row = (mode, "../mine.txt")
    execute(folder, "UPDATE Cache SET mode = ?, filename = ?, value = NULL", row)
    assert store.known(VALUES) == {}
    store.keep(VALUES)
    assert store.known(VALUES) == VALUES
    assert mine.read_bytes() == VALUES[b"a"]


def test_a_locked_folder_is_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crscore_core.caches._SECONDS_FOR_OTHERS", 0.01)
    ByteStore(folder, MOST).keep(VALUES)
    with closing(sqlite3.connect(folder / "cache.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        started = time.monotonic()
        locked = ByteStore(folder, MOST)
        assert not locked.is_open
        assert locked.known(VALUES) == {}
        assert not locked.keep(VALUES)
        assert time.monotonic() - started < 10  # diskcache alone would wait for a minute
    assert ByteStore(folder, MOST).known(VALUES) == VALUES


WORKER = """
import sys
import time
from pathlib import Path
from typing import Any
from crscore_core.caches import ByteStore

store = ByteStore(Path(sys.argv[1]), 1_000_000)
assert store.is_open
for number in range(100):
    values = {str(key).encode(): str(key).encode() * 9 for key in range(number, number + 8)}
    store.keep(values)
    assert store.known(values) == values
"""


def test_processes_share_a_folder(tmp_path: Path) -> None:
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(tmp_path)], cwd=ROOT, stderr=subprocess.PIPE
        )
        for _ in range(4)
    ]
    errors = [worker.communicate(timeout=300)[1] for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * 4, errors
    values = {str(key).encode(): str(key).encode() * 9 for key in range(107)}
    assert ByteStore(tmp_path, MOST).known(values) == values


def test_a_checksum_is_remembered_until_the_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    path = tmp_path / "weights"
    # The last file has the size and time of the one before, so that it is not read again.
    for content, seconds, known in ((b"one", 1, b"one"), (b"two", 2, b"two"), (b"six", 2, b"two")):
        path.write_bytes(content)
        os.utime(path, (seconds, seconds))
        assert remembered_sha256(path) == hashlib.sha256(known).hexdigest()
