"""The word `study` in place of a file: the human study that comes with the package."""

from pathlib import Path

from tests.crscore_core.cli.conftest import Crscore
from tests.test_golden import differences


def test_commands_take_the_shipped_run_by_its_name(crscore: Crscore, tmp_path: Path) -> None:
    assert crscore("rank", "study", "--json").document["systems"]
    assert crscore("sweep", "study", "--taus", "3", "--json").document["rated_reviews"] == 1647
    exported = tmp_path / "study.csv"
    assert crscore("export", "study", "-o", exported).status == 0
    assert exported.read_text(encoding="utf-8").count("msg") >= 182
    moved = tmp_path / "moved.parquet"
    assert crscore("rescore", "study", "--tau", "0.4", "-o", moved).status == 0
    assert crscore("gate", moved, "--baseline", "study").status in {0, 2, 4}


def test_validity_needs_no_folder(crscore: Crscore, study_dir: Path) -> None:
    shipped = crscore("validity", "--resamples", "50", "--json").document
    released = crscore("validity", "--study", study_dir, "--resamples", "50", "--json").document
    shipped.pop("warnings")  # a cell of the release that means nothing
    released.pop("warnings")
    assert differences(released, shipped) == []
