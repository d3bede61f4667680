"""Find Hugging Face Hub models on this machine or download them, and load them silently."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from crscore_core.errors import UnavailableError, quoted


def local_folder(model: str, patterns: Sequence[str]) -> Path | None:
    """Return the folder of a downloaded model, named after its commit; stay offline.

    Return None if a file that matches `patterns` is missing.

    Raises:
        UnavailableError: the name is invalid, or the folder cannot be read.
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


@contextmanager
def silent_loading() -> Iterator[None]:
    """Turn off progress bars, which appear even without a terminal, and restore them afterwards."""
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars
    from transformers.utils import logging

    with ExitStack() as afterwards:
        if are_progress_bars_disabled():
            afterwards.callback(disable_progress_bars)
        if logging.is_progress_bar_enabled():  # this setting includes the Hub's
            logging.disable_progress_bar()
            afterwards.callback(logging.enable_progress_bar)
        yield


def short_message(error: Exception) -> str:
    """Return the first line of a library's message, or the error's type if the message is empty."""
    line = str(error).strip().partition("\n")[0][:200].rstrip(" .:")
    return line or type(error).__name__
