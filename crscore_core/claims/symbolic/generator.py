"""The symbolic backend: claims from the diff alone, without a language model."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from crscore_core.change import CodeChange, FileChange, Hunk, LineKind
from crscore_core.claims.model import Claim, ClaimSet
from crscore_core.claims.symbolic.candidate import (
    Candidate,
    Placed,
    best_of_block,
    claim,
    cleaned,
    listed,
    quoted,
    selected,
)
from crscore_core.claims.symbolic.changed import changed_statements, in_plain_words
from crscore_core.claims.symbolic.consequences import consequences
from crscore_core.claims.symbolic.gist import gist_of
from crscore_core.claims.symbolic.layout import (
    file_events,
    is_submodule,
    is_test_path,
    layout_of,
    line_of,
    scene_of,
    section_statement,
    size_of,
    take_moved,
)
from crscore_core.claims.symbolic.lexing import WITHOUT_CODE
from crscore_core.claims.symbolic.narration import narrate
from crscore_core.claims.symbolic.pairing import Block, blocks_of

SOURCE = "symbolic"

MAX_LINES = 4000
"""Lines of a change, context included, that are examined one by one."""

MAX_FILES = 100
"""Files of a change of which the lines are examined."""

MAX_EXPLAINED = 10
"""Blocks of a file that are told in plain words too: more would not be among the best claims."""


_DOCUMENTS = re.compile(
    r"(?:readme|licen[sc]e|copying|notice|authors|contributing|changelog|changes|history|news|"
    r"install|todo)(?:\.(?:adoc|asciidoc|org|textile))?$|.*\.(?:adoc|asciidoc|textile)$",
    re.IGNORECASE,
)
_LISTS = re.compile(r"(?:.*requirements.*|.*constraints.*|CMakeLists|robots)\.txt$", re.IGNORECASE)


class SymbolicClaims:
    """Makes claims by rule: statements are recognised, compared, and told in code and in words.

    Deterministic, bounded by `MAX_LINES`, `MAX_FILES` and `MAX_CLAIMS`, and blind to what
    comments or strings say beyond quoting them.
    """

    @property
    def name(self) -> str:
        """What identifies the backend in signatures."""
        return SOURCE

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`; none only where nothing changes."""
        placed: list[Placed] = []
        warnings: list[str] = []
        examined = change.files[:MAX_FILES]
        unread = 0
        for file, share in zip(examined, _shares(examined), strict=True):
            read = _first_lines(file, share)
            taken = sum(len(h.lines) for h in read)
            unread += sum(len(h.lines) for h in file.hunks) - taken
            placed += _of_file(_as_prose(file), read)
        further = [f for f in change.files[MAX_FILES:] if _concerns(f)]
        if further:
            placed.append(_further(further))
            warnings.append(f"{len(further)} files were not examined line by line")
        if unread:
            warnings.append(f"{unread} lines were not examined, the change being too large")
        kept, left_out = selected(placed)
        if left_out:
            warnings.append(f"less informative claims that were left out: {left_out}")
        return ClaimSet(tuple(_claim(p) for p in kept), tuple(warnings))


def _claim(placed: Placed) -> Claim:
    candidate = placed.candidate
    return Claim(candidate.text, candidate.kind, SOURCE, placed.path, candidate.line)


def _as_prose(file: FileChange) -> FileChange:
    """Return `file` as it is read: documentation without an extension is text, a list is not."""
    name = (file.path or "").rsplit("/", 1)[-1]
    if file.language is None and _DOCUMENTS.match(name):
        return replace(file, language="text")
    if file.language == "text" and _LISTS.match(name):
        return replace(file, language=None)
    return file


def _shares(files: Sequence[FileChange]) -> list[int]:
    """Return how many lines of each file are examined: the small ones whole, the rest alike."""
    sizes = [sum(len(h.lines) for h in file.hunks) for file in files]
    room, shares = MAX_LINES, [0] * len(files)
    for done, index in enumerate(sorted(range(len(files)), key=sizes.__getitem__)):
        shares[index] = min(sizes[index], room // (len(files) - done))
        room -= shares[index]
    return shares


def _first_lines(file: FileChange, room: int) -> list[Hunk]:
    """Return the hunks of `file`, up to `room` lines of them."""
    hunks = []
    for hunk in file.hunks:
        if room <= 0:
            break
        hunks.append(hunk if len(hunk.lines) <= room else replace(hunk, lines=hunk.lines[:room]))
        room -= len(hunk.lines)
    return hunks


def _concerns(file: FileChange) -> bool:
    return bool(file_events(file)) or any(
        line.kind is not LineKind.CONTEXT for line in file.lines()
    )


def _further(files: list[FileChange]) -> Placed:
    names = listed([quoted(f.path or "unnamed") for f in files], 3)
    text = cleaned(f"{len(files)} further files change, among them {names}")
    return Placed(claim(text, 60, None), None, 0)


def _of_file(file: FileChange, hunks: list[Hunk]) -> list[Placed]:
    path = file.path
    found = [_placed(c, path, rank, file) for rank, c in enumerate(file_events(file))]
    if is_submodule(file):
        return found
    before = len(found)
    for candidates in _by_block(file, hunks):
        ranked = sorted(range(len(candidates)), key=lambda i: (-candidates[i].weight, i))
        ranks = {index: rank for rank, index in enumerate(ranked)}
        found += [_placed(c, path, ranks[i], file) for i, c in enumerate(candidates)]
    if len(found) == before:
        added, removed = len(file.added), len(file.removed)
        if added or removed:
            line = next((h.new_start for h in file.hunks), 1)
            found.append(_placed(size_of(file, added, removed, line), path, 0, file))
    return found


def _placed(candidate: Candidate, path: str | None, rank: int, file: FileChange) -> Placed:
    text = cleaned(candidate.text)
    line = None if candidate.line is None else line_of(file, candidate.line)
    return Placed(replace(candidate, text=text, line=line), path, rank)


def _explanation(block: Block, file: FileChange) -> list[Candidate]:
    """What the changed statements of a block do in plain words, and what follows from them."""
    changed = changed_statements(block, file.language)
    return [
        *consequences(changed, is_test=is_test_path(file.path)),
        *in_plain_words(changed, file.language),
    ]


def _by_block(file: FileChange, hunks: list[Hunk]) -> Iterator[list[Candidate]]:
    language = file.language
    told: list[Candidate] = []
    everything = []
    explained = 0
    for hunk in hunks:
        blocks = blocks_of(hunk, language)
        everything += blocks
        section = section_statement(hunk, language)
        moved = take_moved(blocks)
        blocks = [block for block in blocks if block.members]
        if moved:
            told += moved
            yield best_of_block(moved)
        for block in blocks:
            candidates = best_of_block(narrate(block, scene_of(block, section, file)))
            if candidates:
                if explained < MAX_EXPLAINED and language not in WITHOUT_CODE:
                    candidates += _explanation(block, file)
                    explained += 1
                told += candidates
                yield candidates
    if told and language not in WITHOUT_CODE:
        yield gist_of(everything, told[0].line)
    if not told and everything:
        layout = layout_of(everything, hunks, language)
        if layout:
            yield layout
