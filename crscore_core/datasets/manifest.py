"""The human study's files as published by its authors: paths, sizes and checksums."""

import json
import os
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from crscore_core.caches import sha256_of
from crscore_core.datasets.study.location import CONTEXT_FOLDER


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """One file: `path` is relative, with slashes; `size` in bytes; `sha256` in hexadecimal."""

    path: str
    sha256: str
    size: int

    @property
    def is_context(self) -> bool:
        """Return True for a whole file before or after a change; these are most of the bytes."""
        return self.path.startswith(f"{CONTEXT_FOLDER}/")

    def is_in(self, folder: Path) -> bool:
        """Return True if `folder` has this file, with this size and checksum."""
        path = folder / self.path
        if not path.is_file() or path.stat().st_size != self.size:
            return False
        return sha256_of(path) == self.sha256


@dataclass(frozen=True, slots=True)
class Manifest:
    """Files of the GitHub repository `repository` at `commit`.

    `license` is the SPDX identifier of their licence.
    """

    repository: str
    commit: str
    license: str
    files: tuple[ManifestFile, ...]

    @property
    def address(self) -> str:
        """Address of the repository's web page."""
        return f"https://github.com/{self.repository}"

    @property
    def source(self) -> str:
        """Base address, to which a file's path is appended."""
        return f"https://raw.githubusercontent.com/{self.repository}/{self.commit}"

    @property
    def size(self) -> int:
        """Total size of all files in bytes."""
        return sum(file.size for file in self.files)

    def without_context_files(self) -> "Manifest":
        """Return the manifest without the whole files around the changes."""
        return replace(self, files=tuple(file for file in self.files if not file.is_context))


@cache
def study_manifest() -> Manifest:
    """Return the manifest that comes with this package."""
    document = json.loads(Path(__file__).with_name("manifest.json").read_text(encoding="utf-8"))
    files = tuple(
        ManifestFile(name, file["sha256"], file["bytes"])
        for name, file in document["files"].items()
    )
    return Manifest(document["repository"], document["commit"], document["license"], files)


@dataclass(frozen=True, slots=True)
class PublishedFiles:
    """The number of files that match the published ones, and the paths of all others."""

    same: int
    different: tuple[str, ...]
    missing: tuple[str, ...]


def compare_with_published(folder: Path) -> PublishedFiles:
    """Compare sizes and checksums of the files in a folder; extra files do not matter."""
    other = [file.path for file in study_manifest().files if not file.is_in(folder)]
    missing = tuple(path for path in other if not os.path.exists(folder / path))
    different = tuple(path for path in other if path not in missing)
    return PublishedFiles(len(study_manifest().files) - len(other), different, missing)
