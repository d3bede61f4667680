"""A small corpus, fast tools that score it, and a comparison of runs."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from crscore_core import CRScorer
from crscore_eval.table import Run, run_signature
from tests.word_encoder import WordEncoder

TAU = 0.4


def diff_of(number: int) -> str:
    """A change that renames a function."""
    return (
        f"--- a/m{number}.py\n+++ b/m{number}.py\n@@ -1,2 +1,2 @@\n"
        f"-def old_{number}(a):\n+def new_{number}(a, b=None):\n     return a\n"
    )


def rows_of(n_changes: int) -> list[dict[str, Any]]:
    """Rows of three systems for each change; one system says nothing."""
    return [
        {"id": f"{number}/{system}", "diff": diff_of(number), "system": system, "review": text}
        for number in range(n_changes)
        for system, text in {
            "good": f"old_{number} is renamed to new_{number}. Why does b default to None?",
            "bad": "LGTM",
            "none": "",
        }.items()
    ]


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write JSON Lines."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def word_scorer(tau: float = TAU) -> CRScorer:
    """Symbolic claims without smells, and a bag-of-words encoder."""
    return CRScorer(encoder=WordEncoder(), tau=tau, analyzers={})


def reopen(out: Path) -> None:
    """Turn a finished run into an unfinished one."""
    settings = out / "_run.json"
    settings.write_text(settings.read_text().replace('"is_finished": true', '"is_finished": false'))


def assert_same(run: Run, expected_run: Run) -> None:
    """Two runs have the same signature, the same rows and, to 1e-5, the same numbers."""
    assert str(run_signature(run.settings)) == str(run_signature(expected_run.settings))
    for table, expected in zip(run[:2], expected_run[:2], strict=True):
        pd.testing.assert_frame_equal(table, expected, rtol=0, atol=1e-5)
