"""Child processes run isolated and within limits; each failure has a reason."""

import sys
import time
from pathlib import Path

import pytest

from crscore_core.analyzers import sandbox as module
from crscore_core.analyzers.sandbox import MEMORY_BYTES, run_tool
from crscore_core.analyzers.tool import NotAnalysedError


def python(code: str, **limits: float) -> str:
    return run_tool([sys.executable, "-I", "-c", code], {}, **limits)  # type: ignore[arg-type]


def test_returns_the_output() -> None:
    errors, output = "sys.stderr.write('bad')", "os.write(1, b'\\xff' + sys.stdin.buffer.read())"
    assert python(f"import os, sys; {errors}; {output}") == "\ufffd"


@pytest.mark.parametrize(("code", "limits", "reason"), [
    ("import sys; sys.exit('oh no')", {}, "status 1: oh no"),
    ("import os; os.kill(os.getpid(), 11)", {}, "status -11"),
    (f"bytearray({2 * MEMORY_BYTES})", {}, "MemoryError"),
    ("import time; time.sleep(600)", {"seconds": 0}, "took too long"),
    ("while True: print('x' * 10_000)", {}, ""),
    ("import sys\nwhile True: sys.stderr.write('x' * 10_000)", {}, ""),
])  # fmt: skip
def test_each_failure_has_a_reason(
    code: str, limits: dict[str, float], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "OUTPUT_BYTES", 100_000)
    with pytest.raises(NotAnalysedError) as error:
        python(code, **limits)
    assert error.value.reason
    assert reason in error.value.reason


@pytest.mark.parametrize("command", [["no-such-command"], ["/etc"], [sys.executable, "x" * 10**7]])
def test_a_command_that_cannot_start_has_a_reason(command: list[str]) -> None:
    with pytest.raises(NotAnalysedError):
        run_tool(command, {})


def test_arguments_are_never_read_as_shell_text_and_listed_statuses_mean_success() -> None:
    arguments = ["$(touch planted)", "; touch planted", "`touch planted`", "a b", ""]
    code = "import os, sys; print(sys.argv[1:], os.listdir()); sys.exit(4)"
    output = run_tool([sys.executable, "-I", "-c", code, *arguments], {}, ok_statuses={0, 4})
    assert output == f"{arguments} []\n"


def test_the_child_sees_its_files_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    monkeypatch.setenv("PYTHONPATH", "/planted")
    code = "import os; print(os.getcwd(), os.listdir(), dict(os.environ), open('a.txt').read())"
    output = run_tool([sys.executable, "-c", code], {"a.txt": "b\udcff"})
    folder = output.split()[0]
    assert "secret" not in output
    assert "planted" not in output
    assert f"'HOME': '{folder}'" in output
    assert output.endswith("b?\n")
    assert not Path(folder).exists()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_processes_started_by_the_child_are_killed() -> None:
    code = "import subprocess; print(subprocess.Popen(['sleep', '600']).pid, flush=True)"
    status = Path(f"/proc/{int(python(code))}/stat")
    for _ in range(10_000):  # a killed process may take a moment to end
        if not status.exists() or ") Z " in status.read_text():
            return
        time.sleep(0.01)
    pytest.fail("the process runs on")
