"""Reduce a review to the text visible once its Markdown is rendered.

Hidden text must not earn a score: HTML comments and declarations, link definitions, alternative
texts of images, titles and other attributes, words after the language of a fenced code block, and
invisible characters. Code spans and fenced code are shown as written and stay unchanged. The
syntax is CommonMark's; text that only looks like it, such as `[nit]: use a set`, stays text.
"""

import re
from dataclasses import dataclass

_TITLE = r"(?:\"[^\"]*\"|'[^']*'|\([^()]*\))"
_TARGET = r"(?:<[^<>\n]*>|[^\s<][^\s()]*(?:\([^\s()]*\)[^\s()]*)*)"
_FENCED = r"^[ ]{0,3}(?P<fence>`{3,}|~{3,})[^\n]*(?:\n(?![ ]{0,3}(?P=fence))[^\n]*)*(?:\n[^\n]*)?"
_SPAN = r"(?<!`)(?P<ticks>`+)(?!`)[^`](?:(?!\n[ \t]*\n).){0,2000}?(?<!`)(?P=ticks)(?!`)"
_COMMENT = "<!--"
_DECLARATION = r"<![A-Za-z][^<>]*>|<!\[CDATA\[[^<\]]*\]\]>|<\?[^<>]*\?>"
_LABEL = r"(?:[ ]{0,3}>[ ]?)*[ ]{0,3}\[(?!\^)[^\]\n]{1,999}\]:"
_PLACE = rf"[ \t]*\n?[ \t]*{_TARGET}(?:[ \t]*\n?[ \t]+{_TITLE})?[ \t]*(?:\n|\Z)"
_DEFINITION = rf"(?<![^\n]\n)^(?:{_LABEL}{_PLACE})+"
_ADDRESS = rf"\([ \t]*(?:{_TARGET})?(?:\s+{_TITLE})?[ \t]*\)"
_IMAGE = rf"!\[(?:[^\[\]]|\[[^\[\]]*\])*\](?:{_ADDRESS}|\[[^\[\]\n]+\])"
_TITLED = rf"(?<=\])\((?P<target>{_TARGET})\s+{_TITLE}[ \t]*\)|(?<=\])\(<[^<>\n]*\s[^<>\n]*>\)"
_NAME = r"[\w:.-]{1,99}"
_VALUE = r"\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+)"
_HTML = "a|abbr|b|data|details|div|i|img|input|p|picture|source|span|summary|svg|video"
_BEGIN = rf"<(?:[A-Za-z][\w-]{{0,99}}(?:\s+{_NAME}{_VALUE})|(?:{_HTML})(?=\s))"
_TAG = rf"{_BEGIN}(?:\s+{_NAME}(?:{_VALUE})?)*\s*/?>"
_INVISIBLE = "[\u00ad\u061c\u180e\u200b\u200e\u200f\u2060-\u206f\ufeff\U000e0000-\U000e007f]+"

_PIECES = re.compile(
    f"(?P<code>{_FENCED}|{_SPAN})|(?P<comment>{_COMMENT})"
    f"|(?P<hidden>{_DECLARATION}|{_DEFINITION}|{_IMAGE}|{_TITLED}|{_TAG})"
    f"|(?P<invisible>{_INVISIBLE})",
    re.MULTILINE | re.DOTALL,
)
_NEVER_SEEN = re.compile(
    r"<[!?A-Za-z]|\]:|!\[|\]\(|^[ ]{0,3}(?:```|~~~)\S*[ \t]+\S|" + _INVISIBLE, re.MULTILINE
)
_INFO = re.compile(r"(?P<fence>[ ]{0,3}[`~]{3,}[ \t]*[^\s`~]*)(?P<more>[ \t]+\S[^\n]*)")
_WORD = re.compile(r"\w{2}")
_FAR = 200


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered review: its visible `text`, and the `hidden` passages that contain words."""

    text: str
    hidden: tuple[str, ...]


def rendered(review: str) -> Rendered:
    """Remove from a review what is invisible once it is rendered as Markdown.

    An unclosed comment hides the rest of the review if it starts a line, and otherwise nothing.
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
            info = _INFO.match(match[0]) if match["fence"] else None
            shown.append(info["fence"] + match[0][info.end() :] if info else match[0])
            hidden += [info["more"].strip()] if info else []
        elif match["comment"] is None:
            target = match["target"]
            shown.append(f"({target})" if target else " " if match["invisible"] is None else "")
            if match["hidden"] is not None:
                hidden.append(match[0])
        elif place <= last_end or _begins_line(review, match.start()):
            place = review.index("-->", place) + 3 if place <= last_end else len(review)
            shown.append(" ")
            hidden.append(review[match.start() : place])
        else:
            shown.append(match[0])
    shown.append(review[place:])
    return Rendered("".join(shown), tuple(part for part in hidden if _WORD.search(part)))


def _begins_line(review: str, place: int) -> bool:
    return not review[max(0, place - _FAR) : place].rpartition("\n")[2].strip()
