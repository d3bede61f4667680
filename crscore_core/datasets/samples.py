"""The examples of the form on the page Score, which `sample_data` holds."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crscore_core.errors import SampleError

_FOLDER = Path(__file__).resolve().parents[2] / "sample_data"
_LANGUAGES = ("python", "java", "javascript")


@dataclass(frozen=True, slots=True)
class Sample:
    """A change and reviews of it, all written for this project."""

    id: str
    title: str
    language: str
    description: str
    diff: str
    reviews: tuple[str, ...]


def load_samples(folder: Path = _FOLDER) -> dict[str, Sample]:
    """Read all samples, sorted, by their id.

    Raises:
        SampleError: a file is missing or damaged; the message names it.
    """
    paths = sorted(path for name in _LANGUAGES for path in folder.glob(f"{name}/*.json"))
    samples = [_read(path) for path in paths]
    return {sample.id: sample for sample in samples}


def _read(path: Path) -> Sample:
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        # Line ends are content in a diff: they stay as they are.
        diff = path.with_suffix(".diff").read_bytes().decode("utf-8")
        reviews = tuple(str(review) for review in data.pop("reviews"))
        return Sample(**data, diff=diff, reviews=reviews)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise SampleError(f"sample {path.name!r} is damaged: {error}") from error
