"""Models of the hub, with a hub that is not there or says no."""

from pathlib import Path

import httpx2
import pytest

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
    [("", None), ("a b", None), ("../a", None), ("a/b/c", None), ("a--b", None), ("a/b", "")],
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
