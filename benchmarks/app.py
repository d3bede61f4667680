"""Seconds of server time for pages of the app, and for everything done with a whole corpus.

Pages open on data that are there, a study as large as the paper's and 20,000 imported reviews, and
tau moves. They run in this process, without a browser; a move of tau runs the whole page, where the
app would run only what depends on it.
"""

import dataclasses
import itertools
import json
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
from crscore_core.corpus.model import CorpusChange, CorpusReview, Ratings
from crscore_core.corpus.reading import RowStream, guess_mapping
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run.intake import import_corpus
from crscore_core.corpus.run.store import RunStore
from crscore_core.corpus.table import ChangeResult, ReviewResult, changes_table, reviews_table
from crscore_core.datasets.examples import load_samples
from crscore_core.datasets.study.corpus import study_corpus
from crscore_core.datasets.study.model import HumanStudy
from crscore_core.datasets.study.shipped import shipped_study
from crscore_core.ranking.html_report import html_report
from crscore_core.ranking.runs import compare_runs
from crscore_core.validity.study_validity import StudyValidity
from pages.components.source.load import IMPORTED
from pages.components.source.model import Source, SourceKind
from streamlit.testing.v1 import AppTest

from benchmarks.measuring import report, seconds
from crscore_core.scoring import DEFAULT_ENCODER, CachedEncoder
from crscore_core.scoring.references import PseudoReference, ReferenceKind

_PAGES = ("heatmap", "failures", "rankings", "thresholds", "validity", "data")
_CHANGES_OF_THE_PAPER = 300
_APP = Path(__file__).resolve().parents[1] / "app.py"
_REPEATS = 5
_SYSTEMS, _IMPORTED_CHANGES = 8, 2_500
_PATIENCE = 300
_CORPUS_REPEATS = 3
_TAU = 0.5


def time_app(base: float) -> None:
    """Print seconds, and their ratio to `base`."""
    _time_pages("study", _full_study(), base)
    imported = _made_up_source(_IMPORTED_CHANGES, _SYSTEMS)
    _time_pages("import", imported, base)
    _time_corpus(imported.comparison, base)


def _made_up_source(changes: int, systems: int, seed: int = 0) -> Source:
    """Reviews of the sample data with similarities and ratings drawn at random: no finding."""
    draw = np.random.default_rng(seed)
    samples = itertools.cycle(load_samples().values())
    changed: list[ChangeResult] = []
    reviewed: list[ReviewResult] = []
    for at, sample in zip(range(changes), samples, strict=False):
        references = tuple(
            PseudoReference(
                f"Statement {n} about change {at}.", ReferenceKind.CLAIM, "", None, None
            )
            for n in range(6)
        )
        change = CorpusChange(f"{at}", sample.language, sample.diff, ())
        changed.append(ChangeResult(at, change, sample.language, references))
        for system in range(systems):
            name, text = f"system {system}", sample.reviews[system % len(sample.reviews)]
            ratings = Ratings(*(float(value) for value in draw.integers(1, 6, 3)))
            review = CorpusReview(f"{at}/{name}", name, text, ratings, row=len(reviewed) + 1)
            sentences = [f"Sentence {n}." for n in range(1 + system % 4)]
            cosines = draw.uniform(0, 0.8, (6, len(sentences))).astype(np.float32)
            reviewed.append(ReviewResult(review, at, sample.language, sentences, cosines))
    comparison = Reviews.of_tables(
        {"encoder": DEFAULT_ENCODER, "precision": "float32", "claims": "", "analyzers": True},
        [changes_table(changed)],
        [reviews_table(reviewed, _TAU)],
    )
    return Source(SourceKind.FILE, "Imported file", "Made up.", comparison)


def _full_study() -> Source:
    """The study's shipped part with some changes twice: as many as the paper's."""
    study = shipped_study()
    rated = [change for change in study.changes if change.is_rated]
    missing = max(0, _CHANGES_OF_THE_PAPER - len(rated))
    again = [dataclasses.replace(one, index=f"{one.index}-again") for one in rated[:missing]]
    full = HumanStudy((*study.changes, *again), study.double_ratings, study.missing)
    validity = StudyValidity.of(full, study_corpus(full), CachedEncoder())
    return Source(SourceKind.STUDY, "Human study", "", validity.comparison, validity)


def _time_pages(name: str, source: Source, base: float) -> None:
    n_reviews = len(source.comparison)
    for page in _PAGES:
        test = AppTest.from_file(str(_APP), default_timeout=_PATIENCE)
        test.session_state["data"] = SourceKind.FILE
        test.session_state[IMPORTED] = source
        test.run()
        test.switch_page(f"pages/{page}.py").run()
        if test.exception:
            raise RuntimeError(f"page {page}: {test.exception[0].message}")
        opening = seconds(test.run, _REPEATS)
        report(f"{page} opens, {name}, {n_reviews:,} reviews", opening, base)
        if any(slider.key == "tau" for slider in test.slider):
            steps = itertools.count()
            moving = seconds(partial(_move_tau, test, steps), _REPEATS)
            report(f"{page}, tau moves, {name}, {n_reviews:,} reviews", moving, base)


def _move_tau(test: AppTest, steps: "itertools.count[int]") -> None:
    test.slider(key="tau").set_value(0.3 + 0.01 * next(steps)).run()


def _time_corpus(comparison: Reviews, base: float) -> None:
    """Print seconds to read a file of many reviews, keep them as a run, and hand them on."""
    size = f"{len(comparison):,} reviews"

    def time(name: str, call: Callable[[], object]) -> None:
        report(f"{name}, {size}", seconds(call, _CORPUS_REPEATS), base)

    content = _json_lines(comparison)
    stream = RowStream(content, "reviews.jsonl")
    time("read JSON Lines", lambda: sum(1 for _ in stream.rows()))
    mapping = guess_mapping(stream.columns())
    time("import", lambda: import_corpus(stream, mapping, "reviews.jsonl"))
    with tempfile.TemporaryDirectory() as folder:
        store = RunStore(Path(folder))
        run = store.save("run", comparison)
        time("save a run", lambda: store.save("run", comparison))
        time("load a run", lambda: store.load(run.id))
    time("compare two runs", lambda: compare_runs(comparison, comparison, _TAU, _TAU))
    now = datetime.now(UTC)
    time("HTML report", lambda: html_report(comparison, _TAU, "run", note="", scored_at=now))


def _json_lines(comparison: Reviews) -> bytes:
    """Reviews with their changes, one a line, as people give them."""
    rows = (
        {
            "id": review.id,
            "diff": comparison.changes[review.change].diff,
            "review": review.text,
            "system": review.system,
            "claims": list(review.references),
            "relevance": review.ratings.relevance,
        }
        for review in comparison
    )
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)
