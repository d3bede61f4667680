"""One text of a person."""

from markupsafe import Markup

from pages.components.markup.page import show
from pages.components.markup.visible import whole

__all__ = ["plain_text"]


def plain_text(text: str) -> None:
    """Show a text as typed, with its blanks and line ends, wrapped to the width there is."""
    show(Markup('<div class="typed-text">{}</div>').format(whole(text)))
