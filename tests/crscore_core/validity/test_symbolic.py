"""What symbolic claims are worth: on the study, without its own claims."""

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.statistics import ClusterBootstrap
from crscore_core.validity.correlations import correlations
from crscore_core.validity.systems import system_tables
from crscore_core.validity.thresholds import study_presets


def test_they_agree_with_people_as_far_as_the_papers_claims_do(
    symbolic_comparison: CorpusComparison,
) -> None:
    bootstrap = ClusterBootstrap(len(symbolic_comparison.changes), 200)
    tau = study_presets(symbolic_comparison, bootstrap).tau_gt.value
    assert tau is not None
    scores = symbolic_comparison.scores([tau])[:, 0]
    relevance = correlations(symbolic_comparison, scores, bootstrap)["relevance"]
    assert relevance is not None
    assert relevance.spearman.value is not None
    assert relevance.spearman.value >= 0.5431  # the paper's: Table 3, Rel at tau_best
    systems = system_tables(symbolic_comparison, scores[DIMENSIONS.index("relevance")], bootstrap)
    assert systems.correlation.observed.spearman is not None
    assert systems.correlation.observed.spearman >= 0.90
