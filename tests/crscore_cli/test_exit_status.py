"""Exit statuses: each row of the table in docs/commands.md, tried with every command.

Bad usage and bad input give status 2: one line is printed, and no file is written.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from crscore_core.errors import InputError
from tests.crscore_cli.conftest import Command, expanded, judge
from tests.crscore_core.changes import PYTHON

PAGE = (Path(__file__).parents[2] / "docs/commands.md").read_text(encoding="utf-8")
STATUSES = re.findall(r"^\| (\d+) \| (.+) \|$", PAGE, re.MULTILINE)
MEANINGS = {int(status): meaning for status, meaning in STATUSES}
COMMANDS = {*re.findall(r"^\| `crscore ([a-z]+)", PAGE, re.MULTILINE)}
ROW, LABEL = {"id": "1", "review": "Why an empty list?", "diff": PYTHON}, {"label_a": 1}
GOOD = json.dumps(ROW | LABEL)
FILES_OF_REVIEWS = {
    "change.diff": PYTHON,
    "good.jsonl": GOOD,
    "empty.jsonl": f"{GOOD}\n{json.dumps(ROW | LABEL | {'review': '<!-- hidden -->'})}",
    "rejected.jsonl": f"{GOOD}\n{json.dumps({'review': 'no diff'})}",
    "unscored.jsonl": f"{GOOD}\n{json.dumps(ROW | LABEL | {'diff': 'no diff'})}",
}
BAD_FILES = {
    "empty.diff": "",
    "prose.diff": "just prose\n",
    "cut.diff": "@@ -1,5 +1,5 @@\n a\n@@ nothing @@\n",
    "large.diff": "x" * 10_000_001,
    "corpus.jsonl": json.dumps(ROW),
    "damaged.jsonl": "no JSON\n",
    "unusable.jsonl": json.dumps(ROW | {"review": [1]}),
    "prose.csv": "a,b\n1,2\n",
    "random.parquet": "\x07\x1f",
    "run/_run.json": "{",
    "notes/mine.txt": "mine",
    "random.bin": "\0\x01,\0x\n\0",
    "wide.csv": ",".join(f"{'long ' * 20}{n}" for n in range(300)) + "\n" + ",".join("1" * 300),
}
for number, line in enumerate(["{}", "[1]", '{"diff": 3}', '{"diff": "x"}', "no JSON"]):
    BAD_FILES[f"claims{number}.jsonl"] = f'{{"diff": "x", "claims": []}}\n{line}\n'
LINES = expanded("""
0 score --diff change.diff --review 'Why is an empty list returned?'
0 [claims|analyze] --diff change.diff
0 batch [good|empty].jsonl -o new
0 rank [good|empty].jsonl
0 gate good.jsonl [|--fail-under relevance=0]
0 gate [rejected|unscored].jsonl --fail-under relevance=0 --fail-under scored=0
0 export good.jsonl -o new.csv
0 validity
0 compare kinds --metrics words
0 judge good.jsonl -o new --base-url http://localhost:1 --model m
0 dashboard study --port 1
0 doctor
1 doctor
3 score --diff change.diff --review 'Why?' --review '<!-- hidden -->'
3 batch [rejected|unscored].jsonl -o new
3 rank [rejected.jsonl|unscored.jsonl --json]
3 export [rejected|unscored].jsonl -o new.csv
3 compare [rejected|unscored].jsonl --metrics words
3 judge [rejected|unscored].jsonl -o new --base-url http://localhost:1 --model m
4 gate good.jsonl --fail-under relevance=1 --fail-under scored=0
130 batch good.jsonl -o new
""")
LONG = "x" * 5_000
BAD_LINES = expanded(f"""
nonsense
score
score --diff change.diff [--json|--nonsense]
score --diff [empty.diff|prose.diff|large.diff|missing.diff|.|/dev/zero|{LONG}] --review x
score --diff ['a\0b'|'\x1b[31m.diff'] --review x
score --diff change.diff --review=[|' '|gone.txt|./gone]
score --diff change.diff --review=x --encoder=[../x|{LONG}] --tau=0.5
score --diff change.diff --review=x [--claims=nope|--language=klingon|--tau=7|--tau=warm]
score --diff change.diff --review=x --file=[a.py|a.py=/no/x|a.py=]
score --diff change.diff --review=x --file=a.py=change.diff --file=a.py=change.diff
score --diff change.diff --review=[notes|./notes|notes/|.] => Is a directory
score --diff change.diff --review=[notes/first|notes/x.txt|adir/|gone.md] => --review -
score --diff gone.diff --review=x => standard input
score --diff change.diff --review=x --encoder=./nope --tau=0.5 => nope' is neither
claims --diff change.diff --claims=[/dev/zero|{LONG}|symbolic --base-url=http://h]
claims --diff change.diff --claims=endpoint --model=m
analyze --diff prose.diff => prose.diff
analyze --diff empty.diff => empty.diff
analyze --diff cut.diff => cut.diff
analyze --diff change.diff --file {LONG}
batch [missing.jsonl|damaged.jsonl|prose.csv|random.parquet|{LONG}] -o out
batch corpus.jsonl -o out [--claims nope|--tau 2|--engine other]
batch corpus.jsonl -o out --column [diff|nothing=diff]
batch [corpus.jsonl|{LONG}]
batch corpus.jsonl -o [run|{LONG}]
batch corpus.jsonl -o out.csv => names a file
batch corpus.jsonl -o [notes|notes --resume|notes/mine.txt] => not an empty folder
batch random.bin -o out => binary
batch unusable.jsonl -o out => row 1
batch wide.csv -o out => and 280 more
judge missing -o out --base-url http://h --model m
judge [corpus.jsonl|study] -o out.csv --base-url http://h --model m => names a file
judge corpus.jsonl -o a --base-url http://h --model m --as=['a b'|A|../x|{LONG}] => a judge
judge corpus.jsonl --base-url http://localhost:1 --model m -o {LONG}
rank [nowhere|run|{LONG}|study --tau 2]
rank [study|corpus.jsonl] --by nonsense
gate [nowhere|study --baseline {LONG}]
gate study --fail-under [relevance|nonsense=1]
gate study --fail-under [relevance=0 --summary {LONG}|scored=0.1 --summary full.csv]
gate corpus.jsonl --fail-under [nonsense=1|relevance=0.5 --by nonsense --baseline study]
export study -o [out.txt|nowhere/out.csv|out|full.csv|full.html|{LONG}]
export [nowhere|notes] -o out.csv
validity [--study|--claims] [nowhere|blue|{LONG}]
validity [--encoder nowhere/at-all|--tau warm|--model M]
validity --tau 3 => tau
validity --claims empty.diff => empty
validity --claims claims[0|1|2|3|4].jsonl => line 2
compare [--data nowhere|--metrics blue|--metrics review|{LONG}]
compare [corpus.jsonl|corpus.jsonl --metrics bertscore_f1,blue]
compare study --metrics relevance,people => name a metric
compare --tau warm => tau
dashboard [nowhere|kinds|--port 0|{LONG}]
dashboard nope => it is missing
doctor --nonsense
""")
"""Command lines, each followed by words of its error if they matter."""
CASES = [(int(status), line) for status, _, line in (line.partition(" ") for line in LINES)]


def test_every_status_and_command_of_the_table_is_tried() -> None:
    tried: dict[int, set[str]] = {2: {line.split()[0] for line in BAD_LINES} - {"nonsense"}}
    for status, line in CASES:
        tried.setdefault(status, set()).add(line.split()[0])
    assert tried.keys() == MEANINGS.keys()
    assert tried[0] == tried[2] == COMMANDS
    excepted = {*re.findall("not `([a-z]+)`", MEANINGS[3])}
    assert {*re.findall("`([a-z]+)`", MEANINGS[1])} == {"doctor"}
    assert excepted.isdisjoint(tried[3])
    assert excepted <= {line.split()[0] for status, line in CASES if "rejected" in line}


@pytest.mark.usefixtures("word_encoder")
@pytest.mark.parametrize(("status", "line"), CASES)
def test_a_command_ends_with_the_status_of_the_table(
    status: int, line: str, crscore: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in FILES_OF_REVIEWS.items():
        Path(name).write_text(text, encoding="utf-8")
    monkeypatch.setattr("crscore_cli.judge.language_model", lambda *_: judge(4))
    monkeypatch.setattr("os.execv", Mock())
    if status == 1:
        broken = Mock(side_effect=InputError("the weights are missing"))
        monkeypatch.setattr("crscore_cli.doctor.verify_default_encoder", broken)
    if status == 130:
        stopped = Mock(side_effect=KeyboardInterrupt)
        monkeypatch.setattr("crscore_eval.run.batch.run_batch", stopped)
    ended = crscore(line)
    assert ended.status == status, ended.errors


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    for name, text in {"change.diff": PYTHON, **BAD_FILES}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("full.csv", "full.html"):
        (folder / name).symlink_to("/dev/full")
    return folder


@pytest.mark.parametrize("line", BAD_LINES)
def test_bad_input_prints_one_line_and_writes_nothing(
    folder: Path, crscore: Command, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    unscored = Mock(side_effect=AssertionError("bad names are found before a file is scored"))
    monkeypatch.setattr("crscore_eval.data.sources.score_file", unscored)
    before = sorted(folder.rglob("*"))
    command, _, words = line.partition(" => ")
    ended = crscore(command)
    assert (ended.status, ended.output) == (2, "")
    assert ended.errors.startswith("crscore: ")
    assert ended.errors[-1] == "\n"
    assert ended.errors[:-1].isprintable()
    assert words in ended.errors
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("arguments", ["claims --diff change.diff", "rank study --json"])
def test_a_full_disk_prints_one_line(arguments: str) -> None:
    Path("change.diff").write_text(PYTHON, encoding="utf-8")
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "crscore_cli", *arguments.split()]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, ended.stderr.count(b"\n")) == (2, 1)
    assert b"output cannot be written: [Errno 28] No space left" in ended.stderr
