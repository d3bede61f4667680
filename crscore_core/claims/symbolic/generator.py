"""The symbolic backend: claims from the diff alone, without a language model."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from crscore_core.change import CodeChange, FileChange, FileStatus, Hunk
from crscore_core.claims.claim import ClaimSet, PseudoReference, ReferenceKind
from crscore_core.claims.symbolic import files
from crscore_core.claims.symbolic.describe import describe_edits, describe_renaming
from crscore_core.claims.symbolic.edits import Edit, find_edits, pair_moves, take_renamings
from crscore_core.claims.symbolic.lexer import PROSE, UNKNOWN
from crscore_core.claims.symbolic.patterns import CODE, languages
from crscore_core.claims.symbolic.sentences import Fact, Rank, merge_facts
from crscore_core.claims.symbolic.wording import to_plain_words
from crscore_core.text import on_one_line

MAX_LINES = 2500  # lines of a change to examine, including context; a long line counts more
MAX_FILES = 100  # files of a change whose lines are examined
MAX_CLAIMS = 12  # claims about a change with few files; up to twice as many for more files
MAX_ROW = 4000  # characters of a line; a hunk with a longer one is not examined
_REPEAT_PENALTY = 3  # added to the rank of a fact for each like it about the same file
_PLUMBING_PENALTY = 80  # added to the rank of a fact about a version or a generated file


class SymbolicClaims:
    """Generates claims by rules: reads statements, pairs them, and describes their differences.

    Warnings count what is left out. Comments and strings in a change are quoted, never obeyed.
    """

    name = "symbolic"

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`, most informative first; empty if nothing changes."""
        examined = _examined(change.files[:MAX_FILES])
        pair_moves([one.edits for one in examined], [one.file.path or "" for one in examined])
        facts = _in_order([(file.file, _facts(file)) for file in examined])
        owners = ({*fact.places, fact.fields.get("subject", "")} for fact, _ in facts)
        counts = Counter(chain.from_iterable(owners))
        shared = {name for name, n in counts.items() if n > 1 and 2 * n >= len(facts)} - {""}
        claims = [_claim(fact, changed_files, shared) for fact, changed_files in facts]
        limit = MAX_CLAIMS + min(max(len(examined) - 3, 0), MAX_CLAIMS)
        n_shown = max(min(sum(fact.rank < Rank.LAYOUT for fact, _ in facts), limit), 1)
        warnings = []
        n_lines = sum(len(hunk.lines) for file in change.files for hunk in file.hunks)
        n_unread = n_lines - sum(len(hunk.lines) for file in examined for hunk in file.hunks)
        if n_unread:
            limits = f"{MAX_FILES} files, {MAX_LINES:,} lines, {MAX_ROW:,} characters a line"
            warnings.append(f"lines not examined for claims: {n_unread:,} (limits: {limits})")
        if n_left := len(claims[n_shown:]):
            warnings.append(f"claims left out as minor: {n_left}")
        paths = {file.path for _, changed_files in facts[:n_shown] for file in changed_files}
        changed = [f for f in change.files if f.status is not FileStatus.MODIFIED or f.hunks]
        if n_files := sum(file.path not in paths for file in changed):
            warnings.append(f"changed files without a claim: {n_files:,}")
        return ClaimSet(tuple(claims[:n_shown]), tuple(warnings), tuple(claims[n_shown:]))


def _penalty(file: FileChange) -> int:
    """Return what is added to the rank of a fact about a file; 0 for source code."""
    if file.is_binary or files.is_generated(file) or files.is_a("changelog", file):
        return _PLUMBING_PENALTY
    if files.is_test_path(file.path) or files.is_prose(file):
        return 55
    return 20 if file.language in languages("settings") or files.is_a("list", file) else 0


@dataclass(frozen=True, slots=True)
class _ExaminedFile:
    """A file with the hunks to examine, and the edits of each; no edits unless it is code."""

    file: FileChange
    hunks: list[Hunk]
    edits: list[list[Edit]]


def _examined(changed: Sequence[FileChange]) -> list[_ExaminedFile]:
    """Return each file with its examined hunks; small files are examined first."""
    parts: list[list[Hunk]] = [[] for _ in changed]
    sizes = [sum(len(hunk.lines) for hunk in file.hunks) for file in changed]
    remaining = MAX_LINES
    for index in sorted(range(len(changed)), key=sizes.__getitem__):
        for hunk in changed[index].hunks:
            lengths = [len(line.text) for line in hunk.lines]
            size = sum(1 + length // 200 for length in lengths)
            if size <= remaining and max(lengths) <= MAX_ROW:
                parts[index].append(hunk)
                remaining -= size
    pairs = zip(changed, parts, strict=True)
    return [_ExaminedFile(file, hunks, _edits(file, hunks)) for file, hunks in pairs]


def _edits(file: FileChange, hunks: Sequence[Hunk]) -> list[list[Edit]]:
    if file.status is FileStatus.DELETED or files.is_generated(file):
        return []
    language = PROSE if files.is_prose(file) else file.language or (UNKNOWN if file.path else None)
    return [*find_edits(hunks, language)]


def _facts(examined: _ExaminedFile) -> list[Fact]:
    """Return the facts about a file; if there are none, a fact about its layout or size."""
    file, hunks, edits = examined.file, examined.hunks, list(chain(*examined.edits))
    facts = files.file_facts(file)
    in_tests = files.is_test_path(file.path)
    facts += [describe_renaming(*one) for one in take_renamings(examined.edits)]
    for hunk_edits in examined.edits:
        facts += describe_edits(hunk_edits, in_tests=in_tests)
    if files.is_prose(file):
        texts = [fact for fact in facts if fact.fields.get("keyword") != "section"]
        facts = [replace(f, rank=min(f.rank, Rank.TEXT)) if f in texts else f for f in facts]
    if facts or not (file.added or file.removed):
        return facts
    is_layout = bool(examined.edits) and not edits and tuple(hunks) == file.hunks
    return [(is_layout and files.layout_fact(file)) or files.size_fact(file)]


def _in_order(
    facts_by_file: Sequence[tuple[FileChange, Sequence[Fact]]],
) -> list[tuple[Fact, list[FileChange]]]:
    """Return the facts about all files, best first; each sentence once, with its files."""
    by_sentence: dict[str, tuple[Fact, list[FileChange]]] = {}
    for file, facts in facts_by_file:
        brief = len(facts_by_file) > 1 and files.is_prose(file) and files.is_a("changelog", file)
        ranked = sorted(merge_facts(facts), key=lambda f: f.rank + ("rewording" in f.fields))
        alike: Counter[int] = Counter()
        for number, fact in enumerate(ranked):
            is_version = bool(CODE["version"].match(fact.fields.get("name", "")))
            penalty = _PLUMBING_PENALTY if is_version else _penalty(file)
            rank = fact.rank + _REPEAT_PENALTY * alike[fact.rank]
            alike[fact.rank] += 1
            rank += penalty if fact.rank < Rank.IMPORT else 0
            if number == penalty == 0 and fact.rank < Rank.LAYOUT:  # each source file has a claim
                rank = min(rank, Rank.BEHAVIOUR if fact.rank < Rank.IMPORT else Rank.TRIVIAL)
            first = replace(fact, rank=Rank.LAYOUT if number and brief else rank)
            by_sentence.setdefault(fact.sentence, (first, []))[1].append(file)
    return sorted(by_sentence.values(), key=lambda fact_with_files: fact_with_files[0].rank)


def _claim(fact: Fact, changed_files: Sequence[FileChange], shared: set[str]) -> PseudoReference:
    """Return a claim; its wordings omit shared places, since one alone would match many claims."""
    line = None if fact.line is None else max(fact.line, 1)
    brief = replace(fact, places=tuple(place for place in fact.places if place not in shared))
    end = f", in {len(changed_files)} files" if len(changed_files) > 1 else ""
    text, wording = (on_one_line(one.sentence) + end for one in (fact, brief))
    path, wordings = changed_files[0].path, (wording, to_plain_words(wording))
    return PseudoReference(text, ReferenceKind.CLAIM, "symbolic", path, line, wordings)
