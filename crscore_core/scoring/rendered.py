"""The part of a review that a person sees once its Markdown is rendered.

Text that nobody sees must not earn a score: comments of HTML, definitions of links, the text
behind images, titles and other attributes, and characters without a shape. Code is shown as
written, so code spans and fenced code stay as they are.
"""

import re
from dataclasses import dataclass

_FENCED = r"^[ ]{0,3}(?P<fence>`{3,}|~{3,})[^\n]*(?:\n(?![ ]{0,3}(?P=fence))[^\n]*)*(?:\n[^\n]*)?"
_SPAN = r"(?<!`)(?P<ticks>`+)(?!`)[^`](?:(?!\n[ \t]*\n).){0,2000}?(?<!`)(?P=ticks)(?!`)"
_COMMENT = "<!--"
_DEFINITION = r"^[ ]{0,3}\[[^\]\n]{1,999}\]:[ \t]*[^\n]*$"
_IMAGE = r"!\[[^\]\n]{0,300}\](?:\([^()\n]{0,2000}\)|\[[^\]\n]{0,300}\])?"
_TITLE = r"(?<=\]\()(?P<target>[^\s()]{1,2000})[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*')(?=\))"
_TAG = r"<[A-Za-z][\w-]{0,99}(?:\s+[\w:-]{1,99}=(?:\"[^\"<>]*\"|'[^'<>]*'))+\s*/?>"
_INVISIBLE = "[\u00ad\u061c\u180e\u200b\u200e\u200f\u2060-\u206f\ufeff\U000e0000-\U000e007f]+"

_PIECES = re.compile(
    f"(?P<code>{_FENCED}|{_SPAN})|(?P<comment>{_COMMENT})"
    f"|(?P<hidden>{_DEFINITION}|{_IMAGE}|{_TITLE}|{_TAG})|(?P<invisible>{_INVISIBLE})",
    re.MULTILINE | re.DOTALL,
)
_NEVER_SEEN = re.compile(r"<!--|\]:|!\[|\]\(|<[A-Za-z]|" + _INVISIBLE)
_WORD = re.compile(r"\w{2}")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A review as a person sees it: its `text`, and the `hidden` passages that hold words."""

    text: str
    hidden: tuple[str, ...]


def rendered(review: str) -> Rendered:
    """Take out of a review what nobody sees once it is rendered as Markdown.

    A comment that is never closed hides the rest where it begins a line, and nothing elsewhere.
    """
    if not _NEVER_SEEN.search(review):
        return Rendered(review, ())
    shown: list[str] = []
    hidden: list[str] = []
    last_end = review.rfind("-->")
    place = 0
    while match := _PIECES.search(review, place):
        shown.append(review[place : match.start()])
        place = match.end()
        if match["code"] is not None:
            shown.append(match[0])
        elif match["comment"] is None:
            shown.append(match["target"] or (" " if match["invisible"] is None else ""))
            if match["hidden"] is not None:
                hidden.append(match[0])
        elif place <= last_end or not review[review.rfind("\n", 0, place) + 1 : place - 4].strip():
            place = review.index("-->", place) + 3 if place <= last_end else len(review)
            shown.append(" ")
            hidden.append(review[match.start() : place])
        else:
            shown.append(match[0])
    shown.append(review[place:])
    return Rendered("".join(shown), tuple(part for part in hidden if _WORD.search(part)))
