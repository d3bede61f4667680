"""A hundred files of a language to analyse."""

import os
from itertools import cycle, islice
from pathlib import Path

from analyzers import Fragment, SourceFile
from crscore_core.change import parse_change
from crscore_core.datasets.samples import load_samples

__all__ = ["COUNT", "SUFFIXES", "hundred_files", "study_folder"]

COUNT = 100
SUFFIXES = {"java": "java", "javascript": "js", "python": "py"}


def study_folder() -> Path | None:
    """The CRScore human study: where CRSCORE_STUDY says, or beside the project."""
    root = Path(__file__).resolve().parents[1]
    folder = Path(os.environ.get("CRSCORE_STUDY") or root.parent / "shared" / "study")
    return folder if (folder / "human_study").is_dir() else None


def hundred_files(language: str) -> list[SourceFile]:
    """Different texts: whole files of the study where it is there, else hunks of the samples."""
    study = study_folder()
    texts = _study_texts(study, language) if study else _sample_texts(language)
    mark = "#" if language == "python" else "//"
    numbered = enumerate(islice(cycle(texts), COUNT))
    return [
        _file(f"{text}\n{mark} {number}\n", number, language, is_whole=study is not None)
        for number, text in numbered
    ]


def _study_texts(study: Path, language: str) -> list[str]:
    folder = study / "human_study" / "phase1" / "context_files"
    paths = sorted(folder.glob(f"*_new.{SUFFIXES[language]}"))
    return [path.read_text(encoding="utf-8", errors="replace") for path in paths]


def _sample_texts(language: str) -> list[str]:
    return [
        hunk.new_fragment.text
        for sample in load_samples().values()
        for file in parse_change(sample.diff, language=sample.language).files
        if file.language == language
        for hunk in file.hunks
    ]


def _file(text: str, number: int, language: str, *, is_whole: bool) -> SourceFile:
    lines = frozenset(range(1, text.count("\n") + 1))
    path = f"{number}.{SUFFIXES[language]}"
    return SourceFile(path, language, (Fragment(1, text),), lines, is_whole)
