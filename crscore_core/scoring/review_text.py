"""Read a review: the sentences that its author wrote, and what limits its score."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from crscore_core.reasoning import without_reasoning
from crscore_core.rendered import MAX_RENDERED, Block, read_blocks
from crscore_core.text import STOP_WORDS, counted, replace_surrogates

_FOLDER = Path(__file__).parent
_BREAK = re.compile(r"[.?!؟।] |[。｡！？]")
# Code or an abbreviation, in which no sentence ends.
_UNBROKEN = re.compile(
    r"`[^`]+`|\b(?:(?i:e\.g|i\.e|vs|cf|approx|resp|incl)|z\. B|d\. h|u\. a|p\. ex)\. "
    r"|\betc\. (?![A-Z])|\b(?i:no|sec|fig)\. (?=\d)"
    r"|(?<!\S)(?:\?[?.:]|![!=]) (?=[^A-Z\s])"  # an operator
)
# Symbols, and a number, a priority or line numbers, at the start of an item.
_NUMBER = re.compile(
    r"\A(?:[\s•▪◦‣·\u2139\u2190-\u2bff\U0001f000-\U0001faff\ufe0f]|\d?\u20e3|:[a-z_]+:(?=\s))*+([\1-\4]*+)"
    r"(?:(?:\(?(?:\d{1,2}[.)]|[a-z]\))|[\[(]?P\d(?:[:\])]| Badge)|`\d+(?:[-–]\d+)?`:)\s+)?(?=.*\w)"
)
_LEAD = re.compile(r"\A\W*?\x01([^\x02]{1,60})\x02\s*(:|[-–—|](?=\s)|)")
_TITLE_LEAD = re.compile(r"\A([^:]{1,40}?)\s*(:|\s[-–—])\s(?=.*\w)")
_COUNT = re.compile(r"[(:]\s*\d+\s*\)?\W*\Z")
# A path with or without line numbers, line numbers or a commit, or a lone tag: no code.
_NAME = re.compile(
    r"https?://\S+|(?<![\w.@/-])`?(?:[\w.@-]+/)*[\w.@-]*(?:\w/|\w\.[a-zA-Z]{1,5})"
    r"(?:[:#]L?\d+(?:[-–:]L?\d+)*)?`?(?![\w(])|\A</?\w[^<>]*>\Z|`\d+(?:[-–:]\d+)?`"
    r"|`[0-9a-f]{7,40}`"
)
_EMOJI = re.compile(r"(?<!\S):[a-z0-9_+-]+:(?!\S)")
_CODE = re.compile(r"`|\w_\w|[a-z][A-Z]|\w\(|\w\.\w")
_WORD = re.compile(r"[^\W\d_]+")
_VERB = re.compile(
    r"(?i)(?!\W*(?:what|why|how|where|which)\b).*\b(?:is|are|was|were|has|have|does|do|did|can"
    r"|cannot|could|may|might|must|should|will|would|\w+n['’]t)\b"
)
# A line of prose in `<pre>`.
_PROSE = re.compile(r"\s*[A-Z`][^;{}]*\s[^;{}]*\.$")
# A sentence about the bot that wrote the review, or about how to talk to it.
_OF_BOT = re.compile(
    rf"\W*(?:{'|'.join(_FOLDER.joinpath('bot_phrases.txt').read_text('utf-8').splitlines())})",
    re.IGNORECASE,
)
# Words of labels; a title without any other word states nothing.
_LABEL_WORDS = STOP_WORDS | {*_FOLDER.joinpath("label_words.txt").read_text("utf-8").split()}
_FOREIGN_WORDS = {*_FOLDER.joinpath("foreign_words.txt").read_text("utf-8").split()}
# Words that are labels only in bold in front of a colon, such as those of Conventional Comments.
_LEAD_WORDS = frozenset(_FOLDER.joinpath("lead_words.txt").read_text("utf-8").split())
_FOOTNOTE = re.compile(r"\[\^\w+\](?::\s)?")
_MAX_TOPIC_WORDS = 2
_SHORT, _MANY_WORDS = 4, 10  # words of a sentence, and of a review
_AROUND = ".,;:!?()[]\"'“”‘’*`"  # marks around a word
_FEW_STOP_WORDS = 0.1  # one of 1,482 reviews in the human study has fewer

# Kinds of lines, in order of precedence; the last, which states nothing, never counts.
_OWN, _FOLDED, _LABEL, _CODE_BLOCK, _QUOTED, _BOT = range(6)
_ONLY = ("", "folded blocks", "headings and labels", "code", "quotations", "")


@dataclass(frozen=True, slots=True)
class ReviewText:
    """A review as it is scored.

    text: the review as written, with lone surrogates replaced.
    sentences: the sentences that count.
    warnings: reasons to trust the score of this review less, and what does not count.
    """

    text: str
    sentences: tuple[str, ...]
    warnings: tuple[str, ...]


class _Line(NamedTuple):
    block: Block
    rank: int  # from `_OWN` to `_BOT`
    sentences: list[str]
    n_labels: int  # labels that do not count, in addition to the sentences
    is_title: bool = False  # also True for a table header or a line in bold
    bot_fold: int = 0  # the outermost folded block of a bot around it


def read_review(review: str) -> ReviewText:
    """Split what the author of a review states at line feeds, `. `, `? ` and `! `.

    The released CRScore code splits at the first three and drops them. Here, marks of other scripts
    and at the end of a line are dropped too, abbreviations and item numbers do not end a sentence,
    and a table row is one sentence. If the author states nothing else, the first of these that the
    review has counts: folded blocks, headings and labels that state nothing, code, quotations.
    Reasoning, usual phrases and folded blocks of bots never count. Emoji count only if alone.
    """
    text = replace_surrogates(review)
    lines: list[_Line] = []
    of_bot: dict[int, bool] = {}  # whether the first line of a folded block is a bot's
    for block in read_blocks(text):
        new = {*block.folds} - of_bot.keys()
        of_bot |= dict.fromkeys(new, bool(new and _OF_BOT.match(_plain(block.text))))
        line, bot_fold = _read_line(block), next(filter(of_bot.get, block.folds), 0)
        lines.append(line._replace(rank=_BOT, bot_fold=bot_fold) if bot_fold else line)
    used = min((line.rank for line in lines), default=_BOT)
    pieces = [piece for line in lines if line.rank == used < _BOT for piece in line.sentences]
    sentences = tuple(list(filter(_has_words, pieces)) or filter(None, pieces))
    left_out = _left_out(lines, used)
    start = text[:MAX_RENDERED].strip()
    if without_reasoning(start) != start:
        left_out.append("reasoning of a model")
    warnings = {
        "the review states nothing, so no score; rankings count it as zero": not sentences,
        f"the review has only {_ONLY[used]}; that text counts": used and sentences,
        f"left out (not statements of the review's author): {', '.join(left_out)}": left_out,
        f"only the first characters of the review count: {MAX_RENDERED:,}": text[MAX_RENDERED:],
        "the review repeats a sentence; repeating a sentence that matches raises conciseness": (
            len(set(sentences)) < len(sentences)
        ),
        "the review does not seem to be in English, so its score may be too low": (
            not _seems_english(sentences)
        ),
    }
    found = tuple(warning for warning, applies in warnings.items() if applies)
    return ReviewText(text, sentences, found)


def _rank(block: Block, rank: int) -> int:
    """Return the rank of a block whose text alone has this rank."""
    is_prose = block.kind == "pre" and _PROSE.match(block.text)
    if block.quotation or (block.code and not is_prose):
        return _QUOTED if block.quotation else _CODE_BLOCK
    return max(rank, _FOLDED if block.folds else _OWN)


def _read_row(block: Block) -> _Line:
    """Return a table row as one sentence, without labels if other cells state something."""
    cells = list(filter(_has_words, map(_plain, block.cells)))
    stated = [cell for cell in cells if not _is_topic(cell)] or cells
    rank = _rank(block, _OWN if any(map(_n_topic_words, cells)) else _BOT)
    sentence = re.sub(r"[.?!]$", "", " ".join(stated))
    return _Line(block, rank, [sentence], len(cells) - len(stated))


def _read_line(block: Block) -> _Line:
    if block.kind == "row" and not block.is_title:
        return _read_row(block)
    text = _NUMBER.sub(r"\1", block.cells[0])
    is_bold = "\1" in text and not _has_words(re.sub("\1[^\2]*\2", "", text))
    is_title = block.is_title or is_bold
    stated = _without_lead(text, is_title=is_title)
    plain = _plain(stated)
    # A line ends as if another sentence followed, so the order of sentences does not matter.
    whole = _UNBROKEN.sub(lambda match: match[0].replace(" ", "\5"), plain)
    pieces = [piece.strip() for piece in _BREAK.split(f"{whole} \0")]
    pieces = [piece.rstrip("\0 ").replace("\5", " ") for piece in pieces if piece != "\0"]
    pieces = pieces if any(map(_has_words, pieces)) else [plain]
    own = [piece for piece in pieces if not _OF_BOT.match(piece)]
    if own != pieces:
        own = [piece for piece in own if _has_words(piece) and f"{piece}? " not in plain]
    is_value = stated != text or block.kind == "table"
    is_label = _is_label(plain, is_title=is_title, is_value=is_value) or _is_caption(text)
    rank = _LABEL if is_label or block.kind == "row" else _OWN
    if not own or (is_label and not _n_topic_words(plain)):
        rank = _BOT
    n_labels = int(stated != text) + int([] != own != pieces)
    return _Line(block, _rank(block, rank), own or pieces, n_labels, is_title)


def _is_label(text: str, *, is_title: bool, is_value: bool) -> bool:
    """Return whether text states nothing; `is_value` is True if a label introduces it."""
    n_topic_words = _n_topic_words(text)
    is_empty = n_topic_words == 0 and _has_words(text)
    if text == "+1" or text.endswith((".", "?", "!", "…")):
        return is_title and is_empty
    if is_title:
        has_count = _COUNT.search(text) and n_topic_words <= 2 * _MAX_TOPIC_WORDS
        return bool(has_count) or _is_topic(text)
    is_marked = is_value or ":" in text or _NAME.search(text) or not _WORD.search(text)
    return bool(is_empty and is_marked) or (is_value and n_topic_words == 1)


def _is_caption(text: str) -> bool:
    """Return whether text is a row of badges or links, or a credit with a link."""
    parts = [_n_topic_words(_plain(part)) for part in re.split(r"(?<!\|)\|(?!\|)|[·•]", text)]
    n_topic_words = max(parts) if "\3" in text or len(parts) > 2 else sum(parts)
    n_most = _MAX_TOPIC_WORDS + (0 in parts)  # a label next to it
    return ("\3" in text or len(parts) > 1) and n_topic_words <= n_most


def _without_lead(text: str, *, is_title: bool) -> str:
    """Return text without the label at its start, such as "Issue 2:" or "**Why:**"."""
    whole = _plain(text) if is_title else text
    lead = (_TITLE_LEAD if is_title else _LEAD).match(whole)
    label = re.sub(r"\(.*?\)", "", lead[1]) if lead else ""
    is_label = label.strip(" :").lower() in _LEAD_WORDS or not _n_topic_words(label)
    if lead is None or not is_label or not _has_words(whole[lead.end() :]):
        return text
    return whole[lead.end() :] if lead[2] or lead[1].rstrip().endswith(":") else text


def _plain(text: str) -> str:
    """Return text without emphasis and footnote marks, and without what `_NUMBER` matches."""
    return _NUMBER.sub("", _FOOTNOTE.sub("", re.sub("[\1-\4]", "", text))).strip()


def _seems_english(sentences: Sequence[str]) -> bool:
    """Return False for another script, two words of another language, or few stop words."""
    tokens = " ".join(sentences).lower().split()
    words = [word for token in tokens if (word := token.strip(_AROUND)).isalpha()]  # no code
    letters = "".join(filter(str.isalpha, "".join(tokens)))
    n_stop_words = sum(word in STOP_WORDS for word in words)
    is_foreign = len(_FOREIGN_WORDS.intersection(words)) > max(1, n_stop_words)
    is_long = len(words) >= max(_MANY_WORDS, _SHORT * len(sentences))
    is_foreign |= is_long and n_stop_words < _FEW_STOP_WORDS * len(words)
    return sum(map(str.isascii, letters)) >= len(letters) / 2 and not is_foreign


def _has_words(text: str) -> bool:
    return any(map(str.isalnum, _EMOJI.sub("", text)))


def _n_topic_words(text: str) -> int:
    """Count the words that never occur in labels; code counts as more than any label has."""
    rest = _NAME.sub(" ", text)
    if _CODE.search(rest):
        return 2 * _MAX_TOPIC_WORDS + 1
    return sum(word.lower() not in _LABEL_WORDS for word in _WORD.findall(rest))


def _is_topic(text: str) -> bool:
    """Return whether text has few words besides label words, and no verb with them."""
    n_topic_words = _n_topic_words(text)
    return n_topic_words <= _MAX_TOPIC_WORDS and not (n_topic_words and _VERB.match(text))


def _left_out(lines: Sequence[_Line], used: int) -> list[str]:
    """Return how many things of each kind do not count, such as "2 headings"."""
    found: defaultdict[str, set[object]] = defaultdict(set)
    for number, line in enumerate(lines):
        block = line.block
        name, thing = "heading" if line.is_title else "label", number
        if line.rank == _QUOTED:
            name, thing = "quotation", block.quotation
        elif fold := line.bot_fold if used == _FOLDED else next(iter(block.folds), 0):
            name, thing = "folded block", fold
        elif line.rank == _CODE_BLOCK:
            name = "suggestion" if block.kind == "suggestion" else "code block"
            thing = block.code
        if line.rank == used < _BOT:
            found["label"].update((number, label) for label in range(line.n_labels))
        elif _has_words(block.text):
            found[name].add(thing)
    return [counted(len(things), name) for name, things in found.items() if things]
