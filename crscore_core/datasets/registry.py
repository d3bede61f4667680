"""Data with people's labels: data sets by name, where each lies, and files of one's own."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from platformdirs import user_data_path

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reading import guess_mapping, label_columns, label_name
from crscore_core.corpus.reading.mapping import judge_figure
from crscore_core.corpus.run.intake import import_corpus
from crscore_core.corpus.run.sources import row_stream
from crscore_core.datasets.labelled import LabelledData, with_ratings
from crscore_core.datasets.published import CLEARCRC, GRADED, load_clearcrc, load_graded
from crscore_core.datasets.study.corpus import rated_corpus
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.shipped import SHIPPED, shipped_study
from crscore_core.errors import InputError

KINDS = "Six kinds of reviews"
OWN = "own"
"""Name of data that are a person's own file."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set that people may have: its title, what it holds, its licence, and its loader.

    `file` is its one file, which `load` reads; empty for a release of several. `shipped` is its
    folder if it comes with the package; otherwise an environment `variable` may name its place.
    """

    title: str
    contents: str
    licence: str
    origin: str
    variable: str
    file: str
    load: Callable[[Path], LabelledData]
    shipped: Path | None = None

    def path(self, name: str) -> Path:
        """Return the place that the environment names, or one among this user's data."""
        named = os.environ.get(self.variable)
        return self.shipped or (Path(named) if named else user_data_path("crscore") / name)

    def is_there(self, name: str) -> bool:
        """Return True if `path` holds the data set's file or folder."""
        place = self.path(name)
        return os.path.isfile(place) or os.path.exists(place / self.file)


def load_own(path: Path, labels: Sequence[str] = ()) -> LabelledData:
    """Read JSON Lines, CSV or Parquet; `labels` names the columns that are labels.

    Without names they are people's ratings of relevance, conciseness and comprehensiveness, and
    the columns that begin with `label_` or `outcome_`, without a judge's figures. A label called
    like a rating stands for it.

    Raises:
        InputError: no column holds a label, or no row can be used.
        InputError: the file cannot be read or is damaged, or a column is missing.
    """
    rows = row_stream(path)
    columns = rows.columns(sys.maxsize)  # a label may be given far down alone
    of_people = (column for column in label_columns(columns) if judge_figure(column) is None)
    named = tuple(dict.fromkeys(labels or of_people))
    mapping = guess_mapping([column for column in columns if column not in named])
    if labels:  # another column that is called like a rating need not be one
        mapping = {field: column for field, column in mapping.items() if field not in DIMENSIONS}
    try:
        imported = import_corpus(rows, mapping, path.name, named)
    except InputError as error:
        raise InputError(f"{str(path)!r}: {error}") from error
    names = tuple(map(label_name, named))
    rated = () if labels else tuple(name for name in DIMENSIONS if name in {*mapping} - {*names})
    if not named and not rated:
        raise InputError(
            f"{str(path)!r} has no labels; name the column that holds one with --label"
        )
    oddities = tuple(f"row {row.number}: {row.reason}" for row in imported.rejected)
    corpus = with_ratings(imported.corpus, names)
    return LabelledData(OWN, path.name, corpus, (*rated[::-1], *names), oddities=oddities)


def load_human_study(path: Path) -> LabelledData:
    """Read the human study: reviews rated from 1 to 5 by the codebook of the paper.

    `path` is a folder of the release, or `SHIPPED`.

    Raises:
        InputError: there is none, or it is damaged.
    """
    study = shipped_study() if path == SHIPPED else load_study(path)
    return LabelledData(
        "study",
        "Human study of CRScore",
        with_ratings(rated_corpus(study)),
        DIMENSIONS[::-1],
        study=study,
        folder=path,
        oddities=tuple(study.oddities),
    )


DATA_SETS: Mapping[str, DataSet] = {
    "study": DataSet(
        "Human study of CRScore, development part",
        "reviews of nine systems and people, rated from 1 to 5; Python, Java, JavaScript",
        "MIT",
        "repository atharva-naik/CRScore",
        "",
        "",
        load_human_study,
        SHIPPED,
    ),
    "kinds": DataSet(
        KINDS,
        "findings, recitals, false claims and remarks on 24 commits in nine languages",
        "MIT; of the diffs, see LICENSES.txt there",
        "repository of this project",
        "",
        "kinds.jsonl",
        lambda file: replace(load_own(file), name="kinds", title=KINDS),
        SHIPPED.with_name("kinds"),
    ),
    "clearcrc": DataSet(
        CLEARCRC,
        "comments of reviewers in nine languages, labelled 0 or 1 for three qualities",
        "none stated: ask its authors before you use it for more than measuring",
        "repository iCSawyer/ClearCRC",
        "CRSCORE_CLEARCRC",
        "crc_labelled_data.csv",
        load_clearcrc,
    ),
    "graded": DataSet(
        GRADED,
        "reviews of four systems beside a reference review, graded from 1 to 5; Java",
        "none stated: ask its authors before you use it for more than measuring",
        "replication package of 'Deep Assessment of Code Review Generation Approaches'",
        "CRSCORE_GRADED",
        "dataset.xlsx",
        load_graded,
    ),
}


def data_set(name: str) -> DataSet:
    """Return the data set of this name.

    Raises:
        InputError: there is none.
    """
    if name not in DATA_SETS:
        raise InputError(
            f"no data set, file or folder is called {name[:80]!r}; there are {', '.join(DATA_SETS)}"
        )
    return DATA_SETS[name]


def load_data(name: str, path: Path | None = None, labels: Sequence[str] = ()) -> LabelledData:
    """Read a data set by its name, or a file of one's own.

    `path` is where a named data set lies; by default see `DataSet.path`. `labels` names columns
    of a file, or those labels of a data set that count.

    Raises:
        InputError: there is no such data set, file or label, or it is damaged.
        InputError: the same of the human study.
        InputError: the same of a file of one's own.
    """
    if name not in DATA_SETS and os.path.exists(name):
        return load_own(Path(name), labels)
    known = data_set(name)
    place = path or known.path(name)
    if not os.path.exists(place):
        or_variable = f" or {known.variable}" if known.variable else ""
        raise InputError(
            f"{known.title} is not at {str(place)!r}; get it with "
            f"'crscore study fetch {name}', or give its place with --path{or_variable}"
        )
    data = known.load(place / known.file if place.is_dir() else place)
    if unknown := [label for label in labels if label not in data.labels]:
        raise InputError(
            f"{known.title} has no label {unknown[0][:80]!r}; its labels are: "
            f"{', '.join(data.labels)}"
        )
    return replace(data, labels=tuple(dict.fromkeys(labels))) if labels else data
