"""Validity as tables of "paper | here | interval", for the command line, files and the app."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from crscore_core.change import LANGUAGES
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.systems import Means
from crscore_core.datasets.study.model import STUDY_LANGUAGES, SYSTEMS
from crscore_core.validity.corpus_validity import CorpusValidity, ValidityAtTau
from crscore_core.validity.failure_traits import FailureStudy
from crscore_core.validity.paper import paper_figure, paper_ranks, paper_source
from crscore_core.validity.study_validity import StudyValidity
from crscore_core.validity.thresholds import sweep_thresholds
from crscore_eval.statistics import Correlation, Estimate, number_or_none

CORRELATIONS = {"spearman": "Spearman's rho", "kendall": "Kendall's tau-b"}
"""Correlations by the names of their fields, with the names to show."""

_P_VALUES = {"spearman_p": "Spearman's p-value", "kendall_p": "Kendall's p-value"}
_RATES = ("accuracy", "error_rate", "unverifiable_rate", "missing_rate")
_SWEPT = {
    "spearman": ("spearman_relevance", CORRELATIONS["spearman"]),
    "kendall": ("kendall_relevance", CORRELATIONS["kendall"]),
    "system spearman": ("system_spearman", "Spearman's rho of systems"),
    "share of Rel = 0": ("share_zero", "share of Rel = 0"),
    "share of Rel = 1": ("share_one", "share of Rel = 1"),
}
"""Figures by tau: the paper's key, with the column of a sweep and the name to show."""

_BASELINES = {
    "words": "number of words, with relevance",
    "constant": "the same score for all, with relevance",
}
"""Titles of the baselines among `ValidityAtTau.pairwise`."""

_GROUPS = ("underestimated", "overestimated", "all")
_TRAITS = {
    "share": "share",
    "pseudo_references": "pseudo-references",
    "inline_code": "inline code",
    "words": "words",
    "sentences": "sentences",
}


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
        role = validity.role(at.tau) or "tau_gt"
        view = _View(validity, at, validity, role)
        words = {
            "at_tau": f" (the paper's at its {role})",
            "at_best": " (the paper's at tau_best)",
        }
    else:
        view, words = _View(validity, at), {"at_tau": "", "at_best": ""}
    tables = []
    for key, (title, digits, figures_of) in _TABLES.items():
        figures = tuple(figures_of(view))
        if figures or view.study:
            source = paper_source(key) if view.study else ""
            tables.append(FigureTable(key, title.format_map(words), source, figures, digits))
    return tuple(tables)


@dataclass(frozen=True, slots=True)
class _View:
    """Reviews at one tau; `study` are the same of the human study, beside the paper's `role`."""

    validity: CorpusValidity
    at: ValidityAtTau
    study: StudyValidity | None = None
    role: str = ""

    def paper(self, *path: str) -> float | None:
        """The paper's figure beside that of the study; other reviews have none."""
        return paper_figure(*path) if self.study else None

    def system(self, name: str) -> str:
        """The name of a system as the paper has it."""
        return SYSTEMS[name] if self.study else name


def _claim_quality(view: _View) -> Iterator[Figure]:
    if view.study:
        all_languages = {"all": view.study.claim_quality_of_all}
        for language, quality in {**view.study.claim_quality, **all_languages}.items():
            for rate in _RATES:
                printed = view.paper("claim_quality", language, rate)
                name = f"{_language(language)}: {rate.replace('_', ' ')}"
                yield Figure(name, printed, getattr(quality, rate))


def _presets(view: _View) -> Iterator[Figure]:
    if view.study:
        for name in ("tau_gt", "tau_best"):
            here = getattr(view.study.presets, name)
            yield Figure(name, view.paper("presets", name), here)


def _alpha(view: _View) -> Iterator[Figure]:
    if view.study and view.study.rater_agreement:
        for name, alpha in view.study.rater_agreement.alpha.items():
            yield Figure(name, view.paper("krippendorff_alpha_ordinal", name), alpha)


def _system_level(view: _View) -> Iterator[Figure]:
    if view.at.systems is None:
        return
    found = view.at.systems.correlation
    printed, at_best = ("system_level", "Rel (tau_best)"), " (the paper's at tau_best)"
    if not view.study:
        yield _count("systems", None, found.n)
    for name, title in CORRELATIONS.items():
        yield Figure(
            f"{title}{at_best if view.study else ''}",
            view.paper(*printed, name),
            getattr(found, name),
        )
    for name, title in _P_VALUES.items():
        here = Estimate(getattr(found, name), None)
        yield Figure(title, view.paper(*printed, name), here)
    yield Figure("soft pairwise accuracy", None, view.at.soft_pairwise)


def _review_level(view: _View) -> Iterator[Figure]:
    for dimension, found in view.at.correlations.items():
        yield from _correlation(view, dimension, found, "review_level", dimension)


def _pairwise(view: _View) -> Iterator[Figure]:
    for name, found in view.at.pairwise.items():
        if found.pairs:
            yield Figure(_BASELINES.get(name, name), None, found.accuracy)


def _by_language(view: _View) -> Iterator[Figure]:
    short = {language: short for short, language in STUDY_LANGUAGES.items()}
    for language, found in view.at.by_language.items():
        path = "review_level_by_language", short.get(language, language)
        yield from _correlation(view, _language(language), found, *path)


def _correlation(view: _View, what: str, found: Correlation | None, *path: str) -> Iterator[Figure]:
    if found is not None:
        if not view.study:
            yield _count(f"{what}: reviews", None, found.n)
        for name, title in CORRELATIONS.items():
            printed = view.paper(*path, view.role, name)
            yield Figure(f"{what}: {title}", printed, getattr(found, name))


def _language(name: str) -> str:
    """Return the name of a language to show; the study has short ones."""
    name = STUDY_LANGUAGES.get(name, name)
    return LANGUAGES.get(name, name) or "language unknown"


def _no_threshold(view: _View) -> Iterator[Figure]:
    agreement = view.validity.no_threshold
    systems = agreement.systems.correlation if agreement.systems else None
    for what, found in (*agreement.correlations.items(), ("systems", systems)):
        for name, title in CORRELATIONS.items() if found is not None else ():
            yield Figure(f"{what}: {title}", None, getattr(found, name))


def _matching(view: _View) -> Iterator[Figure]:
    if not view.study:
        return
    for row in view.study.matching(view.study.taus(view.at.tau)):
        for name, title in (("precision", "precision"), ("recall", "recall"), ("f1", "F1")):
            yield _at_tau(view.study, ("matching", name), title, row.tau, getattr(row, name))
    if view.study.average_precision:
        yield Figure("average precision", None, view.study.average_precision)


def _thresholds(view: _View) -> Iterator[Figure]:
    if not view.study:
        return
    taus = view.study.taus(view.at.tau)
    columns = sweep_thresholds(view.study.comparison, taus).columns
    for index, tau in enumerate(taus):
        for name, (column, title) in _SWEPT.items():
            here = Estimate(number_or_none(columns[column][index]), None)
            yield _at_tau(view.study, ("thresholds", name), title, tau, here)


def _at_tau(
    study: StudyValidity, key: tuple[str, str], title: str, tau: float, here: Estimate
) -> Figure:
    """A figure at one of several taus; the paper's is at its own tau of the same role."""
    table, name = key
    role = study.role(tau)
    printed = None if role is None else paper_figure(table, role, name)
    return Figure(f"{title} at {role or f'{tau:.4g}'}", printed, here)


def _human_means(view: _View) -> Iterator[Figure]:
    return _means(view, view.validity.human_means, "human_means_0_to_1")


def _metric_means(view: _View) -> Iterator[Figure]:
    return _means(view, view.at.metric_means, "metric_means")


def _means(view: _View, means: Means, key: str) -> Iterator[Figure]:
    for system, of_system in means.items():
        for name in DIMENSIONS:
            if of_system[name].value is not None:
                printed = view.paper(key, system, name)
                yield Figure(f"{view.system(system)} {name}", printed, of_system[name])


def _rankings(view: _View) -> Iterator[Figure]:
    if view.at.systems is None:
        return
    tables = view.at.systems
    for by, ranking in (("human relevance", tables.people), ("Rel", tables.metric)):
        printed = paper_ranks(by) if view.study else {}
        for ranked in ranking:
            yield Figure(
                f"{view.system(ranked.system)} by {by}",
                printed.get(ranked.system),
                ranked.rank,
            )


def _neighbours(view: _View) -> Iterator[Figure]:
    if view.at.systems is None:
        return
    for by, ranking in (("people", view.at.systems.people), ("Rel", view.at.systems.metric)):
        for higher, lower in itertools.pairwise(ranking):
            name = f"{view.system(higher.system)} above {view.system(lower.system)} by {by}"
            yield Figure(name, None, Estimate(higher.above_next, None))


def _levels(view: _View) -> Iterator[Figure]:
    for rated in view.at.levels:
        for level in rated.levels:
            if level.reviews or view.study:
                yield Figure(f"{rated.dimension} where rated {level.level}", None, level.mean)


def _failures(view: _View) -> Iterator[Figure]:
    if "relevance" not in view.validity.rated_dimensions:
        return
    yield from failure_figures(view.at.failure_study, has_paper=view.study is not None)


def failure_figures(
    found: FailureStudy, *, has_paper: bool, groups: Sequence[str] = _GROUPS
) -> Iterator[Figure]:
    """Yield the traits of groups of reviews, and the correlations without failures and within.

    `groups` are fields of `FailureStudy`; `has_paper` says whether the paper's figures are of the
    same failures.
    """
    for name in groups:
        traits = getattr(found, name)
        printed = paper_figure("failures", name, "cases") if has_paper else None
        yield _count(f"{name}: reviews", printed, traits.cases)
        for trait, title in _TRAITS.items():
            printed = paper_figure("failures", name, trait) if has_paper else None
            yield Figure(f"{name}: {title}", printed, getattr(traits, trait))
    for name, correlation in (("without", found.without), ("within", found.within)):
        for statistic, title in CORRELATIONS.items() if correlation else ():
            printed = paper_figure("failures", name, statistic) if has_paper else None
            yield Figure(f"{title} {name} both", printed, getattr(correlation, statistic))


def _count(name: str, paper: float | None, number: int) -> Figure:
    return Figure(name, paper, Estimate(float(number), None), is_count=True)


_TABLES: Mapping[str, tuple[str, int, Callable[[_View], Iterator[Figure]]]] = {
    "claim_quality": ("Quality of claims, in percent", 2, _claim_quality),
    "presets": ("Thresholds by the paper's procedure", 4, _presets),
    "krippendorff_alpha_ordinal": ("Agreement of raters, alpha", 4, _alpha),
    "system_level": ("Order of systems, Rel with people", 4, _system_level),
    "review_level": ("Agreement review by review{at_tau}", 4, _review_level),
    "no_threshold": ("Agreement without a threshold", 4, _no_threshold),
    "pairwise": ("Pairwise accuracy within changes, with ties", 4, _pairwise),
    "matching": ("The encoder at finding what people say", 4, _matching),
    "human_means_0_to_1": ("Means of systems, people", 4, _human_means),
    "metric_means": ("Means of systems, metric{at_best}", 4, _metric_means),
    "review_level_by_language": ("Agreement of Rel by language{at_tau}", 4, _by_language),
    "rankings": ("Ranks of systems", 1, _rankings),
    "neighbours": ("Probability that neighbours stand in this order", 3, _neighbours),
    "thresholds": ("Sensitivity of Rel to tau", 4, _thresholds),
    "levels": ("Mean score by people's rating", 4, _levels),
    "failures": ("Failure cases of Rel{at_best}", 4, _failures),
}
"""Title, decimals and figures of each table, in the order of the paper."""
