"""Saved runs on disk: kept exactly, damaged ones named, ids never paths."""

import dataclasses
import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from crscore_core.corpus.comparison import ComparedReview, CorpusComparison, LeftOut
from crscore_core.corpus.model import Ratings
from crscore_core.corpus.runs import LONGEST_NAME, RunInfo, RunStore, runs_folder
from crscore_core.errors import CorpusError
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison

HOSTILE = "../../etc\n<b>\t=cmd() \u202e ünï 🙂 \\ ' \" `$(x)`"


def a_comparison() -> CorpusComparison:
    """Unrated, empty and hostile reviews, references of a change and others, and remarks."""
    made = made_comparison(
        Made(0, (1, 2, 3), [[0.1, -0.2], [1 / 3, 0.7]], text=HOSTILE),
        Made(0, (5, 5, 5), [[], []], system="msg", text=""),
        Made(2, (4, 4, 4), [[0.5]], system=HOSTILE),
    )
    first, second, third = made.reviews
    return dataclasses.replace(
        made,
        reviews=(
            first,
            dataclasses.replace(second, ratings=Ratings(None, 2.5, None)),
            dataclasses.replace(third, references=("Another.",), ratings=Ratings()),
        ),
        left_out=(LeftOut("x", "no diff"), LeftOut(HOSTILE, HOSTILE)),
        warnings=("one", HOSTILE),
    )


def same(one: CorpusComparison, other: CorpusComparison) -> bool:
    def plain(review: ComparedReview) -> tuple[object, ...]:
        matrix = review.similarity
        fields = (getattr(review, field.name) for field in dataclasses.fields(review)[:-1])
        return (*fields, matrix.dtype, matrix.shape, matrix.tobytes())

    return (
        (one.encoder, one.claims, one.changes, one.left_out, one.warnings)
        == (other.encoder, other.claims, other.changes, other.left_out, other.warnings)
        and list(map(plain, one.reviews)) == list(map(plain, other.reviews))
    )  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path / "deep" / "runs")


def test_a_run_comes_back_exactly(store: RunStore) -> None:
    saved = a_comparison()
    info = store.save("A run", saved, "my.csv", is_illustrative=True)
    loaded = store.load(info.id)
    assert same(loaded, saved)
    assert np.array_equal(loaded.scores([0.3]), saved.scores([0.3]))
    assert store.list() == (info,)
    assert store.find(info.id) == info
    assert (info.name, info.corpus, info.changes, info.reviews, info.left_out) == (
        "A run", "my.csv", 3, 3, 2,
    )  # fmt: skip
    assert info.is_illustrative
    assert info.damage is None
    assert abs((datetime.now(UTC) - info.created).total_seconds()) < 3600


def test_a_run_without_reviews_comes_back(store: RunStore) -> None:
    empty = CorpusComparison("encoder", "claims", (), (LeftOut("1", "no diff"),), ())
    assert same(store.load(store.save("Nothing", empty).id), empty)


def test_the_newest_is_first_and_names_may_be_the_same(store: RunStore) -> None:
    ids = [store.save("Same", a_comparison()).id for _ in range(3)]
    assert [run.id for run in store.list()] == ids[::-1]
    store.delete(ids[1])
    assert [run.id for run in store.list()] == [ids[2], ids[0]]
    assert len(list(store.folder.iterdir())) == 2


@pytest.mark.parametrize("name", ["../out", "/etc/passwd", "a/b\\c", HOSTILE, "run.json", ".."])
def test_a_name_is_never_a_path(store: RunStore, name: str) -> None:
    info = store.save(name, a_comparison())
    assert [path.name for path in store.folder.iterdir()] == [info.id]
    assert [path.name for path in store.folder.parent.iterdir()] == ["runs"]
    assert store.list()[0].name == " ".join(name.split())


@pytest.mark.parametrize("name", ["", " \n\t", "\0", "x" * (LONGEST_NAME + 1)])
def test_a_name_that_is_none_is_an_error(store: RunStore, name: str) -> None:
    with pytest.raises(CorpusError, match="name"):
        store.save(name, a_comparison())
    assert store.list() == ()


@pytest.mark.parametrize("run_id", ["", "..", ".", "0" * 16, "../runs", "/", "a\0b", "é" * 16])
def test_an_id_that_is_none_is_an_error(store: RunStore, run_id: str) -> None:
    info = store.save("A run", a_comparison())
    for use in (store.find, store.load, store.delete):
        with pytest.raises(CorpusError, match="no such saved run"):
            use(run_id)
    assert store.list() == (info,)


def test_a_link_is_no_run(store: RunStore, tmp_path: Path) -> None:
    info = store.save("A run", a_comparison())
    (store.folder / ("0" * 16)).symlink_to(store.folder / info.id)
    assert store.list() == (info,)
    with pytest.raises(CorpusError, match="no such"):
        store.delete("0" * 16)
    (tmp_path / "other").mkdir()
    (store.folder / "not a run").mkdir()
    (store.folder / "a file").touch()
    assert store.list() == (info,)


def damaged(store: RunStore, run_id: str) -> RunInfo:
    (found,) = [run for run in store.list() if run.id == run_id]
    return found


def break_json(run: Path) -> None:
    (run / "run.json").write_text("{", encoding="utf-8")


def break_encoding(run: Path) -> None:
    (run / "run.json").write_bytes(b"\xff\xfe\xff")


def change_format(run: Path) -> None:
    document = json.loads((run / "run.json").read_text(encoding="utf-8"))
    (run / "run.json").write_text(json.dumps(document | {"format": 99}), encoding="utf-8")


def drop_field(run: Path) -> None:
    document = json.loads((run / "run.json").read_text(encoding="utf-8"))
    (run / "run.json").write_text(json.dumps(document | {"created": "now"}), encoding="utf-8")


def drop_description(run: Path) -> None:
    (run / "run.json").unlink()


def drop_table(run: Path) -> None:
    (run / "reviews.parquet").unlink()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (break_json, "JSON"),
        (break_encoding, "UTF-8"),
        (change_format, "format 1"),
        (drop_field, "created"),
        (drop_description, "No such file"),
        (drop_table, "reviews.parquet is missing"),
    ],
)
def test_a_damaged_run_is_listed_with_the_reason(
    store: RunStore, damage: object, reason: str
) -> None:
    whole = store.save("Whole", a_comparison())
    run_id = store.save("Broken", a_comparison()).id
    assert callable(damage)
    damage(store.folder / run_id)
    assert reason in str(damaged(store, run_id).damage)
    with pytest.raises(CorpusError, match=r"is damaged: .*delete it and score again"):
        store.load(run_id)
    assert same(store.load(whole.id), a_comparison())
    store.delete(run_id)
    assert store.list() == (whole,)


@pytest.mark.parametrize("file", ["changes.parquet", "reviews.parquet", "remarks.parquet"])
@pytest.mark.parametrize("content", [b"", b"PAR1", None])
def test_other_content_is_noticed_before_it_is_read(
    store: RunStore, file: str, content: bytes | None
) -> None:
    run_id = store.save("Broken", a_comparison()).id
    path = store.folder / run_id / file
    original = path.read_bytes()
    flipped = original[:40] + bytes([original[40] ^ 1]) + original[41:]
    path.write_bytes(flipped if content is None else content)
    with pytest.raises(CorpusError, match=f"{file} is not what was saved"):
        store.load(run_id)


def test_tables_of_something_else_are_damage(store: RunStore) -> None:
    run_id = store.save("Broken", a_comparison()).id
    run = store.folder / run_id
    document = json.loads((run / "run.json").read_text(encoding="utf-8"))
    document["checksums"]["reviews.parquet"] = document["checksums"]["changes.parquet"]
    (run / "run.json").write_text(json.dumps(document), encoding="utf-8")
    (run / "reviews.parquet").write_bytes((run / "changes.parquet").read_bytes())
    with pytest.raises(CorpusError, match="not those of a run"):
        store.load(run_id)


def test_a_folder_that_is_a_file_is_an_error_that_says_where(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    store = RunStore(tmp_path / "taken")
    with pytest.raises(CorpusError, match=r"cannot be saved in .*taken: .*CRSCORE_RUNS"):
        store.save("A run", a_comparison())
    with pytest.raises(CorpusError, match=r"cannot be read in .*taken"):
        store.list()


def test_a_full_disk_leaves_nothing(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_path: Path, _content: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(CorpusError, match="No space left on device"):
        store.save("A run", a_comparison())
    assert list(store.folder.iterdir()) == []


def test_where_nothing_was_saved_there_is_nothing(store: RunStore) -> None:
    assert store.list() == ()
    assert not store.folder.exists()


def test_a_text_that_no_file_holds_is_an_error(store: RunStore) -> None:
    comparison = made_comparison(Made(0, (1, 1, 1), [[0.5]], text="half \ud800 pair"))
    with pytest.raises(CorpusError, match="no Parquet file"):
        store.save("A run", comparison)
    assert store.list() == ()


def test_the_folder_is_named_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_RUNS", str(tmp_path / "here"))
    assert RunStore().folder == runs_folder() == tmp_path / "here"
    monkeypatch.delenv("CRSCORE_RUNS")
    assert runs_folder().name == "runs"
