"""Rewrites golden files: `python -m tests.golden [NAME ...]`, by default all of them."""

import json
import sys
from typing import Any

from tests.golden.documents import DOCUMENTS, golden_file


def _write(name: str, document: Any) -> None:  # noqa: ANN401 - JSON, or text
    text = (
        document
        if isinstance(document, str)
        else json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    )
    golden_file(name).write_text(text, encoding="utf-8")
    print(f"{name}: {len(text):,} characters")


def main(names: list[str]) -> None:
    """Make the documents anew and put each in its file."""
    for name, make in DOCUMENTS.items():
        if not names or name in names:
            _write(name, make())


main(sys.argv[1:])
