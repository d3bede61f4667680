"""The pseudo-references of every change of a corpus."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import ClaimGenerator, ClaimSet, claims_of_each
from crscore_core.corpus.comparison import ComparedChange, LeftOut
from crscore_core.corpus.model import CorpusChange
from crscore_core.corpus.progress import CorpusProgress, CorpusStage, Note, silent_note
from crscore_core.errors import ClaimsError, InputError, WholeFileError
from crscore_core.references import combine
from crscore_core.smells import find_smells_of_each
from crscore_core.whole_files import whole_files

__all__ = ["CorpusReferences", "corpus_references"]

_AT_ONCE = 100  # an analyzer that starts once for so many changes is mostly at work


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
class _Read:
    """A change that could be read, with the whole files that belong to it."""

    given: CorpusChange
    code: CodeChange
    new_files: Mapping[str, str]


def corpus_references(
    changes: Sequence[CorpusChange], generator: ClaimGenerator, note: Note = silent_note
) -> CorpusReferences:
    """Make pseudo-references of every change: its own claims or those of a backend, and smells.

    A diff that cannot be read, or a change that the backend has no claims about, is left out. A
    whole file that disagrees with its diff is not used, which a warning says.

    Raises:
        ClaimsError: the backend cannot be had, or fails for each of the first changes.
    """
    found: list[ComparedChange | LeftOut] = []
    warnings: list[str] = []
    for start in range(0, len(changes), _AT_ONCE):
        note(CorpusProgress(CorpusStage.REFERENCES, start, len(changes)))
        part = [_read(change, warnings) for change in changes[start : start + _AT_ONCE]]
        claims = _claims([one for one in part if isinstance(one, _Read)], generator)
        errors = [one for one in claims if isinstance(one, ClaimsError)]
        if start == 0 and errors and len(errors) == len(claims):
            raise errors[0]
        found += _references(part, claims, generator.name, warnings)
    note(CorpusProgress(CorpusStage.REFERENCES, len(changes), len(changes)))
    return CorpusReferences(_claims_name(changes, generator), tuple(found), tuple(warnings))


def _claims_name(changes: Sequence[CorpusChange], generator: ClaimGenerator) -> str:
    """What the claims are from, so that others given have another name."""
    given = [change.claims for change in changes if change.claims is not None]
    if not given:
        return generator.name
    texts = json.dumps([[(one.kind, one.text) for one in claims] for claims in given])
    name = f"given-{hashlib.sha256(texts.encode()).hexdigest()[:12]}"
    return name if len(given) == len(changes) else f"{name} and {generator.name}"


def _read(change: CorpusChange, warnings: list[str]) -> _Read | LeftOut:
    try:
        code = parse_change(change.diff, language=change.language)
    except InputError as error:
        return LeftOut(change.id, str(error))
    if change.new_file is None:
        return _Read(change, code, {})
    new_files = {next((file.path for file in code.files if file.path), ""): change.new_file}
    try:
        whole_files(code, new_files)
    except WholeFileError as error:
        warnings.append(f"{change.id}: its whole file is not used: {error}")
        new_files = {}
    return _Read(change, code, new_files)


def _claims(changes: Sequence[_Read], generator: ClaimGenerator) -> list[ClaimSet | ClaimsError]:
    """The claims that come with each change, else those that the backend makes, in order."""
    bare = [one for one in changes if one.given.claims is None]
    made = iter(claims_of_each(generator, [one.code for one in bare]) if bare else ())
    return [
        next(made) if one.given.claims is None else ClaimSet(one.given.claims) for one in changes
    ]


def _references(
    changes: Sequence[_Read | LeftOut],
    claims: Sequence[ClaimSet | ClaimsError],
    backend: str,
    warnings: list[str],
) -> list[ComparedChange | LeftOut]:
    read = [one for one in changes if isinstance(one, _Read)]
    smells = find_smells_of_each([(one.code, one.new_files) for one in read])
    made: dict[str, ComparedChange | LeftOut] = {}
    for one, of_change, results in zip(read, claims, smells, strict=True):
        if isinstance(of_change, ClaimsError):
            made[one.given.id] = LeftOut(one.given.id, str(of_change))
            continue
        combined = combine(one.code, backend, of_change, results)
        warnings += (f"{one.given.id}: {warning}" for warning in combined.warnings)
        made[one.given.id] = ComparedChange(
            one.given.id,
            one.given.language or one.code.files[0].language or "",
            one.given.diff,
            combined.pseudo_references,
            one.given.title,
        )
    return [made[one.given.id] if isinstance(one, _Read) else one for one in changes]
