"""Run a tool as an isolated child process with limits on time, memory and output."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Event
from typing import IO

from crscore_core.analyzers.tool import NotAnalysedError

MEMORY_BYTES = 1024**3
OUTPUT_BYTES = 16 * 1024**2
SECONDS = 30.0
"""Limits on a run; the time limit of a tool may grow with the number of texts."""

_stop: ContextVar[Event] = ContextVar("stop", default=Event())  # noqa: B039 - the default is never set
# The shell sets the limits and becomes the tool; unlike `preexec_fn`, this is thread-safe. The
# command is never parsed as shell code. If a limit cannot be set, a stricter one already exists.
_LAUNCHER = (
    'ulimit -c 0; ulimit -v "$0" 2>&-; ulimit -t "$1" 2>&-; ulimit -f "$2"; shift 2; exec "$@"'
)
_ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
_POLL_SECONDS = 0.01


@contextmanager
def stoppable_threads() -> Iterator[ThreadPoolExecutor]:
    """Yield a pool of threads; if the block raises, the tools that they run are stopped."""
    stop = Event()
    with ThreadPoolExecutor(initializer=_stop.set, initargs=(stop,)) as pool:
        try:
            yield pool
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise


def run_tool(
    command: Sequence[str],
    files: Mapping[str, str],
    *,
    seconds: float = SECONDS,
    memory_bytes: int | None = MEMORY_BYTES,
    ok_statuses: Collection[int] = (0,),
) -> str:
    """Run `command` in a fresh folder that holds `files`, and return its standard output.

    The child has no input, an environment without secrets, its own process group, and the folder
    as its home. The group is killed when the child exits, exceeds a limit or is stopped.

    Args:
        command: the program and its arguments; names of `files` are relative to the folder.
        files: texts by file name. Lone surrogates become question marks.
        seconds: limit on the run time.
        memory_bytes: limit on the address space; None for runtimes that reserve more than they
            use and have an option for the limit.
        ok_statuses: exit statuses that mean success.

    Raises:
        NotAnalysedError: the tool is missing, crashed, hung, wrote too much, or reported an error.
    """
    name = Path(command[0]).name
    executable = shutil.which(command[0])
    if executable is None:
        raise NotAnalysedError(f"{name} was not found")
    try:
        with tempfile.TemporaryDirectory(prefix="analysis-", ignore_cleanup_errors=True) as folder:
            for file, text in files.items():
                Path(folder, file).write_bytes(text.encode("utf-8", "replace"))
            return _run([executable, *command[1:]], folder, seconds, memory_bytes, ok_statuses)
    except (OSError, ValueError) as error:
        raise NotAnalysedError(f"{name} could not be run: {error}") from None


def _run(
    command: Sequence[str],
    folder: str,
    seconds: float,
    memory_bytes: int | None,
    ok_statuses: Collection[int],
) -> str:
    memory = str(memory_bytes // 1024) if memory_bytes else "unlimited"
    limits = memory, str(int(seconds) * (os.cpu_count() or 1) + 1), str(OUTPUT_BYTES // 512 + 1)
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        with subprocess.Popen(  # noqa: S603 - the shell runs only our own text
            ["/bin/sh", "-c", _LAUNCHER, *limits, *command],
            cwd=folder,
            env={**_ENVIRONMENT, "HOME": folder, "TMPDIR": folder},
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        ) as child:
            try:
                _wait(child, (stdout, stderr), seconds)
            finally:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(child.pid, signal.SIGKILL)
        output, errors = _text(stdout), _text(stderr)
    if child.returncode not in ok_statuses:
        last_line = errors.strip().splitlines()[-1:]
        message = f": {last_line[0][:200]}" if last_line else ""
        raise NotAnalysedError(f"it failed with status {child.returncode}{message}")
    return output


def _wait(child: subprocess.Popen[bytes], outputs: Sequence[IO[bytes]], seconds: float) -> None:
    """Wait until the child exits.

    Raises:
        NotAnalysedError: it exceeded a limit or was stopped.
    """
    deadline = time.monotonic() + seconds
    stop = _stop.get()
    while child.poll() is None:
        if time.monotonic() > deadline:
            raise NotAnalysedError("it took too long and was stopped")
        if stop.wait(_POLL_SECONDS):
            raise NotAnalysedError("it was stopped")
    if any(os.fstat(output.fileno()).st_size > OUTPUT_BYTES for output in outputs):
        raise NotAnalysedError("it wrote too much output and was stopped")


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(OUTPUT_BYTES).decode(errors="replace")
