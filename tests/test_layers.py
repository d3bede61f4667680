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


@pytest.mark.parametrize(
    ("module", "may_import"),
    [
        ("errors", set()),
        ("metric", {"errors"}),
        ("maxima", {"errors", "metric"}),
        ("statistics", {"statistics", "errors"}),
        ("calibration", {"calibration", "errors", "statistics", "sts"}),
        ("unicode", {"errors"}),
        ("unseen_markup", {"unicode"}),
        ("samples", {"errors"}),
        ("signature", set()),
        ("spreadsheet", set()),
        ("hub", set()),
        ("retry_after", set()),
        ("file_digest", {"byte_store"}),
        ("change", {"change", "errors", "unicode"}),
        ("byte_store", set()),
        ("sts", {"byte_store", "errors", "file_digest", "hub", "sts"}),
        ("job", {"errors"}),
        (
            "claims",
            {
                "byte_store",
                "change",
                "claims",
                "errors",
                "file_digest",
                "hub",
                "retry_after",
                "unicode",
            },
        ),
        ("whole_files", {"change", "errors"}),
        ("smells", {"change", "errors", "whole_files"}),
        ("references", {"change", "claims"}),
        ("feedback", {"references"}),
        (
            "corpus",
            {
                "calibration",
                "change",
                "claims",
                "corpus",
                "errors",
                "job",
                "maxima",
                "metric",
                "references",
                "samples",
                "scorer",
                "signature",
                "smells",
                "spreadsheet",
                "statistics",
                "sts",
                "unicode",
                "unseen_markup",
                "whole_files",
            },
        ),
        (
            "batch",
            {
                "batch",
                "claims",
                "corpus",
                "errors",
                "file_digest",
                "maxima",
                "references",
                "review_score",
                "scorer",
                "signature",
                "smells",
                "sts",
                "unicode",
            },
        ),
        (
            "study",
            {
                "calibration",
                "change",
                "claims",
                "corpus",
                "errors",
                "job",
                "maxima",
                "metric",
                "references",
                "retry_after",
                "signature",
                "smells",
                "statistics",
                "sts",
                "study",
                "unicode",
            },
        ),
        (
            "review_score",
            {"calibration", "feedback", "metric", "references", "signature", "sts"},
        ),
        (
            "scorer",
            {
                "change",
                "claims",
                "errors",
                "references",
                "review_score",
                "signature",
                "smells",
                "sts",
                "unicode",
            },
        ),
        ("report", {"claims", "review_score", "signature", "spreadsheet"}),
    ],
)
def test_modules_of_the_core_import_only_what_lies_below(module: str, may_import: set[str]) -> None:
    path = ROOT / "crscore_core" / module
    files = list(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    found: set[str] = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                parts = node.module.split(".")
                if parts == ["crscore_core"]:
                    found |= {alias.name for alias in node.names}
                elif parts[0] == "crscore_core":
                    found.add(parts[1])
    assert files
    assert found <= may_import


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
        "import crscore_core.study.release.load",
        "import crscore_core.study.comparison, crscore_core.study.pseudo_references",
        "from crscore_core import CRScorer; CRScorer()",
        "from crscore_core.cli.main import _run; _run(['--help'])",
        "from crscore_core.cli.main import _run; _run(['score', '--help'])",
        "import crscore_core.batch, crscore_core.batch.ray_engine",
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
