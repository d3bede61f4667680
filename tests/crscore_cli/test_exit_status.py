"""Exit statuses: each row of the table in docs/commands.md, tried with every command."""

import json
import re
import shlex
import subprocess
from pathlib import Path
from unittest.mock import Mock

import pytest

from crscore_core.errors import InputError
from tests.crscore_cli.conftest import Command, Model
from tests.crscore_core.changes import PYTHON

PAGE = (Path(__file__).parents[2] / "docs/commands.md").read_text(encoding="utf-8")
MEANINGS = {
    int(status): meaning
    for status, meaning in re.findall(r"^\| (\d+) \| (.+) \|$", PAGE, re.MULTILINE)
}
COMMANDS = {*re.findall(r"^\| `crscore ([a-z]+)", PAGE, re.MULTILINE)}
ROW = {"id": "1", "review": "Why is an empty list returned?", "diff": PYTHON, "label_a": 1}
FILES = {
    "change.diff": PYTHON,
    "good.jsonl": json.dumps(ROW),
    "empty.jsonl": f"{json.dumps(ROW)}\n{json.dumps(ROW | {'review': '<!-- hidden -->'})}",
    "rejected.jsonl": f"{json.dumps(ROW)}\n{json.dumps({'review': 'no diff'})}",
    "unscored.jsonl": f"{json.dumps(ROW)}\n{json.dumps(ROW | {'diff': 'no diff'})}",
}
LINES = """
0 score --diff change.diff --review 'Why is an empty list returned?'
0 claims --diff change.diff
0 analyze --diff change.diff
0 batch good.jsonl -o {new}
0 batch empty.jsonl -o {new}
0 rank good.jsonl
0 rank empty.jsonl
0 gate good.jsonl --fail-under relevance=0
0 gate rejected.jsonl --fail-under relevance=0 --fail-under scored=0
0 gate unscored.jsonl --fail-under relevance=0 --fail-under scored=0
0 export good.jsonl -o {new}.csv
0 validity
0 compare kinds --metrics words
0 judge good.jsonl -o {new}.csv --base-url http://localhost:1 --model m
0 dashboard study --port 1
0 doctor
1 doctor
2 score
2 claims --diff gone.diff
2 analyze --nonsense
2 batch gone.jsonl -o {new}
2 rank gone
2 gate good.jsonl
2 export good.jsonl -o {new}.txt
2 validity --tau 3
2 compare gone
2 judge gone.jsonl -o {new}.csv --base-url http://localhost:1 --model m
2 dashboard gone
2 doctor --nonsense
3 score --diff change.diff --review 'Why?' --review '<!-- hidden -->'
3 batch rejected.jsonl -o {new}
3 batch unscored.jsonl -o {new}
3 rank rejected.jsonl
3 rank unscored.jsonl --json
3 export rejected.jsonl -o {new}.csv
3 export unscored.jsonl -o {new}.csv
3 compare rejected.jsonl --metrics words
3 compare unscored.jsonl --metrics words
3 judge rejected.jsonl -o {new}.csv --base-url http://localhost:1 --model m
3 judge unscored.jsonl -o {new}.csv --base-url http://localhost:1 --model m
4 gate good.jsonl --fail-under relevance=1 --fail-under scored=0
130 batch good.jsonl -o {new}
""".strip().splitlines()
CASES = [(int(status), line) for status, _, line in (line.partition(" ") for line in LINES)]


def test_every_status_and_command_of_the_table_is_tried() -> None:
    assert {status for status, _ in CASES} == MEANINGS.keys()
    for status in (0, 2):
        assert {line.split()[0] for tried, line in CASES if tried == status} == COMMANDS
    incomplete = {line.split()[0] for status, line in CASES if status == 3}
    excepted = {*re.findall("not `([a-z]+)`", MEANINGS[3])}
    assert {*re.findall("`([a-z]+)`", MEANINGS[1])} == {"doctor"}
    assert excepted.isdisjoint(incomplete)
    assert excepted <= {line.split()[0] for status, line in CASES if "rejected" in line}


@pytest.mark.usefixtures("word_encoder")
@pytest.mark.parametrize(("status", "line"), CASES)
def test_a_command_ends_with_the_status_of_the_table(
    status: int, line: str, crscore: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("crscore_cli.judge.language_model", lambda *_: Model(4))
    monkeypatch.setattr("os.execv", Mock())
    monkeypatch.setattr("subprocess.run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    if status == 1:
        broken = Mock(side_effect=InputError("the weights are missing"))
        monkeypatch.setattr("crscore_cli.doctor.verify_default_encoder", broken)
    if status == 130:
        stopped = Mock(side_effect=KeyboardInterrupt)
        monkeypatch.setattr("crscore_eval.run.batch.run_batch", stopped)
    ended = crscore(*shlex.split(line.format(new=tmp_path / "new")))
    assert ended.status == status, ended.errors
