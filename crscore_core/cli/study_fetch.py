"""`crscore study fetch`."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crscore_core.cli.output import print_line
from crscore_core.datasets.study.location import default_study_folder

if TYPE_CHECKING:
    from crscore_core.datasets.download.fetch import FetchProgress

__all__ = ["fetch"]

_SECONDS_BETWEEN_LINES = 5
_MEGABYTE = 1_000_000


@click.command("fetch")
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    help="Folder to download into. [default: the one that CRSCORE_STUDY names, or one among your "
    "data]",
)
@click.option(
    "--no-context",
    is_flag=True,
    help="Leave out the whole files before and after each change, most of the 16 MB.",
)
@click.option(
    "--source",
    help="Address of a mirror, that the path of each file follows. [default: the one that "
    "CRSCORE_STUDY_SOURCE names, or the authors' repository]",
)
def fetch(*, folder: Path | None, no_context: bool, source: str | None) -> None:
    """Download the human study, as far as it is not there yet."""
    from crscore_core.datasets.download.fetch import fetch_study
    from crscore_core.datasets.download.manifest import study_manifest

    manifest = study_manifest()
    print_line(f"human study of CRScore, licence {manifest.license}, from {manifest.address}")
    size = (manifest.without_context_files() if no_context else manifest).size
    with _shown(size) as progress:
        result = fetch_study(
            folder or default_study_folder(),
            context_files=not no_context,
            source=source,
            progress=progress,
        )
    print_line(
        f"{result.files} files are in {result.folder}: {result.fetched_files} fetched "
        f"({result.fetched_bytes / _MEGABYTE:.1f} MB), {result.kept_files} were there already"
    )


@contextmanager
def _shown(size: int) -> Iterator[Callable[["FetchProgress"], None]]:
    """What shows the progress on standard error: a bar of `size` bytes, or a line now and then."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    with click.progressbar(length=size, label="fetching", file=sys.stderr) as bar:

        def show(now: "FetchProgress") -> None:
            # A file that has to come again would turn the bar back; it waits instead.
            bar.update(max(0, now.size - bar.pos))

        yield show


class _Lines:
    """Prints how far it is, but not too often."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, now: "FetchProgress") -> None:
        if time.monotonic() - self._last < _SECONDS_BETWEEN_LINES:
            return
        self._last = time.monotonic()
        click.echo(
            f"{now.files} of {now.all_files} files, {now.size / _MEGABYTE:.1f} of "
            f"{now.all_size / _MEGABYTE:.1f} MB",
            err=True,
        )
