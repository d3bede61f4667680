"""Which package may import which, and what stays unimported until it is needed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = (
    "torch", "transformers", "sentence_transformers", "openai", "scipy", "pandas", "ray",
    "streamlit",
)  # fmt: skip


def imported_by(package: str) -> set[str]:
    """Top-level names that the modules of a package import anywhere, even inside functions."""
    names: set[str] = set()
    for path in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.partition(".")[0])
    return names


def test_imports_go_one_way() -> None:
    assert imported_by("analyzers") & {"crscore_core", "pages", "streamlit", "app"} == set()
    assert imported_by("crscore_core") & {"pages", "streamlit", "app"} == set()


ROOMS = (
    {"errors"},
    {"caches", "hub", "job", "text"},
    {"statistics"},
    {"change"},
    {"claims"},
    {"predicted"},
    {"scoring"},
    {"corpus"},
    {"datasets"},
    {"validity"},
    {"cli"},
)
"""The rooms of the core from the ground up; what stands together may import each other."""


def rooms_imported_by(room: str) -> set[str]:
    """The rooms of the core that the modules of a room import, even inside functions."""
    place = ROOT / "crscore_core" / room
    names: set[str] = set()
    for file in list(place.rglob("*.py")) or [place.with_suffix(".py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                parts = node.module.split(".")
                if parts == ["crscore_core"]:
                    names |= {alias.name for alias in node.names}
                elif parts[0] == "crscore_core":
                    names.add(parts[1])
    return names


def test_every_room_has_its_floor() -> None:
    places = (ROOT / "crscore_core").iterdir()
    there = {place.stem for place in places if place.suffix == ".py" or place.is_dir()}
    assert there - {"__init__", "__pycache__"} == set().union(*ROOMS)


@pytest.mark.parametrize("floor", range(len(ROOMS)))
def test_a_room_imports_only_rooms_below(floor: int) -> None:
    below = set().union(*ROOMS[: floor + 1])
    for room in ROOMS[floor]:
        assert rooms_imported_by(room) <= below, room


def loaded_after(code: str) -> set[str]:
    """Which heavy packages a fresh interpreter has loaded after running `code`."""
    program = f"{code}\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    output = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return set(output.splitlines()[-1].split())


@pytest.mark.parametrize(
    "code",
    [
        "import crscore_core, analyzers",
        "from crscore_core.claims import *; import crscore_core.claims.llm.claims",
        "import crscore_core.datasets.study.load",
        "from crscore_core.datasets.study import pseudo_references",
        "from crscore_core import CRScorer; CRScorer()",
        "from crscore_core.cli.main import _run; _run(['--help'])",
        "from crscore_core.cli.main import _run; _run(['score', '--help'])",
        "import crscore_core.corpus.run, crscore_core.corpus.run.ray_engine",
        "from crscore_core.cli.main import _run; _run(['batch', '--help'])",
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(code: str) -> None:
    assert loaded_after(code) == set()


def test_claims_and_smells_need_no_model() -> None:
    diff = "sample_data/python/nightly-sync-errors.diff"
    for command in ("claims", "analyze"):
        code = (
            "from crscore_core.cli.main import _run\n"
            f"assert _run([{command!r}, '--diff', {diff!r}]) == 0"
        )
        assert loaded_after(code) == set()


@pytest.mark.parametrize("page", ["score", "guide", "data"])
def test_a_page_that_scores_nothing_imports_no_torch(page: str) -> None:
    code = (
        "from streamlit.testing.v1 import AppTest\n"
        f"test = AppTest.from_file('pages/{page}.py', default_timeout=60).run()\n"
        "assert not test.exception, test.exception\n"
        "assert test.title"
    )
    assert loaded_after(code) & {"torch", "transformers", "sentence_transformers"} == set()
