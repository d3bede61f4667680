"""Folders of models from the Hugging Face hub, on this machine or downloaded to it."""

import re
import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError
from http import HTTPStatus
from pathlib import Path
from typing import Any

_REPOSITORY = re.compile(r"[\w.-]+(?:/[\w.-]+)?", re.ASCII)
_REVISION = re.compile(r"(?!\.\.?(?:/|\Z))[\w.-]+(?:/(?!\.\.?(?:/|\Z))[\w.-]+)*", re.ASCII)
"""Parts between slashes, none of them `.` or `..`, as a revision becomes a path of folders."""

_UNKNOWN = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}
_HUB_SECONDS = 5.0


class HubError(Exception):
    """The files of a model cannot be had. The message says why; the caller says what to do."""


class UnknownModelError(HubError):
    """There is no such model, or no such revision of it."""


def local_folder(repository: str, revision: str | None, patterns: Sequence[str]) -> Path | None:
    """Return the folder of a model downloaded before, named after the commit; ask no hub.

    Return None unless all files that match `patterns` are there.

    Raises:
        UnknownModelError: no model or revision can have such a name.
        HubError: the folder of downloads cannot be read.
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
    except OSError as error:
        raise HubError(f"the folder of downloads cannot be read: {error}") from error
    return Path(folder)


def downloaded_folder(
    repository: str,
    revision: str | None,
    patterns: Sequence[str],
    stopping: threading.Event | None = None,
) -> Path:
    """Return the folder of a model, named after the commit; download files that are missing.

    The hub is asked once, and fast, before anything is downloaded. A download that breaks off
    leaves what it has to the next one. Once `stopping` is set, it breaks off at the next piece.

    Raises:
        UnknownModelError: there is no such model or revision, or it is not open to everybody.
        HubError: the hub cannot be reached or fails, or the download breaks off.
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
        if status in _UNKNOWN:
            raise UnknownModelError(f"the model hub answers {status} to {repository!r}") from error
        raise HubError(
            f"it is not on this machine, and the model hub answers {status}; try again later"
        ) from error
    except Exception as error:  # the client of the hub raises many unrelated types
        raise HubError(
            "it is no folder and not on this machine, and the model hub cannot be reached"
        ) from error
    try:
        folder = snapshot_download(
            repository,
            revision=revision,
            allow_patterns=list(patterns),
            tqdm_class=_bar(stopping or threading.Event()),
        )
    except Exception as error:  # as above, and whatever a disk may answer
        reason = str(error).strip().partition("\n")[0][:200] or type(error).__name__
        raise HubError(f"the download broke off: {reason}; start it again to go on") from error
    return Path(folder)


def _bar(stopping: threading.Event) -> Any:  # noqa: ANN401 - its types are not published
    """Make a progress bar whose next step raises once `stopping` is set, which ends a download."""
    from huggingface_hub.utils.tqdm import tqdm

    class Bar(tqdm):
        def update(self, n: float | None = 1) -> Any:  # noqa: ANN401 - as above
            if stopping.is_set():
                raise CancelledError("it was stopped")
            return super().update(n)

    return Bar
