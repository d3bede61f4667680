"""What is asked for besides the prompt."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openai import APIStatusError

__all__ = ["MAX_TOKENS", "PARAMETERS", "Parameters"]

MAX_TOKENS = 700
"""How long an answer may get: the claims of a large change, with room to spare."""

PARAMETERS: Mapping[str, int] = {"temperature": 0, "seed": 0, "max_tokens": MAX_TOKENS}
"""The likeliest answer, and the same one again where the server can."""

_LATER_NAME = {"max_tokens": "max_completion_tokens"}
_FOR_REFUSED = {400, 422}


class Parameters:
    """The parameters of requests to one server, less what it turns out to refuse."""

    def __init__(self) -> None:
        self._values = dict(PARAMETERS)

    @property
    def values(self) -> dict[str, int]:
        """What to send."""
        return dict(self._values)

    def adapt(self, sent: Mapping[str, int], error: "APIStatusError") -> bool:
        """Whether `error` names a parameter of `sent`, which is left out or renamed from now on.

        The limit of tokens is renamed, as newer servers want it, and never left out.
        """
        if error.status_code not in _FOR_REFUSED:
            return False
        words = f"{error.param or ''} {error.body}"
        refused = [name for name in PARAMETERS if name in sent and re.search(rf"\b{name}\b", words)]
        for name in refused:
            value = self._values.pop(name, None)
            if value is not None and name in _LATER_NAME:
                self._values[_LATER_NAME[name]] = value
        return bool(refused)
