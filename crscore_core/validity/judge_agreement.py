"""Agreement of judges with the truth, and the bias of each judge by who wrote what it judged.

The tables and figures are those of "On the Effectiveness of LLM-as-a-judge for Code Generation and
Summarization" (its replication package): Cohen's kappa where the truth is pass or fail,
Krippendorff's alpha on the ordinal scale where it is people's ratings from 1 to 5 (the median of
several), and the mean difference between a judge's verdict and the truth for each generator. Rows
about one target are resampled together.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.measures import FEWEST_RATED, FEWEST_RATED_CHANGES, UNCHECKED
from crscore_core.corpus.reading import (
    Cell,
    Table,
    TableRow,
    cell_number,
    guess_mapping,
    is_truth_word,
    label_column,
)
from crscore_core.corpus.reading.mapping import judge_figure
from crscore_core.corpus.reading.table import is_blank
from crscore_core.corpus.reviews import PEOPLE_COLUMNS
from crscore_core.corpus.run.answers import RIGHT, WORTH
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.errors import BatchError, CorpusError
from crscore_core.ranking.gate import Check
from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredDecisions,
    ClusteredRatings,
    Estimate,
    clustered_mean,
)

TRUTH = "is_pass"
"""Column of the truth by default."""

_TARGET, _GENERATOR = "target_id", "generated_by"
_JUDGE = re.compile(r"(.+)_(?:rating|grade)", re.IGNORECASE)
"""Names of judges' columns; the protocols of papers in `crscore judge` write the last ending."""

_ANSWERS = {
    "right": label_column(RIGHT),
    "worth": label_column(WORTH),
    "relevance": PEOPLE_COLUMNS[-1],
}
"""Column of people's answers about a figure of the judge `review`."""

_SHOWN_COLUMNS = 500

_Array = NDArray[np.float64]


class TruthKind(StrEnum):
    """Scale of the truth and of all judges: 0 or 1, or 1 to 5."""

    PASS_OR_FAIL = "pass or fail"  # noqa: S105 - not a password
    RATING = "rating from 1 to 5"


@dataclass(frozen=True, slots=True)
class GeneratorBias:
    """Mean of a judge's verdict minus the truth over `n` candidates of one generator.

    `is_own` is true if the generator has the name of the judge or of its model.
    """

    generator: str
    n: int
    bias: Estimate
    is_own: bool


@dataclass(frozen=True, slots=True)
class JudgeFigures:
    """Figures of one judge over `n` rows with truth and a judgement; `invalid` rows have none.

    `targets` counts the targets of the `n` rows.

    `agreement` is Cohen's kappa, or Krippendorff's alpha for ratings. `bias` is over all rows.
    """

    judge: str
    n: int
    targets: int
    invalid: int
    agreement: Estimate
    bias: Estimate
    by_generator: tuple[GeneratorBias, ...]


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """Agreement of all judges of a table with its truth.

    `rows` counts the rows with a truth, `targets` the targets that these rows are about, and
    `without_truth` the rows that were left out.
    """

    kind: TruthKind
    truth: tuple[str, ...]
    rows: int
    targets: int
    without_truth: int
    judges: tuple[JudgeFigures, ...]

    @property
    def statistic(self) -> str:
        """The name of the statistic of agreement."""
        return "kappa" if self.kind is TruthKind.PASS_OR_FAIL else "alpha"


def judge_agreement(
    table: Table, truth: Sequence[str] = (), judges: Sequence[str] = (), n_resamples: int = 1000
) -> JudgeAgreement:
    """Compare judges with the truth, a row a candidate.

    `truth` names the column with the truth, by default `is_pass`, or several with people's ratings,
    of which the median counts. `judges` names the columns of judges, by default all that end in
    `_rating` or `_grade`. The kind of the truth follows from its values; words such
    as yes and fail are of the kind pass or fail. Targets are told apart by `target_id`, else by
    their diff; generators by `generated_by`, else by system. An empty judgement is invalid, and
    counted.

    Raises:
        CorpusError: a column is missing, a value is not of the kind of the truth, the truth mixes
            kinds, or no row has a truth.
        StatisticsError: there are too many targets.
    """
    truths = tuple(truth) or (TRUTH,)
    columns = tuple(judges) or tuple(
        name for name in table.columns if _JUDGE.fullmatch(name) and name not in truths
    )
    for name in (*truths, *columns):
        if name not in table.columns:
            raise _missing(f"there is no column {name[:80]!r}", table)
    if not columns:
        raise _missing("no column is a judge's, as none ends in _rating or _grade", table)
    ratings = np.column_stack([_values(table, name) for name in truths])
    kind = _kind(ratings, truths)
    for name, values in zip(truths, ratings.T, strict=True):
        _check(values, kind, name, table)
    is_known: NDArray[np.bool_] = np.asarray(~np.isnan(ratings).all(axis=1))
    expected = np.array([np.median(row[~np.isnan(row)]) for row in ratings[is_known]])
    usual = guess_mapping(table.columns)
    target = _numbered(table, _TARGET, usual.get("diff"), is_known)
    sample = _Sample(kind, expected, target, ClusterBootstrap(int(target.max()) + 1, n_resamples))
    generators = _cells(table, _GENERATOR, usual.get("system"))
    known_generators = [str(generators[row] or "") for row in np.flatnonzero(is_known)]
    figures = []
    for name in columns:
        values = _values(table, name)
        _check(values, kind, name, table)
        figures.append(
            sample.figures(name, values[is_known], known_generators, _names(name, table))
        )
    return JudgeAgreement(
        kind, truths, expected.size, int(target.max()) + 1, int((~is_known).sum()), tuple(figures)
    )


def answered_agreements(table: Table, n_resamples: int = 1000) -> list[JudgeAgreement]:
    """Compare the judges `review` with people's answers about the same reviews, a figure each.

    A review is right to people if more of them say so than not, and to a judge if no finding is
    wrong and one is right. Worth and relevance are compared as they are. Figures about which nobody
    answered are left out.

    Raises:
        CorpusError: a value is out of range.
        StatisticsError: there are too many targets.
    """
    found = []
    for figure, answers in _ANSWERS.items():
        judges = [name for name in table.columns if (of := judge_figure(name)) and of[1] == figure]
        if not judges or answers not in table.columns:
            continue
        rows = [row for row in table.rows if not is_blank(row.cells.get(answers))]
        if figure == "right":
            rows = [_with_decisions(row, answers, judges) for row in rows]
        if any(not is_blank(row.cells[answers]) for row in rows):
            of_figure = replace(table, rows=tuple(rows))
            found.append(judge_agreement(of_figure, [answers], judges, n_resamples))
    return found


def run_agreements(run: FinishedRun, n_resamples: int = 1000) -> list[JudgeAgreement]:
    """Compare the judges of a run with what its raters answered; see `answered_agreements`.

    Raises:
        BatchError: the run is damaged, or has no judgements.
    """
    judges = run.judgements.by_name()
    if not judges:
        raise BatchError(
            f"the run {str(run.folder.path)!r} has no judgements; `crscore judge run` makes some"
        )
    rows = tuple(
        replace(
            row,
            cells={
                **row.cells,
                **{
                    f"{name}_model": judged[row.number].model
                    for name, judged in judges.items()
                    if row.number in judged
                },
            },
        )
        for row in run.corpus_rows()
    )
    return answered_agreements(Table(run.corpus_columns, rows), n_resamples)


def check_judges(run: FinishedRun, least: float) -> list[Check]:
    """Check that each judge of a run agrees with its raters, in each figure, at least so well.

    It is not told where they answered about too few of the same reviews.

    Raises:
        BatchError: the run is damaged, or has no judgements.
    """
    checks = []
    for of in run_agreements(run):
        for judge in of.judges:
            value, enough = judge.agreement.value, judge.n >= FEWEST_RATED
            is_told = value is not None and enough and judge.targets >= FEWEST_RATED_CHANGES
            words = f"{of.statistic} {str(judge.agreement) or '–'} over {judge.n:,} reviews"
            figures = {"judge": judge.judge, "truth": of.truth[0], "agreement": value,
                       "ci": judge.agreement.ends, "reviews": judge.n, "least": least}  # fmt: skip
            checks.append(
                Check(
                    f"{judge.judge} agrees with {of.truth[0]} by {least:g} or more",
                    is_met=not is_told or (value or 0.0) >= least,
                    words=words if is_told else f"{words}; {UNCHECKED}",
                    figures=figures,
                    is_told=is_told,
                )
            )
    return checks or [
        Check("judges agree with people", is_met=True, words=UNCHECKED, figures={}, is_told=False)
    ]


def _with_decisions(row: TableRow, answers: str, judges: Sequence[str]) -> TableRow:
    """Return a row in which shares of people and findings are 1, 0, or nothing."""
    share = cell_number(row.cells.get(answers), answers)
    cells: dict[str, Cell] = {answers: None if share in {None, 0.5} else float(share > 0.5)}
    for name in judges:
        right = cell_number(row.cells.get(name), name)
        cells[name] = None if right is None else float(right == 1)
    return replace(row, cells={**row.cells, **cells})


@dataclass(frozen=True, slots=True)
class _Sample:
    """The truth of n rows, (n,), and the target of each."""

    kind: TruthKind
    truth: _Array
    target: NDArray[np.intp]
    bootstrap: ClusterBootstrap

    def figures(
        self, column: str, values: _Array, generators: Sequence[str], names: set[str]
    ) -> JudgeFigures:
        """Return the figures of a judge with these values, NaN where a judgement is invalid."""
        is_valid = ~np.isnan(values)
        of_generator = np.array(generators)
        biases = [
            GeneratorBias(
                name, int(chosen.sum()), self._bias(values, chosen), _plain(name) in names
            )
            for name in dict.fromkeys(generators)
            if name
            for chosen in [is_valid & (of_generator == name)]
        ]
        return JudgeFigures(
            _judge_name(column),
            int(is_valid.sum()),
            np.unique(self.target[is_valid]).size,
            int((~is_valid).sum()),
            self._agreement(values[is_valid], is_valid),
            self._bias(values, is_valid),
            tuple(biases),
        )

    def _agreement(self, values: _Array, is_valid: NDArray[np.bool_]) -> Estimate:
        truth, target = self.truth[is_valid], self.target[is_valid]
        if not values.size:
            return Estimate(None, None)
        if self.kind is TruthKind.PASS_OR_FAIL:
            return self.bootstrap.estimate(ClusteredDecisions(values > 0, truth > 0, target).kappa)
        pairs = np.column_stack([values, truth])
        return self.bootstrap.estimate(ClusteredRatings(pairs, target).alpha)

    def _bias(self, values: _Array, chosen: NDArray[np.bool_]) -> Estimate:
        differences = values[chosen] - self.truth[chosen]
        return clustered_mean(differences, self.target[chosen], self.bootstrap)


def _kind(ratings: _Array, names: Sequence[str]) -> TruthKind:
    values = np.unique(ratings[~np.isnan(ratings)]).tolist()
    what = " and ".join(names)
    if not values:
        raise CorpusError(f"no row has a truth in {what}; name its column by --truth")
    if set(values) <= {0, 1}:
        if len(names) > 1:
            raise CorpusError(f"{what} are pass or fail; give one of them as the truth")
        return TruthKind.PASS_OR_FAIL
    if values[0] >= 1 and values[-1] <= 5:
        return TruthKind.RATING
    if values[0] == 0 and values[-1] <= 5:
        raise CorpusError(
            f"{what} mixes pass or fail (0) with ratings ({values[-1]:g}); split the table, or "
            "name another column by --truth"
        )
    odd = next(value for value in values if not (value == 0 or 1 <= value <= 5))
    raise CorpusError(f"{what} holds {odd:g}; the truth is 0 or 1, or a rating from 1 to 5")


def _values(table: Table, column: str) -> _Array:
    """Return the numbers of a column, (rows,); NaN where a cell is blank."""
    numbers = (
        cell_number(row.cells.get(column), f"row {row.number}: {column}") for row in table.rows
    )
    return np.array([np.nan if number is None else number for number in numbers])


def _check(values: _Array, kind: TruthKind, column: str, table: Table) -> None:
    """Check that the values of a column are of a kind."""
    cells = [row.cells.get(column) for row in table.rows]
    if kind is TruthKind.PASS_OR_FAIL:
        is_odd = ~np.isin(values, (0, 1)) & ~np.isnan(values)
    else:
        is_odd = (values < 1) | (values > 5) | np.array([is_truth_word(cell) for cell in cells])
    for row in np.flatnonzero(is_odd):
        raise CorpusError(
            f"row {table.rows[row].number}: {column} is {str(cells[row])[:20]!r}, no {kind}, as "
            "the truth is; name the columns to compare by --truth and --judge"
        )


def _names(column: str, table: Table) -> set[str]:
    """Return the names of a judge and of its models, as `_plain` writes them."""
    name = _judge_name(column)
    models = {str(row.cells.get(f"{name}_model") or "") for row in table.rows}
    return {_plain(known) for known in {name, *models}} - {""}


def _judge_name(column: str) -> str:
    """Return the name of the judge whose column this is."""
    if of_judge := judge_figure(column):
        return of_judge[0]
    stem = _JUDGE.fullmatch(column)
    return stem[1] if stem else column


def _plain(name: str) -> str:
    """Return the letters and digits of a model's name, without organisation, server and version."""
    model = name.removeprefix("endpoint:").partition("@")[0].rpartition("/")[2]
    return "".join(filter(str.isalnum, model)).casefold()


def _cells(table: Table, column: str, other: str | None) -> list[Cell]:
    name = column if column in table.columns else other
    return [row.cells.get(name) if name else None for row in table.rows]


def _numbered(
    table: Table, column: str, other: str | None, chosen: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Number the distinct cells of the chosen rows from 0; each empty cell counts as distinct."""

    def keys() -> Iterator[object]:
        for row, cell in enumerate(_cells(table, column, other)):
            if chosen[row]:
                yield (row,) if cell in {None, ""} else str(cell)

    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys()], dtype=np.intp)


def _missing(what: str, table: Table) -> CorpusError:
    names = ", ".join(table.columns)[:_SHOWN_COLUMNS]
    return CorpusError(f"{what}; name columns by --truth and --judge; there are: {names}")
