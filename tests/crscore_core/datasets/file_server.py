"""A real server of a few files on this machine, which misbehaves where a test wants it to."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

FILES = {
    "LICENSE": b"free",
    "human_study/phase1/empty.csv": b"",
    "human_study/phase1/large.csv": bytes(range(256)) * 1000,
    "human_study/phase1/context_files/test1_new.py": b"new = 1\n",
    "human_study/phase1/context_files/test1_old.py": b"old = 1\n",
    "human_study/phase2/rated.json": b"{}",
}


class Request(BaseHTTPRequestHandler):
    """One request, and the words to answer it with."""

    protocol_version = "HTTP/1.1"
    server: "FileServer"

    def do_GET(self) -> None:
        path = self.path.removeprefix("/")
        self.server.paths.append(path)
        plan = self.server.plans.get(path, [])
        answer = plan.pop(0) if plan else in_one
        content = self.server.contents.get(path)
        if content is None:
            answer = status(404)
        answer(self, content or b"")

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def start(self, code: int, length: int, **headers: str) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


Answer = Callable[[Request, bytes], None]


class FileServer(ThreadingHTTPServer):
    """Server of `contents`; `plans` are the answers to the first requests of a path."""

    daemon_threads = True

    def __init__(self, contents: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.contents = contents
        self.plans: dict[str, list[Answer]] = {}
        self.paths: list[str] = []

    def handle_error(self, *_: object) -> None:
        """A client that went away is what some tests are about."""


@contextmanager
def served(contents: dict[str, bytes] = FILES) -> Iterator[FileServer]:
    with FileServer(contents) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("NO_PROXY", "127.0.0.1")  # whatever this machine uses elsewhere
            yield server
        server.shutdown()
        thread.join()


def registry_of(contents: dict[str, bytes] = FILES) -> dict[str, str]:
    return {
        path: f"sha256:{hashlib.sha256(content).hexdigest()}" for path, content in contents.items()
    }


def in_one(request: Request, content: bytes) -> None:
    request.start(200, len(content))
    request.wfile.write(content)


def content(change: Callable[[bytes], bytes]) -> Answer:
    """The file, changed."""
    return lambda request, content: in_one(request, change(content))


def status(code: int, **headers: str) -> Answer:
    return lambda request, _: request.start(code, 0, **headers)


def broken_off(count: int, stop: threading.Event | None = None) -> Answer:
    """The first `count` bytes, then nothing until `stop`, and then the end of the connection."""

    def answer(request: Request, content: bytes) -> None:
        request.start(200, len(content))
        request.wfile.write(content[:count])
        if stop:
            request.wfile.flush()
            stop.wait(60)
        request.close_connection = True

    return answer


def silent(stop: threading.Event) -> Answer:
    """Nothing until `stop`, and then the end of the connection."""

    def answer(request: Request, _: bytes) -> None:
        stop.wait(60)
        request.close_connection = True

    return answer


def together(count: int) -> Answer:
    """Good, as soon as `count` requests wait at the same time; 500 when they never do."""
    barrier = threading.Barrier(count)

    def answer(request: Request, content: bytes) -> None:
        try:
            barrier.wait(30)
        except threading.BrokenBarrierError:
            request.start(500, 0)
        else:
            in_one(request, content)

    return answer
