"""Find models of the Hugging Face hub on this machine, or download them."""

import re
import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

_REVISION = re.compile(r"(?!\.\.?(?:/|\Z))[\w.-]+(?:/(?!\.\.?(?:/|\Z))[\w.-]+)*", re.ASCII)
"""Parts between slashes, none of them `.` or `..`, since a revision becomes a path."""

_HUB_SECONDS = 5.0


class HubError(Exception):
    """The files of a model are unavailable. The message says why; the caller adds what to do."""


def local_folder(repository: str, revision: str | None, patterns: Sequence[str]) -> Path | None:
    """Return the folder, named after the commit, of a model downloaded earlier; stay offline.

    Return None unless all files that match `patterns` are there.

    Raises:
        HubError: the name is not valid for a model or revision, or its folder cannot be read.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    if revision is not None and not _REVISION.fullmatch(revision):
        raise HubError("its revision is neither a commit nor a name")
    try:
        folder = snapshot_download(
            repository, revision=revision, allow_patterns=list(patterns), local_files_only=True
        )
    except LocalEntryNotFoundError:
        return None
    except ValueError as error:
        raise HubError("it is neither a folder nor the name of a model") from error
    except OSError as error:
        raise HubError(f"the download folder cannot be read: {error}") from error
    return Path(folder)


def downloaded_folder(
    repository: str,
    revision: str | None,
    patterns: Sequence[str],
    stopping: threading.Event | None = None,
) -> Path:
    """Return the folder of a model, named after the commit; download missing files.

    Query the hub once, with a short timeout, before any download. The next call resumes an
    interrupted download. Setting `stopping` interrupts it at the next chunk.

    Raises:
        HubError: see `local_folder`; or the hub does not have the model, cannot be reached or
            fails, or the download is interrupted.
    """
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import HfHubHTTPError

    known = local_folder(repository, revision, patterns)
    if known is not None:
        return known
    where = "it is not a folder, not on this machine, and the model hub"
    try:
        HfApi().model_info(repository, revision=revision, timeout=_HUB_SECONDS)
    except HfHubHTTPError as error:
        status = error.response.status_code
        raise HubError(f"{where} answered {status}; check its name, or try again later") from error
    except Exception as error:  # the hub client raises many unrelated types
        raise HubError(f"{where} cannot be reached") from error
    try:
        folder = snapshot_download(
            repository,
            revision=revision,
            allow_patterns=list(patterns),
            tqdm_class=_bar(stopping or threading.Event()),
        )
    except Exception as error:  # as above, or a disk error
        reason = str(error).strip().partition("\n")[0][:200] or type(error).__name__
        raise HubError(
            f"the download was interrupted: {reason}; start it again to continue"
        ) from error
    return Path(folder)


def _bar(stopping: threading.Event) -> Any:  # noqa: ANN401 - its types are not published
    """Return a progress bar that raises at its next step once `stopping` is set."""
    from huggingface_hub.utils.tqdm import tqdm

    class Bar(tqdm):
        def update(self, n: float | None = 1) -> Any:  # noqa: ANN401 - as above
            if stopping.is_set():
                raise CancelledError("it was stopped")
            return super().update(n)

    return Bar
