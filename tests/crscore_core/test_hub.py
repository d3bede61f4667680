"""Hub models, with an unreachable or refusing hub."""

import threading
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
from huggingface_hub.utils.tqdm import tqdm

from crscore_core.hub import HubError, downloaded_folder, local_folder

HubHasIt = Callable[[Callable[[type[tqdm]], None]], None]
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    return tmp_path


def refuse(*_: object, **__: object) -> None:
    raise AssertionError("the hub is not to be asked")


def test_a_downloaded_model_needs_no_request(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", refuse)
    folder = store / "models--a--b" / "snapshots" / COMMIT
    folder.mkdir(parents=True)
    assert local_folder("a/b", COMMIT, ["*.json"]) == folder
    assert downloaded_folder("a/b", COMMIT, ["*.json"]) == folder
    assert local_folder("a/b", None, ["*.json"]) is None


@pytest.mark.parametrize(
    ("repository", "revision"),
    [
        *((name, None) for name in ("", "a b", "../a", "a/b/c", "a--b")),
        *(("a/b", name) for name in ("", "/etc", "a/../b", "..", ".", "a//b", "a/", "./a", "a/.")),
    ],
)
def test_an_invalid_name_or_revision_is_rejected_without_a_request(
    repository: str, revision: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", refuse)
    with pytest.raises(HubError, match="neither a"):
        downloaded_folder(repository, revision, ["*"])


@pytest.mark.parametrize("revision", ["main", "refs/pr/1", "v1.0", "a..b", ".a", "0" * 40])
def test_a_revision_may_have_slashes_and_dots(revision: str) -> None:
    assert local_folder("a/b", revision, ["*"]) is None


def test_an_unreadable_download_folder_is_one_error(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise IsADirectoryError(21, "Is a directory", str(store))

    monkeypatch.setattr("huggingface_hub.snapshot_download", fail)
    with pytest.raises(HubError, match=r"download folder cannot be read: .*Is a directory"):
        local_folder("a/b", "main", ["*"])


def answer(status: int) -> HfHubHTTPError:
    response = httpx2.Response(status, request=httpx2.Request("GET", "https://hub.example"))
    return HfHubHTTPError("no", response=response)


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (answer(404), "model hub answered 404; check its name, or try again later"),
        (answer(503), "model hub answered 503; "),
        (httpx2.ConnectError("no route"), "model hub cannot be reached"),
    ],
)
def test_a_model_that_the_hub_refuses_is_one_error(
    failure: Exception, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, timeout: float, **__: object) -> None:
        assert timeout <= 10
        raise failure

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", fail)
    with pytest.raises(HubError, match=message):
        downloaded_folder("a/b", None, ["*"])


@pytest.fixture
def hub_has_it(monkeypatch: pytest.MonkeyPatch) -> HubHasIt:
    """Replace the hub's download of a model that is not on this machine."""

    def put(download: Callable[[type[tqdm]], None]) -> None:
        def snapshot(
            *_: object, local_files_only: bool = False, tqdm_class: type[tqdm] = tqdm, **__: object
        ) -> None:
            if local_files_only:
                raise LocalEntryNotFoundError("not here")
            download(tqdm_class)

        monkeypatch.setattr("huggingface_hub.HfApi.model_info", lambda *_, **__: None)
        monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)

    return put


def test_a_stopped_download_ends_at_the_next_chunk(hub_has_it: HubHasIt) -> None:
    stopping = threading.Event()
    pieces: list[int] = []

    def download(tqdm_class: type[tqdm]) -> None:
        with tqdm_class(total=3, disable=True) as bar:
            for piece in range(3):
                bar.update(1)
                pieces.append(piece)
                stopping.set()

    hub_has_it(download)
    with pytest.raises(HubError, match="was interrupted"):
        downloaded_folder("a/b", None, ["*"], stopping)
    assert pieces == [0]


def test_an_interrupted_download_reports_why(hub_has_it: HubHasIt) -> None:
    def download(_: type[tqdm]) -> None:
        raise OSError(28, "No space left on device")

    hub_has_it(download)
    with pytest.raises(
        HubError, match=r"was interrupted: .*No space left on device; start it again"
    ):
        downloaded_folder("a/b", None, ["*"])
