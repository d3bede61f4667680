"""The setup: pins of the environment, how make and install.py create it, and the wheel."""

import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib.metadata import distribution, packages_distributions
from itertools import chain
from pathlib import Path

import pandas as pd
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import install
from tests.test_layers import PACKAGES, imported_by

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = {"requirements.txt": ("app", "llm"), "requirements-dev.txt": ("dev",)}
"""Requirements files and the extras of the project that they install."""


def requirements(name: str) -> list[Requirement]:
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith("--")]


def named(requirement: Requirement) -> str:
    return str(canonicalize_name(requirement.name))


@pytest.fixture(scope="module")
def declared() -> dict[str, list[Requirement]]:
    """The packages in pyproject.toml that each requirements file installs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    found = {name: [*chain(*map(extras.get, REQUIREMENTS[name]))] for name in REQUIREMENTS}
    found["requirements.txt"] += project["dependencies"]
    return {name: [*map(Requirement, lines)] for name, lines in found.items()}


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_requirements_install_the_project_s_packages_at_their_pins(
    name: str, declared: dict[str, list[Requirement]]
) -> None:
    pins = {named(pin): pin for pin in requirements("constraints.txt")}
    assert not any(pin.url for pin in pins.values())
    for required in declared[name]:
        (pin,) = pins[named(required)].specifier
        assert required.specifier.contains(pin.version), named(required)
    listed = requirements(name)
    assert {*map(named, listed)} - {*map(named, declared[name])} <= {"pytest"}  # of the extra dev
    brought: dict[tuple[str, ...], Requirement] = {}
    needed = [*listed, *requirements("requirements.txt")]
    for required in needed:  # grows by their dependencies
        key = named(required), *required.extras
        if brought.setdefault(key, required) is required:
            installed = distribution(key[0])
            assert pins[key[0]].specifier.contains(installed.version), key
            needed += [
                dependency
                for dependency in map(Requirement, installed.requires or ())
                for extra in ("", *required.extras)
                if dependency.marker is None or dependency.marker.evaluate({"extra": extra})
            ]
    assert {*map(named, declared[name])} <= {key for key, *_ in brought}


def test_every_package_that_is_imported_is_declared(declared: dict[str, list[Requirement]]) -> None:
    places = (ROOT / name for name in (*PACKAGES, "crscore_core/analyzers", "pages", "app"))
    modules = {module.partition(".")[0] for place in places for module in imported_by(place)}
    owners = packages_distributions()
    imported = {canonicalize_name(owners[module][0]) for module in modules & owners.keys()}
    assert imported <= {*map(named, declared["requirements.txt"]), "ray", "crscore-dashboard"}


def test_uv_searches_where_pip_is_configured_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = tmp_path / "pip.conf"
    configuration.write_text(
        "[global]\nindex-url = https://one.example/python\nfind-links = /file\n"
        "[install]\nextra-index-url =\n  https://two.example/it's\n  https://three.example\n"
    )
    for name in (*dict(install._UV_VARIABLES.values()), "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    own = {"PIP_FIND_LINKS": "/here /there", "PIP_CERT": "/pip.pem", "SSL_CERT_FILE": "/own.pem"}
    for name, value in {"PIP_CONFIG_FILE": str(configuration), **own}.items():
        monkeypatch.setenv(name, value)
    expected = {
        "UV_DEFAULT_INDEX": "https://one.example/python", "UV_FIND_LINKS": "/here,/there",
        "UV_INDEX": "https://two.example/it's https://three.example", "SSL_CERT_FILE": "/own.pem",
    }  # fmt: skip
    assert install.uv_environment().items() >= expected.items()


def run(
    *command: str | Path, cwd: Path, status: int = 0, text: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command with `text` as its input; it must exit with `status`."""
    done = subprocess.run(command, cwd=cwd, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done


def files_in(*folders: str) -> list[Path]:
    """The files in folders of this project, except installed and compiled ones."""
    files = chain.from_iterable((ROOT / folder).rglob("[!.]*") for folder in folders)
    made = {"node_modules", "__pycache__"}
    return [file.relative_to(ROOT) for file in files if file.is_file() and not made & {*file.parts}]


def copied(to: Path) -> Path:
    """A copy of this project, without installed or built files."""
    left_out = shutil.ignore_patterns(".[!s]*", "node_modules", "build", "*.egg-info")
    return Path(shutil.copytree(ROOT, to / "source", ignore=left_out, symlinks=True))


@pytest.fixture(scope="module")
def wheel_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of an environment with the wheel and, on its path, the packages that it needs."""
    folder = tmp_path_factory.mktemp("wheel")
    command = sys.executable, *"-m pip wheel --quiet --no-deps --no-build-isolation -w".split()
    run(*command, folder, copied(folder), cwd=folder)
    venv.create(folder / "env")
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    (built,) = folder.glob("*.whl")
    with zipfile.ZipFile(built) as wheel:
        wheel.extractall(site)
    (site / "needed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return folder / "env" / "bin" / "python"


def test_the_wheel_owns_only_its_packages_and_all_their_files(wheel_python: Path) -> None:
    (site,) = wheel_python.parents[1].glob("lib/python*/site-packages")
    installed = {path.relative_to(site) for path in site.rglob("*") if path.is_file()}
    tops = {path.parts[0] for path in installed if not path.parts[0].endswith(".dist-info")}
    assert tops == {"crscore_cli", "crscore_core", "crscore_eval", "needed.pth"}
    places = {
        "analyzers": Path("crscore_core"), "pages": Path("crscore_cli/web"),
        "sample_data": Path("crscore_eval/data"),
    }  # fmt: skip
    expected = {places[file.parts[0]] / file for file in files_in(*places)}
    assert expected - installed == set()


def test_the_source_distribution_has_what_builds_a_wheel_and_the_tests(tmp_path: Path) -> None:
    source = copied(tmp_path)
    build = "from setuptools.build_meta import build_sdist; print(build_sdist('dist'))"
    name = run(sys.executable, "-c", build, cwd=source).stdout.splitlines()[-1]
    shutil.unpack_archive(source / "dist" / name, tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    folders = "analyzers", "benchmarks", "crscore_core", "docs", "pages", "sample_data", "tests"
    others = "app.py CHANGELOG.md constraints.txt install.py Makefile requirements-dev.txt".split()
    expected = (*files_in(*folders), *map(Path, others))
    assert [file for file in expected if not (unpacked / file).is_file()] == []


_OPTIONAL = "streamlit plotly openai bitsandbytes ray".split()
_BLOCK = f"import sys; sys.modules.update(dict.fromkeys({_OPTIONAL}))"
_DIFF = "@@ -1 +1 @@\n-retries = 3\n+retries = 5\n"
_SCORE = f"""
from crscore_core.analyzers import Smell
from crscore_core import CRScorer
from crscore_eval.data.shipped import shipped_run
from crscore_eval.table import decide_layout
import analyzers, pathlib
print(CRScorer().score({_DIFF!r}, "Why 5 retries?").relevance is not None)
print(len(shipped_run().reviews), analyzers.OWN, len(decide_layout(pathlib.Path('a.xlsx')).roles))
"""


def test_the_wheel_scores_without_optional_packages_next_to_another_package_named_analyzers(
    wheel_python: Path, tmp_path: Path
) -> None:
    (tmp_path / "analyzers.py").write_text("OWN = 'my own'\n")
    row = {"diff": _DIFF, "review": "Why?"}
    pd.DataFrame([row]).to_excel(tmp_path / "a.xlsx", index=False)
    output = run(wheel_python, "-c", f"{_BLOCK}{_SCORE}", cwd=tmp_path).stdout
    assert output.splitlines() == ["True", "1829 my own 2"]


@pytest.mark.parametrize(("command", "package", "extra"), [
    ("dashboard", "streamlit", "app"),
    ("claims --diff - --claims endpoint", "openai", "llm"),
    ("claims --diff - --claims magicoder", "bitsandbytes", "llm"),
])  # fmt: skip
def test_optional_packages_that_are_missing_are_named(
    command: str, package: str, extra: str, wheel_python: Path, tmp_path: Path
) -> None:
    code = f"{_BLOCK}; from crscore_cli import main; main({command.split()})"
    errors = run(wheel_python, "-c", code, cwd=tmp_path, status=2, text=_DIFF).stderr
    assert re.search(rf"{package}.*pip install 'PATH\[{extra}\]'", errors)


def test_types_of_the_installed_wheel_are_found(wheel_python: Path, tmp_path: Path) -> None:
    script, settings = tmp_path / "script.py", tmp_path / "mypy.ini"
    script.write_text(
        "from crscore_core import ChangeInput, CRScorer, Encoder, ReferenceKind\n"
        "ChangeInput('', ['a review'], claims=['a claim'])\n"
        "reveal_type(CRScorer().score('', '').relevance)\n"
        "from crscore_eval import open_run\nreveal_type(open_run('run').settings.get('tau'))\n"
    )
    others = "numpy.*,openai.*,pandas.*,pydantic.*,tokenizers.*,torch.*,transformers.*"
    settings.write_text(f"[mypy]\nstrict = true\n[mypy-{others}]\nfollow_imports = skip\n")
    command = f"-m mypy --config-file={settings} --python-executable {wheel_python} {script}"
    output = run(sys.executable, *command.split(), cwd=tmp_path).stdout
    assert re.findall('type is "(.*)"', output) == ["float | None"] * 2
    assert "error:" not in output
