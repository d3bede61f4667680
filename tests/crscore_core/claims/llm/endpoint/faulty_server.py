"""A server that answers like a language model's server, and misbehaves as a test plans."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
    """One request and its response."""

    protocol_version = "HTTP/1.1"
    server: "FaultyServer"

    def do_POST(self) -> None:
        self.content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.loads(self.content or b"{}")
        received = Received(self.path, self.headers.get("Authorization"), body)
        try:
            self.server.next_fault(received)(self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def start(self, code: int, **headers: str) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()


Fault = Callable[[Exchange], None]


class FaultyServer(ThreadingHTTPServer):
    """The first requests get the planned responses, all others `otherwise`."""

    daemon_threads = True
    request_queue_size = 50

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.base_url = f"http://127.0.0.1:{self.server_port}/v1"
        self.otherwise = said("good")
        self.plan: list[Fault] = []
        self.received: list[Received] = []
        self._lock = threading.Lock()

    def next_fault(self, received: Received) -> Fault:
        with self._lock:
            self.received.append(received)
            return self.plan.pop(0) if self.plan else self.otherwise

    def endpoint(self, key: str = " ") -> Endpoint:
        return Endpoint(ModelOptions("a-model", base_url=self.base_url, api_key=key))

    def handle_error(self, *_: object) -> None:
        """Ignore clients that disconnect, which some tests do on purpose."""


@contextmanager
def faulty() -> Iterator[FaultyServer]:
    """Start a server that answers "good" unless something else is planned."""
    with FaultyServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.005,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
    thread.join()


def sends(kind: str, content: bytes, code: int = 200, times: int = 1, **headers: str) -> Fault:
    """A body; if it is repeated, the client does not know its length in advance."""

    def fault(exchange: Exchange) -> None:
        length = {"Content_Length": str(len(content))} if times == 1 else {"Connection": "close"}
        exchange.start(code, Content_Type=kind, **length, **headers)
        for _ in range(times):
            exchange.wfile.write(content)

    return fault


def status(code: int, body: object = None, **headers: str) -> Fault:
    """A status with a JSON body."""
    return sends("application/json", json.dumps(body).encode(), code, 1, **headers)


def completion(content: object, reason: str | None = "stop", **message: object) -> dict[str, Any]:
    """The body of an answer; `message` holds more fields."""
    return {"choices": [{"message": {"content": content, **message}, "finish_reason": reason}]}


def said(text: str) -> Fault:
    """A valid answer."""
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
    """Send these bytes repeatedly, such as part of a header, or none."""

    def fault(exchange: Exchange) -> None:
        exchange.send_response(200)
        exchange.flush_headers()
        for _ in range(500):
            exchange.wfile.write(content)
            time.sleep(0.01)

    return fault
