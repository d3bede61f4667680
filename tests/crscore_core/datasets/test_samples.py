"""The illustrative samples."""

import json
from collections import Counter
from pathlib import Path

import pytest

from crscore_core.change import parse_change
from crscore_core.datasets.examples import Sample, load_samples
from crscore_core.errors import InputError

SAMPLES = load_samples()


def test_there_are_eight_changes_in_each_language() -> None:
    languages = Counter(sample.language for sample in SAMPLES.values())
    assert languages == {"python": 8, "java": 8, "javascript": 8}


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))
def test_a_sample_is_sound(sample: Sample) -> None:
    change = parse_change(sample.diff, language=sample.language)
    assert {file.language for file in change.files} == {sample.language}
    assert change.warnings == ()
    assert len(set(sample.reviews)) == len(sample.reviews) >= 4
    assert all(review.strip() for review in sample.reviews)


@pytest.mark.parametrize("damage", [{"reviews": None}, {"unknown": 1}])
def test_a_damaged_sample_is_named(tmp_path: Path, damage: dict[str, object]) -> None:
    folder = tmp_path / "python"
    folder.mkdir()
    source = Path(__file__).resolve().parents[3] / "sample_data" / "python" / "page-count"
    data = json.loads(source.with_suffix(".json").read_text(encoding="utf-8")) | damage
    (folder / "broken.json").write_text(json.dumps(data), encoding="utf-8")
    (folder / "broken.diff").write_bytes(source.with_suffix(".diff").read_bytes())
    with pytest.raises(InputError, match=r"broken\.json"):
        load_samples(tmp_path)
    (folder / "broken.diff").unlink()
    with pytest.raises(InputError, match=r"broken\.json"):
        load_samples(tmp_path)
