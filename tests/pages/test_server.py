"""Hosts that the app answers, and when its server counts as shared."""

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.components.server import is_shared, middleware

EVERYWHERE = "0.0.0.0"  # noqa: S104 - compared, not listened at


def configure(monkeypatch: pytest.MonkeyPatch, address: str | None, allowed: list[str]) -> None:
    options = {"server.address": address, "server.allowedHosts": allowed}
    monkeypatch.setattr("streamlit.config.get_option", options.__getitem__)


@pytest.mark.parametrize(
    ("host", "address", "allowed", "is_allowed"),
    [
        ("localhost:8501", "127.0.0.1", [], True),
        ("127.0.0.1", "127.0.0.1", [], True),
        ("10.0.0.5:8501", "127.0.0.1", [], False),
        ("10.0.0.5:8501", "10.0.0.5", [], True),
        ("10.0.0.5:8501", EVERYWHERE, [], True),
        ("10.0.0.5:8501", None, [], True),
        ("rebound.example", EVERYWHERE, [], False),
        ("rebound.example", "127.0.0.1", ["crscore.example"], False),
        ("crscore.example", "127.0.0.1", ["crscore.example"], True),
        ("a.crscore.example", "127.0.0.1", ["*.crscore.example"], True),
        ("evilcrscore.example", "127.0.0.1", ["*.crscore.example"], False),
        ("localhost.rebound.example", "127.0.0.1", [], False),
        ("[", "127.0.0.1", [], False),
    ],
)
def test_only_the_servers_own_hosts_are_answered(
    host: str,
    address: str | None,
    allowed: list[str],
    is_allowed: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    configure(monkeypatch, address, allowed)
    routes = [Route("/", lambda _: PlainTextResponse("here"))]
    client = TestClient(Starlette(routes=routes, middleware=middleware()))
    answer = client.get("/", headers={"Host": host})
    assert answer.status_code == (200 if is_allowed else 400)
    if is_allowed:
        assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]


def test_a_browser_keeps_its_cookie(monkeypatch: pytest.MonkeyPatch) -> None:
    configure(monkeypatch, "127.0.0.1", [])
    routes = [
        Route("/", lambda _: HTMLResponse("here")),
        Route("/script", lambda _: PlainTextResponse("may be cached for others")),
    ]
    app = Starlette(routes=routes, middleware=middleware())
    clients = [TestClient(app, "http://localhost") for _ in range(2)]
    assert "set-cookie" not in clients[0].get("/script").headers
    given = {client.get("/").cookies["crscore_browser"] for client in clients}
    assert len(given) == 2
    assert "set-cookie" not in clients[0].get("/").headers


@pytest.mark.parametrize(
    ("address", "allowed", "expected"),
    [
        ("127.0.0.1", [], False),
        ("localhost", ["localhost"], False),
        (EVERYWHERE, [], True),
        (None, [], True),
        ("127.0.0.1", ["crscore.example"], True),
    ],
)
def test_a_server_that_others_reach_is_shared(
    address: str | None, allowed: list[str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, address, allowed)
    assert is_shared() is expected
