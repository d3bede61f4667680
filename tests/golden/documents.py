"""The outputs that golden files hold, by the name of their file."""

import contextlib
import functools
import io
import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from analyzers import analyze_each
from crscore_core.change import parse_change
from crscore_core.claims import claim_generator
from crscore_core.cli.main import _run
from crscore_core.corpus.score import score_corpus
from crscore_core.datasets.examples import Sample, load_samples
from crscore_core.datasets.pulls.fetch import fetch_pulls
from crscore_core.datasets.pulls.reference import read_reference
from crscore_core.datasets.pulls.rows import rows_of_pulls
from crscore_core.ranking.html_report import html_report
from crscore_core.scoring import CachedEncoder
from crscore_core.scoring.smells import source_files
from tests.crscore_core.datasets.pull_hosts import PROJECT, hosting, usual_pull
from tests.rated_samples import rated_reviews, rated_samples

_TAU = 0.327
_REPORTED = "python/nightly-sync-errors"


def golden_file(name: str) -> Path:
    """The file that holds a document."""
    return Path(__file__).with_name(name)


def _output_of(*arguments: str) -> dict[str, Any]:
    """Output of `crscore` with `--json`."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
        status = _run([*arguments, "--json"])
    if status:
        raise RuntimeError(f"crscore {' '.join(arguments)} ended with status {status}")
    document: dict[str, Any] = json.loads(output.getvalue())
    return document


@functools.cache
def _analyze_at_once() -> None:
    """Have the analyzers see all samples, so that each tool starts once; results are kept."""
    changes = (parse_change(sample.diff) for sample in load_samples().values())
    analyze_each([file for change in changes for file in source_files(change)])


def _diff_file(sample: Sample, folder: str) -> str:
    path = Path(folder) / "change.diff"
    path.write_bytes(sample.diff.encode())
    return str(path)


def _scores() -> dict[str, Any]:
    """`crscore score --json` for every sample, without the matrices."""
    _analyze_at_once()
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for sample in load_samples().values():
            reviews = [f"--review={review}" for review in sample.reviews]
            document = _output_of("score", "--diff", _diff_file(sample, folder), *reviews)
            for review in document["reviews"]:
                del review["similarity"]
            found[sample.id] = document
    return found


def _smells() -> dict[str, Any]:
    """`crscore analyze --json` for every sample."""
    _analyze_at_once()
    with tempfile.TemporaryDirectory() as folder:
        return {
            sample.id: _output_of("analyze", "--diff", _diff_file(sample, folder))
            for sample in load_samples().values()
        }


def _batch_rows() -> list[dict[str, Any]]:
    """The rows of `crscore batch` over the reviews of all samples, without texts and matrices."""
    import pandas as pd

    rows = [
        {"id": review.id, "diff": sample.diff, "review": review.text,
         "system": review.system, "language": sample.language,
         "relevance": review.ratings.relevance}
        for sample in load_samples().values() for review in rated_reviews(sample)
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        corpus, run = Path(folder) / "corpus.jsonl", Path(folder) / "run.parquet"
        corpus.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        _output_of("batch", str(corpus), "-o", str(run))
        texts = ["text", "sentences", "similarity"]
        table = pd.read_parquet(run).drop(columns=texts)
        found: list[dict[str, Any]] = json.loads(table.to_json(orient="records"))
    return found


def _report() -> str:
    """The HTML report of one sample, each line without blanks at its ends."""
    corpus = rated_samples([load_samples()[_REPORTED]])
    compared = score_corpus(corpus, claim_generator("symbolic"), CachedEncoder())
    html = html_report(
        compared, _TAU, "One change", note="Made up.", scored_at=datetime(2026, 1, 2, tzinfo=UTC)
    )
    return "\n".join(line.strip() for line in html.splitlines() if line.strip()) + "\n"


def _pull_rows() -> dict[str, Any]:
    """The rows of one pull request at GitHub, with and without a token, and at GitLab."""
    with hosting(usual_pull()) as hosts:
        hosts.page_size = 2
        return {
            name: asdict(
                rows_of_pulls(
                    fetch_pulls(
                        [read_reference(f"{PROJECT}#1", address)],
                        lambda _: None,
                        keeps=False,
                        token=lambda _, token=token: token,  # type: ignore[misc]
                    )
                )
            )
            for name, address, token in (
                ("github", hosts.github, "secret"),
                ("github without a token", hosts.github, None),
                ("gitlab", hosts.gitlab, "secret"),
            )
        }


def _validity(claims: str) -> Callable[[], dict[str, Any]]:
    return lambda: _output_of("validity", "--claims", claims, "--resamples", "200")


DOCUMENTS: Mapping[str, Callable[[], Any]] = {
    "scores.json": _scores,
    "smells.json": _smells,
    "batch_rows.json": _batch_rows,
    "pull_rows.json": _pull_rows,
    "report.html": _report,
    "validity_study.json": _validity("study"),
    "validity_symbolic.json": _validity("symbolic"),
    "validity_gpt-4o.json": _validity("gpt-4o"),
}
"""Whole outputs by the name of their file; no text of the human study is among them."""
