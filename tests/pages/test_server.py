import json
import logging
import sys
import threading
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from pages.components.server import is_allowed_host, log_event, log_without_content
from tests.pages.browser import needs_chromium

EVERYWHERE = "0.0.0.0"  # noqa: S104 - compared, not listened at
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


@pytest.mark.parametrize(
    ("host", "address", "allowed", "expected"),
    [
        ("localhost:8501", "127.0.0.1", (), True),
        ("LOCALHOST.", "127.0.0.1", (), True),
        ("127.0.0.1", "127.0.0.1", (), True),
        ("[::1]:8501", "127.0.0.1", (), True),
        ("10.0.0.5:8501", "127.0.0.1", (), False),
        ("10.0.0.5:8501", "10.0.0.5", (), True),
        ("10.0.0.5:8501", EVERYWHERE, (), True),
        ("[fe80::1]:8501", "::", (), True),
        ("rebound.example", EVERYWHERE, (), False),
        ("rebound.example", "127.0.0.1", ("crscore.example",), False),
        ("crscore.example", "127.0.0.1", ("CRScore.example",), True),
        ("a.crscore.example", "127.0.0.1", ("*.crscore.example",), True),
        ("crscore.example", "127.0.0.1", ("*.crscore.example",), False),
        ("evilcrscore.example", "127.0.0.1", ("*.crscore.example",), False),
        ("localhost.rebound.example", "127.0.0.1", (), False),
        ("localhost@rebound.example", "127.0.0.1", (), False),
        ("[", "127.0.0.1", (), False),
        ("", "127.0.0.1", (), False),
        ("", "", (), False),
        ("crscore.example", "CRScore.example", (), True),
    ],
)
def test_allowed_hosts(host: str, address: str, allowed: tuple[str, ...], expected: bool) -> None:
    assert is_allowed_host(host, address, allowed) is expected


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {}, 200),
        ("/", {"Host": "rebound.example"}, 403),
        ("/_stcore/stream", UPGRADE, 101),
        ("/_stcore/stream", {**UPGRADE, "Origin": "http://HOST"}, 101),
        ("/_stcore/stream", {**UPGRADE, "Origin": "http://localhost:1"}, 403),
        ("/_stcore/stream", {**UPGRADE, "Origin": "http://rebound.example"}, 403),
        ("/_stcore/stream", {**UPGRADE, "Origin": "null"}, 403),
        ("/_stcore/stream", {**UPGRADE, "Origin": "http://["}, 403),
        ("/_stcore/stream", {**UPGRADE, "Host": "rebound.example"}, 403),
    ],
)
@needs_chromium
def test_only_the_apps_own_pages_reach_it(
    address: str, path: str, headers: dict[str, str], status: int
) -> None:
    host = urlsplit(address).netloc
    connection = HTTPConnection(host, timeout=30)
    connection.request(
        "GET", path, headers={name: text.replace("HOST", host) for name, text in headers.items()}
    )
    answer = connection.getresponse()
    assert answer.status == status
    if answer.status == 200:
        assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'self'"
    connection.close()


@needs_chromium
def test_no_foreign_name_and_no_frame_shows_the_app(browser: Browser, address: str) -> None:
    page = browser.new_page()
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.goto(address.replace("127.0.0.1", "rebound.example"))
    assert page.inner_text("body").startswith("This host is not one of the app's")
    page.set_content(f"<iframe src='{address}'></iframe>")
    page.wait_for_function("frames.length === 1")
    page.frames[1].wait_for_load_state()
    assert page.frames[1].url.startswith("chrome-error:")
    assert sockets == []
    page.close()


def test_logs_hold_no_content(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("threading.excepthook", None)
    log_without_content()
    logger, app = logging.getLogger("streamlit.error_util"), logging.getLogger("crscore.app")
    app.addHandler(caplog.handler)
    try:
        try:
            int("a line of a diff")
        except ValueError:
            logger.error("Uncaught app execution", exc_info=sys.exc_info())
        job = threading.Thread(target=int, args=("a line of a diff",))
        job.start()
        job.join()
        log_event("http", path="/x" * 1000, status=200, reason=None)
        log_event("http", path="/static/x.js", status=200)
    finally:
        app.removeHandler(caplog.handler)
    exception, of_job, request = [json.loads(record.message) for record in caplog.records]
    assert (exception["event"], exception["type"]) == ("exception", "ValueError")
    assert (of_job["event"], of_job["type"]) == ("exception", "ValueError")
    assert "test_server.py" in exception["frames"][-1]
    assert "a line of a diff" not in caplog.text
    assert set(request) == {"time", "event", "path", "status"}
    assert len(request["path"]) == 200
