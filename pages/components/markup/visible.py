"""Text as typed, with what cannot be seen made visible."""

from markupsafe import Markup

from crscore_core.text import unseen_markup

__all__ = ["LEFT_OUT", "MOST_CHARACTERS", "visible", "whole"]

MOST_CHARACTERS = 20_000
"""What a page shows of one text; no review of a person comes near it."""

LEFT_OUT = Markup('<span class="typed-note"> … {:,} more characters are not shown</span>')
"""What stands for the end of a text, with the number of its characters."""


def visible(text: str) -> Markup:
    """The text escaped, each unseen character as its code in a box; see `unseen_markup`."""
    return unseen_markup(text, "typed-unseen")


def whole(text: str, most: int = MOST_CHARACTERS) -> Markup:
    """A text in its own direction of writing, which ends with it; says what it leaves out."""
    shown = Markup('<bdi dir="auto">{}</bdi>').format(visible(text[:most]))
    return shown + LEFT_OUT.format(len(text) - most) if len(text) > most else shown
