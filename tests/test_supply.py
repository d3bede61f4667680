"""The set-up: pins of the environment, and the ways of make and install.py to it."""

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import install

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ("requirements.txt", "requirements-dev.txt")


def requirements(name: str) -> list[Requirement]:
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = (line.partition("#")[0] for line in text.splitlines())
    return [Requirement(line) for line in lines if line.strip()]


@pytest.fixture(scope="module")
def pins() -> dict[str, Requirement]:
    return {canonicalize_name(pin.name): pin for pin in requirements("constraints.txt")}


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_requirements_equal_the_constraints(name: str, pins: dict[str, Requirement]) -> None:
    for required in requirements(name):
        assert pins[canonicalize_name(required.name)].specifier == required.specifier


def test_constraints_contain_no_urls() -> None:
    assert "://" not in (ROOT / "constraints.txt").read_text(encoding="utf-8")


def test_every_package_that_is_needed_is_installed_at_its_pin(
    pins: dict[str, Requirement],
) -> None:
    needed = requirements("requirements.txt") + requirements("requirements-dev.txt")
    seen = set()
    while needed:
        required = needed.pop()
        name = canonicalize_name(required.name)
        installed = distribution(name)
        assert pins[name].specifier.contains(installed.version), name
        for extra in ("", *required.extras):
            if (name, extra) not in seen:
                seen.add((name, extra))
                needed += [
                    dependency
                    for dependency in map(Requirement, installed.requires or ())
                    if dependency.marker is None or dependency.marker.evaluate({"extra": extra})
                ]


def test_uv_searches_where_pip_is_configured_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = tmp_path / "pip.conf"
    configuration.write_text(
        "[global]\nindex-url = https://one.example/simple\nfind-links = /file\n"
        "[install]\nextra-index-url =\n  https://two.example/it's\n  https://three.example\n"
    )
    for variables in install._UV_VARIABLES.values():
        monkeypatch.delenv(variables[0], raising=False)
    for option in ("INDEX_URL", "EXTRA_INDEX_URL"):
        monkeypatch.delenv(f"PIP_{option}", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(configuration))
    monkeypatch.setenv("PIP_FIND_LINKS", "/here /there")
    monkeypatch.setenv("PIP_CERT", "/bundle.pem")
    monkeypatch.setenv("SSL_CERT_FILE", "/own.pem")
    environment = install.uv_environment()
    assert environment["UV_DEFAULT_INDEX"] == "https://one.example/simple"
    assert environment["UV_INDEX"] == "https://two.example/it's https://three.example"
    assert environment["UV_FIND_LINKS"] == "/here,/there"
    assert environment["SSL_CERT_FILE"] == "/own.pem"


@pytest.mark.parametrize(
    ("failing", "ci", "status", "last"),
    [("", "", 0, "uv"), ("uv", "", 0, "pip"), ("uv", "true", 1, "uv"), ("pip uv", "true", 1, "")],
)
def test_pip_installs_the_pins_where_uv_fails_but_not_in_ci(
    failing: str, ci: str, status: int, last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    installing: list[str] = []

    def run(command: tuple[str, ...], **_: object) -> subprocess.CompletedProcess[str]:
        gets_uv = command[-1] == "uv"
        tool = "" if gets_uv else command[2]
        if "install" in command:
            assert command[command.index("--constraint") + 1] == "constraints.txt"
            installing.append(tool)
        fails = "pip uv" in failing if gets_uv else tool == "uv" and bool(failing)
        return subprocess.CompletedProcess(command, int(fails), stdout="")

    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(subprocess, "run", run)
    assert install.main(["tiny"]) == status
    assert installing[-1] == last


def python(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in (
        "Makefile", "constraints.txt", "pyproject.toml", "requirements-model.txt", *REQUIREMENTS
    ):  # fmt: skip
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def make(project: Path) -> subprocess.CompletedProcess[str]:
    command = ["make", "--no-print-directory", "PYTHON=./python3", ".venv/run.stamp"]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("fails_at", "message"),
    [
        ("version_info", "Python 3.11 or later is needed; name one with: make PYTHON=python3.11"),
        ("ensurepip", "./python3 has no venv; on Debian and Ubuntu: apt-get install python3-venv"),
    ],
)
def test_a_python_that_cannot_be_used_is_reported_in_one_line(
    project: Path, fails_at: str, message: str
) -> None:
    python(project / "python3", f'case "$*" in *{fails_at}*) exit 1;; esac')
    result = make(project)
    assert result.returncode != 0
    assert result.stdout == f"{message}\n"


def test_an_interrupted_installation_starts_again(project: Path) -> None:
    python(project / "installer", "test -e ready")
    python(
        project / "python3",
        'case "$*" in "-m venv --clear .venv")\n'
        "rm -rf .venv; mkdir -p .venv/bin; cp installer .venv/bin/python; echo made >> log;; esac",
    )
    assert make(project).returncode != 0
    assert make(project).returncode != 0
    (project / "ready").touch()
    assert make(project).returncode == 0
    assert (project / "log").read_text() == "made\n" * 3

    for file in (project / ".venv" / "run.stamp", *project.iterdir()):
        os.utime(file, (0, 0))  # set up long ago: a touch within one tick of the clock is no change
    assert "is up to date" in make(project).stdout
    (project / "requirements.txt").touch()
    assert "install.py -r requirements.txt" in make(project).stdout
    assert (project / "log").read_text() == "made\n" * 3


def test_the_wheel_owns_only_its_packages_and_scores_from_any_folder(tmp_path: Path) -> None:
    """The analyzers and the shipped study are found inside it."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    source = tmp_path / "source"
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".*", "node_modules", "build", "*.egg-info")
    )
    shutil.copytree(ROOT / ".streamlit", source / ".streamlit")
    subprocess.run(
        [*command, "--no-build-isolation", "-w", tmp_path, source], check=True, cwd=tmp_path
    )
    (built,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(built) as wheel_file:
        wheel_file.extractall(site)
    names = {path.name for path in site.iterdir() if path.suffix != ".dist-info"}
    assert names == {"crscore_cli", "crscore_core", "crscore_eval"}
    code = (
        "import crscore_core, analyzers; from crscore_core.bundle import BUNDLE\n"
        "from crscore_eval.data import shipped_run\n"
        "print(analyzers.__file__, (BUNDLE / 'app.py').is_file(), len(shipped_run().reviews))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(site)},
        cwd=tmp_path, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.split() == [
        str(site / "crscore_core" / "_bundle" / "analyzers" / "__init__.py"), "True", "1829",
    ]  # fmt: skip
