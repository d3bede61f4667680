import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from analyzers.process import Completed, Limits, run


def python(folder: Path, code: str, limits: Limits | None = None) -> Completed:
    return run([sys.executable, "-I", "-c", code], folder, limits)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("print('out')", Completed(0, stdout="out\n")),
        ("import sys; sys.exit(3)", Completed(3)),
        ("import sys; sys.stderr.write('bad')", Completed(0, stderr="bad")),
        ("import os; os.kill(os.getpid(), 9)", Completed(-9)),
        ("import os; os.write(1, b'\\xff')", Completed(0, stdout="\ufffd")),
        ("import sys; print(repr(sys.stdin.read()))", Completed(0, stdout="''\n")),
    ],
)
def test_the_end_of_a_child_is_a_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, expected: Completed
) -> None:
    assert python(tmp_path, code) == expected
    monkeypatch.delattr(os, "waitid")  # as on macOS before Python 3.13
    assert python(tmp_path, code) == expected


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (["no-such-command"], "not found"),
        (["./missing"], "not found"),
        (["/etc"], "not found"),
        ([sys.executable, "x" * 10_000_000], "could not be run"),
    ],
)
def test_a_failed_start_is_a_value(tmp_path: Path, command: list[str], error: str) -> None:
    completed = run(command, tmp_path)
    assert completed.returncode is None
    assert error in str(completed.error)
    (tmp_path / "tool").write_bytes(b"\0\1\2")
    (tmp_path / "tool").chmod(0o755)
    assert run([str(tmp_path / "tool")], tmp_path).returncode not in {0, None}  # no program


def test_arguments_are_never_read_as_shell_text(tmp_path: Path) -> None:
    arguments = ["$(touch planted)", "; touch planted", "`touch planted`", "a b", ""]
    completed = run(
        [sys.executable, "-I", "-c", "import sys; print(sys.argv[1:])", *arguments], tmp_path
    )
    assert completed.stdout == f"{arguments}\n"
    assert list(tmp_path.iterdir()) == []


def test_the_environment_has_no_secret_and_the_given_folder_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    monkeypatch.setenv("PYTHONPATH", "/planted")
    code = "import os; print('\\n'.join(f'{k}={v}' for k, v in os.environ.items()))"
    code += "; print(f'folder={os.getcwd()}')"
    seen = dict(line.split("=", 1) for line in python(tmp_path, code).stdout.splitlines())
    assert "API_TOKEN" not in seen
    assert "PYTHONPATH" not in seen
    assert seen["HOME"] == seen["TMPDIR"] == seen["folder"] == str(tmp_path)
    assert seen["PATH"] == os.defpath


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_flood_of_output_is_cut_and_reported(tmp_path: Path, stream: str) -> None:
    code = f"import sys\nwhile True: sys.{stream}.write('x' * 10_000)"
    completed = python(tmp_path, code, Limits(seconds=60, output_bytes=50_000))
    assert completed.truncated
    assert not completed.timed_out
    assert len(getattr(completed, stream)) == 50_000


def test_output_up_to_the_limit_is_whole(tmp_path: Path) -> None:
    completed = python(tmp_path, "print('x' * 49_999)", Limits(output_bytes=50_000))
    assert (completed.returncode, completed.truncated) == (0, False)
    assert len(completed.stdout) == 50_000


def test_memory_is_bounded(tmp_path: Path) -> None:
    code = "x = bytearray(600_000_000)"
    assert python(tmp_path, code, Limits(memory_bytes=300_000_000)).returncode == 1
    assert python(tmp_path, code, Limits(memory_bytes=None)).returncode == 0


_PATIENCE_SECONDS = 10


def are_gone(pids: Sequence[int]) -> bool:
    """Return True if none of `pids` is running; zombies do not count."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while any(_runs(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}


# A child with a grandchild that keeps the pipes open and ignores polite signals.
_FAMILY = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
grandchild = subprocess.Popen(["sleep", "600"])
print(os.getpid(), grandchild.pid, flush=True)
"""


@pytest.mark.parametrize("end", ["", "os.close(1)"])
def test_processes_started_by_a_child_are_killed(tmp_path: Path, end: str) -> None:
    completed = python(tmp_path, _FAMILY + end)
    assert not completed.timed_out
    pids = [int(pid) for pid in completed.stdout.split()]
    assert len(pids) == 2
    assert are_gone(pids)


_HUNG = ["/bin/sh", "-c", "trap '' TERM; sleep 600 & echo $$ $!; wait"]


@pytest.mark.parametrize("count", [3, pytest.param(100, marks=pytest.mark.long)])
def test_many_hanging_children_are_all_killed(tmp_path: Path, count: int) -> None:
    with ThreadPoolExecutor(count) as pool:
        limits = [Limits(seconds=1 + count / 50)] * count
        ended = list(pool.map(partial(run, _HUNG, tmp_path), limits))
    assert all(completed.timed_out for completed in ended)
    pids = [int(pid) for completed in ended for pid in completed.stdout.split()]
    assert len(pids) == 2 * count
    assert are_gone(pids)


# Analyzers that hang, each with its folder; the arguments tell where the folders are.
_ANALYSIS = f"""
import pathlib, signal, sys, tempfile
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored in what nohup begins
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell
import analyzers, analyzers.process
tempfile.tempdir = sys.argv[1]
class Hung:
    name = "hung"
    def analyze(self, files):
        with analyzers.batches.workspace([], "") as space:
            analyzers.process.run({_HUNG[:2]} + ["{_HUNG[2]}".replace("echo", "echo >pids")],
                                  space.folder)
        return [None for _ in files]
file = analyzers.SourceFile("x", "c", (analyzers.Fragment(1, "x"),), frozenset([1]))
analyzers.analyze_each([file], {{"c": [Hung(), Hung()]}})
"""


def test_exit_does_not_wait_for_tools(tmp_path: Path) -> None:
    program = (
        f"import threading\nthreading.Thread(target=lambda: exec({_ANALYSIS!r}, {{}})).start()"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)])
    with process:
        assert process.wait(20) == 0  # the tools would run for 30 seconds
    assert list(tmp_path.iterdir()) == []


def test_no_child_survives_this_process(tmp_path: Path) -> None:
    signals = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]
    ours = []
    for number in signals:
        (tmp_path / str(number)).mkdir()
        command = [sys.executable, "-c", _ANALYSIS, str(tmp_path / str(number))]
        ours.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
    deadline = time.monotonic() + 60
    while len(written := list(tmp_path.glob("*/*/pids"))) < 2 * len(signals):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    pids = [int(pid) for path in written for pid in path.read_text().split()]
    for number, process in zip(signals, ours, strict=True):
        process.send_signal(number)
    for number, process in zip(signals, ours, strict=True):
        assert process.wait(_PATIENCE_SECONDS) == -number
    assert len(pids) == 16
    assert are_gone(pids)
    assert list(tmp_path.glob("*/*")) == []


def test_a_full_disk_is_in_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("analyzers.process.TemporaryFile", full)
    reason = "true could not be run: [Errno 28] No space left on device"
    assert run(["true"], tmp_path) == Completed(None, error=reason)
