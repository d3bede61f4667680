"""Magicoder, or another causal language model, on this machine.

It runs in 4 bits on a GPU. Only one model is in memory, and one thread uses it at a time.
"""

import json
import os.path
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import Any
from warnings import catch_warnings

from crscore_core.claims.llm.language_model import LENGTH_LIMIT, Answer, ModelOptions
from crscore_core.errors import ModelError, UnavailableError, quoted, require_packages
from crscore_core.hub import downloaded_folder, hide_progress, local_folder, short_message
from crscore_core.text import replace_surrogates

DEFAULT_MODEL = "ise-uiuc/Magicoder-S-DS-6.7B"
"""The model that, after fine-tuning, wrote the paper's claims (section 3.2); 13.5 GB."""

_PACKAGES = ("transformers", "accelerate", "bitsandbytes")
_FILES = ("*.json", "*.jinja", "*.model", "*.safetensors")
_BATCH_SIZE = 16
# The instruction format that Magicoder was trained on (see its model card), in our words.
_TEMPLATE = (
    "You help programmers and answer their instructions accurately and in full.\n\n"
    "@@ Instruction\n{{ messages[0]['content'] }}\n\n@@ Response{{ '\\n' }}"
)
_lock = threading.Lock()


class PromptTokenizer:
    """A model's tokenizer with its chat template, or Magicoder's template if it has none.

    It is not loaded by AutoTokenizer, which drops all spaces for models based on DeepSeek Coder.
    Control tokens such as `</s>` in a prompt are tokenized as plain text.
    """

    def __init__(self, folder: Path) -> None:
        """Read the tokenizer; raise an UnavailableError if a file is missing or damaged."""
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
            raise _unusable(f"the tokenizer of model {quoted(folder.name)}", error) from error

    def count(self, text: str) -> int:
        """Return the number of tokens in `text`, without the template."""
        return len(self.fast.encode(replace_surrogates(text), add_special_tokens=False))

    def prompt(self, text: str) -> list[int]:
        """Return the tokens of a prompt, including the template."""
        ids: list[int] = self.fast.apply_chat_template(
            [{"role": "user", "content": replace_surrogates(text)}],
            chat_template=self._template,
            add_generation_prompt=True,
            sanitize_control_tokens=True,
            return_dict=False,
        )
        return ids


class Magicoder:
    """A causal language model on this machine that answers greedily; it is loaded on first use.

    The model, which may be fine-tuned, has a Hub name or a folder. On a GPU, its weights are
    quantised to 4-bit NormalFloat (QLoRA, section 3); on a CPU, they are float32.
    """

    def __init__(self, options: ModelOptions) -> None:
        self._model = options.model or DEFAULT_MODEL
        self._device = options.device or "cuda"
        self._in_4_bits = self._device == "cuda"
        self._new_tokens = options.max_tokens
        self._batch_size = _BATCH_SIZE if self._device == "cuda" else 1

    @property
    def name(self) -> str:
        """Model, commit and everything else that affects answers; downloads the model."""
        model = f"{self._model}@{self._folder.name}"
        if os.path.isdir(self._model):
            times = (path.stat().st_mtime_ns for path in self._folder.glob("*.*"))
            model = f"{self._folder.resolve().name}@{max(times, default=0)}"
        return (
            f"{model} ({'nf4' if self._in_4_bits else 'float32'}, {self._device}, greedy, at most "
            f"{self._new_tokens} tokens, transformers {version('transformers')})"
        )

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens in `text`; loads the tokenizer but no weights."""
        return self._tokenizer.count(text)

    def answer(
        self,
        prompts: Sequence[str],
        schema: Mapping[str, Any] | None = None,  # noqa: ARG002 - it cannot follow one
    ) -> Iterator[Answer | ModelError]:
        """Yield the answer to each prompt; see `LanguageModel`. A GPU answers in batches."""
        tokens = [self._tokenizer.prompt(prompt) for prompt in prompts]
        for first in range(0, len(tokens), self._batch_size):
            yield from self._answers(tokens[first : first + self._batch_size])

    def _answers(self, batch: Sequence[list[int]]) -> list[Answer | ModelError]:
        """Return the answers to a batch; if memory runs out, answer one prompt at a time."""
        import torch

        try:
            return self._answers_at_once(batch)
        except ModelError as error:
            if len(batch) == 1 or not isinstance(error.__cause__, torch.OutOfMemoryError):
                raise
        torch.cuda.empty_cache()
        return [answer for ids in batch for answer in self._answers([ids])]

    def _answers_at_once(self, batch: Sequence[list[int]]) -> list[Answer | ModelError]:
        with _lock:
            model = _load_model(self._folder, self._device, self._in_4_bits)
            max_tokens = getattr(model.config, "max_position_embeddings", None) or inf
            fitting = [ids for ids in batch if len(ids) + self._new_tokens <= max_tokens]
            try:
                answers = iter(self._generate(model, fitting) if fitting else [])
            except (RuntimeError, MemoryError) as error:
                problem = f"model {self._folder.name!r} failed: {short_message(error)}"
                advice = "free memory, choose a smaller model, or use an endpoint"
                raise ModelError(problem, advice) from error
        too_long = ModelError(f"prompt and answer exceed the model's limit of {max_tokens} tokens")
        return [next(answers) if ids in fitting else too_long for ids in batch]

    def _generate(self, model: Any, batch: Sequence[list[int]]) -> list[Answer]:  # noqa: ANN401 - any model
        """Generate answers greedily; shorter prompts are padded on the left and masked."""
        import torch

        tokenizer = self._tokenizer.fast
        eos = model.generation_config.eos_token_id
        stops = {*(eos if isinstance(eos, list) else [eos]), tokenizer.eos_token_id} - {None}
        padded = tokenizer.pad({"input_ids": batch}, padding_side="left", return_tensors="pt")
        with torch.inference_mode():
            generated = model.generate(
                **padded.to(model.device),
                max_new_tokens=self._new_tokens,
                eos_token_id=sorted(stops) or None,
                pad_token_id=tokenizer.pad_token_id,
            )
        rows = generated[:, max(map(len, batch)) :].tolist()
        texts = tokenizer.batch_decode(rows, skip_special_tokens=True)
        return [
            Answer(text, "" if stops.intersection(row) else LENGTH_LIMIT)
            for text, row in zip(texts, rows, strict=True)
        ]

    @cached_property
    def _folder(self) -> Path:
        return _located(self._model, self._device) or downloaded_folder(self._model, _FILES)

    @cached_property
    def _tokenizer(self) -> PromptTokenizer:
        return PromptTokenizer(self._folder)


@lru_cache(maxsize=1)
def _load_model(folder: Path, device: str, in_4_bits: bool) -> Any:  # noqa: ANN401, FBT001 - any model
    """Load a model with greedy decoding instead of the sampling settings in its files."""
    import torch
    from transformers import AutoModelForCausalLM, BitsAndBytesConfig, GenerationConfig

    quantisation = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )
    hide_progress()
    try:
        model = AutoModelForCausalLM.from_pretrained(
            str(folder),
            trust_remote_code=False,
            use_safetensors=True,
            local_files_only=True,
            device_map={"": device},
            dtype=torch.bfloat16 if in_4_bits else torch.float32,
            quantization_config=quantisation if in_4_bits else None,
        )
    except Exception as error:  # damaged files raise various errors
        raise _unusable(f"model {folder.name!r}", error) from error
    eos = model.generation_config.eos_token_id if model.generation_config else None
    model.generation_config = GenerationConfig(do_sample=False, eos_token_id=eos)
    return model.eval()


def _unusable(name: str, error: Exception) -> UnavailableError:
    """Return a one-line error for any error about a model's files."""
    advice = "download it again, or choose a causal model with safetensors that fits in memory"
    return UnavailableError(f"{name} cannot be loaded: {short_message(error)}", advice)


def _located(model: str, device: str) -> Path | None:
    """Return the folder of a model, or None if it is not on this machine; check the device."""
    require_packages("a language model on this machine", "llm", *_PACKAGES)
    folder = Path(model) if os.path.isdir(model) else local_folder(model, _FILES)
    if device == "cuda":
        import torch

        with catch_warnings(action="ignore"):  # about the missing driver
            has_gpu = torch.cuda.is_available()
        if not has_gpu:
            raise UnavailableError("this machine has no GPU with CUDA", "use an endpoint")
    return folder


def check(options: ModelOptions) -> str:
    """Describe the model that these options select, without loading it or using the network."""
    model = options.model or DEFAULT_MODEL
    folder = _located(model, options.device or "cuda")
    status = "are on this machine" if folder else "will first be downloaded from the Hub"
    return f"The files of {model[:200]} {status}."
