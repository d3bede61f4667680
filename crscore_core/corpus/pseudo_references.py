"""The pseudo-references of every change of a corpus."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from analyzers import ANALYZERS, Analyzer, AnalyzerResult
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import ClaimGenerator, ClaimSet, claims_of_each
from crscore_core.corpus.comparison import ComparedChange, LeftOut
from crscore_core.corpus.model import CorpusChange
from crscore_core.corpus.progress import CorpusProgress, CorpusStage, Note, silent_note
from crscore_core.errors import ClaimsError, InputError, WholeFileError
from crscore_core.scoring.references import ReferenceSet, combine
from crscore_core.scoring.smells import find_smells_of_each
from crscore_core.scoring.whole_files import whole_files

__all__ = [
    "CHANGES_AT_ONCE",
    "ClaimedChange",
    "CorpusReferences",
    "add_smells",
    "claim_changes",
    "corpus_references",
]

CHANGES_AT_ONCE = 100
"""An analyzer that starts once for so many changes is mostly at work."""

_MANY = 10
_GIVEN = "given"


@dataclass(frozen=True, slots=True)
class CorpusReferences:
    """What reviews of each change are compared with.

    `changes` has an entry for every change of the corpus; a `LeftOut` says why it has none.
    `claims` names what the claims are from: the backend, those that came with the changes, as
    `given-` and the beginning of a digest of them, or both. `warnings` are about single changes,
    which they name.
    """

    claims: str
    changes: tuple[ComparedChange | LeftOut, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimedChange:
    """A change that could be read, with its claims and the whole files that belong to it.

    `claims_from` names the backend, `given` where they came with the change. `warnings` are about
    how it was read.
    """

    given: CorpusChange
    code: CodeChange
    new_files: Mapping[str, str]
    claims: ClaimSet
    claims_from: str
    warnings: tuple[str, ...]

    @property
    def language(self) -> str:
        """What the change is written in, empty where that is unknown."""
        return self.given.language or self.code.files[0].language or ""


def corpus_references(
    changes: Sequence[CorpusChange], generator: ClaimGenerator, note: Note = silent_note
) -> CorpusReferences:
    """Make pseudo-references of every change: its own claims or those of a backend, and smells.

    A diff that cannot be read, or a change that the backend has no claims about, is left out. A
    whole file that disagrees with its diff is not used, which a warning says.

    Raises:
        ClaimsError: the backend cannot be had; see `claim_changes`.
    """
    found: list[ComparedChange | LeftOut] = []
    warnings: list[str] = []
    for start in range(0, len(changes), CHANGES_AT_ONCE):
        note(CorpusProgress(CorpusStage.REFERENCES, start, len(changes)))
        part = changes[start : start + CHANGES_AT_ONCE]
        claimed = claim_changes(part, generator, is_first=start == 0)
        for given, one, made in zip(part, claimed, add_smells(claimed), strict=True):
            if isinstance(made, LeftOut):
                found.append(made)
            elif isinstance(one, ClaimedChange):
                warnings += (f"{given.id}: {warning}" for warning in made.warnings)
                found.append(
                    ComparedChange(
                        given.id, one.language, given.diff, made.pseudo_references, given.title
                    )
                )
    note(CorpusProgress(CorpusStage.REFERENCES, len(changes), len(changes)))
    return CorpusReferences(_claims_name(changes, generator), tuple(found), tuple(warnings))


def claim_changes(
    changes: Sequence[CorpusChange], generator: ClaimGenerator, *, is_first: bool
) -> list[ClaimedChange | LeftOut]:
    """Read each change and take its own claims, or have the backend make some.

    `is_first` says that the backend was not seen to work yet.

    Raises:
        ClaimsError: the backend cannot be had, or fails for each of the changes that need it,
            be they the first or many: then it is the backend's fault and not theirs.
    """
    read = [_read(change) for change in changes]
    bare = [one for one in read if isinstance(one, _Read) and one.given.claims is None]
    made = claims_of_each(generator, [one.code for one in bare]) if bare else []
    errors = [one for one in made if isinstance(one, ClaimsError)]
    if errors and len(errors) == len(made) and (is_first or len(made) >= _MANY):
        raise errors[0]
    claims = iter(made)
    return [_claimed(one, claims, generator.name) for one in read]


def add_smells(
    changes: Sequence[ClaimedChange | LeftOut],
    analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS,
) -> list[ReferenceSet | LeftOut]:
    """Analyse the changes, all at once, and put claims and smells together.

    Where there are no `analyzers`, smells are not wanted, and nothing is said of them.
    """
    claimed = [one for one in changes if isinstance(one, ClaimedChange)]
    files = [(one.code, one.new_files) for one in claimed]
    smells = iter(find_smells_of_each(files, analyzers) if analyzers else [[] for _ in files])
    return [one if isinstance(one, LeftOut) else _combined(one, next(smells)) for one in changes]


@dataclass(frozen=True, slots=True)
class _Read:
    """A change that could be read."""

    given: CorpusChange
    code: CodeChange
    new_files: Mapping[str, str]
    warnings: tuple[str, ...]


def _claims_name(changes: Sequence[CorpusChange], generator: ClaimGenerator) -> str:
    """What the claims are from, so that others given have another name."""
    given = [change.claims for change in changes if change.claims is not None]
    if not given:
        return generator.name
    texts = json.dumps([[(one.kind, one.text) for one in claims] for claims in given])
    name = f"given-{hashlib.sha256(texts.encode()).hexdigest()[:12]}"
    return name if len(given) == len(changes) else f"{name} and {generator.name}"


def _read(change: CorpusChange) -> _Read | LeftOut:
    try:
        code = parse_change(change.diff, language=change.language)
    except InputError as error:
        return LeftOut(change.id, str(error))
    if change.new_file is None:
        return _Read(change, code, {}, ())
    new_files = {next((file.path for file in code.files if file.path), ""): change.new_file}
    try:
        whole_files(code, new_files)
    except WholeFileError as error:
        return _Read(change, code, {}, (f"its whole file is not used: {error}",))
    return _Read(change, code, new_files, ())


def _claimed(
    one: _Read | LeftOut, made: Iterator[ClaimSet | ClaimsError], backend: str
) -> ClaimedChange | LeftOut:
    if isinstance(one, LeftOut):
        return one
    if one.given.claims is not None:
        claims: ClaimSet | ClaimsError = ClaimSet(one.given.claims)
    else:
        claims = next(made)
    if isinstance(claims, ClaimsError):
        return LeftOut(one.given.id, str(claims))
    claims_from = backend if one.given.claims is None else _GIVEN
    return ClaimedChange(one.given, one.code, one.new_files, claims, claims_from, one.warnings)


def _combined(change: ClaimedChange, results: Sequence[AnalyzerResult]) -> ReferenceSet:
    combined = combine(change.code, change.claims_from, change.claims, results)
    return replace(combined, warnings=(*change.warnings, *combined.warnings))
