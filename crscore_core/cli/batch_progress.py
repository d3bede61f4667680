"""Progress of a run on standard error, with its rate and the time left."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from crscore_core.cli.output import StatusLine
from crscore_core.corpus.progress import CorpusProgress, CorpusStage, Note

_UNITS = {
    CorpusStage.INTAKE: "B",
    CorpusStage.SCORES: " reviews",
}
_BAR, _NO_BAR = "{l_bar}{bar}|", "{desc}: {percentage:3.0f}%"
_REST = " {n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_noinv_fmt}]"
"""Format of tqdm whose rate stays reviews a second below one, too, not seconds a review."""

_SECONDS_BETWEEN_LINES = 30


@contextmanager
def shown_progress() -> Iterator[Note]:
    """Give a callback that shows how far each step of a run is."""
    stage, began = None, 0.0
    with StatusLine(_SECONDS_BETWEEN_LINES) as line:

        def show(progress: CorpusProgress) -> None:
            nonlocal stage, began
            if progress.stage is not stage:
                line.end()
                stage, began = progress.stage, time.monotonic()
            line.show(lambda: _meter(progress, time.monotonic() - began, 100 * line.is_watched))

        yield show


def _meter(progress: CorpusProgress, seconds: float, width: int) -> str:
    return tqdm.format_meter(
        progress.done,
        progress.total,
        seconds,
        ncols=width or None,
        prefix=progress.stage.value,
        unit=_UNITS[progress.stage],
        unit_scale=progress.stage is CorpusStage.INTAKE,
        initial=progress.before,
        bar_format=(_BAR if width else _NO_BAR) + _REST,
    )
