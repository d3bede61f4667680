"""What changes and reviews are called where a person chooses among them."""

from crscore_core.corpus.comparison import ComparedChange, ComparedReview
from crscore_core.text import unseen_as_codes
from pages.components.names import system_name
from pages.components.source.model import Source
from pages.components.text import shorten

__all__ = ["change_name", "review_name"]

_WIDTH, _SAYS_WIDTH = 90, 60


def change_name(change: ComparedChange) -> str:
    """A change in a list: its title or what is said first of it, its id and its language."""
    says = change.title or next((one.text for one in change.references), "")
    parts = [shorten(says, _SAYS_WIDTH), change.id, change.language]
    return _line(" · ".join(part for part in parts if part))


def review_name(source: Source, review: ComparedReview) -> str:
    """A review in a list: its system and how it begins."""
    return _line(f"{system_name(source, review.system)} · {review.text}")


def _line(text: str) -> str:
    return unseen_as_codes(shorten(text, _WIDTH)) or "without a name"
