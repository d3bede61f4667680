"""Code changes: unified diff text in, `CodeChange` out."""

from crscore_core.change.cursor import MAX_BYTES
from crscore_core.change.language import LANGUAGES, normalise_language
from crscore_core.change.model import (
    ChangedLine,
    CodeChange,
    FileChange,
    FileStatus,
    Hunk,
    LineKind,
)
from crscore_core.change.parse import parse_change
from crscore_core.change.sides import Side, other_side

__all__ = [
    "LANGUAGES",
    "MAX_BYTES",
    "ChangedLine",
    "CodeChange",
    "FileChange",
    "FileStatus",
    "Hunk",
    "LineKind",
    "Side",
    "normalise_language",
    "other_side",
    "parse_change",
]
