"""A text whose words are shaded."""

import math
from collections.abc import Sequence

from markupsafe import Markup

from pages.components.markup.page import show
from pages.components.markup.visible import visible

__all__ = ["marked_words", "words_markup"]

_STYLE = Markup("""
.typed-word { background: color-mix(in srgb, var(--typed-mark) var(--typed-share), transparent);
  border-radius: 3px; box-decoration-break: clone; }
.typed-strong { text-decoration: underline; text-decoration-thickness: 2px;
  text-underline-offset: 3px; }
""")


def marked_words(
    pieces: Sequence[tuple[str, float | None]], *, strong: float = 0.5, meaning: str = "weight"
) -> None:
    """Show the pieces one after the other as one text, as typed.

    A weight from 0 to 1 shades its piece, which says `meaning` and the weight under the mouse;
    above `strong` it is also underlined. None is for what stands between words. What is no
    number shades nothing, and what is beyond 0 or 1 counts as that.
    """
    show(words_markup(pieces, strong=strong, meaning=meaning), _STYLE)


def words_markup(
    pieces: Sequence[tuple[str, float | None]], *, strong: float, meaning: str
) -> Markup:
    """The markup of `marked_words`."""
    return Markup('<div class="typed-text">{}</div>').format(
        Markup().join(_piece(text, weight, strong, meaning) for text, weight in pieces)
    )


def _piece(text: str, weight: float | None, strong: float, meaning: str) -> Markup:
    if weight is None or math.isnan(weight):
        return visible(text)
    return Markup(
        '<span class="typed-word{}" style="--typed-share:{:.0f}%" title="{} {:.2f}">{}</span>'
    ).format(
        " typed-strong" if weight > strong else "",
        100 * min(1.0, max(0.0, weight)),
        meaning,
        weight,
        visible(text),
    )
