"""The symbolic backend: claims from the diff alone, without a language model."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from crscore_core.change import CodeChange, FileChange, FileStatus, Hunk
from crscore_core.claims.model import Claim, ClaimKind, ClaimSet
from crscore_core.claims.symbolic.code import facts_of_code, take_replacements
from crscore_core.claims.symbolic.documents import (
    counted,
    facts_of_generated,
    facts_of_prose,
    is_generated,
    is_prose,
)
from crscore_core.claims.symbolic.edits import HunkEdits, read_edits, take_moves_between
from crscore_core.claims.symbolic.fact import Fact, joined
from crscore_core.claims.symbolic.files import facts_of_file, is_submodule, is_test_path
from crscore_core.claims.symbolic.wording import cleaned, listed, quoted

SOURCE = "symbolic"

MAX_LINES = 2500
"""Maximum number of lines of a change to examine, including context."""

MAX_FILES = 100
"""Maximum number of files of a change whose lines are examined."""

MAX_CLAIMS = 12
"""Maximum number of claims about a change with few files; more files may double it."""

_FEW_FILES = 3
_MAX_OF_PROSE = 2
"""Maximum number of facts about a prose file."""

_MINOR, _ENOUGH = 54, 2
"""Weight below which facts, such as about imports, only complete a list of so many facts."""

_CROWDING = 7
"""Weight subtracted from a fact for each better one about the same file."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A fact, its files, and its weight relative to others about the first file."""

    fact: Fact
    files: tuple[FileChange, ...]
    weight: int


class SymbolicClaims:
    """Generates claims by rules: parse statements, pair them, and describe their differences.

    The same change always gives the same claims, limited by `MAX_LINES`, `MAX_FILES` and twice
    `MAX_CLAIMS`. Comments and strings in a change are quoted, never followed.
    """

    @property
    def name(self) -> str:
        """The name of the backend in signatures."""
        return SOURCE

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`, most informative first; empty if nothing changes."""
        files = change.files[:MAX_FILES]
        hunks, unread = _first_lines(files)
        edits = [
            read_edits(part, file.language) if _is_code(file) else []
            for file, part in zip(files, hunks, strict=True)
        ]
        take_moves_between(edits)
        shared = take_replacements(edits)
        placed: list[_Placed] = []
        for index, file in enumerate(files):
            facts = [fact for first, fact in shared if first == index]
            facts += _facts(file, hunks[index], edits[index])
            placed += _placed(facts, file)
        most = MAX_CLAIMS + min(max(len(files) - _FEW_FILES, 0), MAX_CLAIMS)
        ranked = sorted(_once(placed), key=lambda one: (one.fact.weight < _MINOR, -one.weight))
        informative = sum(one.fact.weight >= _MINOR for one in ranked)
        most = max(min(most, informative), _ENOUGH)
        claims = [_claim(one) for one in ranked[:most]]
        rest = {id(file) for one in ranked[most:informative] for file in one.files}
        told = {id(file) for one in ranked for file in one.files} - rest
        told |= {id(file) for one in ranked[:most] for file in one.files}
        told |= {
            id(f) for f, read in zip(files, edits, strict=True) if any(e.is_taken for e in read)
        }
        claims += _untold(
            [file for file in change.files if id(file) not in told and _changes(file)]
        )
        warnings = []
        if unread:
            warnings.append(
                f"{unread:,} lines were not examined for claims: the limit is {MAX_LINES:,}"
            )
        if informative > most:
            warnings.append(f"less informative claims that were left out: {informative - most}")
        return ClaimSet(tuple(claims), tuple(warnings))


def _is_code(file: FileChange) -> bool:
    is_gone = is_submodule(file) or file.status is FileStatus.DELETED
    return not (is_gone or is_generated(file) or is_prose(file))


def _changes(file: FileChange) -> bool:
    return file.status is not FileStatus.MODIFIED or bool(file.added or file.removed)


def _facts(file: FileChange, hunks: Sequence[Hunk], edits: Sequence[HunkEdits]) -> list[Fact]:
    """Return the facts about a file; if there are no others, one about its size."""
    facts = facts_of_file(file)
    if is_submodule(file) or file.status is FileStatus.DELETED:
        return facts
    if is_generated(file):
        return facts + facts_of_generated(file)
    if is_prose(file):
        most = 1 if file.status is FileStatus.ADDED else _MAX_OF_PROSE
        facts += list(facts_of_prose(hunks))[:most]
    else:
        facts += facts_of_code(edits, hunks, is_test=is_test_path(file.path))
    if not facts and (file.added or file.removed) and not any(edit.is_taken for edit in edits):
        size = counted(len(file.added), len(file.removed))
        line = file.hunks[0].new_start
        facts.append(Fact(f"{quoted(file.path or 'the file')} changes: {size}", 30, line))
    return facts


def _first_lines(files: Sequence[FileChange]) -> tuple[list[tuple[Hunk, ...]], int]:
    """Return the hunks to examine, with large files cut, and the number of lines left out."""
    sizes = [sum(len(hunk.lines) for hunk in file.hunks) for file in files]
    room, shares = MAX_LINES, [0] * len(files)
    for done, index in enumerate(sorted(range(len(files)), key=sizes.__getitem__)):
        shares[index] = min(sizes[index], room // (len(files) - done))
        room -= shares[index]
    parts = []
    for file, share in zip(files, shares, strict=True):
        hunks: list[Hunk] = []
        left = share
        for hunk in file.hunks:
            if left > 0:
                hunks.append(replace(hunk, lines=hunk.lines[:left]))
            left -= len(hunk.lines)
        parts.append(tuple(hunks))
    return parts, sum(sizes) - sum(shares)


def _placed(facts: Iterable[Fact], file: FileChange) -> list[_Placed]:
    """Adjust the weights of the facts about a file, so that it does not crowd out others."""
    distinct = joined(facts)
    if file.status is FileStatus.ADDED:
        has_definition = any(fact.is_definition for fact in distinct)  # shows that the file is new
        distinct = [
            fact
            for fact in distinct
            if not (fact.is_preamble or (has_definition and fact.line is None))
        ]
    ranked = sorted(distinct, key=lambda fact: -fact.weight)
    return [
        _Placed(fact, (file,), fact.weight - _CROWDING * rank) for rank, fact in enumerate(ranked)
    ]


def _once(placed: Sequence[_Placed]) -> list[_Placed]:
    """Merge a fact shared by several files into one, with their number."""
    groups: dict[tuple[str, str], list[_Placed]] = {}
    for one in placed:
        groups.setdefault((one.fact.sentence, one.fact.kind), []).append(one)
    found = []
    for (sentence, _), group in groups.items():
        first = group[0]
        if len(group) > 1:
            fact = replace(first.fact, text=f"{sentence}, in {len(group)} files", items=())
            shared = tuple(file for one in group for file in one.files)
            first = _Placed(fact, shared, first.weight + min(len(group), MAX_CLAIMS))
        found.append(first)
    return found


def _untold(files: Sequence[FileChange]) -> list[Claim]:
    """Return a claim that names the changed files without a fact."""
    if not files:
        return []
    names = listed([quoted(file.path or "unnamed") for file in files], 3)
    noun = "further file changes" if len(files) == 1 else "further files change"
    return [Claim(f"{len(files)} {noun}: {names}", ClaimKind.CLAIM, SOURCE)]


def _claim(one: _Placed) -> Claim:
    fact, file = one.fact, one.files[0]
    is_placed = file.status is not FileStatus.DELETED and fact.line is not None
    line = max(fact.line or 0, 1) if is_placed else None
    wordings = tuple(dict.fromkeys(cleaned(wording) for wording in fact.wordings))
    return Claim(cleaned(fact.sentence), fact.kind, SOURCE, file.path, line, wordings)
