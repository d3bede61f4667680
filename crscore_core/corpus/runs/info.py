"""What is said of a saved run without reading its reviews."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from crscore_core.errors import CorpusError

__all__ = ["FORMAT", "LONGEST_NAME", "RunInfo", "info_of_json", "json_of_info"]

FORMAT = 1
"""Version of the files of a run; another one cannot be read."""

LONGEST_NAME = 100
"""Limit of a run's name, in characters."""

_TEXTS = ("name", "corpus", "encoder", "claims", "version")
_COUNTS = ("changes", "reviews", "left_out")


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A saved run.

    `id` is made by the store; `name` and `corpus`, what the reviews came from, are as people
    typed them. `created` is in UTC. `changes`, `reviews` and `left_out` are numbers.
    `is_illustrative` says that reviews and ratings were made up. `damage` says why the run cannot
    be used, None where it can; of a damaged run, the id and the time alone are sure to be there.
    `checksums` are the SHA-256 of its files.
    """

    id: str
    name: str
    created: datetime
    corpus: str = ""
    encoder: str = ""
    claims: str = ""
    version: str = ""
    changes: int = 0
    reviews: int = 0
    left_out: int = 0
    is_illustrative: bool = False
    damage: str | None = None
    checksums: Mapping[str, str] = field(default_factory=dict)


def json_of_info(info: RunInfo) -> str:
    """The run as JSON, without its id, which is the name of its folder."""
    document = {
        "format": FORMAT,
        "created": info.created.isoformat(),
        **{name: getattr(info, name) for name in (*_TEXTS, *_COUNTS, "is_illustrative")},
        "checksums": dict(info.checksums),
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def info_of_json(run_id: str, text: str) -> RunInfo:
    """Read what `json_of_info` wrote.

    Raises:
        CorpusError: it is not that, or of another format.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CorpusError("its description is no JSON") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise CorpusError(f"it is not of format {FORMAT}, the one that this version reads")
    return RunInfo(
        id=run_id,
        created=_time(document),
        is_illustrative=document.get("is_illustrative") is True,
        checksums=_checksums(document),
        **{name: _value(document, name, str) for name in _TEXTS},
        **{name: _value(document, name, int) for name in _COUNTS},
    )


def _value(document: Mapping[str, Any], name: str, kind: type) -> Any:  # noqa: ANN401 - of `kind`
    value = document.get(name)
    if not isinstance(value, kind):
        raise CorpusError(f"its description has no {name}")
    return value


def _time(document: Mapping[str, Any]) -> datetime:
    try:
        time = datetime.fromisoformat(_value(document, "created", str))
    except ValueError as error:
        raise CorpusError("its description has no created") from error
    if time.tzinfo is None:
        raise CorpusError("its description has no created")
    return time


def _checksums(document: Mapping[str, Any]) -> Mapping[str, str]:
    found = _value(document, "checksums", dict)
    return {str(name): str(checksum) for name, checksum in found.items()}
