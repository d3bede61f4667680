"""Description of a finished run, `_run.json`: settings, counts, files."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from crscore_core.errors import BatchError

FORMAT = 2
"""Version of the files of a run; no other is read."""


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """A file of a run: its number, rows, those of them without scores, and its SHA-256."""

    number: int
    rows: int
    unscored: int
    sha256: str


@dataclass(frozen=True, slots=True)
class WrittenPair:
    """The two files of a part: its reviews, and those of its changes that begin in it."""

    reviews: WrittenPart
    changes: WrittenPart


@dataclass(frozen=True, slots=True)
class RunDocument:
    """Description of a finished run.

    `settings` has at least `encoder`, `precision`, `claims`, `analyzers`, `tau` and `version`; a
    batch run has all of `settings_of`. `changes` counts distinct changes, `rejected` the rows that
    were set aside. `parts` are the files of reviews, `change_parts` those of changes. `name` is
    empty and `created` None for a batch run, which goes by the name and the time of its files, so
    that the same corpus gives the same bytes. `corpus` names what the reviews came from, `warnings`
    are about the whole run. `labels` names the labels that reviews have a column of.
    """

    settings: Mapping[str, Any]
    changes: int
    rejected: int
    parts: tuple[WrittenPart, ...]
    change_parts: tuple[WrittenPart, ...] = ()
    name: str = ""
    corpus: str = ""
    created: str | None = None
    warnings: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    format: int = FORMAT

    @property
    def reviews(self) -> int:
        """Number of reviews, those without scores included."""
        return sum(part.rows for part in self.parts)

    @property
    def unscored(self) -> int:
        """Number of reviews that could not be scored."""
        return sum(part.unscored for part in self.parts)

    @property
    def left_out(self) -> int:
        """Number of changes whose reviews cannot be scored."""
        return sum(part.unscored for part in self.change_parts)

    def as_json(self) -> dict[str, Any]:
        """Return the document, from which `of_json` makes the same."""
        counts = {"reviews": self.reviews, "unscored": self.unscored, "left_out": self.left_out}
        return {"format": self.format, **counts, **asdict(self)}

    @classmethod
    def of_json(cls, document: Mapping[str, Any]) -> "RunDocument":
        """Read what `as_json` gave.

        Raises:
            BatchError: it is something else, or of another version.
        """
        from pydantic import TypeAdapter, ValidationError

        if document.get("format") != FORMAT:
            raise BatchError(
                f"the run is not of format {FORMAT}, which this version reads; score its reviews "
                "again with `crscore batch`"
            )
        try:
            return TypeAdapter(cls).validate_python(document)
        except ValidationError as error:
            raise BatchError("what the run says of itself is damaged") from error
