"""Bad usage and bad input of every command: one line, status 2, and no file is written."""

import json
import shlex
from pathlib import Path

import pytest

from tests.crscore_core.changes import PYTHON
from tests.crscore_core.cli.conftest import Crscore
from tests.crscore_core.corpus.run.made_run import made_run
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison
from tests.crscore_core.datasets.study.small_release import small_release

ROWS = [
    {"diff": PYTHON, "review": "Why?", "useful": number % 2, "words": 1.5, "tone": "good"}
    for number in range(4)
]
BARE = {"id": "1", "review": "Why?", "diff": PYTHON}
FILES = {
    "change.diff": PYTHON,
    "empty.diff": "",
    "prose.diff": "just prose\n",
    "cut.diff": "@@ -1,5 +1,5 @@\n a\n",
    "large.diff": "x" * 2_000_001,
    "corpus.jsonl": json.dumps(BARE),
    "own.jsonl": "\n".join(map(json.dumps, ROWS)),
    "bare.jsonl": json.dumps(BARE),
    "damaged.jsonl": '{"id": "1", "review": "Why?"}\nno JSON\n',
    "book.xlsx": "PK\x03\x04 and more",
    "cut.json": '[\n{"diff": 1},\n{}\n',
    "list.jsonl": "[1]\n",
    "random.parquet": "\x07\x1f",
    "text.jsonl": '{"text": 1, "patch": 2}\n',
    "torn.jsonl": '{"a": 1}\n{"b"',
    "line.jsonl": '{"id": 1, "note": "no line end"}',
    "answer.json": '[{"diff_hunk": "@@", "id": 1, "body": "Why?"}]',
    "table.csv": "target_id,is_pass,m_rating\na,1,1\nb,0,1\n",
}
_, _, *LINES = Path(__file__).with_name("bad_input.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    small_release().write(folder / "release")
    made = made_comparison(Made(0, (1, 1, 1), [[0.25]], "a"), Made(1, (2, 2, 2), [[0.5]], "b"))
    for name in ("run.parquet", "damaged.parquet"):
        made_run(folder / name, made)
    (folder / "damaged.parquet" / "part-000001.parquet").write_bytes(bytes(100))
    return folder


@pytest.fixture(autouse=True)
def _own_surroundings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "CRSCORE_CLAIMS_MODEL", "CRSCORE_STUDY"):
        monkeypatch.delenv(name, raising=False)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("line", LINES)
def test_bad_input_is_one_line_and_writes_nothing(
    folder: Path, crscore: Crscore, line: str
) -> None:
    command, message = line.split(" => ")
    before = contents(folder)
    complaint = crscore(*shlex.split(command)).complaint
    assert message in complaint
    assert "sk-secret" not in complaint
    assert contents(folder) == before


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000])
def test_a_name_of_no_file_is_one_line(crscore: Crscore, name: str) -> None:
    assert "cannot be read" in crscore("score", "--diff", name, "--review", "x").complaint
