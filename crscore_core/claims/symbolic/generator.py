"""The symbolic backend: claims from the diff alone, without a language model."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from crscore_core.change import CodeChange, FileChange, FileStatus, Hunk, LineKind
from crscore_core.claims.model import Claim, ClaimKind, ClaimSet
from crscore_core.claims.symbolic.describe import facts_of_edits
from crscore_core.claims.symbolic.edits import Edit, edits_of
from crscore_core.claims.symbolic.fact import Fact, Rank, merge_facts
from crscore_core.claims.symbolic.files import (
    fact_of_size,
    facts_of_file,
    facts_of_prose,
    is_generated,
    is_prose,
    is_submodule,
    is_test_path,
)
from crscore_core.claims.symbolic.layout import fact_of_layout, split_off_replacements
from crscore_core.claims.symbolic.lexis import UNKNOWN
from crscore_core.claims.symbolic.wording import enumerate_items, on_one_line, quote

MAX_LINES = 2500
"""Maximum number of lines of a change to examine, including context; a long line counts more."""

MAX_FILES = 100
"""Maximum number of files of a change whose lines are examined."""

MAX_CLAIMS = 12
"""Maximum number of claims about a change with few files; up to twice as many for more files."""

MAX_ROW = 4000
"""Maximum characters of a line; a hunk is not examined from its first longer line on."""

_FEW_FILES, _MIN_CLAIMS, _MAX_OF_PROSE = 3, 2, 2
_CROWDING = 3
"""Added to the rank of a fact for each better fact about the same file."""

_TEST = 35
"""Added to the rank of a fact about tests."""


class SymbolicClaims:
    """Generates claims by rules: read statements, pair them, and describe their differences.

    The same change always gives the same claims, limited by `MAX_LINES`, `MAX_FILES` and twice
    `MAX_CLAIMS`. Comments and strings in a change are quoted, never followed.
    """

    name = "symbolic"

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`, most informative first; empty if nothing changes."""
        files = change.files[:MAX_FILES]
        hunks, n_unread = _examined_hunks(files)
        n_unread += sum(len(hunk.lines) for file in change.files[MAX_FILES:] for hunk in file.hunks)
        edits = [
            [edits_of(hunk, _language(file)) for hunk in part] if _is_code(file) else []
            for file, part in zip(files, hunks, strict=True)
        ]
        shared, edits = split_off_replacements(edits)
        sharing = {index for indices, _ in shared for index in indices}
        placed_facts: dict[str, tuple[Fact, list[int]]] = {}
        for index, file in enumerate(files):
            facts = [fact for indices, fact in shared if indices[0] == index]
            facts += _facts(file, hunks[index], edits[index], has_shared_fact=index in sharing)
            for number, fact in enumerate(_ranked(facts, file)):
                placed = replace(fact, rank=fact.rank + _CROWDING * number)
                placed_facts.setdefault(fact.sentence, (placed, []))[1].append(index)
        ranked = sorted(placed_facts.values(), key=lambda entry: entry[0].rank)
        informative = sum(fact.rank < Rank.TRIVIAL for fact, _ in ranked)
        limit = MAX_CLAIMS + min(max(len(files) - _FEW_FILES, 0), MAX_CLAIMS)
        limit = max(min(limit, informative), _MIN_CLAIMS)
        mentioned = {i for _, indices in (*ranked[:limit], *ranked[informative:]) for i in indices}
        mentioned |= sharing
        unmentioned = [file for i, file in enumerate(change.files) if i not in mentioned]
        claims = [_claim(fact, [files[i] for i in indices]) for fact, indices in ranked[:limit]]
        claims += _claim_about_rest([file for file in unmentioned if _is_changed(file)])
        warnings = []
        if n_unread:
            warnings.append(
                f"{n_unread:,} lines were not examined for claims: "
                f"limits are {MAX_FILES} files, {MAX_LINES:,} lines, {MAX_ROW:,} characters a line"
            )
        if informative > limit:
            warnings.append(f"{informative - limit:,} less informative claims were left out")
        return ClaimSet(tuple(claims), tuple(warnings))


def _language(file: FileChange) -> str | None:
    return file.language or (UNKNOWN if file.path else None)


def _is_code(file: FileChange) -> bool:
    has_no_code = is_submodule(file) or file.status is FileStatus.DELETED
    return not (has_no_code or is_generated(file) or is_prose(file))


def _is_changed(file: FileChange) -> bool:
    return file.status is not FileStatus.MODIFIED or bool(file.added or file.removed)


def _examined_hunks(files: Sequence[FileChange]) -> tuple[list[list[Hunk]], int]:
    """Return the hunks to examine by file, and the number of other lines; small files come first.

    A truncated hunk ends before a change that it would contain only in part.
    """
    parts: list[list[Hunk]] = [[] for _ in files]
    sizes = [sum(len(hunk.lines) for hunk in file.hunks) for file in files]
    remaining = MAX_LINES
    for index in sorted(range(len(files)), key=sizes.__getitem__):
        for hunk in files[index].hunks:
            end = 0
            while end < len(hunk.lines) and remaining > 0 and len(hunk.lines[end].text) <= MAX_ROW:
                remaining -= 1 + len(hunk.lines[end].text) // 200
                end += 1
            cut = hunk.lines[:end] if end < len(hunk.lines) else ()
            change = list(takewhile(lambda line: line.kind is not LineKind.CONTEXT, reversed(cut)))
            if any(line.kind is LineKind.REMOVED for line in change):
                end -= len(change)
            if end:
                parts[index].append(replace(hunk, lines=hunk.lines[:end]))
    return parts, sum(sizes) - sum(len(hunk.lines) for part in parts for hunk in part)


def _facts(
    file: FileChange,
    hunks: Sequence[Hunk],
    edits: Sequence[Sequence[Edit]],
    *,
    has_shared_fact: bool,
) -> list[Fact]:
    """Return the facts about a file; without any, a fact about its layout or size."""
    facts = facts_of_file(file)
    if is_submodule(file) or file.status is FileStatus.DELETED:
        return facts
    if is_prose(file):
        limit = 1 if file.status is FileStatus.ADDED else _MAX_OF_PROSE
        facts += facts_of_prose(hunks)[:limit]
    is_test = is_test_path(file.path)
    for fact in (fact for part in edits for fact in facts_of_edits(part, is_test=is_test)):
        penalty = _TEST if is_test and fact.rank < Rank.TRIVIAL else 0
        facts.append(replace(fact, rank=fact.rank + penalty))
    if facts or has_shared_fact or not (file.added or file.removed):
        return facts
    is_whole = sum(len(hunk.lines) for hunk in hunks) == sum(len(hunk.lines) for hunk in file.hunks)
    removed = Counter(edit.old.parsed.key for part in edits for edit in part if edit.old)
    added = Counter(edit.new.parsed.key for part in edits for edit in part if edit.new)
    is_plain = is_whole and removed == added and _is_code(file)
    return [fact_of_layout(hunks, edits, file.language) if is_plain else fact_of_size(file)]


def _ranked(facts: Sequence[Fact], file: FileChange) -> list[Fact]:
    """Return the distinct facts about a file, best first; for a new file, only about its lines."""
    distinct = sorted(merge_facts(facts), key=lambda fact: fact.rank)
    if file.status is FileStatus.ADDED:
        has_definition = any(
            fact.rank in {Rank.DEFINITION, Rank.DEFINITION + _TEST} for fact in distinct
        )
        informative = [fact for fact in distinct if fact.rank < Rank.TRIVIAL]
        named = [fact for fact in informative if fact.line is not None or not has_definition]
        return named or distinct
    if distinct and distinct[0].rank == Rank.TRIVIAL:  # nothing better is known about the file
        return [replace(distinct[0], rank=Rank.SUPPLEMENT), *distinct[1:]]
    return distinct


def _claim_about_rest(files: Sequence[FileChange]) -> list[Claim]:
    """Return a claim that names the changed files without a claim."""
    if not files:
        return []
    names = enumerate_items([quote(file.path or "unnamed") for file in files], 3)
    noun = "further file changes" if len(files) == 1 else "further files change"
    return [Claim(f"{len(files)} {noun}: {names}", ClaimKind.CLAIM, "symbolic")]


def _claim(fact: Fact, files: Sequence[FileChange]) -> Claim:
    is_placed = files[0].status is not FileStatus.DELETED and fact.line is not None
    line = max(fact.line or 0, 1) if is_placed else None
    text = on_one_line(fact.sentence) + f", in {len(files)} files" * (len(files) > 1)
    wordings = tuple(dict.fromkeys(on_one_line(wording) for wording in fact.wordings))
    return Claim(text, ClaimKind.CLAIM, "symbolic", files[0].path, line, wordings)
