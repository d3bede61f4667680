"""A server of a real language model as people run one: `transformers serve`."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.smollm import MODEL

_STARTS_WITHIN = 240  # seconds


@contextmanager
def serving(home: Path, model: Path) -> Iterator[str]:
    """Yield the base URL of a server of the model in a folder, which it calls `MODEL`.

    The model is linked into the hub's cache of the folder `home`.
    """
    repository = home / "hub" / f"models--{MODEL.replace('/', '--')}"
    revision = "0" * 40
    (repository / "snapshots").mkdir(parents=True)
    (repository / "snapshots" / revision).symlink_to(model)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(revision)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = home / "log.txt"
    program = Path(sys.executable).with_name("transformers")
    offline = {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
    with log.open("wb") as output:
        server = subprocess.Popen(
            [program, "serve", "--device", "cpu", "--host", "127.0.0.1", "--port", str(port)],
            env=os.environ | offline, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
    try:
        _wait(server, f"http://127.0.0.1:{port}/health", log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _wait(server: "subprocess.Popen[bytes]", address: str, log: Path) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    until = time.monotonic() + _STARTS_WITHIN
    while True:
        try:
            direct.open(address, timeout=5).close()
        except OSError:
            if server.poll() is not None or time.monotonic() > until:
                pytest.fail(f"the server does not start:\n{log.read_text(errors='replace')}")
            time.sleep(0.2)
        else:
            return
