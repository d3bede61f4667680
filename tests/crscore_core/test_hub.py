"""Hub models, with an unreachable or refusing hub."""

from pathlib import Path

import httpx2
import pytest
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

from crscore_core.errors import UnavailableError
from crscore_core.hub import downloaded_folder, local_folder

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
    repository = store / "models--a--b"
    folder = repository / "snapshots" / COMMIT
    folder.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(COMMIT)
    assert local_folder("a/b", ["*.json"]) == folder
    assert downloaded_folder("a/b", ["*.json"]) == folder
    assert local_folder("a/c", ["*.json"]) is None

    for invalid in ("", "../a", "a--b"):
        with pytest.raises(UnavailableError):
            downloaded_folder(invalid, ["*"])


_RESPONSE = httpx2.Response(404, request=httpx2.Request("GET", "https://hub.example"))
_REFUSAL = HfHubHTTPError("no such model", response=_RESPONSE)


@pytest.mark.parametrize(
    "failure", [_REFUSAL, httpx2.ConnectError("no route"), OSError(28, "full")]
)
@pytest.mark.parametrize("call", ["HfApi.model_info", "snapshot_download"])
def test_a_failing_download_is_one_error(
    failure: Exception, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, local_files_only: bool = False, **__: object) -> None:
        raise LocalEntryNotFoundError("not here") if local_files_only else failure

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", lambda *_, **__: None)
    monkeypatch.setattr("huggingface_hub.snapshot_download", fail)
    monkeypatch.setattr(f"huggingface_hub.{call}", fail)
    with pytest.raises(UnavailableError, match="'a/b'") as raised:
        downloaded_folder("a/b", ["*"])
    assert "\n" not in str(raised.value)


def test_an_unreadable_download_folder_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise IsADirectoryError(21, "Is a directory")

    monkeypatch.setattr("huggingface_hub.snapshot_download", fail)
    with pytest.raises(UnavailableError, match="Is a directory"):
        local_folder("a/b", ["*"])
