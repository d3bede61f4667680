"""Fixtures that tests of several packages share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_ROOT = Path(__file__).resolve().parents[1]

# Machines differ in speed, and the first example of a test may import a heavy library.
settings.register_profile(
    "crscore", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("crscore")

if "PYTEST_XDIST_WORKER" in os.environ:
    # Parallel processes share the cores; more threads than cores would wait for each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

_GROUPS = {
    "the served app": ("_browser.py",),
    "the scored study": ("/validity/",),
    "sentence-transformers": ("/llm/test_magicoder.py", "/test_encoder.py"),
    None: ("/endpoint/", "/analyzers/", "/test_layers.py", "/test_supply.py"),
}
"""Parts of the names of slow test files, keyed by the slow resource that they share, if any."""


def _group(nodeid: str) -> tuple[int, str | None]:
    """Return the rank of a test's group and what the group shares."""
    for rank, (name, parts) in enumerate(_GROUPS.items()):
        if any(part in nodeid for part in parts):
            return rank, name
    return len(_GROUPS), None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the files that take longest, so no process works on them alone at the end."""
    items.sort(key=lambda item: _group(item.nodeid)[0])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Run each file in one process, and files that share a resource in the same process."""
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    class Scheduling(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return _group(file)[1] or file

    return Scheduling(config, log)


@pytest.fixture(scope="session")
def released_study() -> Path:
    """The released study with its context files, next to this project or at CRSCORE_STUDY."""
    named = os.environ.get("CRSCORE_STUDY")
    folder = Path(named) if named else _ROOT.parent / "shared" / "study"
    if not (folder / "human_study").is_dir():
        pytest.skip(f"the human study is not at {folder}; name its folder in CRSCORE_STUDY")
    return folder


@pytest.fixture(scope="session", autouse=True)
def _caches_of_the_tests() -> Iterator[None]:
    """Use a separate cache folder, which keeps the converted model for the next run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(_ROOT / ".venv" / "test-caches"))
        yield
