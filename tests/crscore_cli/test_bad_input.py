"""Bad usage and bad input of every command: one line, status 2, and no file is written."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.crscore_cli.conftest import Command
from tests.crscore_core.changes import PYTHON

FILES = {
    "change.diff": PYTHON,
    "empty.diff": "",
    "prose.diff": "just prose\n",
    "cut.diff": "@@ -1,5 +1,5 @@\n a\n@@ nothing @@\n",
    "large.diff": "x" * 10_000_001,
    "corpus.jsonl": json.dumps({"id": "1", "review": "Why?", "diff": PYTHON}),
    "labelled.jsonl": json.dumps({"label_a": 1, "review": "Why?", "diff": PYTHON}),
    "damaged.jsonl": "no JSON\n",
    "prose.csv": "a,b\n1,2\n",
    "random.parquet": "\x07\x1f",
    "run/_run.json": "{",
    "notes/mine.txt": "mine",
    "random.bin": "\0\x01,\0x\n\0",
    "wide.csv": ",".join(f"{'long ' * 20}{n}" for n in range(300)) + "\n" + ",".join("1" * 300),
}
LINES = """
nonsense
score
score --diff change.diff --json
score --diff change.diff --nonsense
score --diff empty.diff --review x
score --diff prose.diff --review x
score --diff large.diff --review x
score --diff missing.diff --review x
score --diff . --review x
score --diff /dev/zero --review x
score --diff change.diff --review=
score --diff change.diff --review=' '
score --diff change.diff --review=gone.txt
score --diff change.diff --review=./gone
score --diff change.diff --review=x --claims=nope
score --diff change.diff --review=x --encoder=../x --tau=0.5
score --diff change.diff --review=x --language=klingon
score --diff change.diff --review=x --tau=7
score --diff change.diff --review=x --tau=warm
score --diff change.diff --review=x --file=a.py
score --diff change.diff --review=x --file=a.py=/no/x
score --diff change.diff --review=x --file=a.py=
score --diff change.diff --review=x --file=a.py=change.diff --file=a.py=change.diff
score --diff change.diff --review=notes => is a folder
score --diff change.diff --review=./notes => is a folder
score --diff change.diff --review=notes/ => is a folder
score --diff change.diff --review=. => is a folder
score --diff change.diff --review=notes/first => --review -
score --diff change.diff --review=notes/x.txt => --review -
score --diff change.diff --review=adir/ => --review -
score --diff change.diff --review=gone.md => --review -
score --diff gone.diff --review=x => standard input
score --diff change.diff --review=x --encoder=./nope --tau=0.5 => nope' is neither
claims --diff change.diff --claims=/dev/zero
claims --diff change.diff --claims=symbolic --base-url=http://h
claims --diff change.diff --claims=endpoint --model=m
analyze --diff prose.diff => prose.diff
analyze --diff empty.diff => empty.diff
analyze --diff cut.diff => cut.diff
batch missing.jsonl -o out
batch damaged.jsonl -o out
batch prose.csv -o out
batch random.parquet -o out
batch corpus.jsonl -o out --claims nope
batch corpus.jsonl
batch corpus.jsonl -o run
batch corpus.jsonl -o notes
batch corpus.jsonl -o out --tau 2
batch corpus.jsonl -o out --engine other
batch corpus.jsonl -o out --column diff
batch corpus.jsonl -o out --column nothing=diff
batch random.bin -o out => binary
batch wide.csv -o out => and 280 more
judge missing -o out.jsonl --base-url http://localhost:1 --model m
judge corpus.jsonl -o out.jsonl --as 'a b' --base-url http://localhost:1 --model m
rank nowhere
rank run
rank study --by nonsense
gate nowhere
gate study --fail-under relevance
gate study --fail-under nonsense=1
export study -o out.txt
export study -o nowhere/out.csv
export nowhere -o out.csv
export notes -o out.csv
export study -o out
rank study --tau 2
validity --study nowhere
validity --claims blue
validity --encoder nowhere/at-all
validity --tau warm
validity --tau 3 => tau
compare --data nowhere
validity --model M
validity --claims empty.diff => empty
compare --metrics blue
compare --label blue => blue
compare --tau warm => tau
dashboard nowhere
dashboard kinds
dashboard --port 0
dashboard nope => does not exist
compare corpus.jsonl --metrics bertscore_f1,blue
compare corpus.jsonl
compare labelled.jsonl --label blue
rank corpus.jsonl --by nonsense
gate corpus.jsonl --fail-under nonsense=1
gate corpus.jsonl --fail-under relevance=0.5 --by nonsense --baseline study
export study -o full.csv
export study -o full.html
gate study --fail-under scored=0.1 --summary full.csv
""".strip().splitlines()
"""Each with the words of its error, if these matter."""
LONG = "x" * 5_000
LINES += [
    f"{line} {LONG}"
    for line in (
        "analyze --diff change.diff --file",
        "batch corpus.jsonl -o",
        "batch",
        "claims --diff change.diff --claims",
        "compare",
        "dashboard",
        "export study -o",
        "gate study --fail-under relevance=0 --summary",
        "gate study --baseline",
        "judge corpus.jsonl --base-url http://localhost:1 --model m -o",
        "rank",
        "score --diff change.diff --tau 0.5 --review x --encoder",
        "score --review x --diff",
        "validity --claims",
        "validity --study",
    )
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("full.csv", "full.html"):
        (folder / name).symlink_to("/dev/full")
    return folder


@pytest.fixture(autouse=True)
def _own_surroundings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    unscored = Mock(side_effect=AssertionError("bad names are found before a file is scored"))
    monkeypatch.setattr("crscore_eval.data.sources.score_file", unscored)


@pytest.mark.parametrize("line", LINES)
def test_bad_input_is_one_line_and_writes_nothing(
    folder: Path, crscore: Command, line: str
) -> None:
    before = sorted(folder.rglob("*"))
    command, _, words = line.partition(" => ")
    ended = crscore(*shlex.split(command))
    assert (ended.status, ended.output) == (2, "")
    assert ended.errors.count("\n") == 1
    assert ended.errors.startswith("crscore: ")
    assert "Traceback" not in ended.errors
    assert words in ended.errors
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("arguments", ["claims --diff change.diff", "rank study --json"])
def test_a_full_disk_is_one_line(arguments: str) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "crscore_cli", *arguments.split()]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, ended.stderr.count(b"\n")) == (2, 1)
    assert b"No space left" in ended.stderr


def test_impossible_file_name_is_one_line(crscore: Command) -> None:
    ended = crscore("score", "--diff", "a\0b", "--review", "x")
    assert (ended.status, ended.errors.count("\n")) == (2, 1)


def test_message_cannot_steer_the_terminal(crscore: Command) -> None:
    ended = crscore("score", "--diff", "\x1b[31m.diff", "--review", "x")
    assert "\x1b" not in ended.errors
