"""Convert prompts to tokens, in the format the model was trained on, and back to text."""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizers import Tokenizer

from crscore_core.claims.llm.language_model import Answer, Progress
from crscore_core.errors import MissingWeightsError
from crscore_core.text import whole_text

if TYPE_CHECKING:
    import torch

TEMPLATE_VERSION = 1
"""Version of the template below; change it whenever the tokens change."""

_BEFORE = (
    "You help programmers and answer their instructions accurately and in full.\n\n@@ Instruction\n"
)
_AFTER = "\n\n@@ Response\n"
"""The instruction format that Magicoder was trained on (see its model card), in our words."""

_PLACE = "instructionGoesHere"
_UNFINISHED = "\ufffd"
"""Decoded text of an incomplete character."""


@dataclass(frozen=True, slots=True)
class PromptTokenizer:
    """The tokenizer of a model; thread-safe.

    Prompts are plain text: a control token such as `</s>` in a diff is tokenized as characters,
    since `plain` has no such tokens. If the token is also in the model's vocabulary, the text is
    split within it. Control tokens of the template, `before` and `after` the prompt, stay
    intact. `control` contains the text of each control token.
    """

    plain: Tokenizer
    decoder: Tokenizer
    before: tuple[int, ...]
    after: tuple[int, ...]
    ends: tuple[int, ...]
    control: Mapping[int, str]

    def prompt(self, text: str) -> list[int]:
        """Return the tokens of a prompt, including the template."""
        return [*self.before, *self.tokens(text), *self.after]

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text, without the template.

        Raises:
            MissingWeightsError: the tokenizer finds control tokens in it even after splitting.
        """
        whole = whole_text(text)
        ids = _ids(self.plain, whole)
        if self.control.keys().isdisjoint(ids):
            return ids
        begins = re.compile(f"(?={'|'.join(map(re.escape, self.control.values()))})")
        cuts = [match.start() + 1 for match in begins.finditer(whole)]
        parts = (whole[start:end] for start, end in pairwise([0, *cuts, len(whole)]))
        ids = [token for part in parts for token in _ids(self.plain, part)]
        if self.control.keys().isdisjoint(ids):
            return ids
        raise MissingWeightsError(
            "the model's tokenizer reads text in the change as control tokens; choose another model"
        )

    def text(self, ids: list[int]) -> str:
        """Return the text of tokens, without control tokens."""
        said: str = self.decoder.decode(ids, skip_special_tokens=True)
        return said


def load_tokenizer(folder: Path) -> PromptTokenizer:
    """Read the tokenizer of a model's folder, without its weights.

    The model's own chat template is used, since it was trained on it; the format above is for
    models without one. `tokenizer.json` is loaded directly: AutoTokenizer uses the class named in
    `tokenizer_config.json`, which for models based on DeepSeek Coder, such as Magicoder, drops all
    spaces.

    Raises:
        MissingWeightsError: its files are damaged, or its chat template accepts no instruction.
    """
    from transformers import PreTrainedTokenizerFast

    try:
        fast = PreTrainedTokenizerFast.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )
        decoder = fast.backend_tokenizer
        plain = _without_control(decoder)
        if fast.chat_template is None:
            start = [fast.bos_token_id] if _begins_with_bos(fast, folder) else []
            before, after = [*start, *_ids(plain, _BEFORE)], _ids(plain, _AFTER)
        else:
            before, after = (_ids(decoder, text) for text in _around(fast))
    except MissingWeightsError:
        raise
    except Exception as error:  # damaged files raise various errors
        reason = str(error).strip().partition("\n")[0][:200] or type(error).__name__
        raise MissingWeightsError(
            f"the tokenizer of model {folder.name[:80]!r} cannot be read: {reason}"
        ) from error
    ends = () if fast.eos_token_id is None else (fast.eos_token_id,)
    control = {
        index: token.content
        for index, token in decoder.get_added_tokens_decoder().items()
        if token.special or index == fast.eos_token_id
        if index != fast.unk_token_id
    }
    return PromptTokenizer(plain, decoder, tuple(before), tuple(after), ends, control)


def _without_control(tokenizer: Tokenizer) -> Tokenizer:
    """Return the tokenizer without control tokens, so that every text is plain text."""
    state = json.loads(tokenizer.to_str())
    state |= {"added_tokens": [], "post_processor": None, "truncation": None, "padding": None}
    return Tokenizer.from_str(json.dumps(state))


def _ids(tokenizer: Tokenizer, text: str) -> list[int]:
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
    return ids


def _begins_with_bos(fast: Any, folder: Path) -> bool:  # noqa: ANN401 - a tokenizer
    """Return True if either file says that texts start with a special token."""
    if fast.bos_token_id is None:
        return False
    settings = json.loads((folder / "tokenizer_config.json").read_bytes())
    return bool(
        settings.get("add_bos_token")
        or fast.backend_tokenizer.encode("").ids == [fast.bos_token_id]
    )


def _around(fast: Any) -> tuple[str, str]:  # noqa: ANN401 - a tokenizer
    """Return the text that a chat template puts before and after an instruction.

    Raises:
        MissingWeightsError: the template does not contain the instruction exactly once.
    """
    whole = fast.apply_chat_template(
        [{"role": "user", "content": _PLACE}], tokenize=False, add_generation_prompt=True
    )
    before, _, after = whole.partition(_PLACE)
    if whole.count(_PLACE) != 1:
        raise MissingWeightsError("the model's chat template accepts no instruction")
    return before, after


@dataclass(slots=True)
class _Row:
    """The answer to one prompt so far.

    Text is decoded from the last complete character, together with the piece before it, because
    some tokenizers decode the first token of a text differently.
    """

    tokenizer: PromptTokenizer
    ids: list[int] = field(default_factory=list)
    said: str = ""
    is_ended: bool = False
    _start: int = 0
    _whole: int = 0

    def add(self, token: int) -> None:
        """Add a token, and the characters that it completes."""
        self.ids.append(token)
        new = self._new()
        if new and not new.endswith(_UNFINISHED):
            self.said += new
            self._start, self._whole = self._whole, len(self.ids)

    def add_rest(self) -> None:
        """Add the characters held back, once there are no more tokens."""
        self.said += self._new()

    def _new(self) -> str:
        before = self.tokenizer.text(self.ids[self._start : self._whole])
        return self.tokenizer.text(self.ids[self._start :])[len(before) :]


class BatchStreamer:
    """Receives tokens from `generate`, one row per index.

    `told` counts the characters already reported for each prompt; a second run of the same
    prompts in a smaller batch reports only those after them.
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
        self._rows = {index: _Row(tokenizer) for index in indices}
        self._stops = frozenset(stops)
        self._progress = progress
        self._told = told
        self._has_prompts = False

    def put(self, tokens: "torch.Tensor") -> None:
        """Receive the prompts first, and then one token per row at a time."""
        if not self._has_prompts:
            self._has_prompts = True
            return
        for (index, row), token in zip(self._rows.items(), tokens.tolist(), strict=True):
            if row.is_ended:
                continue
            if token in self._stops:
                row.is_ended = True
                row.add_rest()
            else:
                row.add(token)
            self._tell(index, row)

    def end(self) -> None:
        """Report the characters held back in rows cut off at the limit."""
        for index, row in self._rows.items():
            if not row.is_ended:
                row.add_rest()
                self._tell(index, row)

    def answers(self) -> list[Answer]:
        """Return the answer of each row, after `end`."""
        return [Answer(row.said, row.is_ended) for row in self._rows.values()]

    def _tell(self, index: int, row: _Row) -> None:
        new = row.said[self._told.get(index, 0) :]
        if not new:
            return
        self._told[index] = len(row.said)
        try:
            self._progress(index, new)
        except BaseException as error:
            self.raised = error
            raise
