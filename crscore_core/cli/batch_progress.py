"""Showing how far a run is: one line over and over where somebody watches, else now and then."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click
from tqdm import tqdm

from crscore_core.cli.output import is_watched
from crscore_core.corpus.progress import CorpusProgress, CorpusStage, Note

__all__ = ["shown_progress"]

_UNITS = {
    CorpusStage.INTAKE: "B",
    CorpusStage.REFERENCES: " changes",
    CorpusStage.SIMILARITY: " texts",
    CorpusStage.SCORES: " reviews",
}
_SECONDS_WATCHED = 0.2
_SECONDS_LOGGED = 30.0


@contextmanager
def shown_progress() -> Iterator[Note]:
    """What writes on standard error how far a run is, its rate, and the time left."""
    shown = _Shown(is_watched=is_watched())
    try:
        yield shown
    finally:
        shown.end()


class _Shown:
    def __init__(self, *, is_watched: bool) -> None:
        self._is_watched = is_watched
        self._last: CorpusProgress | None = None
        self._shown: CorpusProgress | None = None
        self._began = self._shown_at = 0.0
        self._is_line_open = False

    def __call__(self, progress: CorpusProgress) -> None:
        now = time.monotonic()
        if self._last is None or self._last.stage is not progress.stage:
            self.end()
            self._began, self._shown_at = now, 0.0 if self._is_watched else now
        self._last = progress
        pause = _SECONDS_WATCHED if self._is_watched else _SECONDS_LOGGED
        if now - self._shown_at >= pause:
            self._shown_at = now
            self._show(now)

    def end(self) -> None:
        """Show how far the step came, and leave its line."""
        if self._last is not None and self._last is not self._shown:
            self._show(time.monotonic())
        self._last = None
        if self._is_line_open:
            _say("")
            self._is_line_open = False

    def _show(self, now: float) -> None:
        last = self._last
        if last is None:
            return
        self._shown = last
        meter = tqdm.format_meter(
            last.done,
            last.total,
            now - self._began,
            ncols=0 if not self._is_watched else 100,
            prefix=last.stage.value,
            unit=_UNITS[last.stage],
            unit_scale=last.stage is CorpusStage.INTAKE,
            initial=last.before,
        )
        _say(f"\r{meter}" if self._is_watched else meter, ends_line=not self._is_watched)
        self._is_line_open = self._is_watched


def _say(text: str, *, ends_line: bool = True) -> None:
    """Write on standard error; a run does not end because nobody reads there any more."""
    with suppress(OSError, ValueError):
        click.echo(text, nl=ends_line, err=True)
