"""Candidates for claims: their quotations of code, and the choice among them."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from crscore_core.claims.model import ClaimKind


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence about the change; the greater `weight`, the more it tells."""

    text: str
    kind: ClaimKind
    weight: int
    line: int | None


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a statement stands, both ` in the `X` class` or nothing where it is not known.

    `place` is the function, test or value that encloses it, `owner` the type or the former: only
    a member of a type is said to be in it, as statements are told by the function they are in.
    `called_before` and `called_now` are the short names of all calls that the two sides of the
    hunk show, `in_loop` says that a jump here surely leaves a loop, and
    `text_now` is the code that the change brought to the hunk.
    """

    place: str
    owner: str
    language: str | None
    is_test: bool
    called_before: frozenset[str] = frozenset()
    called_now: frozenset[str] = frozenset()
    in_loop: bool = False
    text_now: str = ""

    @property
    def elsewhere(self) -> "Scene":
        """The same scene with the place already named."""
        return replace(self, place="", owner="")


def claim(text: str, weight: int, line: int | None) -> Candidate:
    """A fact of what changed."""
    return Candidate(text, ClaimKind.CLAIM, weight, line)


def implication(text: str, weight: int, line: int | None) -> Candidate:
    """What follows from the change."""
    return Candidate(text, ClaimKind.IMPLICATION, weight, line)


MAX_CLAIMS = 30
"""Claims about one change, so that the share that a review covers stays meaningful."""

MAX_FACTS_OF_BLOCK = 5
"""Low-level claims about one run of changed lines, beside what explains them."""

MAX_IMPLICATIONS_OF_BLOCK = 2
"""Implications of one run of changed lines, beside what explains them."""

CROWDING = 6
"""Weight that a candidate loses for each better one about the same lines."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A candidate, the path it is about, and its rank among those about the same lines."""

    candidate: Candidate
    path: str | None
    rank: int

    @property
    def worth(self) -> int:
        """How much it adds to what better candidates about the same lines already say."""
        return self.candidate.weight - CROWDING * self.rank


def best_of_block(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Keep the most telling facts and implications about one place, in their order."""
    distinct = list({c.text: c for c in candidates}.values())
    room = {
        ClaimKind.CLAIM: MAX_FACTS_OF_BLOCK,
        ClaimKind.IMPLICATION: MAX_IMPLICATIONS_OF_BLOCK,
    }
    kept: set[int] = set()
    for index in sorted(range(len(distinct)), key=lambda i: (-distinct[i].weight, i)):
        kind = distinct[index].kind
        if room[kind]:
            room[kind] -= 1
            kept.add(index)
    return [c for i, c in enumerate(distinct) if i in kept]


def selected(placed: Sequence[Placed]) -> tuple[list[Placed], int]:
    """Return the most informative ones, best first, and how many were left out."""
    distinct = list({p.candidate.text: p for p in reversed(placed)}.values())[::-1]
    kept = sorted(distinct, key=lambda p: -p.worth)[:MAX_CLAIMS]
    return kept, len(distinct) - len(kept)


MAX_QUOTED = 90
"""Characters of code or prose that one quotation shows."""

MAX_LISTED = 5
"""Items that an enumeration names before it says how many more there are."""

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def cleaned(text: str) -> str:
    """Return `text` on one line: no control or invisible characters, runs of blanks as one."""
    if not text.isascii() or not text.isprintable():
        text = "".join(" " if unicodedata.category(c) in _INVISIBLE else c for c in text)
    return " ".join(text.split())


def quoted(text: str, limit: int = MAX_QUOTED) -> str:
    """Return `text` cleaned, cut after `limit` characters, between backticks."""
    shown = cleaned(text).replace("`", "'")
    if len(shown) > limit:
        shown = shown[:limit].rstrip() + "…"
    return f"`{shown}`"


def listed(items: Sequence[str], limit: int = MAX_LISTED) -> str:
    """Return an English enumeration of `items`, which are shown as they are."""
    shown = list(items[:limit])
    if len(items) > limit:
        shown.append(f"{len(items) - limit} more")
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def are(items: Sequence[object]) -> str:
    """Return the verb that agrees with an enumeration of `items`."""
    return "is" if len(items) == 1 else "are"


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?!Pv\d)|[^A-Za-z0-9]+")


def spoken(name: str, limit: int = 60) -> str:
    """Return the words that an identifier is made of: `maxRetries` as "max retries"."""
    words = [word for word in _HUMP.split(cleaned(name[: 2 * limit])) if word]
    shouted = name.isupper()
    said = [w if w.isupper() and not shouted and len(words) > 1 else w.lower() for w in words]
    return " ".join(said)[:limit].strip()


SYNTAX = frozenset(
    """
    if else elif for while do in of as with is not and or new return yield def function
    func fn var let const val self this super public private protected static final void
    int string boolean bool str true false null none nil undefined import from include
    require use using class try catch except finally throw raise pass break continue
    switch case default async await lambda end then unless package struct type override
    abstract instanceof typeof sizeof delete object throws extends implements export nullptr
    internal interface enum trait namespace readonly virtual sealed native volatile synchronized
    fi esac done endif
    foreach elif elsif elseif unless until begin defer go chan range make append len print println
    printf sprintf fprintf puts echo error exception dict set tuple double float long short byte
    char unsigned signed any unknown never number list isset cls nonlocal global del assert
    template typename auto operator std console enumerate zip
    """.split()
)
