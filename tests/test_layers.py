"""Imports: rooms import rooms below them, and heavy packages wait until they are needed."""

import ast
import json
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = (
    "torch", "transformers", "sentence_transformers", "openai", "scipy", "pandas", "ray",
    "streamlit", "sacrebleu", "rapidfuzz", "openpyxl", "bitsandbytes",
)  # fmt: skip


def imported_by(place: Path) -> set[str]:
    """Modules that a file, or the files of a folder, import anywhere, even inside functions.

    A name imported from the package `crscore_core` itself counts as one of its modules.
    """
    modules: set[str] = set()
    for file in list(place.rglob("*.py")) or [place.with_suffix(".py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module == "crscore_core":
                modules |= {f"crscore_core.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                modules.add(node.module)
    return modules


def test_imports_go_one_way() -> None:
    for package, above in {
        "analyzers": {"crscore_core", "pages", "streamlit", "app"},
        "crscore_core": {"pages", "streamlit", "app"},
    }.items():
        assert {name.partition(".")[0] for name in imported_by(ROOT / package)} & above == set()


ROOMS = (
    {"errors"},
    {"caches", "hub", "job", "rendered", "text"},
    {"statistics"},
    {"change"},
    {"claims"},
    {"scoring"},
    {"corpus"},
    {"ranking"},
    {"metrics"},
    {"datasets"},
    {"validity"},
    {"cli"},
)
"""The rooms of the core from the ground up; what stands together may import each other."""


def test_every_room_has_its_floor() -> None:
    places = (ROOT / "crscore_core").iterdir()
    there = {place.stem for place in places if place.suffix == ".py" or place.is_dir()}
    assert there - {"__init__", "__pycache__"} == set().union(*ROOMS)


@pytest.mark.parametrize("floor", range(len(ROOMS)))
def test_a_room_imports_only_rooms_below(floor: int) -> None:
    below = set().union(*ROOMS[: floor + 1])
    for room in ROOMS[floor]:
        modules = [name.split(".") for name in imported_by(ROOT / "crscore_core" / room)]
        assert {name[1] for name in modules if name[0] == "crscore_core"} <= below, room


def test_no_imports_go_in_a_circle() -> None:
    files = (file for name in ("analyzers", "crscore_core") for file in (ROOT / name).rglob("*.py"))
    modules = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
        for file in files
        if "node_modules" not in file.parts
    }
    graph = {name: (imported_by(file) & modules.keys()) - {name} for name, file in modules.items()}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def loaded_after(*codes: str) -> dict[str, set[str]]:
    """Heavy packages that a fresh interpreter has loaded after each code, run one after another."""
    program = (
        "import json, sys\n"
        f"loaded = {{}}\nfor code in {codes!r}:\n    exec(code, {{}})\n"
        f"    loaded[code] = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "print(json.dumps(loaded))"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return {code: set(names) for code, names in json.loads(output.splitlines()[-1]).items()}


_BACKENDS = """
from crscore_core.claims import *
endpoint = {"base_url": "http://localhost/v1", "model": "m"}
chosen = {"symbolic": {}, "magicoder": {"device": "cpu"}, "endpoint": endpoint}
for name, options in chosen.items():
    CLAIM_BACKENDS[name].availability(ClaimOptions(**options))
    generator = claim_generator(name, ClaimOptions(**options))
    assert name == "magicoder" or generator.name
import sys
assert "tree_sitter" not in sys.modules
"""


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    run = "from crscore_core.cli.main import _run; assert _run({!r}) == 0"
    diff = "sample_data/python/nightly-sync-errors.diff"
    loaded = loaded_after(
        "import crscore_core, analyzers, sys; assert 'tree_sitter' not in sys.modules",
        "from crscore_core.claims import *; import crscore_core.claims.llm.claims",
        _BACKENDS,
        "import crscore_core.datasets.study.load, crscore_core.metrics",
        "from crscore_core.datasets.study import corpus",
        "from crscore_core import CRScorer; CRScorer()",
        "import crscore_core.corpus.run, crscore_core.corpus.run.ray_engine",
        run.format(["--help"]),
        run.format(["score", "--help"]),
        run.format(["batch", "--help"]),
        run.format(["pr", "--help"]),
        run.format(["judge", "run", "--help"]),
        run.format(["claims", "--diff", diff]),
        run.format(["analyze", "--diff", diff]),
    )
    assert {code: names for code, names in loaded.items() if names} == {}


def test_a_page_that_scores_nothing_imports_no_torch() -> None:
    pages = [
        "from streamlit.testing.v1 import AppTest\n"
        f"test = AppTest.from_file('pages/{page}.py', default_timeout=60).run()\n"
        "assert not test.exception, test.exception\n"
        "assert test.main.children"
        for page in ("score", "guide", "data")
    ]
    for names in loaded_after(*pages).values():
        assert names & {"torch", "transformers", "sentence_transformers"} == set()
