"""The files of the study as published."""

import re
from pathlib import Path

from crscore_core.datasets.fetch import STUDY_SOURCE, is_context, is_whole, study_files


def test_the_registry_names_the_whole_study_at_a_pinned_commit() -> None:
    files = study_files()
    assert re.fullmatch(
        r"https://raw\.githubusercontent\.com(/[\w-]+){2}/[0-9a-f]{40}", STUDY_SOURCE
    )
    assert len({path.lower() for path in files}) == 619
    assert sum(map(is_context, files)) == 600
    assert [path for path in files if "/phase" not in path] == [
        "LICENSE", "experiments/code_change_summ_finetune_impl/gpt-4o.jsonl",
    ]  # fmt: skip
    for path, checksum in files.items():  # no path leads out of the folder, or to a hidden file
        assert all(re.fullmatch(r"[\w-][\w.-]*", part, re.ASCII) for part in path.split("/"))
        assert re.fullmatch("sha256:[0-9a-f]{64}", checksum)


def test_checksums_match_the_files(study_dir: Path) -> None:
    there = [
        is_whole(study_dir / path, checksum)
        for path, checksum in study_files().items()
        if (is_context(path) or path == "LICENSE") and (study_dir / path).is_file()
    ]
    assert there
    assert all(there)
