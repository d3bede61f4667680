"""`crscore dashboard`."""

import os
import subprocess
import sys
from pathlib import Path

import click

from crscore_core.cli.inputs import corpus_path
from crscore_core.errors import InputError

_APP = Path(__file__).resolve().parents[2] / "app.py"
_ALL_ADDRESSES = ("0.0.0.0", "::")  # noqa: S104 - compared, not listened at
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_SAFE_WITHOUT_CONFIG_FILE = (
    "--browser.gatherUsageStats=false",
    "--client.showErrorDetails=none",
    "--server.fileWatcherType=none",
    "--server.showEmailPrompt=false",  # it waits for an answer, and fails without a terminal
)


@click.command("dashboard")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8501,
    show_default=True,
    help="Port to listen at.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen at; anything but loopback lets others in.",
)
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Name under which others reach the app, such as that of a proxy; may be repeated. "
    "Requests for other names are refused.",
)
@click.option(
    "--run",
    type=corpus_path,
    metavar="OUT.parquet",
    help="A finished run of `crscore batch` that the pages show at first.",
)
@click.option("--browser/--no-browser", default=True, help="Open a browser window (default).")
def command(
    *, port: int, host: str, allowed_hosts: tuple[str, ...], run: Path | None, browser: bool
) -> int:
    """Start the web app and keep it running until it is interrupted."""
    if run is not None:
        from crscore_core.corpus.run.store import open_for_app

        open_for_app(run)
    if not _APP.is_file():
        raise InputError("the web app is not installed beside the package; use a full checkout")
    # Streamlit checks this list too, without names of its own.
    names = dict.fromkeys((*allowed_hosts, host, *_LOOPBACK)) if allowed_hosts else ()
    arguments = [
        sys.executable, "-P", "-m", "streamlit", "run", str(_APP),
        "--server.address", host,
        "--server.port", str(port),
        "--server.headless", str(not browser).lower(),
        # Unset, Streamlit asks an outside service for the address to print.
        "--browser.serverAddress", "localhost" if host in _ALL_ADDRESSES else host,
        *(f"--server.allowedHosts={name}" for name in names),
        *_SAFE_WITHOUT_CONFIG_FILE,
    ]  # fmt: skip
    # Threads of OpenMP spin while they wait for each other, which takes the cores from everybody.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    if os.name == "posix":
        os.execv(sys.executable, arguments)  # noqa: S606 - our own words; signals reach the server
    return subprocess.run(arguments, check=False).returncode  # noqa: S603 - our own words
