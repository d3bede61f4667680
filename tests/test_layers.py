"""Imports: modules import only layers below them, and heavy packages wait until they are needed."""

import ast
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
    return [file for file in place.rglob("*.py") if not {"node_modules", "web"} & {*file.parts}]


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


@pytest.mark.parametrize(("layer", "package"), [*enumerate(PACKAGES)])
def test_packages_import_only_packages_below(layer: int, package: str) -> None:
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
def test_every_module_has_a_layer_and_imports_only_layers_below(package: str) -> None:
    places = (ROOT / package).iterdir()
    found = {place.stem for place in places if place.suffix == ".py" or place.is_dir()}
    assert found - {"__init__", "__pycache__"} == set().union(*LAYERS[package])
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


_BACKENDS = """
from crscore_core.claims import *
endpoint = {"base_url": "http://localhost/v1", "model": "m"}
chosen = {"symbolic": {}, "magicoder": {"device": "cpu"}, "endpoint": endpoint}
for name, options in chosen.items():
    CLAIM_BACKENDS[name].check(ModelOptions(**options))
    generator = claim_backend(name, ModelOptions(**options))
    assert name == "magicoder" or generator.name
"""


_RUN = """
from crscore_cli.app import main
try:
    main({!r})
except SystemExit as end:
    assert end.code == 0
"""
_DIFF = "sample_data/python/nightly-sync-errors.diff"


_PAGE = """
from streamlit.testing.v1 import AppTest
test = AppTest.from_file('app.py', default_timeout=240).run().switch_page('pages/{}.py').run()
assert not test.exception, test.exception
assert test.main.children
"""
LIGHT = [
    "import crscore_core",
    _BACKENDS,
    "from crscore_core import CRScorer; CRScorer()",
    *(_RUN.format([*command, "--help"]) for command in ([], ["score"], ["batch"])),
    *(_RUN.format([command, "--diff", _DIFF]) for command in ("claims", "analyze")),
]


@pytest.mark.parametrize(
    ("codes", "allowed"),
    [
        (LIGHT, set()),
        # Pages that compute nothing; the first screen, an example that is scored already, is one.
        ([*map(_PAGE.format, ("score", "guide", "data"))],
         {"streamlit", "pandas", "openpyxl", "rapidfuzz", "sacrebleu", "openai"}),
    ],
    ids=["light", "pages"],
)  # fmt: skip
def test_nothing_heavy_is_imported_before_it_is_needed(codes: list[str], allowed: set[str]) -> None:
    """In a fresh interpreter that runs one code after another."""
    program = (
        f"import sys\nfor code in {codes!r}:\n    exec(code, {{}})\n"
        f"    heavy = [name for name in {sorted({*HEAVY} - allowed)} if name in sys.modules]\n"
        "    assert not heavy, (code, heavy)"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, check=True)
