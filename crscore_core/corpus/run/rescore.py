"""The scores of a finished run at another tau, from what it keeps; no model is needed."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.progress import CorpusProgress, CorpusStage, Note, silent_note
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.folder import REJECTS, RunDocument, RunFolder, changes_name, part_name
from crscore_core.corpus.table import maxima_of_table, parquet_of_table
from crscore_core.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


def rescore(run: FinishedRun, tau: float, path: Path, note: Note = silent_note) -> RunDocument:
    """Write the run to another folder as if it had been begun with `tau`, part by part.

    Raises:
        InputError: something is at `path`, it cannot be written, or a part of the run is missing
            or damaged.
    """
    folder = RunFolder(path)
    if not folder.is_free:
        raise InputError(f"{str(path)!r} is there already; choose another name, or remove it")
    with folder.held(resume=False):
        try:
            return _rescored(run, tau, folder, note)
        except BaseException:
            folder.clear()  # it costs little to begin again
            raise


def _rescored(run: FinishedRun, tau: float, folder: RunFolder, note: Note) -> RunDocument:
    parts = []
    done = 0
    for part, table in zip(run.document.parts, run.parts(), strict=True):
        checksum = folder.write(part_name(part.number), [parquet_of_table(_at(table, tau))])
        parts.append(replace(part, sha256=checksum))
        done += part.rows
        note(CorpusProgress(CorpusStage.SCORES, done, run.document.reviews))
    for part in run.document.change_parts:
        name = changes_name(part.number)
        folder.write(name, [run.folder.read(name, part.sha256)])
    if run.folder.has(REJECTS):  # they are the same at every tau
        folder.write(REJECTS, run.folder.pieces(REJECTS))
    settings = {**run.document.settings, "tau": tau}
    document = replace(run.document, settings=settings, parts=tuple(parts), labels=run.labels)
    folder.finish(document)
    return document


def _at(table: "pa.Table", tau: float) -> "pa.Table":
    """The same rows with the scores at `tau`."""
    import pyarrow as pa
    from pyarrow import compute

    scores = maxima_of_table(table).at([tau])
    signature = compute.replace_substring_regex(
        table.column("signature"), r"\|tau:[^|]*$", f"|tau:{tau:g}"
    )
    columns = {
        **{name: pa.array(getattr(scores, name)[0], from_pandas=True) for name in DIMENSIONS},
        "tau": pa.array(np.full(table.num_rows, tau)),
        "signature": signature,
    }
    for name, column in columns.items():
        at = table.schema.get_field_index(name)
        table = table.set_column(at, table.schema.field(at), column)
    return table
