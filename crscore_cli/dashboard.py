"""`crscore dashboard`."""

import os
import socket
import sys
from pathlib import Path
from typing import Annotated

import typer

from crscore_cli import output
from crscore_core.errors import InputError, require_packages

_APP = Path(__file__).with_name("web") / "app.py"
"""The app, next to its pages: a link in a checkout, a copy in a wheel."""


def dashboard(
    *,
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="Run to show first, instead of the study.")
    ] = None,
    port: Annotated[
        int, typer.Option(min=1, max=65535, metavar="PORT", help="Port to listen on.")
    ] = 8501,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Listening address; loopback keeps others out.")
    ] = "127.0.0.1",
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Name under which others reach the app; repeatable."),
    ] = None,
    browser: Annotated[bool, typer.Option(metavar="", help="Open a browser window.")] = True,
) -> None:
    """Start the web app and keep it running until it is interrupted."""
    require_packages("the web app", "app", "streamlit", "plotly", "platformdirs")
    if run == "study":
        os.environ.pop("CRSCORE_RUN", None)  # pages show the study first if no run is given
    elif run is not None:
        from crscore_eval.run.folder import open_run

        open_run(Path(run))  # fails here, not on a page
        os.environ["CRSCORE_RUN"] = str(Path(run).resolve())
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise InputError(error.strerror or "", "change --host or --port") from error
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads leave the cores to others
    arguments = [
        sys.executable, "-P", "-m", "streamlit", "run", str(_APP.resolve()),
        "--server.address", host,
        "--server.port", str(port),
        "--server.headless", str(not browser).lower(),
        "--browser.serverAddress", "localhost" if host == "0.0.0.0" else host,  # noqa: S104
        "--logger.hideWelcomeMessage", "true",  # which advertises tools for agents
    ]  # fmt: skip
    names = [*allowed_host, "localhost", "127.0.0.1"] if allowed_host else []
    arguments += [f"--server.allowedHosts={name}" for name in names]
    output.print_line(f"The app listens on {host}, port {port}. Ctrl+C stops it.")
    sys.stdout.flush()  # this process is replaced
    os.execv(sys.executable, arguments)  # noqa: S606 - no shell; signals reach the server
