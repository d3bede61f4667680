"""Models of the hub: the folder that holds their files, on this machine or downloaded to it."""

import re
from collections.abc import Sequence
from pathlib import Path

__all__ = ["HubError", "UnknownModelError", "downloaded_folder", "local_folder"]

_REPOSITORY = re.compile(r"[\w.-]+(?:/[\w.-]+)?", re.ASCII)
_REVISION = re.compile(r"[\w./-]+", re.ASCII)
_HUB_SECONDS = 5.0


class HubError(Exception):
    """The files of a model cannot be had; its text says why, and the caller what to do."""


class UnknownModelError(HubError):
    """There is no such model, or no such revision of it."""


def local_folder(repository: str, revision: str | None, patterns: Sequence[str]) -> Path | None:
    """Folder of a model whose files were downloaded before; the hub is not asked.

    It is named after the commit. None where not all files that match `patterns` are there.

    Raises:
        UnknownModelError: what is given can be no name of a model or revision.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    if not _REPOSITORY.fullmatch(repository) or not _REVISION.fullmatch(
        "main" if revision is None else revision
    ):
        raise UnknownModelError("neither a folder nor a model's name")
    try:
        folder = snapshot_download(
            repository, revision=revision, allow_patterns=list(patterns), local_files_only=True
        )
    except LocalEntryNotFoundError:
        return None
    except ValueError as error:  # the hub's rules for names are narrower than ours
        raise UnknownModelError(str(error)) from error
    return Path(folder)


def downloaded_folder(repository: str, revision: str | None, patterns: Sequence[str]) -> Path:
    """Folder of a model, downloaded where its files are not there; named after the commit.

    The hub is asked once, and fast, before anything is downloaded. What was downloaded stays
    where a download breaks off, and the next one goes on from there.

    Raises:
        UnknownModelError: there is no such model or revision, or it is not open to everybody.
        HubError: the hub cannot be reached, or the download breaks off.
    """
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import HfHubHTTPError

    known = local_folder(repository, revision, patterns)
    if known is not None:
        return known
    try:
        HfApi().model_info(repository, revision=revision, timeout=_HUB_SECONDS)
    except HfHubHTTPError as error:
        status = error.response.status_code
        raise UnknownModelError(f"the model hub answers {status} to {repository!r}") from error
    except Exception as error:  # the client of the hub raises many unrelated types
        raise HubError(
            "it is no folder and not on this machine, and the model hub cannot be reached"
        ) from error
    try:
        return Path(snapshot_download(repository, revision=revision, allow_patterns=list(patterns)))
    except Exception as error:  # as above, and whatever a disk may answer
        reason = str(error).strip().partition("\n")[0][:200] or type(error).__name__
        raise HubError(f"the download broke off: {reason}; start it again to go on") from error
