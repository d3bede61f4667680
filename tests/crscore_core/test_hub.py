"""Hub models, with an unreachable or refusing Hub."""

from pathlib import Path
from unittest.mock import Mock

import httpx2
import pytest
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

from crscore_core.errors import UnavailableError
from crscore_core.hub import downloaded_folder, local_folder

COMMIT = "0123456789abcdef0123456789abcdef01234567"
RESPONSE = httpx2.Response(404, request=httpx2.Request("GET", "https://hub.example"))
REFUSAL = HfHubHTTPError("no such model", response=RESPONSE)


def stored_folder(cache: Path, model: str) -> Path:
    """The folder, still missing, where a Hub cache stores a model's files."""
    folder = cache / f"models--{model}" / "snapshots" / COMMIT
    (folder.parents[1] / "refs").mkdir(parents=True)
    (folder.parents[1] / "refs" / "main").write_text(COMMIT)
    folder.parent.mkdir()
    return folder


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    return tmp_path


def test_a_downloaded_model_needs_no_request(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Mock(side_effect=AssertionError("the hub is not to be asked"))
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", asked)
    folder = stored_folder(store, "a--b")
    folder.mkdir()
    assert local_folder("a/b", ["*.json"]) == folder
    assert downloaded_folder("a/b", ["*.json"]) == folder
    assert local_folder("a/c", ["*.json"]) is None
    for invalid in ("", "../a", "a--b"):
        with pytest.raises(UnavailableError):
            downloaded_folder(invalid, ["*"])


@pytest.mark.parametrize("failure", [REFUSAL, httpx2.ConnectError("no"), OSError(28, "full")])
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
