"""Which files the human study consists of, as its authors published them."""

import json
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from crscore_core.errors import StudyError

__all__ = ["Manifest", "ManifestFile", "read_manifest", "study_manifest"]

_FILE = Path(__file__).with_name("manifest.json")
_CONTEXT = "human_study/phase1/context_files/"
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_REPOSITORY = re.compile(r"[A-Za-z0-9_-]+/[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """One file: `path` is relative, with slashes; `size` in bytes; `sha256` in hexadecimal."""

    path: str
    sha256: str
    size: int

    def __post_init__(self) -> None:
        if not all(_NAME.fullmatch(part) for part in self.path.split("/")):
            raise StudyError(f"manifest: {self.path[:80]!r} is no path inside the study's folder")
        if not _SHA256.fullmatch(self.sha256):
            raise StudyError(f"manifest: {self.path}: no SHA-256 checksum: {self.sha256[:80]!r}")
        if self.size < 0:
            raise StudyError(f"manifest: {self.path}: {self.size} is no size in bytes")

    @property
    def is_context(self) -> bool:
        """Whether it is a whole file before or after a change; most of the study's bytes are."""
        return self.path.startswith(_CONTEXT)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The files of one published state: that of `commit` in the GitHub repository `repository`.

    `license` is the SPDX name of what its authors published it under.
    """

    repository: str
    commit: str
    license: str
    files: tuple[ManifestFile, ...]

    def __post_init__(self) -> None:
        if not _REPOSITORY.fullmatch(self.repository) or not _COMMIT.fullmatch(self.commit):
            raise StudyError(f"manifest: no commit of a repository: {self.repository[:80]!r}")

    @property
    def address(self) -> str:
        """Where people read about it."""
        return f"https://github.com/{self.repository}"

    @property
    def source(self) -> str:
        """The address that, with a file's path after it, gives the file."""
        return f"https://raw.githubusercontent.com/{self.repository}/{self.commit}"

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    def without_context_files(self) -> "Manifest":
        """The same without the whole files around the changes."""
        return replace(self, files=tuple(file for file in self.files if not file.is_context))


@cache
def study_manifest() -> Manifest:
    """The manifest that comes with this package."""
    return read_manifest(_FILE)


def read_manifest(path: Path) -> Manifest:
    """Read a manifest: a JSON object of `repository`, `commit`, `license` and, by path, `files`.

    Raises:
        StudyError: it is missing or damaged, or names a path outside the study's folder.
    """
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        files = tuple(
            ManifestFile(str(name), str(file["sha256"]), int(file["bytes"]))
            for name, file in data["files"].items()
        )
        return Manifest(str(data["repository"]), str(data["commit"]), str(data["license"]), files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StudyError(f"{path}: no manifest of the study: {error!r}") from error
