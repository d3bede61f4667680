"""Find the analyzers, pages and sample data: in the parent folder, or inside an installed wheel."""

import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent

BUNDLE = _PACKAGE / "_bundle" if (_PACKAGE / "_bundle").is_dir() else _PACKAGE.parent
"""The folder of `app.py`, `analyzers`, `pages` and `sample_data`."""

if str(BUNDLE) not in sys.path:
    sys.path.append(str(BUNDLE))
