"""Models of the hub, with a hub that is not there or says no."""

import threading
from pathlib import Path

import httpx2
import pytest
from huggingface_hub.utils.tqdm import tqdm

from crscore_core.hub import HubError, UnknownModelError, downloaded_folder, local_folder

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    return tmp_path


def refuse(*_: object, **__: object) -> None:
    raise AssertionError("the hub is not to be asked")


def test_what_was_downloaded_is_taken_without_asking(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", refuse)
    folder = store / "models--a--b" / "snapshots" / COMMIT
    folder.mkdir(parents=True)
    assert local_folder("a/b", COMMIT, ["*.json"]) == folder
    assert downloaded_folder("a/b", COMMIT, ["*.json"]) == folder
    assert local_folder("a/b", None, ["*.json"]) is None


@pytest.mark.parametrize(
    ("repository", "revision"),
    [
        ("", None),
        ("a b", None),
        ("../a", None),
        ("a/b/c", None),
        ("a--b", None),
        ("a/b", ""),
        ("a/b", "/etc"),
        ("a/b", "a/../b"),
        ("a/b", ".."),
        ("a/b", "."),
        ("a/b", "a//b"),
        ("a/b", "a/"),
        ("a/b", "./a"),
        ("a/b", "a/."),
    ],
)
def test_what_is_no_name_is_refused_without_asking(
    repository: str, revision: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", refuse)
    with pytest.raises(UnknownModelError):
        downloaded_folder(repository, revision, ["*"])


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_model_that_the_hub_does_not_give_is_named(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub.errors import HfHubHTTPError

    def answer(*_: object, **__: object) -> None:
        response = httpx2.Response(status, request=httpx2.Request("GET", "https://hub.example"))
        raise HfHubHTTPError("no", response=response)

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", answer)
    with pytest.raises(UnknownModelError, match=f"the model hub answers {status} to 'a/b'"):
        downloaded_folder("a/b", None, ["*"])


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_hub_that_fails_is_not_an_unknown_model(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub.errors import HfHubHTTPError

    def answer(*_: object, **__: object) -> None:
        response = httpx2.Response(status, request=httpx2.Request("GET", "https://hub.example"))
        raise HfHubHTTPError("no", response=response)

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", answer)
    with pytest.raises(HubError, match=f"the model hub answers {status}; try again") as caught:
        downloaded_folder("a/b", None, ["*"])
    assert not isinstance(caught.value, UnknownModelError)


@pytest.mark.parametrize("revision", ["main", "refs/pr/1", "v1.0", "a..b", ".a", "0" * 40])
def test_a_revision_may_have_slashes_and_dots(revision: str) -> None:
    assert local_folder("a/b", revision, ["*"]) is None


def test_a_folder_of_downloads_that_is_none_is_one_error(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise IsADirectoryError(21, "Is a directory", str(store))

    monkeypatch.setattr("huggingface_hub.snapshot_download", fail)
    with pytest.raises(HubError, match=r"folder of downloads cannot be read: .*Is a directory"):
        local_folder("a/b", "main", ["*"])


def test_a_download_ends_with_the_next_piece_once_it_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from huggingface_hub.errors import LocalEntryNotFoundError

    stopping = threading.Event()
    pieces: list[int] = []

    def download(
        *_: object, local_files_only: bool = False, tqdm_class: type[tqdm] = tqdm, **__: object
    ) -> None:
        if local_files_only:
            raise LocalEntryNotFoundError("not here")
        with tqdm_class(total=3, disable=True) as bar:
            for piece in range(3):
                bar.update(1)
                pieces.append(piece)
                stopping.set()

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", lambda *_, **__: None)
    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    with pytest.raises(HubError, match="broke off"):
        downloaded_folder("a/b", None, ["*"], stopping)
    assert pieces == [0]


def test_a_hub_that_cannot_be_reached_is_not_an_unknown_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise httpx2.ConnectError("no route")

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", fail)
    with pytest.raises(HubError, match="hub cannot be reached") as caught:
        downloaded_folder("a/b", None, ["*"])
    assert not isinstance(caught.value, UnknownModelError)


def test_a_download_that_breaks_off_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub.errors import LocalEntryNotFoundError

    def download(*_: object, local_files_only: bool = False, **__: object) -> None:
        if local_files_only:
            raise LocalEntryNotFoundError("not here")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", lambda *_, **__: None)
    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    with pytest.raises(HubError, match=r"broke off: .*No space left on device; start it again"):
        downloaded_folder("a/b", None, ["*"])
