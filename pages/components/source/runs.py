"""Saved runs as data sources."""

from collections import Counter
from collections.abc import Mapping, Sequence

from crscore_core.corpus.run.store import RunInfo, RunStore
from crscore_core.errors import InputError
from pages.components.source.load import kept_sources
from pages.components.source.model import Source, SourceKind

__all__ = ["first_key", "run_id_of", "run_key", "run_labels", "run_names", "run_note", "run_source"]

_PREFIX = f"{SourceKind.RUN}-"


def run_key(run_id: str) -> str:
    """What the switch calls a run, and the URL."""
    return f"{_PREFIX}{run_id}"


def run_id_of(key: str) -> str | None:
    """The id in what the switch calls a run, be it there or not; None of other sources."""
    return key.removeprefix(_PREFIX) if key.startswith(_PREFIX) else None


def first_key() -> str:
    """Return what the switch shows at first: the run that the server was started with, if any."""
    opened = RunStore().opened
    return SourceKind.SAMPLE if opened is None else run_key(opened)


def run_labels() -> Mapping[str, str]:
    """The runs that can be shown, by what the switch calls them: their names, no two the same.

    There are none where saved runs cannot be read, of which the Data page says why.
    """
    try:
        runs = [run for run in RunStore().list() if run.damage is None]
    except InputError:
        return {}
    return {run_key(run_id): f"Run: {name}" for run_id, name in run_names(runs).items()}


def run_names(runs: Sequence[RunInfo]) -> dict[str, str]:
    """What each run is called, by its id; no two the same, as options are told by their labels."""
    names = {run.id: run.name or "Damaged run" for run in runs}
    counts = Counter(names.values())
    return {
        run.id: names[run.id]
        if counts[names[run.id]] == 1
        else f"{names[run.id]} ({run.created:%F %T}, {run.id[:4]})"
        for run in runs
    }


def run_source(run_id: str) -> Source:
    """A saved run.

    Raises:
        CorpusError: there is no such run, or it is damaged.
    """
    store = RunStore()
    info = store.find(run_id)

    def make(_: object) -> Source:
        return Source.of(
            SourceKind.RUN,
            info.name,
            run_note(info),
            store.load(run_id),
            is_illustrative=info.is_illustrative,
        )

    return kept_sources().get((SourceKind.RUN, str(store.folder), run_id), make)


def run_note(info: RunInfo) -> str:
    """What a run is, in a sentence or two."""
    of = f" of {info.corpus}" if info.corpus else ""
    text = (
        f"{info.reviews:,} reviews of {info.changes:,} changes{of}, saved on "
        f"{info.created:%Y-%m-%d at %H:%M} UTC; encoder {info.encoder}, claims {info.claims}."
    )
    made_up = " Reviews and ratings were made up: no finding rests on them."
    return f"{text}{made_up}" if info.is_illustrative else text
