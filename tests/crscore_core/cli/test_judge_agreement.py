"""`crscore judge-agreement`, as a person runs it."""

import json
from pathlib import Path

import pytest

from tests.crscore_core.cli.conftest import Crscore

TABLE = """\
target_id,generated_by,generated_code,is_pass,m_rating,m_rationale
a,m,x,1,1,fine
a,human_written,y,1,0,odd
b,m,z,0,1,fine
b,human_written,u,1,,
c,m,v,,1,fine
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "judgements.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_a_person_reads_tables(table: Path, crscore: Crscore) -> None:
    done = crscore("judge-agreement", table, "--resamples", 60)
    assert (done.status, done.err) == (0, "")
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert lines[0] == "truth: is_pass (pass or fail), 4 rows about 2 targets"
    assert lines[1] == "left out: 1 rows without a truth"
    assert lines[5].startswith("m 3 1 -0.500")
    assert lines[-3] == "m"
    assert lines[-2].startswith("* m 2 0.500 [0.000, 1.000]")
    assert lines[-1].startswith("human_written 1 -1.000")


def test_json_and_rows_that_cannot_be_read(tmp_path: Path, crscore: Crscore) -> None:
    path = tmp_path / "judged.jsonl"
    rows = [{"human": 4, "relevance_grade": 5}, {"human": 2, "relevance_grade": 2}]
    lines = [*map(json.dumps, rows), "no json"]
    path.write_text("\n".join(lines), encoding="utf-8")
    done = crscore("judge-agreement", path, "--truth", "human", "--json")
    assert done.status == 3
    assert "row 3: " in done.err
    document = json.loads(done.out)
    (judge,) = document["judges"]
    assert (document["kind"], document["rejected"]) == ("rating from 1 to 5", 1)
    assert (judge["judge"], judge["n"], judge["bias"]["value"]) == ("relevance", 2, 0.5)
    assert judge["by_generator"] == []
