"""`crscore dashboard` starts for a user who never ran Streamlit, with and without a terminal."""

import os
import pty
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.pages.browser import DASHBOARD, serving

WITHOUT_STDIN = ("sh", "-c", 'exec "$@" <&-', "sh", *DASHBOARD[:-1])


@pytest.mark.parametrize("stdin", ["terminal", "empty", "closed"])
def test_the_app_starts_in_an_empty_home_without_a_question(stdin: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        descriptor = os.open(os.devnull, os.O_RDONLY)
        if stdin == "terminal":
            os.close(descriptor)
            ours, descriptor = pty.openpty()
            stack.callback(os.close, ours)
        stack.callback(os.close, descriptor)
        command = WITHOUT_STDIN if stdin == "closed" else DASHBOARD[:-1]
        # A wait for an answer ends as a server that did not start.
        stack.enter_context(
            serving(command, tmp_path, descriptor, HOME=str(tmp_path), BROWSER="true")
        )
    assert not (tmp_path / ".streamlit" / "credentials.toml").exists()
