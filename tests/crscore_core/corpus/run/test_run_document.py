"""What a finished run says of itself, written and read."""

import json
from typing import Any

import pytest

from crscore_core.corpus.run import RunDocument
from crscore_core.corpus.run.document import WrittenPart
from crscore_core.errors import BatchError

DOCUMENT = RunDocument(
    {"tau": 0.4}, 3, 1, (WrittenPart(0, 10, 2, "ab"), WrittenPart(1, 5, 1, "cd"))
)


def test_it_is_read_as_it_was_written() -> None:
    written = json.loads(json.dumps(DOCUMENT.as_json()))
    assert RunDocument.of_json(written) == DOCUMENT
    assert (written["reviews"], written["unscored"], written["rejected"]) == (15, 3, 1)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"format": 3}, "not of format 1 or 2"),
        ({"settings": None}, "is damaged"),
        ({"changes": "three"}, "is damaged"),
        ({"parts": [{"number": None, "rows": 1, "unscored": 0, "sha256": "ab"}]}, "is damaged"),
        ({"parts": [{"number": 0}]}, "is damaged"),
        ({"parts": 7}, "is damaged"),
    ],
)
def test_what_is_no_such_document_is_an_error(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(BatchError, match=message):
        RunDocument.of_json(DOCUMENT.as_json() | changed)
