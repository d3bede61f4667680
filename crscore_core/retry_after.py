"""The header with which a server asks to be left alone."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

__all__ = ["seconds_asked_for"]


def seconds_asked_for(retry_after: str) -> float:
    """Seconds from now that a `Retry-After` (RFC 9110, 10.2.3) means, 0 where it says nothing."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return 0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
