"""Find Hugging Face Hub models on this machine or download them."""

from collections.abc import Sequence
from pathlib import Path

from crscore_core.errors import UnavailableError, quoted


def local_folder(model: str, patterns: Sequence[str]) -> Path | None:
    """Return the folder of a downloaded model, named after its commit; stay offline.

    Return None if a file that matches `patterns` is missing. Raise an UnavailableError if the name
    is invalid or the folder cannot be read.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(model, allow_patterns=list(patterns), local_files_only=True))
    except LocalEntryNotFoundError:
        return None
    except (ValueError, OSError) as error:
        problem = f"{quoted(model)} is neither a folder nor a Hub model: {short_message(error)}"
        raise UnavailableError(problem) from error


def downloaded_folder(model: str, patterns: Sequence[str]) -> Path:
    """Return the folder of a model, named after its commit; download missing files.

    Raises:
        UnavailableError: as for `local_folder`, or the Hub is unreachable or refuses access.
    """
    from huggingface_hub import HfApi, snapshot_download

    if folder := local_folder(model, patterns):
        return folder
    try:
        HfApi().model_info(model, timeout=5)  # a silent Hub would otherwise block forever
        return Path(snapshot_download(model, allow_patterns=list(patterns)))
    except Exception as error:  # the hub client raises many unrelated types
        problem = f"model {quoted(model)} is not on this machine, and its download failed"
        advice = "try again, or download it elsewhere and name its folder"
        raise UnavailableError(f"{problem} ({short_message(error)})", advice) from error


def hide_progress() -> None:
    """Turn off the progress bars of transformers and the Hub, which appear without a terminal."""
    from transformers.utils import logging

    logging.disable_progress_bar()


def short_message(error: Exception) -> str:
    """Return the first line of a library's message, or the error's type if the message is empty."""
    line = str(error).strip().partition("\n")[0][:200].rstrip(" .:")
    return line or type(error).__name__
