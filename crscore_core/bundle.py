"""Find the analyzers, pages and sample data: in the parent folder, or inside an installed wheel."""

import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent

BUNDLE = _PACKAGE / "_bundle" if (_PACKAGE / "_bundle").is_dir() else _PACKAGE.parent
"""The folder of `app.py`, `analyzers`, `pages` and `sample_data`."""

sys.path.append(str(BUNDLE))

import analyzers  # noqa: E402 - found from the path above

if Path(analyzers.__file__ or "").parent.parent != BUNDLE:
    raise ImportError(f"another package is called analyzers: {analyzers.__file__}; remove it")
