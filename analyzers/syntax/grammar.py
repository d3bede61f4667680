"""What has to be known of a language to read hunks of it: tables, no code."""

from collections.abc import Mapping
from dataclasses import dataclass

from analyzers.context import BlockKind

__all__ = ["Closing", "Ending", "Grammar", "Lead", "Lexis", "Place", "Quote", "Way"]


@dataclass(frozen=True, slots=True)
class Quote:
    """A comment or text with two ends; all but `leads` and `closing` are regular expressions.

    Where one may span lines, a hunk can show its end alone: then `leads` are what may stand
    before, likeliest first, and `closing` ends one that the hunk's end leaves open.
    """

    opening: str
    body: str
    end: str
    leads: tuple[str, ...] = ()
    closing: str | None = None
    is_comment: bool = False


@dataclass(frozen=True, slots=True)
class Lexis:
    """Regular expressions of what may hold brackets that are none.

    `literal` is a text without brackets, such as a number; `regex` may only stand where a value
    may not have ended, as `/` divides there.
    `openers` and `closers` are words that act as brackets.
    """

    line_comment: str
    quotes: tuple[Quote, ...]
    word: str = r"[A-Za-z_$][\w$]*"
    literal: str | None = None
    regex: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere that lines of code can stand, such as a class body or a list of arguments.

    `cost` is how unlikely a hunk lies there, less where its code starts like `likely` or its
    heading looks like `heading`. `filler` makes it complete where nothing is shown of it.
    `is_list` holds where no statement can end.
    """

    name: str
    cost: int
    likely: str | None = None
    heading: str | None = None
    filler: str = ""
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """From the place `outer` into `inner`, by the text `opening` and out again by `closing`.

    `closing` starts with the bracket that leads out; what follows it ends what `opening` began.
    Where there is `only_with`, a way is open only to texts in which that can be found.
    """

    outer: str
    inner: str
    opening: str
    closing: str
    cost: int = 0
    only_with: str | None = None


@dataclass(frozen=True, slots=True)
class Lead:
    """What may have stood before code that starts like `first`, in some `places`.

    `cost` is how unlikely that is; less than 0 where it is likelier than nothing.
    """

    first: str
    text: str
    places: frozenset[str]
    cost: int = 1


@dataclass(frozen=True, slots=True)
class Closing:
    """How a `bracket` after a text like `head` is closed, and whether that ends its statement."""

    bracket: str
    head: str
    text: str
    ends: bool


@dataclass(frozen=True, slots=True)
class Ending:
    """What may be added to an unfinished statement like `rest`."""

    rest: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language.

    `module` and `function` give the parser. `refused` and `unread` are queries for what the
    parser accepts: what is no code of the language, and what its strict tools cannot read,
    which is put up with where nothing else helps.
    Where `may_err`, small errors are put up with, as the tools of the language do.
    `endings` are those of statements, `list_endings` those where `Place.is_list`; of these and of
    `closings` the first that fits counts.
    `keywords` are those that the parser takes for names. `blocks` are the kinds of nodes that are
    blocks.
    """

    name: str
    module: str
    lexis: Lexis
    places: tuple[Place, ...]
    ways: tuple[Way, ...]
    leads: tuple[Lead, ...]
    closings: tuple[Closing, ...]
    endings: tuple[Ending, ...]
    list_endings: tuple[Ending, ...]
    blocks: Mapping[str, BlockKind]
    function: str = "language"
    keywords: str = ""
    refused: str = ""
    unread: str = ""
    may_err: bool = False
