"""What a row says of its change -> that change, checked."""

import re
from dataclasses import dataclass

from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import Claim, parse_claims
from crscore_core.corpus.reading.review_row import ChangeCells
from crscore_core.errors import CorpusError
from crscore_core.scoring.smells import patched_files, whole_files

__all__ = ["ImportedChange", "read_change"]

_NO_CLAIMS = re.compile(r"\s*\[\s*\]\s*")


@dataclass(frozen=True, slots=True)
class ImportedChange:
    """The fields of a `CorpusChange` that its rows say, each checked to be usable."""

    diff: str
    language: str | None
    claims: tuple[Claim, ...] | None
    new_file: str | None


def read_change(cells: ChangeCells) -> ImportedChange:
    """Check a change and its claims and file.

    The file before the change serves to make the one after it, where that is not there.

    Raises:
        InputError: the diff cannot be read, the claims are none, or a file is not the one that
            the diff changes.
    """
    change = parse_change(cells.diff, language=cells.language, guess=False)
    return ImportedChange(
        cells.diff, cells.language, _claims(cells.claims, change), _new_file(cells, change)
    )


def _claims(text: str | None, change: CodeChange) -> tuple[Claim, ...] | None:
    if text is None:
        return None
    if _NO_CLAIMS.fullmatch(text):
        return ()
    return parse_claims(text).generate(change).claims


def _new_file(cells: ChangeCells, change: CodeChange) -> str | None:
    if cells.new_file is None and cells.old_file is None:
        return None
    if len(change.files) != 1:
        raise CorpusError(
            f"the diff changes {len(change.files)} files, and a whole file can only be given "
            "where it changes one"
        )
    (file,) = change.files
    if cells.new_file is not None:
        whole_files(change, {file.new_path or "": cells.new_file})
        return cells.new_file
    patched = patched_files(change, {file.old_path or "": cells.old_file or ""})
    return next(iter(patched.values()), None)
