"""The human study's files as published by its authors, each with its checksum."""

from functools import cache
from pathlib import Path

from crscore_core.caches import sha256_of
from crscore_core.datasets.study.location import CONTEXT_FOLDER

STUDY_LICENSE = "MIT"
STUDY_PAGE = "https://github.com/atharva-naik/CRScore"
STUDY_SOURCE = (
    "https://raw.githubusercontent.com/atharva-naik/CRScore/"
    "a5c843fafa79c1dd11cbcaf572c9ccc3bfce8ee8"
)
"""Address of the pinned commit, to which the path of a file is appended."""


@cache
def study_files() -> dict[str, str]:
    """Read the registry of pooch that comes with this package: checksums by path."""
    lines = Path(__file__).with_name("manifest.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines)


def is_context(path: str) -> bool:
    """Return True for a whole file before or after a change; these are most of the bytes."""
    return path.startswith(f"{CONTEXT_FOLDER}/")


def is_whole(path: Path, checksum: str) -> bool:
    """Return True if this is a file with this checksum."""
    return path.is_file() and f"sha256:{sha256_of(path)}" == checksum
