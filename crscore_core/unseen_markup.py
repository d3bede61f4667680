"""Text as HTML that stands as typed, with what nobody sees made visible."""

from markupsafe import Markup

from crscore_core.unicode import UNSEEN, code_point

__all__ = ["unseen_markup"]

_CODE = Markup('<span class="{}">{}</span>')


def unseen_markup(text: str, css_class: str) -> Markup:
    """The text escaped, each unseen character as its code in an element of a class.

    So no bidirectional control turns the order of what follows. Blanks and line ends stay as
    they are; where they are shown, `white-space: pre-wrap` has to keep them.
    """
    pieces = UNSEEN.split(text.replace("\r\n", "\n"))
    return Markup().join(
        # Every second piece is what the pattern found.
        _CODE.format(css_class, code_point(piece)) if at % 2 else piece
        for at, piece in enumerate(pieces)
    )
