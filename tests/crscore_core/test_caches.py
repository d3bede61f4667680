"""Bytes kept on disk: there or not there, never wrong, never in the way."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.caches import ByteStore

VALUES = {b"a": b"", b"b": b"\0", b"": b"x" * 10_000, b"\xff" * 32: b"text"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


def test_what_was_kept_is_known_to_whoever_opens_it(folder: Path) -> None:
    ByteStore(folder, 1_000_000).keep(VALUES)
    assert ByteStore(folder, 1_000_000).known([*VALUES, b"other"]) == VALUES


def test_a_later_value_takes_the_place_of_an_earlier_one(folder: Path) -> None:
    store = ByteStore(folder, 1_000_000)
    store.keep({b"a": b"1", b"b": b"1"})
    store.keep({b"a": b"2"})
    assert store.known([b"a", b"b"]) == {b"a": b"2", b"b": b"1"}


@given(values=st.dictionaries(st.binary(max_size=40), st.binary(max_size=200), max_size=8))
def test_any_bytes_may_be_kept(
    tmp_path_factory: pytest.TempPathFactory, values: dict[bytes, bytes]
) -> None:
    store = ByteStore(tmp_path_factory.getbasetemp() / "any", 10_000_000)
    store.keep(values)
    assert store.known(values) == values


def test_a_folder_that_it_makes_is_its_users_alone(folder: Path) -> None:
    assert ByteStore(folder / "deeper", 1_000_000).is_open
    assert stat.S_IMODE((folder / "deeper").stat().st_mode) == 0o700


def test_a_folder_that_is_there_keeps_its_mode(folder: Path) -> None:
    folder.mkdir(mode=0o750)
    mode = folder.stat().st_mode
    assert ByteStore(folder, 1_000_000).is_open
    assert folder.stat().st_mode == mode


def test_a_value_of_another_key_is_not_taken(folder: Path) -> None:
    ByteStore(folder, 1_000_000).keep({b"a": b"mine", b"b": b"yours"})
    with closing(sqlite3.connect(folder / "cache.db")) as database, database:
        database.execute("UPDATE Cache SET value = (SELECT value FROM Cache WHERE rowid = 2)")
    assert ByteStore(folder, 1_000_000).known([b"a", b"b"]) == {b"b": b"yours"}


def test_without_a_folder_it_stays_empty(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"no folder")
    store = ByteStore(tmp_path / "file", 1_000_000)
    assert not store.is_open
    store.keep(VALUES)
    assert store.known(VALUES) == {}


def test_what_was_stored_first_goes_first(folder: Path) -> None:
    store = ByteStore(folder, 100_000)
    keys = [bytes([number]) for number in range(100)]
    for key in keys:
        store.keep({key: b"x" * 4000})
    known = list(store.known(keys))
    assert 5 < len(known) < 60
    assert known == keys[-len(known) :]
