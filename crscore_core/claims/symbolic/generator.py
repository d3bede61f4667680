"""The symbolic backend: claims from the diff alone, without a language model."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from crscore_core.change import CodeChange, FileChange, FileStatus, Hunk, LineKind
from crscore_core.claims.model import Claim, ClaimSet
from crscore_core.claims.symbolic.code import facts_of_code, read_edits, take_replacements
from crscore_core.claims.symbolic.documents import (
    counted,
    facts_of_generated,
    facts_of_prose,
    is_generated,
    is_prose,
)
from crscore_core.claims.symbolic.fact import Fact, joined
from crscore_core.claims.symbolic.files import facts_of_file, is_submodule, is_test_path
from crscore_core.claims.symbolic.wording import cleaned, listed, quoted

SOURCE = "symbolic"

MAX_LINES = 2500
"""Lines of a change, context included, that are examined one by one."""

MAX_FILES = 100
"""Files of a change of which the lines are examined."""

MAX_CLAIMS = 12
"""Claims about a change of few files; further files add up to as many again."""

MAX_OF_PROSE = 4
"""Facts about one file of prose."""

_MINOR, _MOST_MINOR = 30, 2
"""Weight below which facts are about comments and layout, and how many a file tells."""

_CROWDING = 7
"""Weight that a fact loses for each better one about the same file."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A fact, the files that it is about, and its weight beside others of the first file."""

    fact: Fact
    files: tuple[FileChange, ...]
    weight: int


class SymbolicClaims:
    """Makes claims by rule: statements are read, paired, and their differences told.

    The same change gives the same claims; `MAX_LINES`, `MAX_FILES` and twice `MAX_CLAIMS` bound
    them. Comments and strings of a change are quoted, never followed.
    """

    @property
    def name(self) -> str:
        """The name of the backend in signatures."""
        return SOURCE

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`, the most telling first; none where nothing changes."""
        warnings = []
        files = change.files[:MAX_FILES]
        parts, unread = _first_lines(files)
        edits = {
            index: read_edits(hunks, file.language)
            for index, (file, hunks) in enumerate(zip(files, parts, strict=True))
            if _is_read_as_code(file)
        }
        shared = take_replacements(
            [(index, files[index].language, hunks) for index, hunks in edits.items()]
        )
        placed: list[_Placed] = []
        for index, (file, hunks) in enumerate(zip(files, parts, strict=True)):
            facts = facts_of_file(file)
            if is_submodule(file) or file.status is FileStatus.DELETED:
                pass
            elif is_generated(file):
                facts += facts_of_generated(file)
            elif is_prose(file):
                facts += _of_prose(file, hunks)
            else:
                facts += shared.get(index, [])
                facts += facts_of_code(edits[index], hunks, is_test=is_test_path(file.path))
            is_told = any(hunk.is_taken for hunk in edits.get(index, ()))
            placed += _placed(facts, file, hunks, is_told=is_told)
        if unread:
            warnings.append(f"{unread} lines were not examined, the change being too large")
        kept, left_out = _selected(_once(placed), len(files))
        claims = [_claim(one) for one in kept]
        renamed = [files[i] for i, hunks in edits.items() if any(h.is_taken for h in hunks)]
        silent = _untold([*renamed, *(file for one in kept for file in one.files)], change.files)
        if silent:
            names = listed([quoted(file.path or "unnamed") for file in silent], 3)
            noun = "further file changes" if len(silent) == 1 else "further files change"
            claims.append(Claim(f"{len(silent)} {noun}: {names}", Fact("", 0, None).kind, SOURCE))
        if left_out:
            warnings.append(f"less informative claims that were left out: {left_out}")
        return ClaimSet(tuple(claims), tuple(warnings))


def _of_prose(file: FileChange, hunks: Sequence[Hunk]) -> list[Fact]:
    """Tell what is new in a text; a text that is new as a whole is told by its beginning."""
    facts = list(facts_of_prose(hunks))
    return facts[: 1 if file.status is FileStatus.ADDED else MAX_OF_PROSE]


def _is_read_as_code(file: FileChange) -> bool:
    return not (
        is_submodule(file)
        or file.status is FileStatus.DELETED
        or is_generated(file)
        or is_prose(file)
    )


def _first_lines(files: Sequence[FileChange]) -> tuple[list[tuple[Hunk, ...]], int]:
    """Return the hunks to examine, small files whole and large ones in part, and lines left out."""
    sizes = [sum(len(hunk.lines) for hunk in file.hunks) for file in files]
    room, shares = MAX_LINES, [0] * len(files)
    for done, index in enumerate(sorted(range(len(files)), key=sizes.__getitem__)):
        shares[index] = min(sizes[index], room // (len(files) - done))
        room -= shares[index]
    parts = []
    for file, share in zip(files, shares, strict=True):
        hunks, left = [], share
        for hunk in file.hunks:
            if left <= 0:
                break
            hunks.append(replace(hunk, lines=hunk.lines[:left]))
            left -= len(hunk.lines)
        parts.append(tuple(hunks))
    return parts, sum(sizes) - sum(shares)


def _placed(
    facts: Iterable[Fact], file: FileChange, hunks: Sequence[Hunk], *, is_told: bool
) -> list[_Placed]:
    """Weigh the facts of a file; a file of which nothing is told elsewhere tells its size."""
    distinct = joined(facts)
    if file.status is FileStatus.ADDED:
        distinct = [fact for fact in distinct if not fact.is_preamble]
    changes = any(line.kind is not LineKind.CONTEXT for line in file.lines())
    if not distinct and changes and not is_told:
        added, removed = len(file.added), len(file.removed)
        name = quoted(file.path or "the file")
        text = f"{name} changes: {counted(added, removed)}"
        distinct = [Fact(text, 30, next((h.new_start for h in hunks), 1))]
    ranked = sorted(distinct, key=lambda fact: -fact.weight)
    minor = [fact for fact in ranked if fact.weight < _MINOR]
    ranked = [fact for fact in ranked if fact not in minor[_MOST_MINOR:]]
    return [
        _Placed(fact, (file,), fact.weight - _CROWDING * rank) for rank, fact in enumerate(ranked)
    ]


def _once(placed: Sequence[_Placed]) -> list[_Placed]:
    """Tell a fact that several files share once, with their number."""
    groups: dict[tuple[str, str], list[_Placed]] = defaultdict(list)
    for one in placed:
        groups[one.fact.sentence, one.fact.kind].append(one)
    found = []
    for (sentence, _), group in groups.items():
        first = group[0]
        if len(group) > 1:
            fact = replace(first.fact, text=f"{sentence}, in {len(group)} files", items=())
            shared = tuple(file for one in group for file in one.files)
            first = _Placed(fact, shared, first.weight + min(len(group), 12))
        found.append(first)
    return found


def _selected(placed: Sequence[_Placed], files: int) -> tuple[list[_Placed], int]:
    """Return the most telling facts, best first, and how many were left out."""
    most = MAX_CLAIMS + min(max(files - 3, 0), MAX_CLAIMS)
    ranked = sorted(placed, key=lambda one: -one.weight)
    return ranked[:most], max(len(ranked) - most, 0)


def _untold(told: Sequence[FileChange], files: Sequence[FileChange]) -> list[FileChange]:
    """Return the changed files of which no fact was kept, where others were."""
    known = {id(file) for file in told}
    return [
        file
        for file in files
        if id(file) not in known
        and told
        and (file.status is not FileStatus.MODIFIED or file.added or file.removed)
    ]


def _claim(one: _Placed) -> Claim:
    fact, file = one.fact, one.files[0]
    line = None if file.status is FileStatus.DELETED else fact.line
    wordings = tuple(dict.fromkeys(cleaned(wording) for wording in fact.wordings))
    return Claim(cleaned(fact.sentence), fact.kind, SOURCE, file.path, line, wordings)
