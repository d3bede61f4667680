"""Logs of the app: one JSON object a line, without diffs, reviews, keys and addresses' queries."""

import json
import logging
import sys
import threading
import traceback
from datetime import UTC, datetime
from types import TracebackType

_LOGGER = logging.getLogger("crscore.app")
_LONGEST = 200
_QUIET = ("/static/", "/_stcore/health", "/_stcore/host-config")


def log_event(event: str, **fields: object) -> None:
    """Log an event with its fields, those that are None left out, long texts cut."""
    path = fields.get("path")
    if event == "http" and isinstance(path, str) and path.startswith(_QUIET):
        return
    told = {
        name: value[:_LONGEST] if isinstance(value, str) else value
        for name, value in fields.items()
        if value is not None
    }
    _LOGGER.info(json.dumps({"time": datetime.now(UTC).isoformat(), "event": event, **told}))


def log_without_content() -> None:
    """Log events to standard error, and uncaught exceptions of pages and jobs without messages.

    A message may quote a diff or a review.
    """
    if not _LOGGER.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(message)s"))
        _LOGGER.addHandler(handler)
        _LOGGER.setLevel(logging.INFO)
        _LOGGER.propagate = False
        logging.getLogger("streamlit.error_util").addFilter(_without_message)
        threading.excepthook = lambda raised: _log_exception(raised.exc_type, raised.exc_traceback)


def _without_message(record: logging.LogRecord) -> bool:
    """Turn the record of an uncaught exception into an event; drop the record."""
    if record.exc_info is None or record.exc_info[0] is None:
        return True
    _log_exception(record.exc_info[0], record.exc_info[2])
    return False


def _log_exception(kind: type[BaseException], trace: TracebackType | None) -> None:
    frames = [
        f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)
    ]
    log_event("exception", type=kind.__qualname__, frames=frames)
