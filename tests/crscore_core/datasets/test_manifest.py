"""The files of the study, and what a manifest may not say."""

import hashlib
import json
from pathlib import Path

import pytest

from crscore_core.datasets.manifest import ManifestFile, read_manifest, study_manifest
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
    rest = manifest.without_context_files()
    assert [file.path for file in rest.files if "/phase" not in file.path] == [
        "LICENSE", "experiments/code_change_summ_finetune_impl/gpt-4o.jsonl",
    ]  # fmt: skip
    assert len(rest.files) == 19
    assert rest.size < manifest.size / 3


def test_the_checksums_are_those_of_the_files(study_dir: Path) -> None:
    compared = [
        file.is_in(study_dir)
        for file in study_manifest().files
        if (file.is_context or file.path == "LICENSE") and (study_dir / file.path).is_file()
    ]
    assert compared
    assert all(compared)


def test_a_file_is_there_with_its_size_and_checksum_alone(tmp_path: Path) -> None:
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


OTHER = {"repository": "a/b/../c", "commit": "0" * 40, "license": "MIT", "files": {}}


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"files": []}', '{"files": {"a": {}}}', "\0", json.dumps(OTHER)]
)
def test_a_damaged_manifest_is_one_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(StudyError, match=r"no manifest of the study|no commit of a repository"):
        read_manifest(path)
