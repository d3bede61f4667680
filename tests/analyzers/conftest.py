"""Analyzers that need more than Python are tested where that is, and in CI always."""

import os
import shutil
from pathlib import Path

import pytest

_NEEDS = {"java": "java", "javascript": "node"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of a folder whose tool is missing, which CI may not do."""
    for item in items:
        tool = _NEEDS.get(Path(item.path).parent.name)
        if tool is not None and shutil.which(tool) is None and "CI" not in os.environ:
            item.add_marker(pytest.mark.skip(reason=f"{tool} is not on this machine"))
