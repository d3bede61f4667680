"""Names of the changed code in words, and the concern that they touch most."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crscore_core.claims.symbolic.candidate import SYNTAX, Candidate, implication, listed, spoken
from crscore_core.claims.symbolic.lexing import TokenKind
from crscore_core.claims.symbolic.pairing import Block
from crscore_core.claims.symbolic.statement import Sort

MAX_CONCERN_NAMES = 2
"""Names that a concern is told of."""

MIN_TOUCHED = 2
"""How often changed names must touch a concern: one everyday word is none yet."""

CONCERN_WEIGHT = 44


@dataclass(frozen=True, slots=True)
class _Concern:
    """What is to be thought of where a name contains one of `words`."""

    text: str
    words: frozenset[str]


def _concern(text: str, words: str) -> _Concern:
    return _Concern(text, frozenset(words.split()))


_CONCERNS = (
    _concern(
        "How failures and errors are reported and handled may depend on {names}",
        "error errors exception exceptions fail failed failure throw catch warn warning warnings "
        "invalid valid validate validation",
    ),
    _concern(
        "Security may depend on {names}: who has access, and with which permissions",
        "password passwords token tokens secret secrets auth authorization authentication "
        "authenticate credential credentials permission permissions crypt crypto encrypt "
        "encrypted encryption decrypt certificate ssl tls security sanitize escape user users "
        "login role roles",
    ),
    _concern(
        "The data and the results of database queries may depend on {names}",
        "sql query queries select database db table tables transaction cursor row rows",
    ),
    _concern(
        "Performance may depend on {names}: the memory and time that is taken",
        "cache cached caches buffer buffers pool batch performance memory copy clone size length "
        "capacity",
    ),
    _concern(
        "Concurrency may matter for {names}: what other threads or callbacks see, and when",
        "thread threads lock locks locked sync synchronized async await concurrent atomic future "
        "futures promise promises executor parallel mutex",
    ),
    _concern(
        "The unit of time matters for {names}, as does the length of a timeout or delay",
        "timeout timeouts delay interval retry retries duration time times timestamp timestamps "
        "date dates millis seconds ms timezone",
    ),
    _concern(
        "The configuration may change with {names}: its options and their default values",
        "config configs configuration configure option options setting settings env environment "
        "flag flags default defaults property properties param params parameter parameters feature",
    ),
    _concern(
        "Compatibility with older versions and existing users may depend on {names}",
        "version versions deprecated compat compatible compatibility legacy upgrade migrate "
        "migration release",
    ),
    _concern(
        "Null and empty values have to be handled for {names}",
        "null none undefined nil nullable optional empty exists missing",
    ),
    _concern(
        "Files and resources may have to be found, read and closed for {names}",
        "file files filename path paths dir directory directories folder stream streams reader "
        "writer close open io",
    ),
    _concern(
        "The wording and translation of text for users may depend on {names}",
        "locale translate translated translation i18n label labels title text texts message "
        "messages msg description caption help usage",
    ),
    _concern(
        "The user interface may look or be laid out differently with {names}",
        "css style styles color width height margin padding layout view views button icon visible "
        "render rendered component components theme",
    ),
    _concern(
        "Requests and responses of the network or API may depend on {names}",
        "url urls uri http https request requests response responses header headers host port "
        "endpoint client server api status socket connection connections",
    ),
    _concern(
        "The format of the string or data matters for {names}: how it is parsed or converted",
        "json xml yaml parse parsed parser serialize serialized serializer format formatted string "
        "str regex pattern encode encoded encoding decode decoded convert converted converter",
    ),
    _concern(
        "The elements of the collection, their order and type matter for {names}",
        "list lists array arrays map maps dict dictionary set sets item items collection "
        "collections keys values queue sort sorted filter filtered index indices",
    ),
    _concern(
        "What is logged, and at which level, may depend on {names}",
        "log logs logging logger debug print trace",
    ),
    _concern(
        "What the test covers and expects may depend on {names}",
        "test tests assert expect expected mock spec should",
    ),
    _concern(
        "When the event is triggered and which handlers are called may depend on {names}",
        "event events listener listeners callback callbacks handler handlers hook hooks emit "
        "trigger notify dispatch",
    ),
    _concern(
        "The type, and what it is compatible with, matters for {names}",
        "type types class classes instance instances interface enum abstract cast",
    ),
)


def concern_of(names: Mapping[str, int], line: int | None) -> list[Candidate]:
    """Return the concern that most of the changed names have, or none.

    `names` are the names in words, each with how often it occurs in changed code.
    """
    touched = [(_touched(concern, names), concern) for concern in _CONCERNS]
    best, concern = max(touched, key=lambda one: one[0].total())
    if best.total() < MIN_TOUCHED:
        return []
    shown = listed(list(best)[:MAX_CONCERN_NAMES], MAX_CONCERN_NAMES)
    return [implication(concern.text.format(names=shown), CONCERN_WEIGHT, line)]


def _touched(concern: _Concern, names: Mapping[str, int]) -> Counter[str]:
    """The names that contain a word of the concern, in their order, with how often they occur."""
    return Counter(
        {
            name: count
            for name, count in names.items()
            if concern.words.intersection(name.lower().split())
        }
    )


MAX_NAMES = 9
"""Names whose words are told."""

WEIGHT = 45

MAX_BLOCKS = 10
"""Blocks whose names are looked at; more are about too many things to tell."""


def gist_of(blocks: Sequence[Block], line: int | None) -> list[Candidate]:
    """Return what names `blocks` deal with, and which concern those touch most.

    Nothing without any name.
    """
    names = _names(blocks[:MAX_BLOCKS])
    if not names:
        return []
    shown = listed(list(names)[:MAX_NAMES], MAX_NAMES)
    about = implication(f"This affects the handling of {shown}", WEIGHT, line)
    return [about, *concern_of(names, line)]


def _names(blocks: Sequence[Block]) -> Counter[str]:
    """The names in words, each with how often it occurs, those of added code first.

    Comments and strings do not count.
    """
    new = [s for b in blocks for s in (*b.added, *(p.new for p in b.pairs))]
    old = [s for b in blocks for s in (*b.removed, *(p.old for p in b.pairs))]
    names = (
        spoken(token.text)
        for statement in (*new, *old)
        if statement.sort is not Sort.COMMENT
        for token in statement.tokens
        if token.kind is TokenKind.NAME and token.text.casefold() not in SYNTAX
    )
    return Counter(name for name in names if len(name) > 1)
