"""Types of the tables that describe a language well enough to read hunks of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from analyzers.reading import BlockKind


@dataclass(frozen=True, slots=True)
class Quote:
    """A comment or text with two ends; all but `leads` and `closing` are regular expressions.

    A quote that may span lines has `leads`, likeliest first, for a hunk that shows only the
    quote's end, and `closing` for a hunk that ends in the quote. A `hole` is code up to a
    closing brace. A hunk lies in the quote, with neither end shown, if each line looks like
    `inside`. `<tag>` stands for the group in `opening`; such a quote starts in the next line.
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
    """Tokens of a language that matter to brackets, in regular expressions.

    `literal` is other text with brackets or quotes that do not count; `regex` is such text at
    the start of a value, as `/` divides after one.
    `openers` are words that `end` closes; `suffixes` are openers that open nothing after a
    statement; `loops` are openers whose head may hold a `do`. `has_directives` says that lines
    such as `#if` choose among lines, `ends_lines` that the end of a line can end a statement.
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
    """A place for lines of code, such as a class body or a list of arguments.

    A hunk lies more likely in a place of less `cost`, of which code that starts like `likely`
    and a heading like `heading` take some off. `filler` completes the place if nothing in it is
    shown. Code at an `is_top` place is not indented; no statement ends in an `is_list` place.
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
    """A way from the place `outer` into `inner` by the text `opening`, and out by `closing`.

    `closing` starts with the bracket that leads out; its rest ends what `opening` began.
    A way is open only to texts that contain `if_found` and do not contain `unless_found`.
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
    """Text that may have stood before code that starts like `first`, in some `places`.

    A `cost` below 0 makes the text likelier than nothing.
    """

    first: str
    text: str
    places: frozenset[str]
    cost: int = 1


@dataclass(frozen=True, slots=True)
class Closing:
    """The text that closes a `bracket` after a text like `head`.

    `ends` says that the text ends the statement too, `is_list` that no statement can end inside
    of the bracket.
    """

    bracket: str
    head: str
    text: str
    ends: bool = False
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """Texts that may complete an unfinished statement like `rest`, likeliest first."""

    rest: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """A language.

    `function` of `module` gives the parser. The parser takes `keywords` for names; the query
    `refused` finds other code that it accepts although the language does not. The query
    `unread` finds code that the strict tools of the language cannot read, such as `markup` (a
    regular expression); such code and small errors pass if nothing else helps. With `may_err`
    small errors always pass, as they do in the tools of the language.
    The first of `places` is that of a file. `endings` complete statements, `list_endings` code
    in an `is_list` place; the first fitting one of them, and of `closings`, counts. `blocks`
    are the kinds of nodes that are blocks.
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
