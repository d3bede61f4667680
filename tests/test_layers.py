"""Imports: modules import only layers below them, and heavy packages wait until they are needed."""

import ast
import json
import subprocess
import sys
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = (
    "torch", "transformers", "sentence_transformers", "sklearn", "openai", "scipy", "pandas",
    "ray", "streamlit", "sacrebleu", "rapidfuzz", "openpyxl", "bitsandbytes",
)  # fmt: skip


def python_files(place: Path) -> list[Path]:
    """Files of a package; `web` has links to the app and its pages."""
    files = place.rglob("*.py")
    return [file for file in files if not {"node_modules", "web"} & {*file.parts}]


def imported_by(place: Path) -> set[str]:
    """Modules that a file, or the files of a folder, import anywhere, even inside functions."""
    modules: set[str] = set()
    for file in python_files(place) or [place.with_suffix(".py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = {f"{node.module}.{alias.name}" for alias in node.names}
                files = {name: ROOT / f"{name.replace('.', '/')}.py" for name in names}
                submodules = {name for name, file in files.items() if file.exists()}
                modules |= submodules if submodules == names else submodules | {node.module}
    return modules


PACKAGES = ("crscore_core", "crscore_eval", "crscore_cli")
"""From the bottom; pages and app.py are above all of them and do not import the command line."""


def test_packages_import_only_packages_below() -> None:
    for layer, package in enumerate(PACKAGES):
        above = {*PACKAGES[layer + 1 :], "pages", "streamlit", "app"}
        assert {name.partition(".")[0] for name in imported_by(ROOT / package)} & above == set()


LAYERS = {
    "crscore_core": (
        {"analyzers", "errors", "version"},
        {"hub", "reasoning", "stop_words", "text"},
        {"rendered"},
        {"change"},
        {"claims"},
        {"scoring"},
    ),
    "crscore_eval": (
        {"commonness", "formatting", "statistics"},
        {"table"},
        {"run"},
        {"data"},
        {"metrics"},
        {"judge", "ranking", "validity"},
        {"export"},
    ),
}
"""The layers of a package from the bottom; modules of one layer do not import each other."""


@pytest.mark.parametrize("package", LAYERS)
def test_every_module_has_a_layer(package: str) -> None:
    places = (ROOT / package).iterdir()
    found = {place.stem for place in places if place.suffix == ".py" or place.is_dir()}
    assert found - {"__init__", "__pycache__"} == set().union(*LAYERS[package])


@pytest.mark.parametrize("package", LAYERS)
def test_modules_import_only_layers_below(package: str) -> None:
    below: set[str] = set()
    for layer in LAYERS[package]:
        for module in layer:
            modules = [name.split(".") for name in imported_by(ROOT / package / module)]
            imported = {name[1] for name in modules if name[0] == package and len(name) > 1}
            assert imported <= below | {module}, module
        below |= layer


def test_no_imports_go_in_a_circle() -> None:
    folders = (ROOT / name for name in (*PACKAGES, "crscore_core/analyzers"))  # a linked folder
    files = chain.from_iterable(map(python_files, folders))
    modules = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
        for file in files
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
    CLAIM_BACKENDS[name].check(ModelOptions(**options))
    generator = claim_backend(name, ModelOptions(**options))
    assert name == "magicoder" or generator.name
import sys
assert "tree_sitter" not in sys.modules
"""


_RUN = """
from crscore_cli.app import main
try:
    main({!r})
except SystemExit as end:
    assert end.code == 0
"""
_DIFF = "sample_data/python/nightly-sync-errors.diff"


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    loaded = loaded_after(
        "import crscore_core, sys; assert 'tree_sitter' not in sys.modules",
        _BACKENDS,
        "from crscore_core import CRScorer; CRScorer()",
        _RUN.format(["--help"]),
        _RUN.format(["score", "--help"]),
        _RUN.format(["batch", "--help"]),
        _RUN.format(["claims", "--diff", _DIFF]),
        _RUN.format(["analyze", "--diff", _DIFF]),
    )
    assert {code: names for code, names in loaded.items() if names} == {}


def test_a_score_needs_torch_alone() -> None:
    """Importing sentence-transformers or pandas would take longer than the score itself."""
    score = _RUN.format(["score", "--diff", _DIFF, "--review", "Why is the error hidden?"])
    (names,) = loaded_after(score).values()
    assert names == {"torch"}


_PAGE = """
from streamlit.testing.v1 import AppTest
test = AppTest.from_file('app.py', default_timeout=240).run().switch_page('pages/{}.py').run()
assert not test.exception, test.exception
assert test.main.children
"""


def test_a_page_that_computes_nothing_imports_no_torch_and_no_scipy() -> None:
    """The first screen, an example that is scored already, is among them."""
    loaded = loaded_after(*map(_PAGE.format, ("score", "guide", "data")))
    heavy = {"torch", "transformers", "sentence_transformers", "scipy", "sklearn"}
    assert {code: names & heavy for code, names in loaded.items() if names & heavy} == {}
