"""Print how long people wait if many move tau on the study's Heatmap at the same time.

`python -m benchmarks.load [--sessions N] [--moves N]`. Each person has a browser on another machine
and all share the server. So a session here sends what a browser sends, in Streamlit's protocol, and
waits for the complete answer. Each session shows another review. They start to move tau when all
have opened the page, and pause before each move. One tab of a real browser also moves tau, and
waits until its chart is painted. Needs Chromium.
"""

import argparse
import asyncio
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from urllib.parse import urlencode
from urllib.request import urlopen

import numpy as np
from playwright.async_api import Page, async_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.measuring import COMMAND, machine, print_table
from crscore_eval.data.shipped import shipped_run

_TIMEOUT = 300
_PAUSE = (2.0, 6.0)
"""Minimum and maximum seconds before a move."""

_SLIDER = "Similarity threshold tau"
_STEP = 0.001
_OPENS, _MOVES, _PAINTS = "a session has the page", "a session has a new tau", "a tab has a new tau"

Waits = dict[str, list[float]]
"""Seconds of each wait, by what was waited for."""


async def load(address: str, sessions: int, moves: int) -> Waits:
    """Let `sessions` sessions and a tab move tau `moves` times each, and return their waits."""
    waits: Waits = {_OPENS: [], _MOVES: [], _PAINTS: []}
    ids = shipped_run().reviews["id"]
    reviews = ids.iloc[np.linspace(0, len(ids) - 1, sessions, dtype=int)]
    async with async_playwright() as playwright:
        path = shutil.which("chromium")
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = await browser.new_page()
        await page.goto(f"{address}/heatmap?data=study", timeout=1000 * _TIMEOUT)
        await _wait_for_paint(page, "above tau")  # sessions share what this loads
        all_open = asyncio.Barrier(sessions + 1)
        async with asyncio.TaskGroup() as group:
            for review in reviews:
                group.create_task(_session(address, review, moves, all_open, waits))
            group.create_task(_tab(page, moves, all_open, waits))
        await browser.close()
    return waits


async def _session(
    address: str, review: str, moves: int, all_open: asyncio.Barrier, waits: Waits
) -> None:
    """Open a review and move tau, as Streamlit's script in a browser does."""
    url = f"{address.replace('http', 'ws')}/_stcore/stream"
    async with connect(url, subprotocols=["streamlit"], max_size=None) as server:  # type: ignore[list-item]
        state = ClientState(
            page_name="heatmap", query_string=urlencode({"data": "study", "review": review})
        )
        with _timed(waits[_OPENS]):
            answer = await _run(server, state)
        new = next(part.new_session for part in answer if part.HasField("new_session"))
        state.page_script_hash = new.page_script_hash
        slider = next(
            part.delta for part in answer if part.delta.new_element.slider.label == _SLIDER
        )
        state.fragment_id = slider.fragment_id
        widget = state.widget_states.widgets.add(id=slider.new_element.slider.id)
        widget.double_array_value.data.extend(slider.new_element.slider.default)
        await all_open.wait()
        for _ in range(moves):
            await asyncio.sleep(random.uniform(*_PAUSE))  # noqa: S311 - no secret
            widget.double_array_value.data[0] += _STEP
            with _timed(waits[_MOVES]):
                await _run(server, state)


async def _run(server: ClientConnection, state: ClientState) -> Sequence[ForwardMsg]:
    """Let the server run the page, or the fragment that `state` names; return its answer."""
    await server.send(BackMsg(rerun_script=state).SerializeToString())
    answer: list[ForwardMsg] = []
    while not answer or answer[-1].WhichOneof("type") != "script_finished":
        answer.append(ForwardMsg.FromString(await server.recv(decode=False)))
        if answer[-1].HasField("page_info_changed"):
            state.query_string = answer[-1].page_info_changed.query_string
    successes = {ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY}
    if answer[-1].script_finished not in successes:
        sys.exit("the page failed")
    return answer


async def _tab(page: Page, moves: int, all_open: asyncio.Barrier, waits: Waits) -> None:
    """Move tau with the keyboard."""
    slider = page.get_by_role("slider", name=_SLIDER)
    tau = float(await slider.input_value())
    await all_open.wait()
    for _ in range(moves):
        await asyncio.sleep(random.uniform(*_PAUSE))  # noqa: S311 - no secret
        tau += _STEP
        with _timed(waits[_PAINTS]):
            await slider.press("ArrowRight")
            await _wait_for_paint(page, f"above tau {tau:.3f}")


async def _wait_for_paint(page: Page, description: str) -> None:
    """Wait until the browser has painted the chart with this text in its description."""
    chart = page.get_by_role("figure", name=description).locator(".heatmaplayer image")
    await chart.wait_for(timeout=1000 * _TIMEOUT)
    await page.evaluate("new Promise(next => requestAnimationFrame(() => setTimeout(next)))")


@contextmanager
def _timed(waits: list[float]) -> Iterator[None]:
    start = time.perf_counter()
    yield
    waits.append(time.perf_counter() - start)


def main() -> None:
    """Start an app, load it, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--sessions", type=int, default=15)
    parser.add_argument("--moves", type=int, default=20)
    chosen = parser.parse_args()
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(  # noqa: S603 - our own words
            [*COMMAND, "dashboard", "--no-browser", "--port", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "XDG_DATA_HOME": folder},
        )
        try:
            _wait_for(f"{address}/_stcore/health")
            waits = asyncio.run(load(address, chosen.sessions, chosen.moves))
        finally:
            server.terminate()
            server.wait()
    print(machine())
    rows = [
        (name, str(len(times)), *(f"{np.percentile(times, share):.2f}" for share in (50, 95, 100)))
        for name, times in waits.items()
    ]
    head = ("seconds until", "times", "median", "95th percentile", "maximum")
    print_table(f"{chosen.sessions} sessions and a tab at once", head, rows)


def _wait_for(url: str) -> None:
    for _ in range(_TIMEOUT):
        try:
            with urlopen(url, timeout=5):  # noqa: S310 - our own server
                return
        except OSError:
            time.sleep(1)
    sys.exit("the app did not start")


if __name__ == "__main__":
    main()
