"""Skip tests of analyzers whose tools are missing, except in CI."""

import os
import shutil
from pathlib import Path

import pytest

_NEEDS = {"java": "java", "javascript": "node"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of a folder if its tool is missing, unless in CI."""
    for item in items:
        tool = _NEEDS.get(Path(item.path).parent.name)
        if tool is not None and shutil.which(tool) is None and "CI" not in os.environ:
            item.add_marker(pytest.mark.skip(reason=f"{tool} is not on this machine"))
