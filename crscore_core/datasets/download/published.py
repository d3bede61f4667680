"""Whether the files of a folder are those that the study's authors published."""

import os
from dataclasses import dataclass
from pathlib import Path

from crscore_core.datasets.download.download import is_verified
from crscore_core.datasets.download.manifest import Manifest, study_manifest

__all__ = ["PublishedFiles", "compare_with_published"]


@dataclass(frozen=True, slots=True)
class PublishedFiles:
    """Paths of the published files, by what is in their place: the same, another, or nothing."""

    same: tuple[str, ...]
    different: tuple[str, ...]
    missing: tuple[str, ...]


def compare_with_published(folder: Path, manifest: Manifest | None = None) -> PublishedFiles:
    """Compare sizes and checksums; other files of the folder do not matter."""
    files = (manifest or study_manifest()).files
    same = tuple(file.path for file in files if is_verified(folder / file.path, file))
    missing = tuple(file.path for file in files if not os.path.exists(folder / file.path))
    known = {*same, *missing}
    return PublishedFiles(
        same, tuple(file.path for file in files if file.path not in known), missing
    )
