"""Convert prompts to tokens, in the format the model was trained on."""

import json
from pathlib import Path
from typing import Any

from crscore_core.errors import ModelError, UnavailableError
from crscore_core.hub import short_message
from crscore_core.text import replace_surrogates

_TEMPLATE = (
    "You help programmers and answer their instructions accurately and in full.\n\n"
    "@@ Instruction\n{{ messages[0]['content'] }}\n\n@@ Response{{ '\\n' }}"
)
"""The instruction format that Magicoder was trained on (see its model card), in our words."""


class PromptTokenizer:
    """The tokenizer in a model's folder with its chat template, by default Magicoder's.

    `tokenizer.json` is loaded directly: AutoTokenizer uses the class named in
    `tokenizer_config.json`, which for models based on DeepSeek Coder, such as Magicoder, drops all
    spaces. A control token such as `</s>` in a prompt is tokenized as plain text.
    """

    def __init__(self, folder: Path) -> None:
        """Read the tokenizer, without the weights.

        Raises:
            UnavailableError: its files are missing or damaged, or its chat template is invalid.
        """
        from transformers import PreTrainedTokenizerFast

        try:
            self.fast: Any = PreTrainedTokenizerFast.from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False
            )
            first = self.fast.convert_ids_to_tokens(0)
            self.fast.pad_token = self.fast.pad_token or self.fast.eos_token or first
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
            raise unusable_model(f"the tokenizer of model {folder.name[:80]!r}", error) from error

    def count(self, text: str) -> int:
        """Return the number of tokens in a text, without the template."""
        return len(self.fast.encode(replace_surrogates(text), add_special_tokens=False))

    def prompt(self, text: str) -> list[int]:
        """Return the tokens of a prompt, including the template."""
        try:
            ids: list[int] = self.fast.apply_chat_template(
                [{"role": "user", "content": replace_surrogates(text)}],
                chat_template=self._template,
                add_generation_prompt=True,
                sanitize_control_tokens=True,
                return_dict=False,
            )
        except ValueError as error:  # of a rare kind of vocabulary
            raise ModelError("the model's tokenizer reads text as control tokens") from error
        return ids


def unusable_model(name: str, error: Exception) -> UnavailableError:
    """Return an error with a message of one line for any error about the files of a model."""
    return UnavailableError(
        f"{name} cannot be loaded: {short_message(error)}",
        "download it again, or choose a causal language model with safetensors that fits in memory",
    )
