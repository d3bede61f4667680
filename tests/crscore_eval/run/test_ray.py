"""Ray gives the same scores as this process, on one node and on a cluster of two."""

from pathlib import Path

import pytest

from crscore_eval.run import grouping
from crscore_eval.run.batch import run_batch, score_file
from crscore_eval.run.folder import open_run
from crscore_eval.run.parts import BatchOptions
from tests.crscore_eval.run.corpus import assert_same, rows_of, write_rows

ray = pytest.importorskip("ray")

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own


@pytest.mark.long
@pytest.mark.parametrize("n_nodes", [1, 2])
def test_ray_scores_alike(n_nodes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ray.cluster_utils import Cluster

    monkeypatch.setattr(grouping, "CHANGES_PER_PART", 2)
    corpus = write_rows(tmp_path / "corpus.jsonl", rows_of(4))
    options = BatchOptions(analyzers=False)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        for _ in range(n_nodes - 1):
            cluster.add_node(num_cpus=1)
        monkeypatch.setenv("RAY_ADDRESS", cluster.address)
        run_batch(corpus, tmp_path / "run", options, engine="ray")
    finally:
        cluster.shutdown()
    assert_same(open_run(tmp_path / "run"), score_file(corpus, options))
