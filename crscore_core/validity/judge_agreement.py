"""Agreement of judges with the truth, and the bias of each judge by who wrote what it judged.

The tables and figures are those of "On the Effectiveness of LLM-as-a-judge for Code Generation and
Summarization" (its replication package): Cohen's kappa where the truth is pass or fail,
Krippendorff's alpha on the ordinal scale where it is people's ratings from 1 to 5 (the median of
several), and the mean difference between a judge's verdict and the truth for each generator. Rows
about one target are resampled together.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from crscore_core.corpus.measures import FEWEST_RATED, FEWEST_RATED_CHANGES, UNCHECKED
from crscore_core.corpus.reading import (
    Table,
    TableRow,
    cell_number,
    guess_mapping,
    is_truth_word,
    label_column,
)
from crscore_core.corpus.reading.mapping import judge_figure
from crscore_core.corpus.reviews import PEOPLE_COLUMNS
from crscore_core.corpus.run.answers import RIGHT, WORTH
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.errors import InputError
from crscore_core.ranking.gate import Check
from crscore_eval.statistics import (
    ClusterBootstrap,
    ClusteredDecisions,
    ClusteredRatings,
    Estimate,
    clustered_mean,
)

if TYPE_CHECKING:
    import pandas as pd

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
    """Figures of one judge over `n` rows with truth and a judgement, about `targets` targets.

    `invalid` rows have no judgement. `agreement` is Cohen's kappa, or Krippendorff's alpha for
    ratings. `bias` is over all `n` rows.
    """

    judge: str
    n: int
    targets: int
    invalid: int
    agreement: Estimate
    bias: Estimate
    by_generator: tuple[GeneratorBias, ...]

    @property
    def is_checked(self) -> bool:
        """True if the figures rest on enough rows and targets to trust or distrust the judge."""
        return self.n >= FEWEST_RATED and self.targets >= FEWEST_RATED_CHANGES


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
        InputError: a column is missing, a value is not of the kind of the truth, or no row has a
            truth.
        InputError: there are too many targets.
    """
    truths = tuple(truth) or (TRUTH,)
    columns = tuple(judges) or tuple(
        name for name in table.columns if _JUDGE.fullmatch(name) and name not in truths
    )
    missing = [name for name in (*truths, *columns) if name not in table.columns]
    if missing or not columns:
        what = repr(missing[0][:80]) if missing else "that ends in _rating or _grade"
        names = ", ".join(table.columns)[:500]
        raise InputError(
            f"there is no column {what}; name columns by --truth and --judge; there are: {names}"
        )
    numbers, named = _numbers(table, (*truths, *columns)), " and ".join(truths)
    people = numbers[list(truths)]
    if not people.notna().any(axis=None):
        raise InputError(f"no row has a truth in {named}; name its column by --truth")
    is_decision = (people.isin((0, 1)) | people.isna()).all(axis=None)
    if is_decision and len(truths) > 1:
        raise InputError(f"{named} are pass or fail; give one of them as the truth")
    kind = TruthKind.PASS_OR_FAIL if is_decision else TruthKind.RATING
    return _agreement(table, numbers, truths, kind, n_resamples)


def answered_agreements(table: Table, n_resamples: int = 1000) -> list[JudgeAgreement]:
    """Compare the judges `review` with people's answers about the same reviews, a figure each.

    A review is right to people if more of them say so than not, and to a judge if no finding is
    wrong and one is right. Worth and relevance are compared as they are. Figures about which nobody
    answered are left out.

    Raises:
        InputError: a value is out of range.
        InputError: there are too many targets.
    """
    found = []
    for figure, answers in _ANSWERS.items():
        judges = [name for name in table.columns if (of := judge_figure(name)) and of[1] == figure]
        if not judges or answers not in table.columns:
            continue
        numbers, kind = _numbers(table, (answers, *judges)), TruthKind.RATING
        if figure == "right":
            kind = TruthKind.PASS_OR_FAIL
            numbers[answers] = numbers[answers].where(numbers[answers] != 0.5).round()
            numbers[judges] = np.floor(numbers[judges])  # a share below 1 has a wrong finding
        if numbers[answers].notna().any():
            found.append(_agreement(table, numbers, (answers,), kind, n_resamples))
    return found


def judged_table(run: FinishedRun) -> Table:
    """Return the reviews of a run with its judges' figures and models, and its raters' answers.

    Raises:
        InputError: the run is damaged, or has no judgements.
    """
    judges = run.judgements.by_name()
    if not judges:
        raise InputError(
            f"the run {str(run.folder.path)!r} has no judgements; `crscore judge run` makes some"
        )
    rows = []
    for row in run.corpus_rows():
        judged = {name: of[row.number] for name, of in judges.items() if row.number in of}
        models = {f"{name}_model": one.model for name, one in judged.items()}
        rows.append(replace(row, cells={**row.cells, **models}))
    return Table(run.corpus_columns, tuple(rows))


def check_judges(run: FinishedRun, least: float) -> list[Check]:
    """Check that each judge of a run agrees with its raters, in each figure, at least so well.

    It is not told where they answered about too few of the same reviews.

    Raises:
        InputError: the run is damaged, or has no judgements.
    """
    checks = []
    for of in answered_agreements(judged_table(run)):
        for judge in of.judges:
            value = judge.agreement.value
            is_told = value is not None and judge.is_checked
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


def _numbers(table: Table, columns: Sequence[str]) -> "pd.DataFrame":
    """Return the numbers in columns of a table, a row each; NaN where a cell is blank."""
    import pandas as pd

    def number(row: TableRow, name: str) -> float | None:
        return cell_number(row.cells.get(name), f"row {row.number}: {name}")

    numbers = {name: [number(row, name) for row in table.rows] for name in columns}
    return pd.DataFrame(numbers, dtype=float)


def _agreement(
    table: Table,
    numbers: "pd.DataFrame",
    truths: Sequence[str],
    kind: TruthKind,
    n_resamples: int,
) -> JudgeAgreement:
    """Compare judges, which are the other columns of `numbers`, with the median of the truths."""
    import pandas as pd

    _check(numbers, kind, table)
    usual = guess_mapping(table.columns)
    targets = enumerate(_names(table, _TARGET, usual.get("diff")))
    rows = pd.DataFrame(
        {
            "truth": numbers[list(truths)].median(axis=1),
            "target": [name or row for row, name in targets],
            "generator": _names(table, _GENERATOR, usual.get("system")),
        }
    ).dropna(subset="truth")
    rows["target"] = pd.factorize(rows["target"])[0]
    n_targets = rows["target"].nunique()
    bootstrap = ClusterBootstrap(n_targets, n_resamples)
    figures = []
    for column in numbers.columns.drop(list(truths)):
        name = _judge_name(column)
        own_names = {_plain(own) for own in (name, *_names(table, f"{name}_model")) if own}
        judged = rows.assign(judgement=numbers[column])
        figures.append(_figures(name, judged, kind, bootstrap, own_names))
    n_left_out = len(numbers) - len(rows)
    return JudgeAgreement(kind, tuple(truths), len(rows), n_targets, n_left_out, tuple(figures))


def _check(numbers: "pd.DataFrame", kind: TruthKind, table: Table) -> None:
    """Check that all values are of a kind; a word such as yes is no rating."""
    for name in map(str, numbers):
        for row, value in zip(table.rows, numbers[name], strict=True):
            cell = row.cells.get(name)
            is_rating = 1 <= value <= 5 and not is_truth_word(cell)
            is_of_kind = is_rating if kind is TruthKind.RATING else value in {0, 1}
            if not (is_of_kind or np.isnan(value)):
                raise InputError(
                    f"row {row.number}: {name} is {str(cell)[:20]!r}, no {kind}; truth and judges "
                    "are all 0 or 1, or all from 1 to 5; name columns by --truth and --judge"
                )


def _figures(
    judge: str,
    rows: "pd.DataFrame",
    kind: TruthKind,
    bootstrap: ClusterBootstrap,
    own_names: set[str],
) -> JudgeFigures:
    """Return the figures of a judge; each row has truth, judgement, target and generator."""

    def bias(of: "pd.DataFrame") -> Estimate:
        return clustered_mean(of["judgement"] - of["truth"], of["target"], bootstrap)

    valid = rows.dropna(subset="judgement")
    pairs, target = valid[["judgement", "truth"]].to_numpy(), valid["target"].to_numpy()
    if valid.empty:
        agreement = Estimate(None, None)
    elif kind is TruthKind.PASS_OR_FAIL:
        decided, is_yes = (pairs > 0).T
        agreement = bootstrap.estimate(ClusteredDecisions(decided, is_yes, target).kappa)
    else:
        agreement = bootstrap.estimate(ClusteredRatings(pairs, target).alpha)
    return JudgeFigures(
        judge,
        len(valid),
        valid["target"].nunique(),
        len(rows) - len(valid),
        agreement,
        bias(valid),
        tuple(
            GeneratorBias(str(name), len(of), bias(of), _plain(str(name)) in own_names)
            for name, written in rows.groupby("generator", sort=False)
            for of in [written.dropna(subset="judgement")]
        ),
    )


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


def _names(table: Table, column: str, other: str | None = None) -> list[str | None]:
    """Return the names in a column, or in another if it is missing; None for an empty cell."""
    name = column if column in table.columns else other or column
    cells = (row.cells.get(name) for row in table.rows)
    return [None if cell in {None, ""} else str(cell) for cell in cells]
