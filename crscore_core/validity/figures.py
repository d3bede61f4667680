"""Validity as tables of "paper | here | interval", for the command line, files and the app."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.systems import Means
from crscore_core.datasets.study.model import STUDY_LANGUAGES, SYSTEMS
from crscore_core.statistics import Estimate, number_or_none
from crscore_core.validity.corpus_validity import CorpusValidity, ValidityAtTau
from crscore_core.validity.paper import paper_figure, paper_ranks, paper_source
from crscore_core.validity.review_level import Correlation
from crscore_core.validity.specificity import GOOD
from crscore_core.validity.study_validity import StudyValidity
from crscore_core.validity.thresholds import sweep_thresholds

__all__ = ["Figure", "FigureTable", "validity_tables"]

_CORRELATIONS = ("spearman", "kendall")
_RATES = ("accuracy", "error_rate", "unverifiable_rate", "missing_rate")
_SHORT = {language: short for short, language in STUDY_LANGUAGES.items()}
_TRAITS = ("share", "pseudo_references", "inline_code", "words", "sentences")

_ORDER = (
    "claim_quality",
    "presets",
    "krippendorff_alpha_ordinal",
    "system_level",
    "review_level",
    "calibrated",
    "matching",
    "human_means_0_to_1",
    "metric_means",
    "review_level_by_language",
    "rankings",
    "neighbours",
    "thresholds",
    "levels",
    "specificity",
    "failures",
)
"""Keys of all tables, in the order of the paper."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: its name, the paper's value (None: the paper prints none) and that of here.

    `is_count` is true for a whole number of something.
    """

    name: str
    paper: float | None
    here: Estimate
    is_count: bool = False


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Figures that belong together.

    `key` names the table in files, `source` says where the paper has its own, empty if nowhere;
    `digits` is the number of decimals that tell figures apart.
    """

    key: str
    title: str
    source: str
    figures: tuple[Figure, ...]
    digits: int = 4


def validity_tables(validity: CorpusValidity, at: ValidityAtTau) -> tuple[FigureTable, ...]:
    """Every table of the paper's validation that the reviews give, in the order of the paper.

    The human study has all tables, beside the paper's figures. Any other corpus has those that
    its ratings allow: where nobody rated, the metric's means alone.
    """
    if isinstance(validity, StudyValidity):
        beside = _Beside(validity.role(at.tau) or "tau_gt")
        tables = [*_shared_tables(validity, at, beside), *_study_tables(validity, at, beside)]
    else:
        tables = [table for table in _shared_tables(validity, at, _Beside(None)) if table.figures]
    return tuple(sorted(tables, key=lambda table: _ORDER.index(table.key)))


@dataclass(frozen=True, slots=True)
class _Beside:
    """The paper beside the study; nothing beside other reviews, which have no `paper_tau`."""

    paper_tau: str | None

    def figure(self, *path: str | None) -> float | None:
        return None if self.paper_tau is None else paper_figure(*map(str, path))

    def words(self, words: str) -> str:
        """Words that only stand beside the paper."""
        return "" if self.paper_tau is None else f" ({words})"

    def system(self, name: str) -> str:
        return name if self.paper_tau is None else SYSTEMS[name]

    def count(self, name: str, number: int) -> Iterator[Figure]:
        """A number of reviews or systems; that of the study is known."""
        if self.paper_tau is None:
            yield _count(name, None, number)

    def table(
        self, key: str, title: str, figures: Iterable[Figure], digits: int = 4
    ) -> FigureTable:
        source = "" if self.paper_tau is None else paper_source(key)
        return FigureTable(key, title, source, tuple(figures), digits)


def _shared_tables(
    validity: CorpusValidity, at: ValidityAtTau, beside: _Beside
) -> Iterator[FigureTable]:
    at_tau = beside.words(f"the paper's at its {beside.paper_tau}")
    at_best = beside.words("the paper's at tau_best")
    yield beside.table(
        "metric_means",
        f"Means of systems, metric{at_best}",
        _means(at.metric_means, "metric_means", beside),
    )
    if not validity.rated_dimensions:
        return
    yield beside.table(
        "system_level", "Order of systems, Rel with people", _system_level(at, at_best, beside)
    )
    yield beside.table(
        "review_level",
        f"Agreement review by review{at_tau}",
        _agreement(at.correlations, "review_level", beside),
    )
    yield beside.table(
        "human_means_0_to_1",
        "Means of systems, people",
        _means(validity.human_means, "human_means_0_to_1", beside),
    )
    yield beside.table(
        "review_level_by_language",
        f"Agreement of Rel by language{at_tau}",
        _agreement(at.by_language, "review_level_by_language", beside),
    )
    yield beside.table("rankings", "Ranks of systems", _rankings(at, beside), 1)
    title = "Probability that neighbours stand in this order"
    yield beside.table("neighbours", title, _neighbours(at, beside), 3)
    yield beside.table("levels", "Mean score by people's rating", _levels(at, beside))
    if "relevance" in validity.rated_dimensions:
        title = f"Failure cases of Rel{at_best}"
        yield beside.table("failures", title, _failures(at, beside))


def _study_tables(
    validity: StudyValidity, at: ValidityAtTau, beside: _Beside
) -> Iterator[FigureTable]:
    model = validity.calibrated_model
    fitted = f" (fitted to {model.provenance.changes} changes of the study)" if model else ""
    yield beside.table(
        "claim_quality", "Quality of claims, in percent", _claim_quality(validity), 2
    )
    yield beside.table(
        "presets",
        "Thresholds by the paper's procedure",
        [
            Figure(name, paper_figure("presets", name), getattr(validity.presets, name))
            for name in ("tau_gt", "tau_best")
        ],
    )
    alpha = validity.rater_agreement.alpha if validity.rater_agreement else {}
    yield beside.table(
        "krippendorff_alpha_ordinal",
        "Agreement of raters, alpha",
        [
            Figure(name, paper_figure("krippendorff_alpha_ordinal", name), estimate)
            for name, estimate in alpha.items()
        ],
    )
    yield beside.table(
        "calibrated", f"Calibrated relevance with people{fitted}", _calibrated(validity)
    )
    yield beside.table(
        "matching", "The encoder at finding what people say", _matching(validity, at)
    )
    yield beside.table("thresholds", "Sensitivity of Rel to tau", _thresholds(validity, at))
    yield beside.table(
        "specificity",
        f"Pseudo-references of the review's own change against others' (rated {GOOD} or 5)",
        _specificity(validity),
    )


def _claim_quality(validity: StudyValidity) -> Iterator[Figure]:
    qualities = {**validity.claim_quality, "all": validity.claim_quality_of_all}
    for language, quality in qualities.items():
        for rate in _RATES:
            printed = paper_figure("claim_quality", language, rate)
            yield Figure(f"{language} {rate}", printed, getattr(quality, rate))


def _system_level(at: ValidityAtTau, at_best: str, beside: _Beside) -> Iterator[Figure]:
    if at.systems is None:
        return
    found = at.systems.correlation
    printed = ("system_level", "Rel (tau_best)")
    yield from beside.count("systems", found.observed.n)
    for name in _CORRELATIONS:
        here = Estimate(getattr(found.observed, name), getattr(found, f"{name}_interval"))
        yield Figure(f"{name}{at_best}", beside.figure(*printed, name), here)
    for name in ("spearman_p", "kendall_p"):
        here = Estimate(getattr(found.observed, name), None)
        yield Figure(name, beside.figure(*printed, name), here)


def _agreement(
    found: Mapping[str, Correlation | None], key: str, beside: _Beside
) -> Iterator[Figure]:
    """Correlations by dimension or by language, whose name may be unknown."""
    for name, correlation in found.items():
        if correlation is not None:
            what = name or "language unknown"
            yield from beside.count(f"{what} reviews", correlation.n)
            for statistic in _CORRELATIONS:
                printed = beside.figure(key, _SHORT.get(name, name), beside.paper_tau, statistic)
                yield Figure(f"{what} {statistic}", printed, getattr(correlation, statistic))


def _calibrated(validity: StudyValidity) -> Iterator[Figure]:
    """Agreement on the reviews at hand, which the model may be fitted to, and on held-out ones."""
    model, found = validity.calibrated_model, validity.calibrated
    if model is None or found is None:
        return
    for name in _CORRELATIONS:
        yield Figure(
            f"{name} here (the paper's: GPT-4o as a judge)",
            paper_figure("review_level", "relevance", "LaaJ-GPT", name),
            getattr(found, name),
        )
    for held in model.provenance.held_out:
        yield Figure(
            f"spearman when fitted without the review's {held.left_out}, {held.claims}",
            None,
            Estimate(held.agreement.spearman, held.agreement.interval),
        )


def _matching(validity: StudyValidity, at: ValidityAtTau) -> Iterator[Figure]:
    for row in validity.matching(validity.taus(at.tau)):
        role = validity.role(row.tau)
        for name in ("precision", "recall", "f1"):
            yield Figure(
                f"{name} at {role or f'{row.tau:.4g}'}",
                None if role is None else paper_figure("matching", role, name),
                getattr(row, name),
            )
    if validity.average_precision:
        yield Figure("average precision", None, validity.average_precision)


def _thresholds(validity: StudyValidity, at: ValidityAtTau) -> Iterator[Figure]:
    sweep = sweep_thresholds(validity.comparison.rated_maxima, validity.taus(at.tau))
    named = {
        "spearman": "spearman_relevance",
        "kendall": "kendall_relevance",
        "system spearman": "system_spearman",
        "share of Rel = 0": "share_zero",
        "share of Rel = 1": "share_one",
    }
    for index, tau in enumerate(sweep.taus.tolist()):
        role = validity.role(tau)
        for name, column in named.items():
            yield Figure(
                f"{name} at {role or f'{tau:.4g}'}",
                None if role is None else paper_figure("thresholds", role, name),
                Estimate(number_or_none(sweep.columns[column][index]), None),
            )


def _means(means: Means, printed: str, beside: _Beside) -> Iterator[Figure]:
    for system, of_system in means.items():
        for name in DIMENSIONS:
            if of_system[name].value is not None:
                paper = beside.figure(printed, system, name)
                yield Figure(f"{beside.system(system)} {name}", paper, of_system[name])


def _rankings(at: ValidityAtTau, beside: _Beside) -> Iterator[Figure]:
    if at.systems is None:
        return
    for by, ranking in (("human relevance", at.systems.people), ("Rel", at.systems.metric)):
        printed = {} if beside.paper_tau is None else paper_ranks(by)
        for ranked in ranking.systems:
            yield Figure(
                f"{beside.system(ranked.system)} by {by}",
                printed.get(ranked.system),
                Estimate(ranked.rank, ranked.rank_interval),
            )


def _neighbours(at: ValidityAtTau, beside: _Beside) -> Iterator[Figure]:
    if at.systems is None:
        return
    for by, ranking in (("people", at.systems.people), ("Rel", at.systems.metric)):
        for pair in ranking.neighbours:
            yield Figure(
                f"{beside.system(pair.higher)} above {beside.system(pair.lower)} by {by}",
                None,
                Estimate(pair.probability, None),
            )


def _levels(at: ValidityAtTau, beside: _Beside) -> Iterator[Figure]:
    for rated in at.levels:
        for level in rated.levels:
            if level.reviews or beside.paper_tau is not None:
                yield Figure(f"{rated.dimension} where rated {level.level}", None, level.mean)


def _specificity(validity: StudyValidity) -> Iterator[Figure]:
    found = validity.specificity
    if found:
        yield _count("reviews", None, found.reviews)
        yield Figure("share of other changes that fit worse", None, found.own_fits_better)
        yield Figure("share of reviews that its own fits best", None, found.own_fits_best)


def _failures(at: ValidityAtTau, beside: _Beside) -> Iterator[Figure]:
    found = at.failure_study
    for name in ("underestimated", "overestimated", "all"):
        traits = getattr(found, name)
        yield _count(f"{name}: reviews", beside.figure("failures", name, "cases"), traits.cases)
        for trait in _TRAITS:
            printed = beside.figure("failures", name, trait)
            yield Figure(f"{name}: {trait.replace('_', ' ')}", printed, getattr(traits, trait))
    for name, correlation in (("without", found.without), ("within", found.within)):
        for statistic in _CORRELATIONS if correlation else ():
            printed = beside.figure("failures", name, statistic)
            yield Figure(f"{statistic} {name} both", printed, getattr(correlation, statistic))


def _count(name: str, paper: float | None, number: int) -> Figure:
    return Figure(name, paper, Estimate(float(number), None), is_count=True)
