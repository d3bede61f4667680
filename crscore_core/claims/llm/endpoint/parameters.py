"""What is asked for besides the prompt."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from crscore_core.claims.llm.language_model import MAX_TOKENS

if TYPE_CHECKING:
    from openai import APIStatusError

__all__ = ["PARAMETERS", "Parameters"]

PARAMETERS: Mapping[str, int] = {"temperature": 0, "seed": 0}
"""The likeliest answer, and the same one again where the server can."""

_LATER_NAME = {"max_tokens": "max_completion_tokens"}
_FOR_REFUSED = {400, 422}


class Parameters:
    """The parameters of requests to one server, less what it turns out to refuse.

    `max_tokens` is how long an answer may get, reasoning included where a model reasons.
    """

    def __init__(self, max_tokens: int = MAX_TOKENS) -> None:
        self._values = {**PARAMETERS, "max_tokens": max_tokens}

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
        adaptable = (*PARAMETERS, *_LATER_NAME)
        refused = [name for name in adaptable if name in sent and re.search(rf"\b{name}\b", words)]
        for name in refused:
            value = self._values.pop(name, None)
            if value is not None and name in _LATER_NAME:
                self._values[_LATER_NAME[name]] = value
        return bool(refused)
