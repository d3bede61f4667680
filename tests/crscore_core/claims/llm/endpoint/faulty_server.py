"""A server that answers like a language model's, and misbehaves as planned by a test."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from crscore_core.claims import ModelOptions
from crscore_core.claims.llm.endpoint import Endpoint


@dataclass(frozen=True, slots=True)
class Received:
    """A request as received."""

    path: str
    key: str | None
    body: dict[str, Any]


class Exchange(BaseHTTPRequestHandler):
    """One request, and the words to answer it with."""

    protocol_version = "HTTP/1.1"
    server: "_Server"

    def do_POST(self) -> None:
        faulty = self.server.faulty
        self.content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.loads(self.content or b"{}")
        with faulty.lock:
            faulty.received.append(Received(self.path, self.headers.get("Authorization"), body))
            fault = faulty.plan.pop(0) if faulty.plan else faulty.otherwise
        try:
            fault(self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def start(self, code: int, **headers: str) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 50
    faulty: "FaultyServer"

    def handle_error(self, *_: object) -> None:
        """Ignore clients that disconnect, which some tests do on purpose."""


Fault = Callable[[Exchange], None]


@dataclass(slots=True)
class FaultyServer:
    """The first requests get the planned responses, all others `otherwise`."""

    base_url: str
    otherwise: Fault
    plan: list[Fault] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def endpoint(self, key: str = " ") -> Endpoint:
        return Endpoint(ModelOptions("a-model", base_url=self.base_url, api_key=key))


@contextmanager
def faulty() -> Iterator[FaultyServer]:
    """Start a server that answers "good" unless something else is planned."""
    server = _Server(("127.0.0.1", 0), Exchange)
    server.faulty = FaultyServer(f"http://127.0.0.1:{server.server_port}/v1", said("good"))
    thread = threading.Thread(target=server.serve_forever, args=(0.005,), daemon=True)
    thread.start()
    try:
        yield server.faulty
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def sends(kind: str, content: bytes, code: int = 200, times: int = 1, **headers: str) -> Fault:
    """A body; the client does not learn the length of a repeated one before it reads it."""

    def fault(exchange: Exchange) -> None:
        length = {"Content_Length": str(len(content))} if times == 1 else {"Connection": "close"}
        exchange.start(code, Content_Type=kind, **length, **headers)
        for _ in range(times):
            exchange.wfile.write(content)

    return fault


def status(code: int, body: object = None, **headers: str) -> Fault:
    """A status with JSON."""
    return sends("application/json", json.dumps(body).encode(), code, 1, **headers)


def completion(content: object, reason: str | None = "stop", **message: object) -> dict[str, Any]:
    """The body of an answer; `message` has further fields."""
    return {"choices": [{"message": {"content": content, **message}, "finish_reason": reason}]}


def said(text: str) -> Fault:
    """A good answer."""
    return status(200, completion(text))


def cut(exchange: Exchange) -> None:
    """Send the start of an answer, then close the connection."""
    exchange.start(200, Content_Type="application/json", Content_Length="100")
    exchange.wfile.write(b'{"choices": [')
    exchange.close_connection = True


def leave(exchange: Exchange) -> None:
    """Close the connection without a response."""
    exchange.close_connection = True


def trickle(content: bytes) -> Fault:
    """Send these bytes, such as a part of a header or none, again and again."""

    def fault(exchange: Exchange) -> None:
        exchange.send_response(200)
        exchange.flush_headers()
        for _ in range(500):
            exchange.wfile.write(content)
            time.sleep(0.01)

    return fault
