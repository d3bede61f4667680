"""The table of reviews: every review of a corpus against the pseudo-references of its change."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.maxima import Maxima
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH, UNRATED, Ratings
from crscore_core.corpus.reading import label_column
from crscore_core.corpus.table import lists_of, maxima_of_table
from crscore_core.errors import InputError
from crscore_core.scoring.references import PseudoReference, ReferenceKind

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Array = NDArray[np.float64]
Chosen = NDArray[np.bool_]

SAME = ("encoder", "precision", "claims", "analyzers")
"""Settings that two runs must have in common for their scores to be compared."""

PEOPLE_COLUMNS = tuple(f"human_{name}" for name in DIMENSIONS)
"""Columns of people's ratings, in order of `DIMENSIONS`."""

_PLAIN = ("row", "id", "system", "change", "n_pseudo_references", "n_sentences", *PEOPLE_COLUMNS)
_CODE = re.compile(r"`[^`\n]+`|^ {0,3}(?:```|~~~)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ComparedChange:
    """A change and what its reviews are compared with; `language` is empty where unknown."""

    id: str
    language: str
    diff: str
    references: tuple[PseudoReference, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A change whose reviews cannot be scored, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class ComparedReview:
    """A review and how similar its sentences are to the pseudo-references of its change.

    `change` is the position of its change among those compared. `similarity` is float32,
    (n pseudo-references, n sentences). `labels` are those of `CorpusReview`. `warnings` say what a
    person should know about the review and its score, such as text that is hidden from its readers.
    """

    change: int
    id: str
    system: str
    text: str
    ratings: Ratings
    references: tuple[str, ...]
    sentences: tuple[str, ...]
    similarity: NDArray[np.float32]
    labels: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def count_unscored(scores: Array) -> Array:
    """Count 0 for a review that cannot be scored (NaN), as the paper's tables do.

    An empty review covers nothing and says nothing. Elsewhere it has no score.
    """
    return np.nan_to_num(scores, nan=0.0)


class UniqueIds:
    """Gives out ids, never one twice, and none that is `taken` already."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._uses: Counter[str] = Counter()

    def take(self, wanted: str) -> str:
        """The id `wanted`, else the same with a number behind it."""
        free = wanted
        while free in self._taken:
            self._uses[wanted] += 1
            free = f"{wanted} ({self._uses[wanted] + 1})"
        self._taken.add(free)
        return free


def own_ids(ids: Sequence[str], names: Iterable[str]) -> tuple[str, ...]:
    """Return ids of which no two are alike: one that is there twice becomes its name."""
    counts = Counter(ids)
    unique = UniqueIds(name for name, count in counts.items() if count == 1)
    return tuple(
        given if counts[given] == 1 else unique.take(name)
        for given, name in zip(ids, names, strict=True)
    )


Columns = Callable[[Sequence[str]], "pa.Table"]
"""Reads columns of a table by their names."""


class Reviews(Sequence[ComparedReview]):
    """n reviews of changes that have pseudo-references, a column an attribute.

    Columns are read when they are first asked for; as a sequence it gives records. `settings` has
    the `encoder`, its `precision`, the `claims` and whether `analyzers` made smells. `labels` names
    further judgements of the reviews. `read_reviews` and `read_changes` read columns of the tables
    of `corpus.table`, in which the reviews of changes left out stand too. `remarks` are about the
    whole corpus.
    """

    def __init__(
        self,
        settings: Mapping[str, Any],
        read_reviews: Columns,
        read_changes: Columns,
        labels: Sequence[str] = (),
        remarks: Sequence[str] = (),
    ) -> None:
        """Take the tables, and read the columns of numbers and names.

        Raises:
            KeyError, TypeError, ValueError: the settings are not whole, or the tables do not fit
                each other.
        """
        self.settings = settings
        self.encoder = str(settings["encoder"])
        self.claims = str(settings["claims"])
        self.precision = settings["precision"]
        self.analyzers = bool(settings["analyzers"])
        self.labels = tuple(labels)
        self.read_reviews, self.read_changes = read_reviews, read_changes
        self.remarks = tuple(remarks)
        of_changes = read_changes(["number", "left_out"])
        is_compared = of_changes["left_out"].is_null().to_numpy()
        numbers = of_changes["number"].to_numpy()
        self._is_compared: Chosen = is_compared
        position = dict(zip(numbers.tolist(), (np.cumsum(is_compared) - 1).tolist(), strict=True))
        compared = {*numbers[is_compared].tolist()}
        plain = read_reviews([*_PLAIN, *map(label_column, self.labels)])
        changes = plain["change"].to_pylist()
        if not {*changes} <= position.keys():
            raise ValueError("a review is of a change that is not there")
        self._chosen = np.array([one in compared for one in changes], dtype=np.bool_)
        self._plain = plain.filter(self._chosen)
        self.change: NDArray[np.intp] = np.array(
            [position[one] for one in changes if one in compared], dtype=np.intp
        )
        """The position of each review's change, (n,)."""

    @classmethod
    def of_tables(
        cls,
        settings: Mapping[str, Any],
        changes: "Sequence[pa.Table]",
        reviews: "Sequence[pa.Table]",
        labels: Sequence[str] = (),
        remarks: Sequence[str] = (),
    ) -> "Reviews":
        """Take tables in memory, one after the other; see `corpus.table` for their columns."""
        import pyarrow as pa

        from crscore_core.corpus.table import change_schema, review_schema

        whole = [
            pa.concat_tables(tables) if tables else schema.empty_table()
            for tables, schema in ((reviews, review_schema(labels)), (changes, change_schema()))
        ]
        table, of_changes = whole
        return cls(settings, table.select, of_changes.select, labels, remarks)

    def loaded(self) -> "Reviews":
        """Return the same reviews with every column in memory, whatever becomes of the files.

        Raises:
            InputError: a column is missing or damaged.
        """
        from crscore_core.corpus.table import change_schema, review_schema

        changes = self.read_changes(change_schema().names)
        reviews = self.read_reviews(review_schema(self.labels).names)
        found = Reviews.of_tables(self.settings, [changes], [reviews], self.labels, self.remarks)
        found[:0]  # reads changes and records, damaged or not
        return found

    def __len__(self) -> int:
        """Number of reviews."""
        return len(self.change)

    @overload
    def __getitem__(self, place: int) -> ComparedReview: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[ComparedReview]: ...
    def __getitem__(self, place: int | slice) -> ComparedReview | Sequence[ComparedReview]:
        """Return the record of a review by its position."""
        return self._records[place]

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The number of each review in the table that it came from, (n,)."""
        rows: NDArray[np.int64] = self._plain["row"].to_numpy()
        return rows

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The id of each review, no two alike: one that is there twice becomes CHANGE/SYSTEM."""
        reviews = zip(self.change, self.system, strict=True)
        names = (f"{self.changes[change].id}/{system}" for change, system in reviews)
        return own_ids(self._plain["id"].to_pylist(), names)

    @cached_property
    def system(self) -> NDArray[np.str_]:
        """The system that wrote each review, (n,)."""
        return np.array(self._plain["system"].to_pylist(), dtype=np.str_)

    @cached_property
    def _coded(self) -> tuple[NDArray[np.str_], NDArray[np.intp]]:
        return np.unique(self.system, return_inverse=True)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, sorted."""
        return tuple(self._coded[0].tolist())

    @property
    def system_number(self) -> NDArray[np.intp]:
        """Which of `systems` wrote each review, (n,)."""
        return self._coded[1]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each review."""
        return tuple(self._column("text").to_pylist())

    @cached_property
    def n_words(self) -> Array:
        """The number of words of each review, (n,)."""
        return np.array([len(text.split()) for text in self.texts], dtype=np.float64)

    @cached_property
    def language(self) -> NDArray[np.str_]:
        """The language of each review's change, (n,); empty where it is unknown."""
        languages = np.array([change.language for change in self.changes], dtype=np.str_)
        return languages[self.change]

    @cached_property
    def ratings(self) -> Array:
        """Human ratings from 1 to 5: (n, n dimensions), in order of `DIMENSIONS`.

        NaN where nobody rated.
        """
        return np.column_stack([self._numbers(name) for name in PEOPLE_COLUMNS])

    def label(self, name: str) -> Array:
        """Return the value of a label of each review, (n,); NaN where it has none."""
        return self._numbers(label_column(name))

    @cached_property
    def maxima(self) -> Maxima:
        """Best similarities of each review, enough to score it at any tau."""
        columns = ["sentence_maxima", "reference_maxima"]
        return maxima_of_table(self.read_reviews(columns).filter(self._chosen))

    @cached_property
    def is_empty(self) -> Chosen:
        """Mark the reviews without sentences, (n,); they count 0 (see `count_unscored`)."""
        is_empty: Chosen = self._plain["n_sentences"].to_numpy() == 0
        return is_empty

    @property
    def empty(self) -> int:
        """Number of reviews without sentences."""
        return int(self.is_empty.sum())

    @cached_property
    def is_of_a_system(self) -> Chosen:
        """Mark the reviews that are not the ground truth's, (n,)."""
        is_of_a_system: Chosen = self.system != GROUND_TRUTH
        return is_of_a_system

    def is_judged_in(self, dimension: str) -> Chosen:
        """Mark the reviews rated in a dimension, without the ground truth (section 5.2)."""
        is_rated: Chosen = ~np.isnan(self.ratings[:, DIMENSIONS.index(dimension)])
        return is_rated & self.is_of_a_system

    @property
    def is_judged(self) -> Chosen:
        """Mark the reviews that correlations of relevance are over; see `is_judged_in`."""
        return self.is_judged_in("relevance")

    def scores(self, taus: Sequence[float] | Array) -> Array:
        """Con, Comp and Rel of each review: (n dimensions, n taus, n), from 0 to 1.

        A review without sentences counts 0; see `count_unscored`.

        Raises:
            InputError: a tau is not a finite number.
        """
        swept = self.maxima.at(taus)
        return count_unscored(
            np.stack([swept.conciseness, swept.comprehensiveness, swept.relevance])
        )

    def no_threshold(self) -> Array:
        """Scores of each review without a threshold: (n dimensions, n), counted as in `scores`."""
        return count_unscored(self.maxima.no_threshold())

    def frame(self, tau: float, *, is_shown: bool = False) -> "pd.DataFrame":
        """Make a data frame of the reviews with their scores at `tau`; the index is the position.

        Columns: `review` (its id), `change` (id), `language`, `system`, `text`; the ratings, from
        1 to 5, and labels, NaN where there is none; `pseudo_references`, `sentences` and `words`
        (numbers); `inline_code`; each of `METRICS` and of `DIMENSIONS`, from 0 to 1. A review
        without sentences counts 0, to compute with, or has no score where it `is_shown`.
        """
        import pandas as pd

        frame = self._fixed.assign(**dict(zip(DIMENSIONS, self.scores([tau])[:, 0], strict=True)))
        if is_shown:
            frame.loc[self.is_empty, [*METRICS, *DIMENSIONS]] = np.nan
        return pd.DataFrame(frame)

    @cached_property
    def _fixed(self) -> "pd.DataFrame":
        import pandas as pd

        return pd.DataFrame(
            {
                "review": self.ids,
                "change": [self.changes[change].id for change in self.change],
                "language": self.language,
                "system": self.system,
                "text": self.texts,
                **{name: self._numbers(name) for name in PEOPLE_COLUMNS},
                **{label_column(name): self.label(name) for name in self.labels},
                "pseudo_references": self._plain["n_pseudo_references"].to_numpy(),
                "sentences": self._plain["n_sentences"].to_numpy(),
                "words": self.n_words.astype(int),
                "inline_code": [has_inline_code(text) for text in self.texts],
                **{name: compute(self) for name, compute in METRICS.items()},
            }
        )

    @cached_property
    def changes(self) -> tuple[ComparedChange, ...]:
        """The changes that have pseudo-references."""
        return self._read[0]

    @cached_property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The changes whose reviews cannot be scored."""
        return self._read[1]

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Remarks about the whole corpus, and what is known of single changes."""
        return (*self.remarks, *(f"{name}: {warning}" for name, warning in self.change_warnings))

    @property
    def change_warnings(self) -> tuple[tuple[str, str], ...]:
        """Warnings about single changes, each with the change's id."""
        return self._read[2]

    @cached_property
    def _read(
        self,
    ) -> tuple[tuple[ComparedChange, ...], tuple[LeftOut, ...], tuple[tuple[str, str], ...]]:
        columns = ["id", "language", "title", "diff", "pseudo_references", "warnings", "left_out"]
        ids = UniqueIds()
        compared: list[ComparedChange] = []
        left_out: list[LeftOut] = []
        warnings: list[tuple[str, str]] = []
        for row in self.read_changes(columns).to_pylist():
            name = ids.take(row["id"])
            warnings += ((name, warning) for warning in row["warnings"])
            if row["left_out"] is not None:
                left_out.append(LeftOut(name, row["left_out"]))
                continue
            try:
                references = tuple(map(_reference, row["pseudo_references"]))
            except (TypeError, ValueError) as error:
                raise InputError(f"the pseudo-references of {name!r} are damaged") from error
            compared.append(
                ComparedChange(
                    name, row["language"] or "", row["diff"], references, row["title"] or ""
                )
            )
        return tuple(compared), tuple(left_out), tuple(warnings)

    @cached_property
    def _records(self) -> tuple[ComparedReview, ...]:
        """The reviews as records; their matrices share memory."""
        table = self.read_reviews(["sentences", "similarity", "warnings"]).filter(self._chosen)
        texts = [tuple(one.text for one in change.references) for change in self.changes]
        sentences, cosines = (list(_cut_lists(table, name)) for name in ("sentences", "similarity"))
        shapes = [
            (len(texts[change]), len(said))
            for change, said in zip(self.change, sentences, strict=True)
        ]
        counts = (self._plain[name].to_pylist() for name in ("n_pseudo_references", "n_sentences"))
        sizes = [height * width for height, width in shapes]
        if shapes != list(zip(*counts, strict=True)) or sizes != list(map(len, cosines)):
            raise InputError("the similarities of the run do not fit its texts")
        matrices = [one.reshape(shape) for one, shape in zip(cosines, shapes, strict=True)]
        ratings = [
            UNRATED if np.isnan(rated).all() else Ratings(*map(_known, rated))
            for rated in self.ratings
        ]
        return tuple(
            ComparedReview(
                int(change), name, str(system), text, rated, texts[change], tuple(said),
                matrix, labels, tuple(warnings or ()),
            )
            for change, name, system, text, rated, said, matrix, labels, warnings in zip(
                self.change, self.ids, self.system, self.texts, ratings,
                sentences, matrices,
                self._given_labels(), table["warnings"].to_pylist(), strict=True,
            )
        )  # fmt: skip

    def _given_labels(self) -> Iterator[dict[str, float]]:
        columns = {name: self.label(name).tolist() for name in self.labels}
        for at in range(len(self)):
            values = {name: column[at] for name, column in columns.items()}
            yield {name: value for name, value in values.items() if not np.isnan(value)}

    def _column(self, name: str) -> "pa.ChunkedArray":
        return self.read_reviews([name])[name].filter(self._chosen)

    def _numbers(self, name: str) -> Array:
        numbers: Array = self._plain[name].to_numpy().astype(np.float64)
        return numbers


METRICS: Mapping[str, Callable[[Reviews], Array]] = {
    "no_threshold": lambda reviews: reviews.no_threshold()[DIMENSIONS.index("relevance")],
}
"""Scores that need no tau, by their names: (n,) from 0 to 1, where an empty review counts 0.

A score that is added here also needs its words in `measures.MEASURES`."""


def has_inline_code(review: str) -> bool:
    """Return True if a review quotes code as Markdown does: in backticks or a fenced block."""
    return _CODE.search(review) is not None


def _known(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


def _reference(values: Mapping[str, Any]) -> PseudoReference:
    return PseudoReference(
        **{
            **values,
            "kind": ReferenceKind(values["kind"]),
            "wordings": tuple(values["wordings"] or ()),
        }
    )


def _cut_lists(table: "pa.Table", name: str) -> Iterable[NDArray[Any]]:
    """Return the list of each row, all of them views of one array."""
    values, lengths = lists_of(table, name)
    return np.split(values, np.cumsum(lengths)[:-1]) if lengths.size else []
