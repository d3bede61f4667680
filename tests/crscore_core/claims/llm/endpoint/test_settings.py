"""Settings of an endpoint: where server, model and key come from, and what is rejected."""

import pytest

from crscore_core.claims import Answer, ModelOptions
from crscore_core.claims.llm.endpoint import Endpoint, check
from crscore_core.errors import UnavailableError
from tests.crscore_core.claims.llm.endpoint.faulty_server import FaultyServer

KEY = "sk-a-secret-key"
GOOD = Answer("good")


@pytest.mark.parametrize(
    ("options", "key", "model"),
    [
        (ModelOptions(model="mine", api_key="my-key"), "my-key", "mine"),
        (ModelOptions(), "their-key", "theirs"),
        (ModelOptions(api_key=" "), "none", "theirs"),
    ],
)
def test_the_environment_replaces_missing_options(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch, options: ModelOptions, key: str,
    model: str,
) -> None:  # fmt: skip
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("CRSCORE_MODEL", "theirs")
    monkeypatch.setenv("OPENAI_API_KEY", "their-key\n")
    assert list(Endpoint(options).answer(["a"])) == [GOOD]
    (request,) = server.received
    assert (request.key, request.body["model"]) == (f"Bearer {key}", model)


HOME = "http://localhost/v1"


@pytest.mark.parametrize(
    ("base_url", "key"),
    [
        *((url, KEY) for url in (
            None, "", "/", "localhost:8000/v1", "ftp://localhost/v1", "http://", "http:///v1",
            "http://localhost:99999/v1", "http://local host/v1", "http://localhost/v1?key=secret",
            "http://localhost/v1#secret", "http://[::1/v1", "http://me:secret@localhost/v1",
            "https://secret@localhost", "http://me%3Asecret%40localhost/v1", "file:///secret",
        )),
        *((HOME, f"{KEY}{more}") for more in ("\nX-Header: y", f" {KEY}", "é", "\0")),
    ],
)  # fmt: skip
def test_an_invalid_setting_is_rejected_and_not_shown(base_url: str | None, key: str) -> None:
    options = ModelOptions("m", base_url=base_url, api_key=key)
    with pytest.raises(UnavailableError) as raised:
        Endpoint(options)
    for shown in (str(raised.value), repr(options)):
        assert KEY not in shown
    assert "secret" not in str(raised.value)


def test_a_missing_model_is_one_error() -> None:
    with pytest.raises(UnavailableError, match="model"):
        Endpoint(ModelOptions(base_url=HOME))


def test_a_check_sends_no_request(server: FaultyServer) -> None:
    found = check(ModelOptions("m", base_url=server.base_url, api_key=KEY))
    assert server.base_url in found
    assert KEY not in found
    assert server.asked == 0


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("ab", 1), ("abc", 2), ("日本", 3), ("\ud800", 1)]
)
def test_tokens_are_estimated_from_bytes(text: str, tokens: int) -> None:
    assert Endpoint(ModelOptions("m", base_url=HOME)).count_tokens(text) == tokens
