"""Build the wheel, with the folders beside the packages inside `crscore_core/_bundle`.

At the top of site-packages, names such as `pages` would collide with other packages.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

_BUNDLE = ("analyzers", "pages", "sample_data", ".streamlit")
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "node_modules", "secrets.toml")


class _BuildWithBundle(build_py):
    """Build the packages, then copy the bundle, unless the installation is editable."""

    def run(self) -> None:
        """Copy what `crscore_core.bundle` finds beside the packages in the repository."""
        super().run()
        if self.editable_mode:
            return
        bundle = Path(self.build_lib, "crscore_core", "_bundle")
        for name in _BUNDLE:
            shutil.copytree(name, bundle / name, ignore=_LEFT_OUT, dirs_exist_ok=True)
        shutil.copy("app.py", bundle)


setup(cmdclass={"build_py": _BuildWithBundle})
