from pathlib import Path

import pytest
from pages.components.operator import allowed_names, check_allowed, is_shared
from pages.components.source.load import encoder_of
from streamlit import config

from crscore_core.errors import InputError
from crscore_core.scoring import DEFAULT_ENCODER
from tests.pages.app_page import own_form
from tests.pages.test_score_page import fill


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Settings of a server that all addresses of the machine reach."""
    settings: dict[str, object] = {
        "server.address": "0.0.0.0",  # noqa: S104
        "server.allowedHosts": [],
        "server.corsAllowedOrigins": [],
    }
    original = config.get_option
    monkeypatch.setattr(config, "get_option", lambda key: settings.get(key, original(key)))
    return settings


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (("127.0.0.1", [], []), False),
        (("localhost", ["localhost", "::1"], ["http://localhost:1"]), False),
        (("127.0.0.1", ["localhost", "crscore.example"], []), True),
        (("127.0.0.1", [], ["https://crscore.example"]), True),  # a proxy that changes the host
        (("127.0.0.1", [], ["*"]), True),
        (("10.0.0.5", [], []), True),
        ((None, [], []), True),
    ],
)
def test_a_server_is_shared_where_others_reach_it(
    listening: dict[str, object], settings: tuple[object, ...], expected: bool
) -> None:
    listening.update(zip(list(listening), settings, strict=True))
    assert is_shared() is expected
    assert (allowed_names() is None) is not expected


def test_the_operator_lists_what_visitors_name(
    listening: dict[str, object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CRSCORE_ALLOWED", f"'{tmp_path}/a model' https://llm.example/v1")
    assert allowed_names() == (f"{tmp_path}/a model", "https://llm.example/v1")
    check_allowed("https://llm.example/v1")
    for name in ("/", str(tmp_path), "https://169.254.169.254"):
        with pytest.raises(InputError, match="is not in CRSCORE_ALLOWED"):
            check_allowed(name)
    with pytest.raises(InputError, match="is not in CRSCORE_ALLOWED"):
        encoder_of("/")
    monkeypatch.setenv("CRSCORE_ALLOWED", "'")
    with pytest.raises(InputError, match="has to fix CRSCORE_ALLOWED"):
        allowed_names()
    listening["server.address"] = "127.0.0.1"
    check_allowed("/")


@pytest.mark.usefixtures("listening")
def test_pages_of_a_shared_server_offer_no_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRSCORE_ALLOWED", "mine https://llm.example/v1")
    page = own_form().put(claims="endpoint")
    assert page.selectbox(key="claims_endpoint_base_url").options[1:] == [
        "mine", "https://llm.example/v1",
    ]  # fmt: skip
    assert "mine" in page.selectbox(key="encoder").options
    for key in ("claims_endpoint_base_url", "encoder"):  # a client may send any text
        page.selectbox(key=key).options.append("http://169.254.169.254")
        page.selectbox(key=key).set_value("http://169.254.169.254")
    fill(page).press("Score")
    assert page.session_state["claims_run"].question.options.base_url is None
    fill(page.put(claims="symbolic")).press("Score")
    assert page.session_state["outcome"].inputs.encoder == DEFAULT_ENCODER
