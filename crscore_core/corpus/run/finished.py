"""A run that is complete, to read its scores or score it again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.rated_maxima import RatedMaxima
from crscore_core.corpus.run.folder import RunFolder, part_name
from crscore_core.corpus.run.run_document import RunDocument
from crscore_core.corpus.run.table import schema_of_scores
from crscore_core.corpus.run.units import WrittenPart
from crscore_core.errors import BatchError, ThresholdError
from crscore_core.scoring import check_tau
from crscore_core.scoring.metric import Maxima

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["FinishedRun", "maxima_of_table"]

Array = NDArray[np.float64]

_PEOPLE = [f"human_{name}" for name in DIMENSIONS]
_RATED = ["system", "n_pseudo_references", "sentence_maxima", "reference_maxima", *_PEOPLE]


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """The folder of a run and what it says of itself; its scores are at `tau`."""

    folder: RunFolder
    document: RunDocument
    tau: float
    encoder: str

    @classmethod
    def open(cls, path: Path) -> "FinishedRun":
        """The run in a folder.

        Raises:
            BatchError: no such folder, no run, not a finished one, or what it says of itself is
                damaged.
        """
        if not path.is_dir():
            raise BatchError(f"there is no folder {str(path)!r}")
        folder = RunFolder(path)
        finished = folder.finished()
        if finished is None and folder.work.exists():
            raise BatchError(
                f"the run {str(path)!r} is not finished; finish it with `crscore batch … --resume`"
            )
        if finished is None:
            raise BatchError(f"{str(path)!r} holds no finished run of `crscore batch`")
        document = RunDocument.of_json(finished)
        try:
            tau, encoder = check_tau(document.settings["tau"]), str(document.settings["encoder"])
        except (KeyError, TypeError, ValueError, ThresholdError) as error:
            raise BatchError(f"the settings of the run {str(path)!r} are damaged") from error
        return cls(folder, document, tau, encoder)

    def parts(self, columns: Sequence[str] | None = None) -> Iterator["pa.Table"]:
        """One part after the other, of all columns of `schema_of_scores` or of some.

        Nothing of a part is looked at before its checksum is right.

        Raises:
            BatchError: a part is missing or damaged.
        """
        for part in self.document.parts:
            yield self._table(part, columns)

    def rated_maxima(self) -> RatedMaxima:
        """What the scores of the reviews at any tau are known by.

        Reviews of changes that have no pseudo-references are left out.

        Raises:
            BatchError: a part is missing or damaged.
        """
        systems: dict[str, int] = {}
        parts = [_rated(table, systems) for table in self.parts(_RATED)]
        if not parts:
            raise BatchError(f"the run {str(self.folder.path)!r} has no reviews")
        maxima, system, ratings = zip(*parts, strict=True)
        return RatedMaxima(
            Maxima(
                np.concatenate([one.of_sentences for one in maxima]),
                np.concatenate([one.n_sentences for one in maxima]),
                np.concatenate([one.of_references for one in maxima]),
                np.concatenate([one.n_references for one in maxima]),
            ),
            tuple(systems),
            np.concatenate(system),
            np.concatenate(ratings),
        )

    def _table(self, part: WrittenPart, columns: Sequence[str] | None) -> "pa.Table":
        import pyarrow as pa
        from pyarrow import parquet

        schema = schema_of_scores(matrices=bool(self.document.settings.get("matrices")))
        if columns is not None:
            schema = pa.schema([schema.field(name) for name in columns])
        content = self.folder.read_part(part)
        try:
            table = parquet.ParquetFile(pa.BufferReader(content)).read(schema.names)
            table = table.select(schema.names).cast(schema)
        except (pa.ArrowException, KeyError, ValueError, OSError) as error:
            raise self._no_part(part, str(error)) from error
        if table.num_rows != part.rows:
            raise self._no_part(part, f"it has {table.num_rows} rows and not {part.rows}")
        return table

    def _no_part(self, part: WrittenPart, reason: str) -> BatchError:
        path = self.folder.path / part_name(part.number)
        return BatchError(f"{str(path)!r} is not a part of a run: {reason}")


def maxima_of_table(table: "pa.Table") -> Maxima:
    """The best similarities of the reviews of a part."""
    return Maxima(*_flat(table, "sentence_maxima"), *_flat(table, "reference_maxima"))


def _flat(table: "pa.Table", name: str) -> tuple[Array, NDArray[np.intp]]:
    """All numbers of a column of lists, and how many each row has."""
    from pyarrow import compute

    lists = table.column(name).combine_chunks()
    numbers = lists.flatten().to_numpy(zero_copy_only=False)
    lengths = compute.list_value_length(lists).to_numpy(zero_copy_only=False)
    return numbers.astype(np.float64), lengths.astype(np.intp)


def _rated(table: "pa.Table", systems: dict[str, int]) -> tuple[Maxima, NDArray[np.intp], Array]:
    """Maxima, systems by their numbers in `systems`, which grows, and ratings of a part."""
    from pyarrow import compute

    compared = table.filter(compute.greater(table.column("n_pseudo_references"), 0))
    names = compared.column("system").combine_chunks().dictionary_encode()
    numbers = [systems.setdefault(name, len(systems)) for name in names.dictionary.to_pylist()]
    return (
        maxima_of_table(compared),
        np.array(numbers, dtype=np.intp)[names.indices.to_numpy()],
        np.column_stack([compared.column(name).to_numpy() for name in _PEOPLE]),
    )
