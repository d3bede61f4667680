"""Imports: modules import only layers below them, and heavy packages only when needed."""

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
PACKAGES = ("crscore_core", "crscore_eval", "crscore_cli")
LAYERS = [{f"crscore_{module}" for module in layer.split()} for layer in (
    "core.analyzers core.errors core.version", "core.hub core.reasoning core.text",
    "core.rendered", "core.change", "core.claims", "core.scoring", "core",
    "eval.commonness eval.statistics", "eval.formatting", "eval.table", "eval.run", "eval.data",
    "eval.metrics", "eval.judge", "eval.validity", "eval.ranking", "eval.export", "eval", "cli",
)]  # fmt: skip
"""From the bottom; modules of one layer do not import each other. pages and app.py are on top."""
_BACKENDS = """
from crscore_core.claims import *
for name, options in (("magicoder", {"device": "cpu"}),
                      ("endpoint", {"base_url": "http://localhost/v1", "model": "m"})):
    CLAIM_BACKENDS[name].check(ModelOptions(**options))
    claim_backend(name, ModelOptions(**options))
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
    _BACKENDS,
    "from crscore_core import CRScorer; CRScorer()",
    *(_RUN.format([*command, "--help"]) for command in ([], ["score"], ["batch"])),
    *(_RUN.format([command, "--diff", _DIFF]) for command in ("claims", "analyze")),
]


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


def test_every_module_has_a_layer_and_imports_only_layers_below() -> None:
    below: set[str] = set()
    for layer in LAYERS:
        for module in layer:
            modules = imported_by(ROOT / module.replace(".", "/"))
            ours = {".".join(name.split(".")[:2]) for name in modules if name.startswith(PACKAGES)}
            others = {name for name in ours if not f"{name}.".startswith(f"{module}.")}
            assert others <= below | {module.partition(".")[0]}, module
            assert not {name.partition(".")[0] for name in modules} & {"pages", "streamlit", "app"}
        below |= layer
    for package in ("crscore_core", "crscore_eval"):
        places = (ROOT / package).iterdir()
        found = {place.stem for place in places if place.suffix == ".py" or place.is_dir()}
        assert {f"{package}.{name}" for name in found - {"__init__", "__pycache__"}} <= below


def test_there_are_no_circular_imports() -> None:
    folders = (ROOT / name for name in (*PACKAGES, "crscore_core/analyzers"))  # a linked folder
    files = chain.from_iterable(map(python_files, folders))
    modules = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
        for file in files
    }
    graph = {name: (imported_by(file) & modules.keys()) - {name} for name, file in modules.items()}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


@pytest.mark.parametrize(("codes", "allowed"), [
    (LIGHT, set()),
    # Pages that compute nothing, such as the first screen, whose example is already scored.
    ([*map(_PAGE.format, ("score", "guide", "data"))],
     {"streamlit", "pandas", "openpyxl", "rapidfuzz", "sacrebleu", "openai"}),
], ids=["light", "pages"])  # fmt: skip
def test_nothing_heavy_is_imported_before_it_is_needed(codes: list[str], allowed: set[str]) -> None:
    """A fresh interpreter runs one program after another."""
    program = (
        f"import sys\nfor code in {codes!r}:\n    exec(code, {{}})\n"
        f"    heavy = [name for name in {sorted({*HEAVY} - allowed)} if name in sys.modules]\n"
        "    assert not heavy, (code, heavy)"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, check=True)
