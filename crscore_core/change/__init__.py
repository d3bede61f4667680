"""Code changes: unified diff text in, `CodeChange` out."""

from crscore_core.change.model import (
    ChangedLine,
    CodeChange,
    FileChange,
    FileStatus,
    Fragment,
    Hunk,
    LanguageSource,
    LineKind,
)

__all__ = [
    "ChangedLine",
    "CodeChange",
    "FileChange",
    "FileStatus",
    "Fragment",
    "Hunk",
    "LanguageSource",
    "LineKind",
]
