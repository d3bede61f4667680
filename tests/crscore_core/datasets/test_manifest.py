"""The files of the study as published."""

import hashlib
import re
from pathlib import Path

from crscore_core.datasets.manifest import ManifestFile, study_manifest


def test_the_manifest_covers_the_whole_study() -> None:
    manifest = study_manifest()
    assert manifest.license == "MIT"
    assert manifest.source == f"https://raw.githubusercontent.com/{manifest.repository}/" + (
        manifest.commit
    )
    assert len(manifest.files) == 619
    assert sum(file.is_context for file in manifest.files) == 600
    assert len({file.path.lower() for file in manifest.files}) == 619
    assert re.fullmatch("[0-9a-f]{40}", manifest.commit)
    for file in manifest.files:  # no path leads out of the folder, or to a hidden file
        assert all(re.fullmatch(r"[\w-][\w.-]*", part, re.ASCII) for part in file.path.split("/"))
        assert re.fullmatch("[0-9a-f]{64}", file.sha256)
    rest = manifest.without_context_files()
    assert [file.path for file in rest.files if "/phase" not in file.path] == [
        "LICENSE", "experiments/code_change_summ_finetune_impl/gpt-4o.jsonl",
    ]  # fmt: skip
    assert len(rest.files) == 19
    assert rest.size < manifest.size / 3


def test_checksums_match_the_files(study_dir: Path) -> None:
    files = [file for file in study_manifest().files if file.is_context or file.path == "LICENSE"]
    is_same = [file.is_in(study_dir) for file in files if (study_dir / file.path).is_file()]
    assert is_same
    assert all(is_same)


def test_a_file_must_match_in_size_and_checksum(tmp_path: Path) -> None:
    file = ManifestFile("a/b.csv", hashlib.sha256(b"text").hexdigest(), 4)
    path = tmp_path / file.path
    for make, is_there in (
        (lambda: path.mkdir(parents=True), False),
        (path.rmdir, False),
        (lambda: path.write_bytes(b"texts"), False),
        (lambda: path.write_bytes(b"test"), False),
        (lambda: path.write_bytes(b"text"), True),
    ):
        make()
        assert file.is_in(tmp_path) is is_there
