"""Tokens of a batch, as they come -> text of each row, as it can be told."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from crscore_core.claims.llm.language_model import Answer, Progress
from crscore_core.claims.llm.magicoder.prompt_tokens import PromptTokenizer

if TYPE_CHECKING:
    import torch

__all__ = ["BatchStreamer", "Row"]

_UNFINISHED = "\ufffd"
"""What the bytes of a character decode to before its last one is there."""


@dataclass(slots=True)
class Row:
    """What the answer to one prompt says so far.

    Text is decoded from the last place where a character was whole, and with the piece before
    it, because some tokenizers decode a text's first token in another way than the rest.
    """

    tokenizer: PromptTokenizer
    ids: list[int] = field(default_factory=list)
    is_ended: bool = False
    _start: int = 0
    _whole: int = 0

    def add(self, token: int) -> str:
        """Add a token; return the characters that are whole since."""
        self.ids.append(token)
        before = self.tokenizer.text(self.ids[self._start : self._whole])
        text = self.tokenizer.text(self.ids[self._start :])
        if len(text) <= len(before) or text.endswith(_UNFINISHED):
            return ""
        self._start, self._whole = self._whole, len(self.ids)
        return text[len(before) :]

    def rest(self) -> str:
        """Characters that were held back, when no more tokens come."""
        before = self.tokenizer.text(self.ids[self._start : self._whole])
        return self.tokenizer.text(self.ids[self._start :])[len(before) :]


class BatchStreamer:
    """Takes tokens from `generate`, for as many rows as there are indices.

    `told` counts the characters that were told of each prompt; a second run for the same
    prompts, with a smaller batch, tells only what follows them.
    """

    def __init__(
        self,
        tokenizer: PromptTokenizer,
        indices: list[int],
        stops: Collection[int],
        progress: Progress,
        told: dict[int, int],
    ) -> None:
        self.raised: BaseException | None = None
        self._rows = [Row(tokenizer) for _ in indices]
        self._indices = indices
        self._stops = frozenset(stops)
        self._progress = progress
        self._told = told
        self._said = [""] * len(indices)
        self._has_prompts = False

    def put(self, tokens: "torch.Tensor") -> None:
        """Take the prompts, which come first, and then one token of each row at a time."""
        if not self._has_prompts:
            self._has_prompts = True
            return
        for number, token in enumerate(tokens.tolist()):
            row = self._rows[number]
            if row.is_ended:
                continue
            if token in self._stops:
                row.is_ended = True
                self._tell(number, row.rest())
            else:
                self._tell(number, row.add(token))

    def end(self) -> None:
        """Tell what was held back of rows that the limit cut."""
        for number, row in enumerate(self._rows):
            if not row.is_ended:
                self._tell(number, row.rest())

    def answers(self) -> list[Answer]:
        """What each row says, after the end."""
        return [
            Answer(said, row.is_ended) for said, row in zip(self._said, self._rows, strict=True)
        ]

    def _tell(self, number: int, text: str) -> None:
        self._said[number] += text
        index = self._indices[number]
        new = self._said[number][self._told.get(index, 0) :]
        if not new:
            return
        self._told[index] = len(self._said[number])
        try:
            self._progress(index, new)
        except BaseException as error:
            self.raised = error
            raise
