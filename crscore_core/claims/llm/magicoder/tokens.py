"""Convert prompts to tokens, in the format the model was trained on, and back to text."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizers.decoders import DecodeStream

from crscore_core.claims.llm.language_model import Answer, Progress
from crscore_core.claims.llm.magicoder.available import unusable
from crscore_core.errors import MissingWeightsError
from crscore_core.text import whole_text

if TYPE_CHECKING:
    import torch

TEMPLATE_VERSION = 2
"""Version of the template below; change it whenever the tokens change."""

_CONTENT = "{{ messages[0]['content'] }}"
_TEMPLATE = (
    "You help programmers and answer their instructions accurately and in full.\n\n"
    f"@@ Instruction\n{_CONTENT}\n\n@@ Response{{{{ '\\n' }}}}"
)
"""The instruction format that Magicoder was trained on (see its model card), in our words."""


class PromptTokenizer:
    """The tokenizer of a model, a `PreTrainedTokenizerFast`, and its chat template.

    Prompts are plain text: a control token such as `</s>` in a diff is tokenized as characters.
    """

    def __init__(self, fast: Any, template: str) -> None:  # noqa: ANN401 - no type hints
        self.fast = fast
        self.ends = () if fast.eos_token_id is None else (fast.eos_token_id,)
        self._template = template

    def prompt(self, text: str) -> list[int]:
        """Return the tokens of a prompt, including the template.

        Raises:
            MissingWeightsError: the tokenizer cannot read a control token in it as text.
        """
        return self._ids(text, self._template)

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text, without the template; see `prompt`."""
        return self._ids(text, _CONTENT)

    def _ids(self, text: str, template: str) -> list[int]:
        try:
            ids: list[int] = self.fast.apply_chat_template(
                [{"role": "user", "content": whole_text(text)}],
                chat_template=template,
                add_generation_prompt=True,
                sanitize_control_tokens=True,
                return_dict=False,
            )
        except ValueError as error:
            raise MissingWeightsError(
                "the model's tokenizer reads text in the change as control tokens; choose another "
                "model"
            ) from error
        return ids


def load_tokenizer(folder: Path) -> PromptTokenizer:
    """Read the tokenizer of a model's folder, without its weights.

    The model's own chat template is used, since it was trained on it; the format above is for
    models without one. `tokenizer.json` is loaded directly: AutoTokenizer uses the class named in
    `tokenizer_config.json`, which for models based on DeepSeek Coder, such as Magicoder, drops all
    spaces.

    Raises:
        MissingWeightsError: its files are missing or damaged, or its chat template is.
    """
    from transformers import PreTrainedTokenizerFast

    try:
        fast: Any = PreTrainedTokenizerFast.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )
        added = [token.content for token in fast.added_tokens_decoder.values()]
        fast.chat_control_tokens = [token for token in added if not token.isspace()]
        # transformers drops this setting, and Magicoder has it nowhere else
        settings = json.loads((folder / "tokenizer_config.json").read_bytes())
        begins = settings.get("add_bos_token") or fast.encode("")[:1] == [fast.bos_token_id]
        template = f"{{{{ bos_token }}}}{_TEMPLATE}" if begins else _TEMPLATE
        tokenizer = PromptTokenizer(fast, fast.chat_template or template)
        tokenizer.prompt("")
    except Exception as error:  # damaged files raise various errors
        raise unusable(f"the tokenizer of model {folder.name[:80]!r}", error) from error
    return tokenizer


class _Row:
    """The answer to one prompt so far."""

    def __init__(self, fast: Any) -> None:  # noqa: ANN401 - no type hints
        self.said = ""
        self.is_ended = False
        self._fast = fast
        self._ids: list[int] = []
        self._stream = DecodeStream(skip_special_tokens=True)

    def add(self, token: int) -> None:
        """Add a token, and the characters that it completes."""
        self._ids.append(token)
        self.said += self._stream.step(self._fast.backend_tokenizer, token) or ""

    def add_rest(self) -> None:
        """Add the characters held back, once there are no more tokens."""
        whole: str = self._fast.decode(self._ids, skip_special_tokens=True)
        self.said += whole[len(self.said) :]


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
        self._rows = {index: _Row(tokenizer.fast) for index in indices}
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
