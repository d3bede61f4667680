"""The settings of a run: how it was scored, its signature, and whether two runs are comparable."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import chain
from typing import Annotated, Any, NamedTuple

import pandas as pd
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict  # pydantic requires it before Python 3.12

from crscore_core.analyzers import AnalyzerUse, sum_uses
from crscore_core.errors import InputError
from crscore_core.scoring.signature import Signature, claims_version, references_digest
from crscore_core.version import SCORING_VERSION, __version__
from crscore_eval.table.cells import RejectedRow
from crscore_eval.table.roles import ColumnRole, FileLayout
from crscore_eval.table.schema import is_of_rater

_REQUIRED = ("name", "encoder", "claims", "tau", "scoring_version")
_COMPARED = "encoder claims claims_version scoring_version with_analyzers is_grouped".split()
"""Settings that must be equal for scores to be compared, apart from analyzers."""


def _entries(kind: Any) -> AfterValidator:  # noqa: ANN401 - a type
    """Check that the dictionaries of a list have the fields of a type."""
    adapter = TypeAdapter(list[kind])
    return AfterValidator(lambda entries: adapter.validate_python([*entries]) and entries)


_Count = Annotated[int, Field(ge=0)]
_Name = Annotated[str, Field(min_length=1)]
_Time = Annotated[str, AfterValidator(lambda text: datetime.fromisoformat(text) and text)]


class RunSettings(TypedDict, total=False):
    """Name of a run, what it was scored with, and its file, as stored in `_run.json`."""

    name: str
    encoder: _Name
    claims: _Name
    with_analyzers: bool  # whether analyzers were asked for smells
    analyzers: Annotated[Sequence[dict[str, Any]], _entries(AnalyzerUse)]  # what each did
    tau: Annotated[float, Field(ge=-1, le=1)]
    version: str  # of the package; it does not affect scores
    scoring_version: int  # as in `Signature`, like the next two
    claims_version: int | None
    references_digest: str | None  # of all pseudo-references
    source: dict[str, str]  # name and hash of the file
    claims_file: dict[str, str] | None  # name and hash of the file of claims; None without one
    chosen_columns: dict[str, str]  # roles that the user chose, by column
    is_grouped: bool  # whether comments of one system on one change were joined
    created: _Time | None  # in ISO 8601; missing or None if the run was not written
    is_finished: bool
    rejected: Annotated[Sequence[dict[str, Any]], _entries(RejectedRow)]  # the first rejected rows
    n_rejected: _Count  # number of all of them
    columns: Annotated[Sequence[dict[str, Any]], _entries(ColumnRole)]  # the role of each column
    warnings: Sequence[str]
    n_reviews: _Count
    n_changes: _Count
    n_left_out: _Count  # changes that cannot be scored


DEFAULTS: RunSettings = {
    "version": "unknown",
    "with_analyzers": True,
    "analyzers": [],
    "is_grouped": False,
    "is_finished": True,
    "rejected": [],
    "n_rejected": 0,
    "n_left_out": 0,
    "columns": [],
    "warnings": [],
}
_SETTINGS = TypeAdapter(RunSettings)


class Run(NamedTuple):
    """A scored table; its columns of lists are Arrow lists.

    reviews: a row for each review (see `REVIEW_COLUMNS`), with a RangeIndex.
    changes: a row for each change (see `CHANGE_SCHEMA`).
    """

    reviews: pd.DataFrame
    changes: pd.DataFrame
    settings: RunSettings


def parse_settings(content: bytes) -> RunSettings:
    """Return the settings in the content of a `_run.json`; missing ones have their defaults.

    Raises:
        InputError: the content is not JSON, or a setting is missing or invalid.
    """
    try:
        settings = _SETTINGS.validate_json(content, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"][:3]))
        message = first["msg"].removeprefix("Value error, ")[:200]
        raise InputError(f"{place}: {message}" if place else message) from error
    if missing := [name for name in _REQUIRED if name not in settings]:
        raise InputError(f"{missing[0]} is missing")
    return {**DEFAULTS, **settings}


def run_signature(settings: RunSettings, tau: float | None = None) -> Signature:
    """Return the signature of a run, by default at its own tau."""
    return Signature(
        settings["encoder"],
        settings["claims"],
        change_uses(settings["analyzers"]),
        settings["tau"] if tau is None else tau,
        settings["scoring_version"],
        settings.get("claims_version"),
        settings.get("references_digest"),
        settings["version"],
    )


def example_run(layout: FileLayout) -> Run:
    """Return a run with the columns of a file, and one row that has 1 or "" in each."""
    cells = {role.read_as: 1.0 if role.is_numeric else "" for role in layout.roles}
    cells |= dict.fromkeys(layout.means, 1.0)
    columns = [role._asdict() for role in layout.roles]
    return Run(pd.DataFrame([{"system": "", **cells}]), pd.DataFrame(), {"columns": columns})


def columns_by_name_in_file(settings: RunSettings) -> dict[str, str]:
    """Return the columns of numbers in a run's table by their names in its file, without raters."""
    roles = (ColumnRole(**role) for role in settings.get("columns", ()))
    return {of.column: of.read_as for of in roles if of.is_numeric and not is_of_rater(of.read_as)}


def change_uses(entries: Iterable[Mapping[str, Any]]) -> tuple[AnalyzerUse, ...]:
    """Return what analyzers did for a change, from the column `analyzers`."""
    return tuple(AnalyzerUse(**entry) for entry in entries)


def scoring_settings(encoder: str, claims: str, tau: float, *, with_analyzers: bool) -> RunSettings:
    """Return the settings that determine the scores, before it is known which analyzers run."""
    return {
        "encoder": encoder,
        "claims": claims,
        "with_analyzers": with_analyzers,
        "tau": tau,
        "version": __version__,
        "scoring_version": SCORING_VERSION,
        "claims_version": claims_version(claims),
    }


def content_settings(parts: Iterable[pd.DataFrame]) -> RunSettings:
    """Return the settings that changes in one or more tables determine: what ran or was left out.

    The digest of pseudo-references does not depend on the order of the changes, and is a single
    change's own.
    """
    uses: Sequence[AnalyzerUse] = ()
    digests: list[str] = []
    n_left_out = 0
    for changes in parts:
        uses = sum_uses(chain(uses, *map(change_uses, changes["analyzers"])))
        digests += (
            references_digest((of["text"], *of["wordings"]) for of in references)
            for references in changes["references"]
        )
        n_left_out += int(changes["left_out"].count())
    digest = digests[0] if len(digests) == 1 else references_digest([sorted(digests)])
    return {
        "analyzers": [asdict(use) for use in uses],
        "references_digest": digest,
        "n_left_out": n_left_out,
    }


def scoring_differences(
    run: RunSettings, baseline: RunSettings, *, same_changes: bool
) -> list[str]:
    """Describe each difference in the scoring of two runs; empty if the runs are comparable.

    If the changes differ, only the versions of analyzers count, and whether they read complete
    files. An analyzer that had nothing to analyse in one of the runs does not count.
    """
    differences = []
    there, here = _what_ran(baseline), _what_ran(run)
    for subject in there | here:
        values = [side.get(subject, "none") for side in (there, here)]
        is_compared = same_changes or (subject in there and subject in here)
        if is_compared and values[0] != values[1]:
            differences.append(f"{subject}: {values[0]} in the baseline, {values[1]} in this run")
    return differences


def _what_ran(settings: RunSettings) -> dict[str, str]:
    """Describe, by subject, what scored a run, and what each analyzer read."""
    stored: Mapping[str, Any] = {**DEFAULTS, **settings}
    what = {name.replace("_", " "): str(stored.get(name)) for name in _COMPARED}
    read: dict[str, list[str]] = {}
    for use in change_uses(stored["analyzers"]):
        extents = read.setdefault(f"{use.name} analysed", [])
        if use.files:
            files = "complete files" if use.complete else "hunks"
            extents.append(f"{files} with version {use.version or 'unknown'}")
    return what | {subject: "; ".join(extents) or "none" for subject, extents in read.items()}
