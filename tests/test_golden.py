"""Whole outputs of the product against golden files; see `tests.golden`."""

import json
import re

import pytest

from tests.golden.documents import DOCUMENTS, golden_file

TOLERANCE = 0.002
"""Largest difference of a number: processors round the encoder's sums differently."""

PYTHON = re.compile(r"(?<=Python )3\.[\d.]+")
"""The version of Python in a signature, which differs from machine to machine."""

NUMBER = re.compile(r"(-?\d+\.\d+)")


def differences(expected: object, found: object, where: str = "") -> list[str]:
    """Places where two documents differ, numbers by more than `TOLERANCE`."""
    if isinstance(expected, dict) and isinstance(found, dict):
        lines = [
            f"{where}/{key} is {'missing' if key in expected else 'new'}"
            for key in expected.keys() ^ found.keys()
        ]
        shared = [key for key in expected if key in found]
        return lines + [
            line
            for key in shared
            for line in differences(expected[key], found[key], f"{where}/{key}")
        ]
    if isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return [f"{where}: {len(found)} and not {len(expected)} entries"]
        return [
            line
            for at, pair in enumerate(zip(expected, found, strict=True))
            for line in differences(*pair, f"{where}/{at}")
        ]
    if isinstance(expected, float) and isinstance(found, float | int):
        same = abs(expected - found) <= TOLERANCE
    else:
        same = expected == found
    return [] if same else [f"{where}: {found!r} and not {expected!r}"]


def pieces(text: str) -> list[str | float]:
    """A text cut at its decimal numbers, which are numbers then."""
    return [float(part) if at % 2 else part for at, part in enumerate(NUMBER.split(text))]


def check(name: str, found: object) -> None:
    golden = PYTHON.sub("3", golden_file(name).read_text(encoding="utf-8"))
    if isinstance(found, str):
        lines = differences(pieces(golden), pieces(PYTHON.sub("3", found)))
    else:
        lines = differences(json.loads(golden), json.loads(PYTHON.sub("3", json.dumps(found))))
    assert not lines, f"{name}: {len(lines)} differences, such as\n" + "\n".join(lines[:20])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_outputs_are_as_they_were(name: str) -> None:
    check(name, DOCUMENTS[name]())


@pytest.mark.parametrize(
    ("expected", "found", "lines"),
    [
        ({"a": 0.5}, {"a": 0.501}, 0),
        ({"a": 0.5}, {"a": 0.503}, 1),
        ({"a": 1}, {"a": 2}, 1),
        ({"a": [1, 2]}, {"a": [1]}, 1),
        ({"a": None}, {}, 1),
        ({}, {"a": None}, 1),
        (["x", 0.5], ["y", 0.6], 2),
    ],
)
def test_a_difference_is_seen(expected: object, found: object, lines: int) -> None:
    assert len(differences(expected, found)) == lines
