"""Run tools as child processes with limits on time, memory and output.

No child outlives this process, even if it is killed: a watcher in the child's process group kills
the group as soon as the pipe from this process closes.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event, main_thread
from typing import IO

MEMORY_BYTES = 1024**3
"""Memory limit of a child; runtimes that reserve far more than they use take it as an option."""

STOP: ContextVar[Event] = ContextVar("STOP", default=Event())  # noqa: B039 - the default is never set
"""Setting the event in a thread's context stops the children that the thread runs."""

# The shell sets the limits and then becomes the tool. It never interprets the tool's command as
# shell text and, unlike `preexec_fn`, is safe in a process with threads.
# The watcher holds the only other end of our pipe, to which nothing is ever written.
# A limit that cannot be set is already stricter, or unsupported by the system.
_LAUNCHER = (
    "exec 3<&0 </dev/null; "
    '{ read -r _ <&3; kill -9 $$; case $PWD in */analysis-*) rm -rf -- "$PWD"; esac; kill -9 0; } '
    ">/dev/null 2>&1 & exec 3<&-; "
    'if [ "$0" -gt 0 ] && (ulimit -v "$0") 2>/dev/null; then ulimit -v "$0"; fi; '
    'ulimit -c 0; ulimit -f "$1"; shift; exec "$@"'
)
_ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
_POLL_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a child process.

    `memory_bytes` limits the address space; None sets no limit.
    `output_bytes` limits standard output and standard error separately.
    """

    seconds: float = 30.0
    memory_bytes: int | None = MEMORY_BYTES
    output_bytes: int = 16 * 1024**2


@dataclass(frozen=True, slots=True)
class Completed:
    """The result of a child process.

    `returncode` is None if the child never started (`error` says why) and negative if a
    signal ended it. `truncated` means that its output exceeded the limit and it was stopped.
    """

    returncode: int | None
    stdout: str = ""
    stderr: str = ""
    timed_out: bool = False
    truncated: bool = False
    error: str | None = None


def run(command: Sequence[str], folder: Path, limits: Limits | None = None) -> Completed:
    """Run `command` in `folder`, without input, and wait until it ends.

    The child gets a fresh environment: a search path, a UTF-8 locale, and `folder` as its home
    and temporary folder. Its process group is killed when it ends, runs out of time or exceeds
    its output limit, and when this process ends or `STOP` is set.

    Never raises: the result reports any failure of the child, including a missing executable.
    """
    limits = limits or Limits()
    executable = shutil.which(command[0])
    if executable is None:
        return Completed(None, error=f"{Path(command[0]).name} was not found")
    try:
        return _run([executable, *command[1:]], folder, limits)
    except (OSError, ValueError) as error:
        return Completed(None, error=f"{Path(executable).name} could not be run: {error}")


def _run(command: Sequence[str], folder: Path, limits: Limits) -> Completed:
    bounds = str((limits.memory_bytes or 0) // 1024), str(limits.output_bytes // 512 + 1)
    with TemporaryFile() as stdout, TemporaryFile() as stderr:
        with subprocess.Popen(  # noqa: S603 - the shell runs only our own text
            ["/bin/sh", "-c", _LAUNCHER, *bounds, *command],
            cwd=folder,
            env={**_ENVIRONMENT, "HOME": str(folder), "TMPDIR": str(folder)},
            stdin=subprocess.PIPE,  # for the watcher; the tool gets no input
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        ) as child:
            try:
                timed_out = _wait(child, (stdout, stderr), limits)
            finally:
                _kill_group(child)
        said, errors = (_written(file, limits.output_bytes) for file in (stdout, stderr))
        truncated = any(_size(file) > limits.output_bytes for file in (stdout, stderr))
        return Completed(child.returncode, said, errors, timed_out, truncated)


def _wait(child: subprocess.Popen[bytes], outputs: Sequence[IO[bytes]], limits: Limits) -> bool:
    """Wait until the child ends or has to be stopped; return True if it ran out of time."""
    deadline = time.monotonic() + limits.seconds
    stop = STOP.get()
    while not (_has_ended(child) or stop.wait(_POLL_SECONDS)):
        if time.monotonic() > deadline:
            return True
        is_flooded = any(_size(file) > limits.output_bytes for file in outputs)
        if is_flooded or not main_thread().is_alive():
            return False
    return False


def _size(file: IO[bytes]) -> int:
    return os.fstat(file.fileno()).st_size


def _written(file: IO[bytes], most: int) -> str:
    file.seek(0)
    return file.read(most).decode(errors="replace")


def _has_ended(child: subprocess.Popen[bytes]) -> bool:
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        return child.poll() is not None
    # WNOWAIT leaves the dead child in the process table, so that its group id cannot be reused
    # before the group is killed.
    state = os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    return state is not None


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    if child.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
