"""Prompts -> tokens, in the form that the model was trained on."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from crscore_core.errors import MissingWeightsError
from crscore_core.text import whole_text

__all__ = ["TEMPLATE_VERSION", "PromptTokenizer", "load_tokenizer"]

TEMPLATE_VERSION = 1
"""Of the template below; it changes whenever the tokens would."""

_BEFORE = (
    "You help programmers and answer their instructions accurately and in full.\n\n@@ Instruction\n"
)
_AFTER = "\n\n@@ Response\n"
"""The marks around instructions that Magicoder was trained on (its model card), in our words."""

_PLACE = "instructionGoesHere"


@dataclass(frozen=True, slots=True)
class PromptTokenizer:
    """The tokenizer of a model; threads may share it.

    What a prompt says is plain text to it: a token of control such as `</s>`, typed in a diff,
    becomes the characters it is written with, because `plain` knows no such tokens. Where they
    stand in the model's vocabulary too, the text is taken apart within them. Those of the
    template, `before` and `after` the prompt, stay what they are. `control` is their text by
    token.
    """

    plain: Tokenizer
    decoder: Tokenizer
    before: tuple[int, ...]
    after: tuple[int, ...]
    ends: tuple[int, ...]
    control: Mapping[int, str]

    def prompt(self, text: str) -> list[int]:
        """Tokens of a whole prompt, template included."""
        return [*self.before, *self.tokens(text), *self.after]

    def tokens(self, text: str) -> list[int]:
        """Tokens of a text alone.

        Raises:
            MissingWeightsError: the tokenizer finds tokens of control in it, even taken apart.
        """
        whole = whole_text(text)
        ids = self._plain_ids(whole)
        if self.control.keys().isdisjoint(ids):
            return ids
        begins = re.compile(f"(?={'|'.join(map(re.escape, self.control.values()))})")
        cuts = [match.start() + 1 for match in begins.finditer(whole)]
        parts = (whole[start:end] for start, end in pairwise([0, *cuts, len(whole)]))
        ids = [one for part in parts for one in self._plain_ids(part)]
        if self.control.keys().isdisjoint(ids):
            return ids
        raise MissingWeightsError(
            "the model's tokenizer takes text of a change for tokens of control; choose another "
            "model"
        )

    def _plain_ids(self, text: str) -> list[int]:
        ids: list[int] = self.plain.encode(text, add_special_tokens=False).ids
        return ids

    def text(self, ids: list[int]) -> str:
        """What tokens say, those of control left out."""
        said: str = self.decoder.decode(ids, skip_special_tokens=True)
        return said


def load_tokenizer(folder: Path) -> PromptTokenizer:
    """Read the tokenizer of a model's folder, without its weights.

    A chat template that the model brings counts, since it was trained on it; the form above
    serves a model without one. The file `tokenizer.json` is taken as it is: AutoTokenizer goes
    by the class that `tokenizer_config.json` names, which for models made of DeepSeek Coder, as
    Magicoder is, drops all blanks.

    Raises:
        MissingWeightsError: its files are damaged, or its chat template takes no instruction.
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
            before, after = [*start, *plain.encode(_BEFORE).ids], plain.encode(_AFTER).ids
        else:
            before, after = (_control(decoder, text) for text in _around(fast))
    except MissingWeightsError:
        raise
    except Exception as error:  # what damaged files raise depends on what is damaged
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
    """The same tokenizer, to which every text is plain text."""
    state = json.loads(tokenizer.to_str())
    state |= {"added_tokens": [], "post_processor": None, "truncation": None, "padding": None}
    return Tokenizer.from_str(json.dumps(state))


def _control(tokenizer: Tokenizer, text: str) -> list[int]:
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
    return ids


def _begins_with_bos(fast: Any, folder: Path) -> bool:  # noqa: ANN401 - a tokenizer
    """Whether the model's texts begin with a token of their own, as one of two files says."""
    if fast.bos_token_id is None:
        return False
    settings = json.loads((folder / "tokenizer_config.json").read_bytes())
    return bool(
        settings.get("add_bos_token")
        or fast.backend_tokenizer.encode("").ids == [fast.bos_token_id]
    )


def _around(fast: Any) -> tuple[str, str]:  # noqa: ANN401 - a tokenizer
    """What a chat template puts before and after an instruction.

    Raises:
        MissingWeightsError: it does not put the instruction into its text once.
    """
    whole = fast.apply_chat_template(
        [{"role": "user", "content": _PLACE}], tokenize=False, add_generation_prompt=True
    )
    before, _, after = whole.partition(_PLACE)
    if whole.count(_PLACE) != 1:
        raise MissingWeightsError("the model's chat template takes no instruction")
    return before, after
