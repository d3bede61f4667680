"""What has to be known of a language to read hunks of it: tables, no code."""

from collections.abc import Mapping
from dataclasses import dataclass

from analyzers.reading import BlockKind

__all__ = ["Closing", "Ending", "Grammar", "Lead", "Lexis", "Place", "Quote", "Way"]


@dataclass(frozen=True, slots=True)
class Quote:
    """A comment or text with two ends; all but `leads` and `closing` are regular expressions.

    One that may span lines has `leads`, which may stand where a hunk shows its end alone,
    likeliest first, and `closing` for one that the end of a hunk leaves open. A `hole` in it is
    code up to a closing brace. Where each line looks like `inside`, a hunk is thought to lie in
    it although neither of its ends is shown. `<tag>` stands for what the group in `opening` is;
    such a quote starts in the next line.
    """

    opening: str
    body: str
    end: str
    leads: tuple[str, ...] = ()
    closing: str | None = None
    hole: str | None = None
    inside: str | None = None
    is_comment: bool = False


@dataclass(frozen=True, slots=True)
class Lexis:
    """What looks like brackets and is none, and the other way round, in regular expressions.

    `literal` is other text with brackets or quotes that are none; `regex` is such text where a
    value can start, as `/` divides where one has ended.
    `openers` are words that `end` closes, `suffixes` those of them that do not open where they
    follow a statement, `loops` those that may have an opener of their own.
    `has_directives` is whether lines such as `#if` choose among lines, `ends_lines` whether the
    end of a line can end a statement.
    """

    line_comment: str
    quotes: tuple[Quote, ...]
    word: str = r"[^\W\d][\w$]*"
    literal: str | None = None
    regex: str | None = None
    openers: frozenset[str] = frozenset()
    suffixes: frozenset[str] = frozenset()
    loops: frozenset[str] = frozenset()
    has_directives: bool = False
    ends_lines: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere that lines of code can stand, such as a class body or a list of arguments.

    `cost` is how unlikely a hunk lies there, less where its code starts like `likely` or its
    heading looks like `heading`. `filler` makes the place complete where nothing in it is shown.
    Code `is_top` where it is not indented; in what `is_list` no statement can end.
    """

    name: str
    cost: int
    likely: str | None = None
    heading: str | None = None
    filler: str = ""
    is_top: bool = False
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """From the place `outer` into `inner`, by the text `opening` and out again by `closing`.

    `closing` starts with the bracket that leads out; what follows it ends what `opening` began.
    Some are open only to texts in which `if_found` can be found, or `unless_found` cannot.
    """

    outer: str
    inner: str
    opening: str
    closing: str
    cost: int = 0
    if_found: str | None = None
    unless_found: str | None = None


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
    """How a `bracket` after a text like `head` is closed.

    `ends` is whether that ends the statement with the bracket, `is_list` whether the bracket
    holds what no statement can end in.
    """

    bracket: str
    head: str
    text: str
    ends: bool = False
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """What may be added to an unfinished statement like `rest`, likeliest first."""

    rest: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """A language.

    `module` and `function` give the parser. It takes `keywords` for names; `refused` is a query
    for what else it accepts although it is no code of the language. `unread` is one for what
    the strict tools of the language cannot read, such as `markup` (a regular expression): that
    is put up with where nothing else helps, and with it small errors. Where `may_err` holds
    these are put up with anyway, as the tools of the language do.
    The first of `places` is that of a file. `endings` are those of statements, `list_endings`
    those where `Place.is_list`; of these and of `closings` the first that fits counts.
    `blocks` are the kinds of nodes that are blocks.
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
    markup: str | None = None
    may_err: bool = False
