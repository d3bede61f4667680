"""What the study consists of, and what a manifest may not say."""

import hashlib
import json
from pathlib import Path

import pytest

from crscore_core.datasets.download.manifest import ManifestFile, read_manifest, study_manifest
from crscore_core.errors import StudyError

CHECKSUM = hashlib.sha256(b"").hexdigest()


def test_the_manifest_is_that_of_the_whole_study() -> None:
    manifest = study_manifest()
    assert manifest.license == "MIT"
    assert manifest.source == f"https://raw.githubusercontent.com/{manifest.repository}/" + (
        manifest.commit
    )
    assert len(manifest.files) == 619
    assert sum(file.is_context for file in manifest.files) == 600
    assert len({file.path.lower() for file in manifest.files}) == 619


def test_without_context_files_little_is_left() -> None:
    manifest = study_manifest().without_context_files()
    assert [file.path for file in manifest.files if "/phase" not in file.path] == [
        "LICENSE", "experiments/code_change_summ_finetune_impl/gpt-4o.jsonl",
    ]  # fmt: skip
    assert len(manifest.files) == 19
    assert manifest.size < study_manifest().size / 3


def test_the_checksums_are_those_of_the_files(study_dir: Path) -> None:
    compared = 0
    for file in study_manifest().files:
        path = study_dir / file.path
        if (file.is_context or file.path == "LICENSE") and path.is_file():
            content = path.read_bytes()
            assert (hashlib.sha256(content).hexdigest(), len(content)) == (file.sha256, file.size)
            compared += 1
    assert compared


@pytest.mark.parametrize(
    "path",
    [
        "", "/etc/passwd", "../x", "a/../x", "a//x", "a/", ".download/x", "a/.x", "C:\\x", "a\\x",
        "a b", "a\n", "é",
    ],
)  # fmt: skip
def test_a_path_that_leads_elsewhere_is_refused(path: str) -> None:
    with pytest.raises(StudyError, match="no path inside"):
        ManifestFile(path, CHECKSUM, 0)


@pytest.mark.parametrize(("checksum", "size"), [("", 0), (CHECKSUM.upper(), 0), (CHECKSUM, -1)])
def test_a_file_that_cannot_be_checked_is_refused(checksum: str, size: int) -> None:
    with pytest.raises(StudyError, match="manifest: a"):
        ManifestFile("a", checksum, size)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"files": []}', '{"files": {"a": {}}}', "\0"])
def test_a_damaged_manifest_is_one_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(StudyError, match="no manifest of the study"):
        read_manifest(path)


def test_a_repository_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    data = {"repository": "a/b/../c", "commit": "0" * 40, "license": "MIT", "files": {}}
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(StudyError, match="no commit of a repository"):
        read_manifest(path)
