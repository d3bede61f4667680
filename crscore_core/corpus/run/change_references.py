"""What the reviews of a change are compared with, as a run keeps it."""

import dataclasses
import json
from dataclasses import asdict, dataclass
from typing import Any

from analyzers import AnalyzerResult, Status
from crscore_core.scoring.references import PseudoReference, ReferenceKind, ReferenceSet

__all__ = ["ChangeReferences", "json_of_references", "references_of_json"]


@dataclass(frozen=True, slots=True)
class ChangeReferences:
    """The pseudo-references of a change, or why there are none; the smells stand among them.

    `language` is empty where it is unknown.
    """

    language: str
    references: ReferenceSet | None
    left_out: str | None = None


def json_of_references(change: ChangeReferences) -> str:
    """As JSON, without the smells in the results of analyzers, which the references say again."""
    document: dict[str, Any] = {"language": change.language, "left_out": change.left_out}
    if change.references is not None:
        bare = [dataclasses.replace(one, smells=()) for one in change.references.analyzers]
        document["references"] = asdict(
            dataclasses.replace(change.references, analyzers=tuple(bare))
        )
    return json.dumps(document)


def references_of_json(text: str) -> ChangeReferences:
    """Read what `json_of_references` wrote."""
    document = json.loads(text)
    found = document.get("references")
    return ChangeReferences(
        document["language"],
        None if found is None else _reference_set(found),
        document["left_out"],
    )


def _reference_set(document: dict[str, Any]) -> ReferenceSet:
    return ReferenceSet(
        tuple(
            PseudoReference(**{**one, "kind": ReferenceKind(one["kind"])})
            for one in document["pseudo_references"]
        ),
        document["claims"],
        tuple(
            AnalyzerResult(**{**one, "status": Status(one["status"]), "smells": ()})
            for one in document["analyzers"]
        ),
        tuple(document["warnings"]),
    )
