"""Convert prompts to tokens, in the format the model was trained on, and back to text."""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crscore_core.claims.llm.language_model import Answer, Progress
from crscore_core.claims.llm.weights import unusable
from crscore_core.errors import UnavailableError
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
    """The tokenizer in a model's folder, a `PreTrainedTokenizerFast`, and its chat template.

    The model's own chat template is used, since it was trained on it; the format above is for
    models without one. `tokenizer.json` is loaded directly: AutoTokenizer uses the class named in
    `tokenizer_config.json`, which for models based on DeepSeek Coder, such as Magicoder, drops all
    spaces. Prompts are plain text: a control token such as `</s>` in a diff is tokenized as
    characters.
    """

    def __init__(self, folder: Path) -> None:
        """Read the tokenizer, without the weights.

        Raises:
            UnavailableError: its files are missing or damaged, or its chat template is.
        """
        from transformers import PreTrainedTokenizerFast

        try:
            self.fast: Any = PreTrainedTokenizerFast.from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False
            )
            added = [token.content for token in self.fast.added_tokens_decoder.values()]
            self.fast.chat_control_tokens = [token for token in added if not token.isspace()]
            # transformers drops this setting, and Magicoder has it nowhere else
            settings = json.loads((folder / "tokenizer_config.json").read_bytes())
            begin = [self.fast.bos_token_id]
            begins = settings.get("add_bos_token") or self.fast.encode("")[:1] == begin
            template = f"{{{{ bos_token }}}}{_TEMPLATE}" if begins else _TEMPLATE
            self._template = self.fast.chat_template or template
            self.prompt("")
        except Exception as error:  # damaged files raise various errors
            raise unusable(f"the tokenizer of model {folder.name[:80]!r}", error) from error
        self.ends = () if self.fast.eos_token_id is None else (self.fast.eos_token_id,)

    def prompt(self, text: str) -> list[int]:
        """Return the tokens of a prompt, including the template.

        Raises:
            UnavailableError: the tokenizer cannot read a control token in it as text.
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
            raise UnavailableError(
                "the model's tokenizer reads text in the change as control tokens; choose another "
                "model"
            ) from error
        return ids


class BatchStreamer:
    """Receives tokens from `generate`, one row per index, and reports their text."""

    def __init__(
        self,
        tokenizer: PromptTokenizer,
        indices: Sequence[int],
        stops: Collection[int],
        progress: Progress,
    ) -> None:
        from tokenizers.decoders import DecodeStream

        self.raised: BaseException | None = None
        self._fast = tokenizer.fast
        self._stops = frozenset(stops)
        self._progress = progress
        self._has_prompts = False
        self._decoders = {index: DecodeStream(skip_special_tokens=True) for index in indices}
        self._tokens: dict[int, list[int]] = {index: [] for index in indices}
        self._said = dict.fromkeys(indices, "")
        self._ended: set[int] = set()

    def put(self, tokens: "torch.Tensor") -> None:
        """Receive the prompts first, and then one token per row at a time."""
        if not self._has_prompts:
            self._has_prompts = True
            return
        for (index, row), token in zip(self._tokens.items(), tokens.tolist(), strict=True):
            if index in self._ended:
                continue
            if token in self._stops:
                self._ended.add(index)
                self._tell_rest(index)
            else:
                row.append(token)
                self._tell(index, self._decoders[index].step(self._fast.backend_tokenizer, token))

    def end(self) -> None:
        """Report the characters held back in rows cut off at the limit."""
        for index in self._said.keys() - self._ended:
            self._tell_rest(index)

    def answers(self) -> list[Answer]:
        """Return the answer of each row, after `end`."""
        return [Answer(text, index in self._ended) for index, text in self._said.items()]

    def _tell_rest(self, index: int) -> None:
        whole: str = self._fast.decode(self._tokens[index], skip_special_tokens=True)
        self._tell(index, whole[len(self._said[index]) :])

    def _tell(self, index: int, text: str | None) -> None:
        if not text:
            return
        self._said[index] += text
        try:
            self._progress(index, text)
        except BaseException as error:
            self.raised = error
            raise
