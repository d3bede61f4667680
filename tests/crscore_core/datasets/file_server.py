"""A real server of a few files on this machine, which misbehaves where a test wants it to."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from crscore_core.datasets.manifest import Manifest, ManifestFile

__all__ = [
    "FILES", "Answer", "FileServer", "broken_off", "content", "drip", "in_one", "manifest_of",
    "served", "status", "together",
]  # fmt: skip

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
    server: "_Server"

    def do_GET(self) -> None:
        path = self.path.removeprefix("/")
        files = self.server.files
        files.paths.append(path)
        plan = files.plans.get(path, [])
        answer = plan.pop(0) if plan else in_one
        content = files.contents.get(path)
        if content is None:
            answer = status(404)
        answer(self, content or b"")

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def start(self, code: int, length: int, **headers: str) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    files: "FileServer"

    def handle_error(self, *_: object) -> None:
        """A client that went away is what some tests are about."""


Answer = Callable[[Request, bytes], None]


@dataclass(slots=True)
class FileServer:
    """Served files: `plans` are answers to the first requests of a path, good ones follow."""

    address: str
    contents: dict[str, bytes]
    plans: dict[str, list[Answer]] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)


@contextmanager
def served(contents: dict[str, bytes] = FILES) -> Iterator[FileServer]:
    server = _Server(("127.0.0.1", 0), Request)
    files = FileServer(f"http://127.0.0.1:{server.server_port}", dict(contents))
    server.files = files
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("NO_PROXY", "127.0.0.1")  # whatever this machine uses elsewhere
            yield files
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def manifest_of(contents: dict[str, bytes]) -> Manifest:
    files = tuple(
        ManifestFile(path, hashlib.sha256(content).hexdigest(), len(content))
        for path, content in contents.items()
    )
    return Manifest("someone/study", "0" * 40, "MIT", files)


def in_one(request: Request, content: bytes) -> None:
    request.start(200, len(content))
    request.wfile.write(content)


def content(change: Callable[[bytes], bytes]) -> Answer:
    """The file, changed."""
    return lambda request, content: in_one(request, change(content))


def status(code: int, **headers: str) -> Answer:
    return lambda request, _: request.start(code, 0, **headers)


def broken_off(count: int) -> Answer:
    """The first `count` bytes, and then the end of the connection."""

    def answer(request: Request, content: bytes) -> None:
        request.start(200, len(content))
        request.wfile.write(content[:count])
        request.close_connection = True

    return answer


def drip(stop: threading.Event) -> Answer:
    """The first byte, and then nothing until `stop`."""

    def answer(request: Request, content: bytes) -> None:
        request.start(200, len(content))
        request.wfile.write(content[:1])
        request.wfile.flush()
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
