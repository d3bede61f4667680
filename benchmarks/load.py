"""Seconds that people wait when many use one app at once, and memory after many in turn.

Each session is a websocket that speaks Streamlit's protocol and checks that it sees its own data
and nobody else's: `python -m benchmarks.load [--sessions N] [--moves N] [--in-turn N]`.
"""

import argparse
import asyncio
import os
import random
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import websockets
from crscore_core.datasets.examples import Sample, load_samples
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.typing import Origin, Subprotocol

from benchmarks.measuring import CRSCORE, machine, print_table

_FIELDS = ("button", "slider", "text_area")
_ADDRESS = "view=own"  # the form of the page Score
_PATIENCE = 300
_THINKING = 2.0
_MARK = re.compile(rb"mark_(\d+)_of_a_session")


@dataclass
class Session:
    """A visitor of the form on Score; `waits` has the seconds of each thing that was waited for."""

    number: int
    sample: Sample
    waits: dict[str, list[float]] = field(default_factory=dict)
    _ids: dict[str, tuple[str, str]] = field(default_factory=dict)
    _states: dict[str, WidgetState] = field(default_factory=dict)

    async def visit(self, address: str, all_here: asyncio.Barrier, moves: int) -> None:
        """Open the page, score with all others at once, then move tau, thinking in between."""
        url = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
        async with websockets.connect(
            url,
            origin=Origin(address),
            subprotocols=[Subprotocol("streamlit")],
            max_size=None,
            open_timeout=_PATIENCE,
        ) as self._socket:
            await self._timed("page opens", self._run())
            mark = f"mark_{self.number}_of_a_session"
            new_file = f"--- /dev/null\n+++ b/notes\n@@ -0,0 +1 @@\n+{mark}\n"
            diff = re.sub("(?m)^(\\+(?!\\+).*[a-z({;])$", rf"\1 // {mark}", self.sample.diff)
            self._set("Diff", string_value=f"{diff}{new_file}")
            self._set("Review 1", string_value=f"`{mark}` is new. {self.sample.reviews[0]}")
            await all_here.wait()
            seen = await self._timed("scores, all at once", self._run(press="Score"))
            marks = {int(number) for number in _MARK.findall(seen)}
            if marks != {self.number}:
                raise RuntimeError(f"session {self.number} saw marks {sorted(marks)}")
            for _ in range(moves):
                await asyncio.sleep(random.uniform(0, 2 * _THINKING))  # noqa: S311 - no secret
                self._set("tau", double_array_value={"data": [random.uniform(0.2, 0.7)]})  # noqa: S311
                await self._timed("tau moves", self._run(fragment=self._ids["tau"][1]))

    async def _timed(self, name: str, doing: Coroutine[Any, Any, bytes]) -> bytes:
        start = time.perf_counter()
        seen = await asyncio.wait_for(doing, _PATIENCE)
        self.waits.setdefault(name, []).append(time.perf_counter() - start)
        return seen

    def _set(self, label: str, **value: Any) -> None:  # noqa: ANN401 - fields of the message
        self._states[label] = WidgetState(id=self._ids[label][0], **value)

    async def _run(self, press: str = "", fragment: str = "") -> bytes:
        """Have the script run, and return all that it sent to the page."""
        message = BackMsg()
        message.rerun_script.query_string = _ADDRESS
        message.rerun_script.fragment_id = fragment
        message.rerun_script.widget_states.widgets.extend(self._states.values())
        if press:
            pressed = WidgetState(id=self._ids[press][0], trigger_value=True)
            message.rerun_script.widget_states.widgets.append(pressed)
        await self._socket.send(message.SerializeToString())
        seen = b""
        while True:
            data = await self._socket.recv(decode=False)
            seen += data
            answer = ForwardMsg.FromString(data)
            if answer.HasField("delta"):
                self._note(answer)
            if answer.WhichOneof("type") == "script_finished" and answer.script_finished in {
                ForwardMsg.FINISHED_SUCCESSFULLY,
                ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
            }:
                return seen

    def _note(self, answer: ForwardMsg) -> None:
        element = answer.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise RuntimeError(element.exception.message)
        if kind in _FIELDS:
            widget = getattr(element, kind)
            label = "tau" if kind == "slider" else widget.label
            self._ids[label] = widget.id, answer.delta.fragment_id


async def _together(address: str, sessions: Sequence[Session], moves: int) -> None:
    all_here = asyncio.Barrier(len(sessions))
    await asyncio.gather(*(session.visit(address, all_here, moves) for session in sessions))


def _in_turn(address: str, server: int, samples: Iterator[Sample], count: int) -> list[float]:
    """Visit one after another; return the megabytes of process `server` after each visit."""
    status = Path(f"/proc/{server}/statm")
    sizes = []
    for number in range(count):
        asyncio.run(_together(address, [Session(number, next(samples))], 1))
        sizes.append(int(status.read_text().split()[1]) * resource.getpagesize() / 1e6)
    return sizes


def main() -> None:
    """Start an app, visit it, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--moves", type=int, default=10)
    parser.add_argument("--in-turn", type=int, default=0, help="sessions that come one by one")
    chosen = parser.parse_args()
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(  # noqa: S603 - our own words
            [CRSCORE, "dashboard", "--no-browser", "--port", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "XDG_CACHE_HOME": folder, "CRSCORE_RUNS": f"{folder}/runs"},
        )
        try:
            _wait_for(f"{address}/_stcore/health")
            samples = cycle(load_samples().values())
            first = Session(chosen.sessions, next(samples))  # waits for the encoder
            asyncio.run(_together(address, [first], 1))
            sessions = [Session(number, next(samples)) for number in range(chosen.sessions)]
            asyncio.run(_together(address, sessions, chosen.moves))
            sizes = _in_turn(address, server.pid, samples, chosen.in_turn)
        finally:
            server.terminate()
            server.wait()
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(machine())
    print(f"seconds of processors: {spent.ru_utime + spent.ru_stime:.0f}")
    rows = []
    for name in sessions[0].waits:
        waits = sorted(wait for session in sessions for wait in session.waits[name])
        worst = waits[int(0.95 * len(waits))]
        rows.append((name, f"{statistics.median(waits):.2f}", f"{worst:.2f}", f"{waits[-1]:.2f}"))
    heads = ("seconds until", "median", "95th percentile", "most")
    print_table(f"{chosen.sessions} sessions at once", heads, rows)
    if sizes:
        held = [(str(after), f"{sizes[after - 1]:.0f}") for after in range(20, len(sizes) + 1, 20)]
        print_table("sessions in turn", ("after", "MB"), held)


def _wait_for(url: str) -> None:
    for _ in range(_PATIENCE):
        try:
            with urlopen(url, timeout=5):  # noqa: S310 - our own server
                return
        except OSError:
            time.sleep(1)
    sys.exit("the app did not start")


if __name__ == "__main__":
    main()
