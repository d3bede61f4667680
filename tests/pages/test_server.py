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


def client(monkeypatch: pytest.MonkeyPatch, address: str | None, allowed: list[str]) -> TestClient:
    configure(monkeypatch, address, allowed)
    routes = [Route("/", lambda _: HTMLResponse("here"))]
    routes.append(Route("/script", lambda _: PlainTextResponse("may be cached for others")))
    return TestClient(Starlette(routes=routes, middleware=middleware()), "http://localhost")


@pytest.mark.parametrize(("host", "address", "names", "status"), [
    ("localhost:8501", "127.0.0.1", [], 200),
    ("127.0.0.1", "127.0.0.1", [], 200),
    ("10.0.0.5:8501", "127.0.0.1", [], 400),
    ("10.0.0.5:8501", "10.0.0.5", [], 200),
    ("10.0.0.5:8501", EVERYWHERE, [], 200),
    ("10.0.0.5:8501", None, [], 200),
    ("rebound.example", EVERYWHERE, [], 400),
    ("rebound.example", "127.0.0.1", ["crscore.example"], 400),
    ("crscore.example", "127.0.0.1", ["crscore.example"], 200),
    ("a.crscore.example", "127.0.0.1", ["*.crscore.example"], 200),
    ("evilcrscore.example", "127.0.0.1", ["*.crscore.example"], 400),
    ("localhost.rebound.example", "127.0.0.1", [], 400),
    ("[", "127.0.0.1", [], 400),
])  # fmt: skip
def test_only_the_servers_own_hosts_are_answered(
    host: str, address: str | None, names: list[str], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = client(monkeypatch, address, names).get("/", headers={"Host": host})
    assert answer.status_code == status
    policy = answer.headers.get("content-security-policy", "")
    assert ("frame-ancestors 'self'" in policy) is (status == 200)


def test_a_browser_keeps_its_cookie(monkeypatch: pytest.MonkeyPatch) -> None:
    clients = [client(monkeypatch, "127.0.0.1", []) for _ in range(2)]
    assert "set-cookie" not in clients[0].get("/script").headers
    given = {client.get("/").cookies["crscore_browser"] for client in clients}
    assert len(given) == 2
    assert "set-cookie" not in clients[0].get("/").headers


@pytest.mark.parametrize(("address", "allowed", "expected"), [
    ("127.0.0.1", [], False), ("localhost", ["localhost"], False), (EVERYWHERE, [], True),
    (None, [], True), ("127.0.0.1", ["crscore.example"], True),
])  # fmt: skip
def test_a_server_that_others_reach_is_shared(
    address: str | None, allowed: list[str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, address, allowed)
    assert is_shared() is expected
