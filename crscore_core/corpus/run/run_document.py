"""What is said of a finished run beside its scores."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from crscore_core.corpus.run.units import WrittenPart
from crscore_core.errors import BatchError

__all__ = ["RunDocument"]

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class RunDocument:
    """How a run was made, how much it took, and its parts with their checksums.

    `settings` are those of `RunSettings`; `changes` counts the distinct ones, `rejected` the rows
    that were set aside.
    """

    settings: Mapping[str, Any]
    changes: int
    rejected: int
    parts: tuple[WrittenPart, ...]

    @property
    def reviews(self) -> int:
        """How many reviews there are, those without scores included."""
        return sum(part.rows for part in self.parts)

    @property
    def unscored(self) -> int:
        """How many reviews could not be scored."""
        return sum(part.unscored for part in self.parts)

    def as_json(self) -> dict[str, Any]:
        """The document, from which `of_json` makes the same."""
        return {"format": _FORMAT, "reviews": self.reviews, "unscored": self.unscored} | asdict(
            self
        )

    @classmethod
    def of_json(cls, document: Mapping[str, Any]) -> "RunDocument":
        """Read what `as_json` gave.

        Raises:
            BatchError: it is not that, or of another version.
        """
        if document.get("format") != _FORMAT:
            raise BatchError(f"the run is not of format {_FORMAT}, the one that this version reads")
        try:
            return cls(
                dict(document["settings"]),
                int(document["changes"]),
                int(document["rejected"]),
                tuple(
                    WrittenPart(
                        int(part["number"]),
                        int(part["rows"]),
                        int(part["unscored"]),
                        str(part["sha256"]),
                    )
                    for part in document["parts"]
                ),
            )
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise BatchError("what the run says of itself is damaged") from error
