"""Rated reviews of one's own, from a file of the corpus format with columns that are labels."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from crscore_core.corpus.model import DIMENSIONS, Corpus
from crscore_core.corpus.reading import (
    guess_mapping,
    label_columns,
    label_name,
)
from crscore_core.corpus.run.intake import import_corpus
from crscore_core.corpus.run.sources import row_stream
from crscore_core.datasets.labelled import LabelledData, with_ratings
from crscore_core.errors import BatchError, DatasetError

OWN = "own"
"""Name of data that are a person's own file."""


def load_own(path: Path, labels: Sequence[str] = ()) -> LabelledData:
    """Read JSON Lines, CSV or Parquet; `labels` names the columns that are labels.

    Without names they are people's ratings of relevance, conciseness and comprehensiveness, and
    the columns that begin with `label_` or `outcome_`. A label called like a rating stands for it.

    Raises:
        DatasetError: no column holds a label, or no row can be used.
        CorpusError: the file cannot be read or is damaged, or a column is missing.
    """
    rows = row_stream(path)
    columns = rows.columns()
    named = tuple(dict.fromkeys(labels)) or label_columns(columns)
    mapping = guess_mapping([column for column in columns if column not in named])
    if labels:  # another column that is called like a rating need not be one
        mapping = {field: column for field, column in mapping.items() if field not in DIMENSIONS}
    try:
        imported = import_corpus(rows, mapping, path.name, named)
    except BatchError as error:
        raise DatasetError(f"{str(path)!r}: {error}") from error
    names = tuple(map(label_name, named))
    changes = tuple(
        replace(change, reviews=tuple(with_ratings(one, names) for one in change.reviews))
        for change in imported.corpus.changes
    )
    rated = () if labels else tuple(name for name in DIMENSIONS if name in {*mapping} - {*names})
    if not named and not rated:
        raise DatasetError(
            f"{str(path)!r} has no labels; name the column that holds one with --label"
        )
    oddities = tuple(f"row {row.number}: {row.reason}" for row in imported.rejected)
    corpus = Corpus(path.name, changes)
    return LabelledData(OWN, path.name, corpus, (*rated[::-1], *names), oddities=oddities)
