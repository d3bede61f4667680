"""The documentation: links resolve, and commands accept the options that it names."""

import re
from inspect import ismodule
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import crscore_core
from crscore_cli import main

ROOT = Path(__file__).resolve().parents[1]
PLACES = "*.md docs/*.md benchmarks/*.md sample_data/**/README.md".split()
PAGES = sorted(chain.from_iterable(map(ROOT.glob, PLACES)))

LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)")
COMMAND = re.compile(r"(?<![\w/.-])crscore ([a-z]+)([^`|#\n]*)")
OPTION = re.compile(r"(?<!\S)--?[a-z][a-z-]*")


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_a_file_and_a_heading(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        file = page.parent / target if target else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), f"{target}#{anchor}"


def test_figures_on_the_guide_are_those_of_the_docs() -> None:
    docs = (ROOT / "docs" / "validity.md").read_text(encoding="utf-8")
    (worst,), (names,) = (
        re.findall(rf"^\| {row}.*?\| ([\d.]+) \| [\d.]+ \| ([\d.]+) \|$", docs, re.MULTILINE)
        for row in ("the worst of 18", "the same with identifiers")
    )
    shown = re.findall(r"\b0\.\d\d\b", (ROOT / "pages" / "guide.py").read_text(encoding="utf-8"))
    assert shown == [f"{float(figure):.2f}" for figure in (names[0], *worst)]


def test_python_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each section of `docs/python.md` has one block of Python."""
    (tmp_path / "sample_data").symlink_to(ROOT / "sample_data")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "docs"}
    for name in ("README.md", "docs/python.md"):
        page = (ROOT / name).read_text(encoding="utf-8")
        blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        for block in blocks:
            exec(compile(block, name, "exec"), names)  # noqa: S102 - our own pages
    assert len(blocks) == page.count("\n## ")
    assert names["table"]["relevance"].isna().tolist() == [False, False, False, True]
    assert names["figures"]["metric"].tolist() == ["questions", "rel"]


def test_every_public_name_is_on_the_python_page() -> None:
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    public = {name for name, value in vars(crscore_core).items() if not ismodule(value)}
    named = {name for name in public if not name.startswith("_") or name == "__version__"}
    assert {name for name in named if not re.search(rf"\b{name}\b", page)} == set()


def test_the_citation_has_the_version_of_the_package() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {crscore_core.__version__}\n" in citation


def test_every_option_in_the_docs_belongs_to_its_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    used: dict[str, set[str]] = {}
    for page in PAGES:
        for command, rest in COMMAND.findall(page.read_text(encoding="utf-8")):
            used.setdefault(command, set()).update(OPTION.findall(rest))
    for command, options in used.items():
        with pytest.raises(SystemExit) as ended:
            main([command, "--help"])
        assert ended.value.code == 0, command
        known = set(OPTION.findall(capsys.readouterr().out))
        assert options <= known, f"crscore {command}: {options - known}"
