"""Runs in a folder: kept exactly, batch runs among them, damaged ones named, ids never paths."""

import dataclasses
import json
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from crscore_core.corpus.model import Ratings
from crscore_core.corpus.reviews import ComparedReview, LeftOut, Reviews
from crscore_core.corpus.run.answers import ANSWERS, Answer, RunAnswers
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.store import (
    LONGEST_NAME,
    RunStore,
    open_for_app,
    runs_folder,
)
from crscore_core.errors import InputError
from crscore_core.ranking.gate import check_baseline
from tests.crscore_core.corpus.made_reviews import altered, reviews_of
from tests.crscore_core.corpus.run.corpora import contents
from tests.crscore_core.corpus.run.made_run import made_run
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison

HOSTILE = "../../etc\n<b>\t=cmd() \u202e ünï 🙂 \\ ' \" `$(x)`"


def a_comparison() -> Reviews:
    """Unrated, empty and hostile reviews, references of a change and others, and remarks."""
    made = made_comparison(
        Made(0, (1, 2, 3), [[0.1, -0.2], [1 / 3, 0.7]], text=HOSTILE),
        Made(0, (5, 5, 5), [[], []], system="msg", text=""),
        Made(2, (4, 4, 4), [[0.5]], system=HOSTILE),
    )
    first, second, third = made
    return altered(
        made,
        reviews=(
            dataclasses.replace(first, warnings=("hidden", HOSTILE)),
            dataclasses.replace(second, ratings=Ratings(None, 2.5, None)),
            dataclasses.replace(third, references=("Another.",), ratings=Ratings()),
        ),
        left_out=(LeftOut("x", "no diff"), LeftOut(HOSTILE, HOSTILE)),
        warnings=("one", HOSTILE),
    )


def same(one: Reviews, other: Reviews) -> bool:
    def plain(review: ComparedReview) -> tuple[object, ...]:
        matrix = review.similarity
        fields = (getattr(review, field.name) for field in dataclasses.fields(review)[:-4])
        return (
            *fields,
            dict(review.labels),
            review.warnings,
            matrix.dtype,
            matrix.shape,
            matrix.tobytes(),
        )

    return (
        (one.encoder, one.claims, one.changes, one.left_out, one.warnings)
        == (other.encoder, other.claims, other.changes, other.left_out, other.warnings)
        and list(map(plain, one)) == list(map(plain, other))
    )  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path / "deep" / "runs")


def test_a_run_comes_back_exactly(store: RunStore) -> None:
    saved = a_comparison()
    first, *others = saved
    labelled = dataclasses.replace(first, labels={"useful": 1.0, HOSTILE: -0.5})
    saved = altered(saved, reviews=(labelled, *others))
    info = store.save("A run", saved, "my.csv")
    loaded = store.load(info.id)
    assert same(loaded, saved)
    assert np.array_equal(loaded.scores([0.3]), saved.scores([0.3]))
    assert store.list() == (info,)
    assert store.find(info.id) == info
    assert (info.name, info.corpus, info.changes, info.reviews, info.left_out) == (
        "A run", "my.csv", 3, 3, 2,
    )  # fmt: skip
    assert info.damage is None
    assert abs((datetime.now(UTC) - info.created).total_seconds()) < 3600


def test_a_run_without_reviews_comes_back(store: RunStore) -> None:
    empty = reviews_of([], [], left_out=[LeftOut("1", "no diff")])
    assert same(store.load(store.save("Nothing", empty).id), empty)


def test_wordings_are_kept(store: RunStore) -> None:
    made = a_comparison()
    first, second = made.changes[0].references
    references = dataclasses.replace(first, wordings=("a", HOSTILE)), second
    changed = dataclasses.replace(made.changes[0], references=references)
    saved = altered(made, changes=(changed, *made.changes[1:]))
    assert same(store.load(store.save("New", saved).id), saved)


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
    with pytest.raises(InputError, match="name"):
        store.save(name, a_comparison())
    assert store.list() == ()


@pytest.mark.parametrize(
    "run_id", ["", "..", ".", "0" * 16, "../runs", "/", "a\0b", "é" * 16, "opened."]
)
def test_an_id_that_is_none_is_an_error(store: RunStore, run_id: str) -> None:
    info = store.save("A run", a_comparison())
    for use in (store.find, store.load, store.delete):
        with pytest.raises(InputError, match="no such saved run"):
            use(run_id)
    assert store.list() == (info,)


def test_a_link_is_no_run(store: RunStore, tmp_path: Path) -> None:
    info = store.save("A run", a_comparison())
    (store.folder / ("0" * 16)).symlink_to(store.folder / info.id)
    assert store.list() == (info,)
    with pytest.raises(InputError, match="no such"):
        store.delete("0" * 16)
    (tmp_path / "other").mkdir()
    (store.folder / "not a run").mkdir()
    (store.folder / "a file").touch()
    assert store.list() == (info,)


def batch_run(path: Path) -> Reviews:
    """Write a batch run; of its changes two are left out."""
    made = made_comparison(
        Made(0, (1, 2, 3), [[0.1, -0.2], [1 / 3, 0.7]]), Made(0, (5, 5, 5), [[], []], "msg", "")
    )
    made_run(path, made)
    return made


def test_a_batch_run_in_the_folder_is_one_of_its_runs(store: RunStore) -> None:
    store.folder.mkdir(parents=True)
    made = batch_run(store.folder / "First try.parquet")
    (info,) = store.list()
    assert (info.id, info.name, info.damage) == ("First try.parquet", "First try", None)
    assert (info.reviews, info.changes, info.left_out) == (4, 1, 2)
    loaded = store.load(info.id)
    assert [one.reason for one in loaded.left_out] == [
        "it gives no pseudo-references",
        "it is no diff",
    ]
    assert same(loaded, altered(made, encoder="all-MiniLM-L6-v2", left_out=loaded.left_out))
    store.delete(info.id)
    assert list(store.folder.iterdir()) == []


def test_ids_that_several_reviews_of_a_batch_have_are_told_apart(store: RunStore) -> None:
    store.folder.mkdir(parents=True)
    made = made_comparison(*(Made(0, (1, 2, 3), [[0.1]]) for _ in range(3)))
    reviews = tuple(
        dataclasses.replace(review, id=name)
        for review, name in zip(made, ("a", "same", "same"), strict=True)
    )
    made_run(store.folder / "run.parquet", altered(made, reviews=reviews))
    loaded = store.load("run.parquet")
    assert [review.id for review in loaded] == ["a", "0/gpt3.5", "0/gpt3.5 (2)"]


@pytest.mark.parametrize("is_inside", [True, False])
def test_a_run_opened_for_the_app_is_one_of_its_runs_wherever_it_lies(
    store: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_inside: bool
) -> None:
    monkeypatch.delenv("CRSCORE_RUN", raising=False)
    assert RunStore().opened is None
    store.folder.mkdir(parents=True)
    path = (store.folder if is_inside else tmp_path) / "run.parquet"
    made = batch_run(path)
    monkeypatch.setenv("CRSCORE_RUN", "")  # is set back at the end
    open_for_app(path)
    (info,) = store.list()
    assert (info.id, info.name) == (store.opened, "run")
    assert store.load(info.id)[0].text == made[0].text
    store.delete(info.id)
    assert not path.exists()
    assert store.list() == ()


@pytest.fixture
def rated_batch(tmp_path: Path) -> Path:
    """A batch run at a tau of its own, with settings, warnings and an answer of a rater."""
    path = tmp_path / "First try.parquet"
    made = a_comparison()
    settings = made_run(path, made, 0.4).document.settings
    settings = {**settings, "input_sha256": "0" * 64, "labels": []}
    edit(path / "_run.json", settings=settings, warnings=["one", HOSTILE])
    RunAnswers(path).give(Answer("ann", 0, 2, "relevance", 4, is_blind=True))
    return path


def test_a_kept_run_is_a_copy_that_lacks_nothing(store: RunStore, rated_batch: Path) -> None:
    info = store.take(rated_batch, corpus="reviews.jsonl")
    kept, original = store.run(info.id), FinishedRun.open(rated_batch)
    assert (info.name, info.corpus, info.tau) == ("First try", "reviews.jsonl", 0.4)
    assert kept.document == dataclasses.replace(
        original.document,
        name=info.name,
        corpus=info.corpus,
        created=kept.document.created,
    )
    before, after = contents(rated_batch), contents(store.folder / info.id)
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} <= {"_run.json", ANSWERS}
    assert kept.answers.list() == original.answers.list() != ()
    assert store.take(store.folder / info.id, "Again").name == "Again"
    check = check_baseline(kept, original)
    assert "both runs hold the same scores" in check.words


@pytest.mark.parametrize(
    "file",
    ["_run.json", "_rejects.jsonl", ANSWERS, "_changes-000000.parquet", "part-000000.parquet"],
)
def test_no_link_in_a_run_is_followed(
    store: RunStore, rated_batch: Path, tmp_path: Path, file: str
) -> None:
    (rated_batch / file).rename(tmp_path / "elsewhere")
    (rated_batch / file).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=rf"{file}' is a link or no file"):
        store.take(rated_batch)
    (rated_batch / file).unlink()
    os.mkfifo(rated_batch / file)
    with pytest.raises(InputError, match=rf"{file}' is a link or no file"):
        store.take(rated_batch)
    assert store.list() == ()


def test_a_run_that_changes_while_it_is_copied_is_not_kept(
    store: RunStore, rated_batch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = rated_batch / "part-000000.parquet"
    loaded = Reviews.loaded

    def changing(reviews: Reviews) -> Reviews:
        found = loaded(reviews)
        part.write_bytes(b"PAR1")
        return found

    monkeypatch.setattr(Reviews, "loaded", changing)
    with pytest.raises(InputError, match="is damaged or has changed"):
        store.take(rated_batch)
    assert list(store.folder.iterdir()) == []


def whole_run(store: RunStore) -> Path:
    return store.folder / store.save("Broken", a_comparison()).id


def edit(file: Path, **values: object) -> None:
    document = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(document | values), encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda file, _: file.write_text("{"), "cannot be read"),
        (lambda file, _: file.write_text("[1]"), "does not describe"),
        (lambda file, _: file.write_bytes(b"\xff\xfe\xff"), "cannot be read"),
        (lambda file, _: file.rename(file.with_name("run.json")), "again with `crscore batch`"),
        (lambda file, _: edit(file, format=1), "not of format 2.*again with `crscore batch`"),
        (lambda file, _: edit(file, created="now"), "time"),
        (lambda file, _: edit(file, changes="x"), "damaged"),
        (lambda file, _: file.unlink(), "holds no finished run"),
        (lambda _, table: table.unlink(), "is missing"),
    ],
)
def test_a_damaged_run_is_listed_with_the_reason(
    store: RunStore, damage: Callable[[Path, Path], object], reason: str
) -> None:
    whole = store.save("Whole", a_comparison())
    run = whole_run(store)
    damage(run / "_run.json", run / "part-000000.parquet")
    (found,) = [info for info in store.list() if info.id == run.name]
    assert re.search(reason, found.damage or "")
    with pytest.raises(InputError, match=r"saved run .* cannot be shown: "):
        store.load(run.name)
    assert same(store.load(whole.id), a_comparison())
    store.delete(run.name)
    assert store.list() == (whole,)


TABLES = "_changes-000000.parquet", "part-000000.parquet"


@pytest.mark.parametrize("file", TABLES)
@pytest.mark.parametrize("content", [b"", b"PAR1", None])
def test_other_content_is_noticed_before_it_is_read(
    store: RunStore, file: str, content: bytes | None
) -> None:
    run = whole_run(store)
    original = (run / file).read_bytes()
    flipped = original[:40] + bytes([original[40] ^ 1]) + original[41:]
    (run / file).write_bytes(flipped if content is None else content)
    with pytest.raises(InputError, match=rf"{file}.* is not what was|{file}' is damaged"):
        store.load(run.name)


def test_tables_of_something_else_are_damage(store: RunStore) -> None:
    run = whole_run(store)
    changes, reviews = TABLES
    (run / reviews).write_bytes((run / changes).read_bytes())
    document = json.loads((run / "_run.json").read_text(encoding="utf-8"))
    edit(run / "_run.json", parts=document["change_parts"])
    with pytest.raises(InputError, match="is not a part of a run"):
        store.load(run.name)


def test_a_folder_that_is_a_file_is_an_error_that_says_where(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    store = RunStore(tmp_path / "taken")
    with pytest.raises(InputError, match=r"cannot be saved in .*taken: .*CRSCORE_RUNS"):
        store.save("A run", a_comparison())
    with pytest.raises(InputError, match=r"cannot be read in .*taken"):
        store.list()


def test_a_full_disk_leaves_nothing(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        store.save("A run", a_comparison())
    assert list(store.folder.iterdir()) == []


def test_where_nothing_was_saved_there_is_nothing(store: RunStore) -> None:
    assert store.list() == ()
    assert not store.folder.exists()


def test_half_of_a_surrogate_pair_is_replaced(store: RunStore) -> None:
    comparison = made_comparison(Made(0, (1, 1, 1), [[0.5]], text="half \ud800 pair"))
    assert store.load(store.save("A run", comparison).id).texts == ("half \ufffd pair",)


def test_the_folder_is_named_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_RUNS", str(tmp_path / "here"))
    assert RunStore().folder == runs_folder() == tmp_path / "here"
    monkeypatch.delenv("CRSCORE_RUNS")
    assert runs_folder().name == "runs"
