"""The six kinds of reviews that come with this project."""

import csv
import json

from crscore_core.change import parse_change
from crscore_core.datasets.registry import DATA_SETS, load_data

FOLDER = DATA_SETS["kinds"].path("kinds")
LABELS = {
    "insight": (1, 1, {3, 4, 5}),
    "long": (1, 1, {3, 4, 5}),
    "recital": (1, 1, {1}),
    "wrong": (1, 0, {1}),
    "generic": (0, None, {1}),
    "off_topic": (0, None, {1}),
}
"""What each kind is labelled: on topic, right, the grades of its worth."""


def test_each_of_24_changes_has_one_review_of_each_kind() -> None:
    data = load_data("kinds")
    assert (data.name, data.labels, data.oddities) == ("kinds", ("on_topic", "right", "worth"), ())
    with (FOLDER / "changes.tsv").open(encoding="utf-8", newline="") as table:
        sources = {row["change"]: row for row in csv.DictReader(table, delimiter="\t")}
    changes = {change.id: change for change in data.corpus.changes}
    assert len(changes) == 24
    assert changes.keys() == sources.keys()
    assert len({change.language for change in changes.values()}) >= 7
    for name, change in changes.items():
        assert sorted(review.system for review in change.reviews) == sorted(LABELS)
        code = parse_change(change.diff, language=change.language)
        assert code.warnings == ()
        licences = {"MIT", "BSD-3-Clause", "Apache-2.0", "MIT OR Apache-2.0"}
        assert sources[name]["licence"] in licences
        assert sources[name]["project"] in (FOLDER / "LICENSES.txt").read_text(encoding="utf-8")


def test_labels_follow_from_the_kind_and_proofs_stand_in_the_diff() -> None:
    lines = (FOLDER / "kinds.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len({row["review"] for row in rows}) == len({row["id"] for row in rows}) == 144
    for row in rows:
        on_topic, right, worth = LABELS[row["system"]]
        assert (row["label_on_topic"], row.get("label_right")) == (on_topic, right), row["id"]
        assert row["label_worth"] in worth, row["id"]
        assert ("proof" in row) == (row["system"] in {"insight", "long", "wrong"}), row["id"]
        assert row.get("proof") in (None, *row["diff"].split("\n")), row["id"]
