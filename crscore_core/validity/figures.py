"""Validity as rows of "paper | here | interval", for the command line, CSV and the app."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.datasets.study.model import STUDY_LANGUAGES, SYSTEMS
from crscore_core.statistics import Estimate, Ranking
from crscore_core.validity.paper import paper_figure, paper_ranks, paper_source
from crscore_core.validity.specificity import GOOD
from crscore_core.validity.study_validity import StudyValidity, ValidityAtTau
from crscore_core.validity.systems import Means

__all__ = ["Figure", "FigureTable", "validity_tables"]

_CORRELATIONS = ("spearman", "kendall")
_RATES = ("accuracy", "error_rate", "unverifiable_rate", "missing_rate")
_PRESETS = ("tau_gt", "tau_best")


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: what it is, what the paper prints (None: nothing) and what comes out here.

    `is_count` says that it is a whole number of something.
    """

    name: str
    paper: float | None
    here: Estimate
    is_count: bool = False


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Figures that belong together.

    `key` names the table in files, `source` says where the paper has its own, empty if nowhere;
    `digits` is how many decimals tell figures apart.
    """

    key: str
    title: str
    source: str
    figures: tuple[Figure, ...]
    digits: int = 4


def validity_tables(validity: StudyValidity, at: ValidityAtTau) -> tuple[FigureTable, ...]:
    """Every table of the paper's validation that the study gives, in the order of the paper."""
    paper_tau = validity.role(at.tau) or "tau_gt"
    beside = f"the paper's at its {paper_tau}"
    human, metric = validity.human_means, at.metric_means
    return (
        _table("claim_quality", "Quality of claims, in percent", _claim_quality(validity), 2),
        _table("presets", "Thresholds by the paper's procedure", _presets(validity)),
        _table("krippendorff_alpha_ordinal", "Agreement of raters, alpha", _alpha(validity)),
        _table("system_level", "Order of systems, Rel with people", _system_level(at)),
        _table(
            "review_level",
            f"Agreement review by review ({beside})",
            _review_level(at, paper_tau),
        ),
        _table("calibrated", _calibrated_title(validity), _calibrated(validity)),
        _table("matching", "The encoder at finding what people say", _matching(validity, at)),
        _table(
            "human_means_0_to_1", "Means of systems, people", _means(human, "human_means_0_to_1")
        ),
        _table(
            "metric_means",
            "Means of systems, metric (the paper's at tau_best)",
            _means(metric, "metric_means"),
        ),
        _table(
            "review_level_by_language",
            f"Agreement of Rel by language ({beside})",
            _by_language(at, paper_tau),
        ),
        _table("rankings", "Ranks of systems", _rankings(at), 1),
        _table("neighbours", "Probability that neighbours stand in this order", _neighbours(at), 3),
        _table("thresholds", "Sensitivity of Rel to tau", _thresholds(validity, at)),
        _table("levels", "Mean score by people's rating", _levels(at)),
        _table(
            "specificity",
            f"Pseudo-references of the review's own change against others' (rated {GOOD} or 5)",
            _specificity(validity),
        ),
        _table("failures", "Failure cases of Rel (the paper's at tau_best)", _failures(at)),
    )


def _table(key: str, title: str, figures: Iterable[Figure], digits: int = 4) -> FigureTable:
    return FigureTable(key, title, paper_source(key), tuple(figures), digits)


def _claim_quality(validity: StudyValidity) -> Iterator[Figure]:
    for language, quality in {
        **validity.claim_quality,
        "all": validity.claim_quality_of_all,
    }.items():
        for rate in _RATES:
            yield Figure(
                f"{language} {rate}",
                paper_figure("claim_quality", language, rate),
                getattr(quality, rate),
            )


def _presets(validity: StudyValidity) -> Iterator[Figure]:
    for name in _PRESETS:
        yield Figure(name, paper_figure("presets", name), getattr(validity.presets, name))


def _alpha(validity: StudyValidity) -> Iterator[Figure]:
    if validity.rater_agreement:
        for name, alpha in validity.rater_agreement.alpha.items():
            yield Figure(name, paper_figure("krippendorff_alpha_ordinal", name), alpha)


def _system_level(at: ValidityAtTau) -> Iterator[Figure]:
    found = at.systems.correlation
    printed = ("system_level", "Rel (tau_best)")
    yield Figure(
        "spearman (the paper's at tau_best)",
        paper_figure(*printed, "spearman"),
        Estimate(found.observed.spearman, found.spearman_interval),
    )
    yield Figure(
        "kendall (the paper's at tau_best)",
        paper_figure(*printed, "kendall"),
        Estimate(found.observed.kendall, found.kendall_interval),
    )
    for name in ("spearman_p", "kendall_p"):
        p_value = getattr(found.observed, name)
        yield Figure(name, paper_figure(*printed, name), Estimate(p_value, None))


def _review_level(at: ValidityAtTau, paper_tau: str) -> Iterator[Figure]:
    for dimension, found in at.correlations.items():
        for name in _CORRELATIONS if found else ():
            yield Figure(
                f"{dimension} {name}",
                paper_figure("review_level", dimension, paper_tau, name),
                getattr(found, name),
            )


def _by_language(at: ValidityAtTau, paper_tau: str) -> Iterator[Figure]:
    for short, language in STUDY_LANGUAGES.items():
        found = at.by_language.get(language)
        for name in _CORRELATIONS if found else ():
            yield Figure(
                f"{language} {name}",
                paper_figure("review_level_by_language", short, paper_tau, name),
                getattr(found, name),
            )


def _calibrated(validity: StudyValidity) -> Iterator[Figure]:
    """On the reviews at hand, which may be those it was fitted to, and on those held out then."""
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
    taus = validity.taus(at.tau)
    for row in validity.matching(taus):
        role = validity.role(row.tau)
        for name in ("precision", "recall", "f1"):
            yield Figure(
                f"{name} at {role or f'{row.tau:.4g}'}",
                _paper_row("matching", role, name),
                getattr(row, name),
            )
    if validity.matching_curve:
        yield Figure("average precision", None, validity.matching_curve.average_precision)


def _thresholds(validity: StudyValidity, at: ValidityAtTau) -> Iterator[Figure]:
    taus = validity.taus(at.tau)
    for row in validity.thresholds(taus):
        role = validity.role(row.tau)
        where = f"at {role or f'{row.tau:.4g}'}"
        for name, values in (("spearman", row.spearman), ("kendall", row.kendall)):
            value = values[DIMENSIONS.index("relevance")]
            yield Figure(
                f"{name} {where}", _paper_row("thresholds", role, name), Estimate(value, None)
            )
        yield Figure(f"system spearman {where}", None, Estimate(row.system_spearman, None))
        yield Figure(f"share of Rel = 0 {where}", None, Estimate(row.share_zero, None))
        yield Figure(f"share of Rel = 1 {where}", None, Estimate(row.share_one, None))


def _means(means: Means, printed: str) -> Iterator[Figure]:
    for system, of_system in means.items():
        for name in DIMENSIONS:
            yield Figure(
                f"{SYSTEMS[system]} {name}", paper_figure(printed, system, name), of_system[name]
            )


def _rankings(at: ValidityAtTau) -> Iterator[Figure]:
    named: Sequence[tuple[str, Ranking]] = (
        ("human relevance", at.systems.people),
        ("Rel", at.systems.metric),
    )
    for by, ranking in named:
        printed = paper_ranks(by)
        for one in ranking.systems:
            yield Figure(
                f"{SYSTEMS[one.system]} by {by}",
                printed.get(one.system),
                Estimate(one.rank, one.rank_interval),
            )


def _neighbours(at: ValidityAtTau) -> Iterator[Figure]:
    for by, ranking in (("people", at.systems.people), ("Rel", at.systems.metric)):
        for pair in ranking.neighbours:
            yield Figure(
                f"{SYSTEMS[pair.higher]} above {SYSTEMS[pair.lower]} by {by}",
                None,
                Estimate(pair.probability, None),
            )


def _levels(at: ValidityAtTau) -> Iterator[Figure]:
    for rated in at.levels:
        for level in rated.levels:
            yield Figure(f"{rated.dimension} where rated {level.level}", None, level.mean)


def _specificity(validity: StudyValidity) -> Iterator[Figure]:
    found = validity.specificity
    if found:
        yield Figure("reviews", None, Estimate(float(found.reviews), None), is_count=True)
        yield Figure("share of other changes that fit worse", None, found.own_fits_better)
        yield Figure("share of reviews that its own fits best", None, found.own_fits_best)


def _failures(at: ValidityAtTau) -> Iterator[Figure]:
    found = at.failure_study
    for name in ("underestimated", "overestimated", "all"):
        traits = getattr(found, name)
        cases = Estimate(float(traits.cases), None)
        yield Figure(
            f"{name}: reviews", paper_figure("failures", name, "cases"), cases, is_count=True
        )
        for trait in ("share", "pseudo_references", "inline_code", "words", "sentences"):
            printed = paper_figure("failures", name, trait)
            yield Figure(f"{name}: {trait.replace('_', ' ')}", printed, getattr(traits, trait))
    for name in ("without", "within"):
        for statistic in _CORRELATIONS if getattr(found, name) else ():
            yield Figure(
                f"{statistic} {name} both",
                paper_figure("failures", name, statistic),
                getattr(getattr(found, name), statistic),
            )


def _calibrated_title(validity: StudyValidity) -> str:
    model = validity.calibrated_model
    fitted = f" (fitted to {model.provenance.changes} changes of the study)" if model else ""
    return f"Calibrated relevance with people{fitted}"


def _paper_row(table: str, role: str | None, name: str) -> float | None:
    """The paper's figure at its own threshold of the same role."""
    return None if role is None else paper_figure(table, role, name)
