"""Find models of the Hugging Face hub on this machine, or download them."""

import re
from collections.abc import Sequence
from pathlib import Path

from crscore_core.errors import UnavailableError

_REVISION = re.compile(r"(?!\.\.?(?:/|\Z))[\w.-]+(?:/(?!\.\.?(?:/|\Z))[\w.-]+)*", re.ASCII)
"""Parts between slashes, none of them `.` or `..`, since a revision becomes a path."""

_HUB_SECONDS = 5.0


def local_folder(model: str, revision: str | None, patterns: Sequence[str]) -> Path | None:
    """Return the folder, named after the commit, of a model downloaded earlier; stay offline.

    Return None unless every file that matches `patterns` is there.

    Raises:
        UnavailableError: the name or the revision is invalid, or the folder cannot be read.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    where = f"model {model[:80]!r} is unavailable"
    if revision is not None and not _REVISION.fullmatch(revision):
        raise UnavailableError(f"{where}: its revision is neither a commit nor a name")
    try:
        return Path(
            snapshot_download(
                model, revision=revision, allow_patterns=list(patterns), local_files_only=True
            )
        )
    except LocalEntryNotFoundError:
        return None
    except ValueError as error:
        raise UnavailableError(f"{where}: it is neither a folder nor a model's name") from error
    except OSError as error:
        raise UnavailableError(f"{where}: its folder cannot be read: {error}") from error


def downloaded_folder(model: str, revision: str | None, patterns: Sequence[str]) -> Path:
    """Return the folder of a model, named after the commit; download missing files.

    The next call resumes an interrupted download.

    Raises:
        UnavailableError: see `local_folder`; or the hub cannot be reached or refuses.
    """
    from huggingface_hub import HfApi, snapshot_download

    if known := local_folder(model, revision, patterns):
        return known
    try:
        HfApi().model_info(model, revision=revision, timeout=_HUB_SECONDS)  # fails quickly
        return Path(snapshot_download(model, revision=revision, allow_patterns=list(patterns)))
    except Exception as error:  # the hub client raises many unrelated types
        reason = str(error).strip().partition("\n")[0][:200] or type(error).__name__
        raise UnavailableError(
            f"model {model[:80]!r} is not on this machine, and its download failed ({reason}); try "
            "again to resume, or download it elsewhere and give its folder"
        ) from error
