"""Sources of reviews by their path: a file, or the folder of a run, whose rows are a corpus too."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crscore_core.corpus.reading.files import RowStream
from crscore_core.corpus.reading.table import OpenedRows
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.folder import DOCUMENT


def row_stream(path: Path) -> RowStream:
    """Open the rows of a file or of a run.

    Raises:
        InputError: there is no such file, or none of its rows can be read.
        InputError: the run is damaged.
    """
    return _RunRows(path / DOCUMENT) if is_run(path) else RowStream(path)


def source_file(path: Path) -> Path:
    """Return the file that stands for a source: a run's description has its parts' digests."""
    return path / DOCUMENT if is_run(path) else path


def is_run(path: Path) -> bool:
    """Return True if a path is the folder of a finished run."""
    return os.path.isfile(path / DOCUMENT)


class _RunRows(RowStream):
    """The rows of the run whose description is given."""

    @contextmanager
    def opened(self, file: io.BufferedReader) -> Iterator[OpenedRows]:
        """See `RowStream.opened`."""
        run = FinishedRun.open(Path(file.name).parent)
        yield OpenedRows(run.corpus_columns, run.corpus_rows(), run.document.reviews)
