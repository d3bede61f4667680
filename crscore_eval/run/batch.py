"""Score a file of any size in parts; memory does not grow with the file."""

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from crscore_core.claims import CLAIM_BACKENDS, claim_backend
from crscore_core.errors import InputError
from crscore_core.scoring import canonical_name, recorded_name, resolve_tau
from crscore_core.scoring.scorer import Progress, ignore_progress
from crscore_core.text import counted, in_words, listed
from crscore_eval.run.folder import (
    CHANGES,
    SETTINGS,
    is_new,
    iter_parts,
    open_run,
    part_numbers,
    read_settings,
    write_part,
    write_settings,
)
from crscore_eval.run.grouping import ReviewsByChange
from crscore_eval.run.parts import BatchOptions, score_locally
from crscore_eval.run.ray_engine import score_with_ray
from crscore_eval.table import (
    GROUND_TRUTH,
    FileLayout,
    RejectedRow,
    Run,
    RunSettings,
    decide_layout,
)
from crscore_eval.table.files import no_usable_row_error
from crscore_eval.table.read import read_reviews
from crscore_eval.table.schema import UNNAMED
from crscore_eval.table.settings import content_settings, scoring_settings

_MAX_LISTED = 1_000  # rejected rows in the settings; `n_rejected` counts all of them

_WITHOUT = {  # warnings about fields that no column of the file holds
    "diff": "no review is scored: the file has no diffs",
    "system": "no column names the system, so all reviews count as one system's",
}


def run_batch(  # noqa: PLR0913 - options of the command
    source: Path,
    out: Path,
    options: BatchOptions | None = None,
    *,
    engine: Literal["local", "ray"] = "local",
    resume: bool = False,
    ask: bool = False,
    on_progress: Progress = ignore_progress,
) -> RunSettings:
    """Score a file of reviews into the folder `out`, and return the settings in its `_run.json`.

    Each part is written when it is scored. If a run was killed, `resume` scores only the missing
    parts. A row that cannot be used is rejected (`rejected`, `n_rejected`). A review that cannot
    be scored is kept without scores, with the reason in `warnings`.

    Raises:
        ColumnsUnclearError: a column's role is unclear; see `decide_layout` for `ask`.
        InputError: the file, a tool or the disk cannot be used; the folder is not empty and
            `resume` is false; or the settings or the file differ from the unfinished run's.
    """
    options = options or BatchOptions()
    layout = decide_layout(source, options.columns, ask=ask)
    backend = claim_backend(options.claims, options.model_options).name
    resolve_tau(options.tau, canonical_name(options.encoder), backend)  # fails before reading
    earlier = _earlier_settings(out, resume=resume)
    try:
        with closing(ReviewsByChange(layout, group=options.group)) as reviews:
            content = _group_rows(source, layout, reviews, on_progress)
            settings = _settings(source, options, reviews.claims_name(backend))
            _check_same(out, earlier, settings)
            created = earlier.get("created", datetime.now(UTC).isoformat(timespec="seconds"))
            out.mkdir(mode=0o700, parents=True, exist_ok=True)
            started: RunSettings = {**settings, "created": created, "is_finished": False}
            write_settings(out, started)
            options = options._replace(tau=settings["tau"])
            _score_missing_parts(reviews, out, options, engine, on_progress)
        changes = iter_parts(out, CHANGES, ["analyzers", "references", "left_out"])
        finished: RunSettings = {**started, **content, **content_settings(changes)}
        finished["is_finished"] = True
        write_settings(out, finished)
    except (OSError, sqlite3.Error) as error:
        kept = "; finished parts are kept for --resume" if part_numbers(out) else ""
        raise InputError(f"the run {str(out)!r} cannot be written: {error}{kept}") from error
    return finished


def score_file(
    source: Path, options: BatchOptions | None = None, on_progress: Progress = ignore_progress
) -> Run:
    """Score a file of reviews, and return the run without keeping a folder; see `run_batch`."""
    with TemporaryDirectory() as folder:
        run_batch(source, Path(folder), options, on_progress=on_progress)
        return open_run(folder)


def _settings(source: Path, options: BatchOptions, claims: str) -> RunSettings:
    """Return the settings of a run and the hash of its file, which determine its scores."""
    encoder = canonical_name(options.encoder)
    tau = resolve_tau(options.tau, encoder, claims)
    is_file = options.claims not in CLAIM_BACKENDS
    return {
        **scoring_settings(recorded_name(encoder), claims, tau, with_analyzers=options.analyzers),
        "name": options.name or source.stem,
        "chosen_columns": dict(options.columns),
        "is_grouped": options.group,
        "source": _identified(source),
        "claims_file": _identified(Path(options.claims)) if is_file else None,
    }


def _identified(path: Path) -> dict[str, str]:
    """Return the name and the hash of a file."""
    with path.open("rb") as file:
        return {"name": path.name, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def _earlier_settings(out: Path, *, resume: bool) -> RunSettings:
    """Return the settings of the run to resume, if any; raise an InputError if `out` is in use."""
    if is_new(out):
        return {}
    if not (out / SETTINGS).is_file():
        raise InputError(f"{str(out)!r} is not an empty folder", "choose another folder")
    earlier = read_settings(out)
    if not part_numbers(out):
        return {}
    if not resume:
        advice = "resume it with --resume, or give another folder"
        raise InputError(f"{str(out)!r} already contains a run", advice)
    return earlier


def _check_same(out: Path, earlier: RunSettings, settings: RunSettings) -> None:
    """Raise an InputError if the run to resume, if any, was started with other settings."""
    stored: Mapping[str, object] = earlier
    differing = {name for name, value in settings.items() if stored.get(name) != value}
    if stored and (differing := differing - {"name", "version"}):
        names = " and ".join(sorted(differing))
        problem = f"{str(out)!r} was started with another {names}, see {SETTINGS}"
        raise InputError(problem, "use the same, or give another folder")


def _group_rows(
    source: Path, layout: FileLayout, reviews: ReviewsByChange, on_progress: Progress
) -> RunSettings:
    """Read the file into `reviews`, and return what it contained."""
    rejected: list[RejectedRow] = []
    n_rejected = 0
    for n_rows, row in enumerate(read_reviews(source, layout)):
        if n_rows % 1_000 == 0:
            on_progress(n_rows, None, "reading rows")
        if isinstance(row, RejectedRow):
            n_rejected += 1
            rejected += [row] if n_rejected <= _MAX_LISTED else []
        else:
            reviews.add(row)
    if not reviews.n_changes:
        raise no_usable_row_error(source, next(iter(rejected), None))
    return {
        "rejected": [row._asdict() for row in rejected],
        "n_rejected": n_rejected,
        "columns": [role._asdict() for role in layout.roles],
        "warnings": [*_warnings(layout, reviews)],
        "n_reviews": sum(reviews.part_sizes().values()),
        "n_changes": reviews.n_changes,
    }


def _warnings(layout: FileLayout, reviews: ReviewsByChange) -> Iterator[str]:
    """Yield what a reader should know about the reviews of a file."""
    yield from (text for field, text in _WITHOUT.items() if field not in layout.fields)
    if reviews.has_raters:
        yield from _rater_warnings(layout.fields["rater"], reviews)
    n_comments, n_several, n_repeats, n_reference = reviews.counts()
    if n_reference:
        yield (
            f"reviews by {GROUND_TRUTH!r} ({n_reference:,}) count as reference reviews, which are "
            "not ranked: if it is a reviewer, give it another name"
        )
    if names := [*reviews.split_names]:
        yield f"changes with one name but several diffs count as independent: {listed(names)}"
    if n_joined := n_comments - sum(reviews.part_sizes().values()):
        yield (
            f"{counted(n_joined, 'comment')} joined to an earlier one of the same reviewer on the "
            "same change: a repeated text counts once, and figures are means over the comments"
        )
    elif n_several and "system" in layout.fields:
        yield (
            f"several comments of a reviewer on a change are scored one by one ({n_several:,} in "
            f"all, {n_repeats:,} with the text of an earlier one); `crscore batch --group` or the "
            "switch on Data joins them"
        )


def _rater_warnings(column: str, reviews: ReviewsByChange) -> Iterator[str]:
    """Yield how the rows of several raters became reviews."""
    n_rows, n_reviews, n_further, differing = reviews.rater_counts()
    yield (
        f"{counted(n_rows, 'row')} by {counted(len(reviews.raters()), 'rater')} (column {column}) "
        f"are {counted(n_reviews, 'review')}: numbers are means over raters"
    )
    if UNNAMED in reviews.raters():
        yield f"rows without a rater count as those of one rater, {UNNAMED!r}"
    if n_further:
        rows = counted(n_further, "row")
        yield f"further ratings of a review by the same rater ({rows}): the rater's mean counts"
    if differing:
        counts = in_words([f"{name} ({n:,})" for name, n in differing.items()])
        yield f"columns that differ between the raters of a review keep its first value: {counts}"


def _score_missing_parts(
    reviews: ReviewsByChange, out: Path, options: BatchOptions, engine: str, on_progress: Progress
) -> None:
    sizes = reviews.part_sizes()
    missing = sorted(sizes.keys() - {*part_numbers(out)})
    total = sum(sizes.values())
    done = total - sum(sizes[number] for number in missing)
    on_progress(done, total, "scoring reviews")

    def on_part_progress(share: float, _: float, step: str) -> None:
        on_progress(done + int(share * sizes[missing[0]]), total, step)

    parts = ((number, reviews.part(number)) for number in [*missing])
    scored = score_locally(options, parts, on_part_progress)
    for number, part in score_with_ray(options, parts) if engine == "ray" else scored:
        write_part(out, number, *part)
        missing.remove(number)
        done += sizes[number]
        on_progress(done, total, "scoring reviews")
