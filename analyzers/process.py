"""Run tools as children: bounded in time, memory and output, and ended with all they started.

No child outlives us, however we end: a watcher in its process group kills the group as soon as the
pipe from us is closed, which the system does for a killed process too.
"""

import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from threading import Event

MEMORY_BYTES = 1024**3
"""Memory limit of a child; runtimes that reserve far more than they use get it as an option."""

STOP: ContextVar[Event] = ContextVar("STOP", default=Event())  # noqa: B039 - nobody sets this one
"""Children that a thread runs end at once when the event in its context is set."""

# The shell sets the limits and then becomes the tool. It reads nothing of the tool's command as
# shell text, and unlike `preexec_fn` it is safe in a process with threads.
# The watcher holds the only other end of our pipe, on which nothing is ever written.
# A bound that cannot be set is stricter already, or unknown to the system.
_LAUNCHER = (
    "exec 3<&0 </dev/null; "
    '{ read -r _ <&3; kill -9 $$; case $PWD in */analysis-*) rm -rf -- "$PWD"; esac; kill -9 0; } '
    ">/dev/null 2>&1 & exec 3<&-; "
    'if [ "$0" -gt 0 ] && (ulimit -v "$0") 2>/dev/null; then ulimit -v "$0"; fi; '
    'ulimit -c 0; exec "$@"'
)
_POLL_SECONDS = 0.05
_DRAIN_SECONDS = 1.0
_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a child.

    `memory_bytes` bounds the address space; None sets no bound.
    `output_bytes` bounds standard output and standard error each.
    """

    seconds: float = 30.0
    memory_bytes: int | None = MEMORY_BYTES
    output_bytes: int = 16 * 1024**2


@dataclass(frozen=True, slots=True)
class Completed:
    """The end of a child.

    `returncode` is None if the child never started (`error` says why) and negative if a
    signal ended it. `truncated` means that it wrote more than the limit and was stopped.
    """

    returncode: int | None
    stdout: str = ""
    stderr: str = ""
    timed_out: bool = False
    truncated: bool = False
    error: str | None = None


def run(command: Sequence[str], folder: Path, limits: Limits | None = None) -> Completed:
    """Run `command` in `folder`, without input, and wait for its end.

    The child sees none of our environment: a search path, a UTF-8 locale, and `folder` as
    its home and temporary folder. When it ends, runs out of time or floods its output, and when
    we end or `STOP` is set, its process group is killed, so that nothing it has started lives on.

    Raises nothing: whatever the child does, and a missing executable, is in the result.
    """
    limits = limits or Limits()
    executable = shutil.which(command[0])
    if executable is None:
        return Completed(None, error=f"{Path(command[0]).name} was not found")
    kibibytes = (limits.memory_bytes or 0) // 1024
    try:
        child = subprocess.Popen(  # noqa: S603 - the shell sees a text of ours alone
            ["/bin/sh", "-c", _LAUNCHER, str(kibibytes), executable, *command[1:]],
            cwd=folder,
            env=_environment(folder),
            stdin=subprocess.PIPE,  # of the watcher; the tool reads nothing
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return Completed(None, error=f"{Path(executable).name} could not be started: {error}")
    with child:
        try:
            return _Watch(child, limits).completed()
        finally:
            _kill_group(child)


def _environment(folder: Path) -> dict[str, str]:
    return {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "NO_COLOR": "1",
    }


class _Watch:
    """Reads both pipes of one child until it ends, or a limit ends it."""

    def __init__(self, child: subprocess.Popen[bytes], limits: Limits) -> None:
        self._child = child
        self._limits = limits
        self._stdout = bytearray()
        self._stderr = bytearray()
        self._truncated = False
        self._selector = selectors.DefaultSelector()
        for pipe, kept in ((child.stdout, self._stdout), (child.stderr, self._stderr)):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                self._selector.register(pipe, selectors.EVENT_READ, kept)

    def completed(self) -> Completed:
        with self._selector:
            timed_out = self._read_until_end(time.monotonic() + self._limits.seconds)
            _kill_group(self._child)
            self._read(time.monotonic() + _DRAIN_SECONDS)
        return Completed(
            returncode=self._child.wait(),
            stdout=self._stdout.decode(errors="replace"),
            stderr=self._stderr.decode(errors="replace"),
            timed_out=timed_out,
            truncated=self._truncated,
        )

    def _read_until_end(self, deadline: float) -> bool:
        """Read until the child ends or has to; return True if its time is up."""
        stop = STOP.get()
        while not (self._truncated or stop.is_set() or _has_ended(self._child)):
            if time.monotonic() > deadline:
                return True
            self._read(min(deadline, time.monotonic() + _POLL_SECONDS))
            if not self._selector.get_map():  # closed its output, or is about to end
                time.sleep(_POLL_SECONDS / 10)
        return False

    def _read(self, deadline: float) -> None:
        """Read the pipes until both are closed, the limit is met or time is up."""
        while self._selector.get_map() and not self._truncated:
            events = self._selector.select(max(0.0, deadline - time.monotonic()))
            if not events:
                return
            for key, _ in events:
                chunk = os.read(key.fd, _CHUNK)
                if not chunk:
                    self._selector.unregister(key.fileobj)
                key.data.extend(chunk)
                if len(key.data) > self._limits.output_bytes:
                    del key.data[self._limits.output_bytes :]
                    self._truncated = True


def _has_ended(child: subprocess.Popen[bytes]) -> bool:
    # WNOWAIT leaves the dead child in the process table, so that its group cannot have
    # become somebody else's when it is killed.
    state = os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    return state is not None


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    if child.returncode is None:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return
