"""Where the analyzers that come with npm are, and how to get them."""

import json
from pathlib import Path

__all__ = ["HOW_TO_INSTALL", "NODE_MODULES", "package_version"]

NODE_MODULES = Path(__file__).resolve().parent / "node_modules"
HOW_TO_INSTALL = "install Node.js with npm and run: npm ci --prefix analyzers --ignore-scripts"


def package_version(name: str) -> str | None:
    """The version of an installed package; None where it is not there, or not as npm leaves it."""
    try:
        about = json.loads((NODE_MODULES / name / "package.json").read_text(encoding="utf-8"))
        return str(about["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
