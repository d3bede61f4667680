"""The download against a real server: in any case, only whole files are left."""

import errno
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from crscore_core.datasets import fetch
from crscore_core.datasets.fetch import (
    STUDY_SOURCE,
    FetchProgress,
    fetch_study,
    is_context,
    is_whole,
    study_files,
)
from crscore_core.errors import InputError
from tests.crscore_core.datasets.file_server import (
    FILES,
    Answer,
    FileServer,
    Request,
    broken_off,
    content,
    in_one,
    registry_of,
    served,
    silent,
    status,
    together,
)

LARGE = "human_study/phase1/large.csv"
OTHERS = {path: text for path, text in FILES.items() if path != LARGE}
NO_CONNECTION = r"cannot download .*: no connection, .*HTTPS_PROXY, SSL_CERT_FILE"


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses between attempts, which take no time."""
    pauses: list[float] = []
    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=pauses.append))
    return pauses


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    monkeypatch.setattr(fetch, "study_files", registry_of)
    with served() as files:
        monkeypatch.setenv("CRSCORE_STUDY_SOURCE", f"{files.address}/")
        yield files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "study"


def there(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_missing_and_wrong_files_are_downloaded_once(folder: Path, server: FileServer) -> None:
    seen: list[FetchProgress] = []
    assert fetch_study(folder, context_files=False) == FetchProgress(4, 4, 4)
    assert there(folder) == {path: text for path, text in FILES.items() if "context" not in path}
    (folder / "LICENSE").write_bytes(b"mine")
    server.paths.clear()
    assert fetch_study(folder, progress=seen.append) == FetchProgress(6, 6, 3)
    assert seen == [FetchProgress(3 + fetched, 6, fetched) for fetched in range(4)]
    assert there(folder) == FILES
    assert sorted(server.paths) == sorted(
        path for path in FILES if path == "LICENSE" or "context" in path
    )
    server.shutdown()
    assert fetch_study(folder) == FetchProgress(6, 6, 0)
    assert len(server.paths) == 3


def upside_down(data: bytes) -> bytes:
    return data[::-1]


@pytest.mark.parametrize(
    "answers",
    [
        [broken_off(1000)],
        [broken_off(0)],
        [content(lambda data: data[:1000])],
        [status(503)],
        [status(500), status(502), status(429)],
        [content(upside_down)],
    ],
)
def test_a_temporary_failure_is_retried(
    folder: Path, server: FileServer, pauses: list[float], answers: list[Answer]
) -> None:
    server.plans[LARGE] = list(answers)
    fetch_study(folder)
    assert there(folder) == FILES
    assert server.paths.count(LARGE) == len(answers) + 1
    assert pauses == [1, 2, 3][: len(answers)]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (status(404), f"{LARGE}: the server answered 404 Not Found"),
        (status(503), "503 Service Unavailable"),
        (broken_off(0), "it broke"),
        (broken_off(1000), "it broke"),
        (content(upside_down), f"{LARGE}: the download has the wrong checksum"),
        (content(lambda data: data * 2), f"{LARGE}: it exceeds 300,000 bytes"),
        (status(302, Location="/" + LARGE), "the server answered 302"),
    ],
)
def test_an_unavailable_file_is_named_and_the_rest_is_kept(
    folder: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch, answer: Answer, message: str
) -> None:
    monkeypatch.setattr(fetch, "_MOST_BYTES", 300_000)
    mine = folder / LARGE
    mine.parent.mkdir(parents=True)
    mine.write_bytes(b"mine")
    server.plans[LARGE] = [answer] * 200
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        fetch_study(folder)
    assert "of 6 study files are missing" in str(caught.value)
    assert there(folder).items() <= (FILES | {LARGE: b"mine"}).items()
    server.plans.clear()
    fetch_study(folder)
    assert there(folder) == FILES


def test_a_server_that_stalls_is_given_up(
    folder: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "_TIMEOUT", (5, 0.2))
    monkeypatch.setattr(fetch, "_RETRIES", 1)
    stop = threading.Event()
    server.plans[LARGE] = [broken_off(1, stop)] * 9
    with pytest.raises(InputError, match=f"{LARGE}: no connection, or it broke"):
        fetch_study(folder)
    stop.set()
    assert server.paths.count(LARGE) == 2
    assert there(folder) == OTHERS


def test_several_files_are_downloaded_at_the_same_time(folder: Path, server: FileServer) -> None:
    answer = together(3)
    server.plans = {path: [answer] for path in [*FILES][:3]}
    fetch_study(folder)
    assert there(folder) == FILES
    assert len(server.paths) == 6


def slowly(request: Request, content: bytes) -> None:
    time.sleep(0.1)
    in_one(request, content)


def test_after_a_failure_nothing_more_is_asked_or_written(
    folder: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "_AT_ONCE", 2)
    go = threading.Event()
    server.plans = {path: [slowly] for path in FILES if "context" in path}
    server.plans |= {LARGE: [broken_off(1, go)], "LICENSE": [status(404)] * 4}
    with pytest.raises(InputError, match="404"):
        fetch_study(folder)
    left = there(folder)
    go.set()
    time.sleep(0.4)
    assert there(folder) == left
    assert not set(left) & {LARGE, "LICENSE"}
    assert [*FILES][-1] not in server.paths


def test_threads_that_get_their_answer_end_before_the_error(
    folder: Path, server: FileServer
) -> None:
    server.plans = {LARGE: [slowly], "LICENSE": [status(404)] * 4}
    with pytest.raises(InputError, match="404"):
        fetch_study(folder)
    assert not [thread for thread in threading.enumerate() if "fetch_waiting" in thread.name]


def test_a_download_is_stopped_at_once(folder: Path, server: FileServer) -> None:
    stop, go = threading.Event(), threading.Event()
    server.plans[LARGE] = [silent(go)]

    def progress(now: FetchProgress) -> None:
        if now.files == len(FILES) - 1:
            stop.set()

    began = time.monotonic()
    with pytest.raises(InputError, match=r"^stopped; 1 of 6 study files are missing"):
        fetch_study(folder, progress=progress, stop=stop)
    assert time.monotonic() - began < 5
    go.set()
    assert there(folder) == OTHERS
    assert fetch_study(folder).fetched == 1


INTERRUPTED = """
import os, signal, sys
from pathlib import Path
from crscore_core.datasets import fetch
from tests.crscore_core.datasets.file_server import FILES, registry_of
fetch.study_files = registry_of
fetch._TIMEOUT = (600, 600)
def progress(now):
    if now.files == len(FILES) - 1:
        os.kill(os.getpid(), signal.SIGINT)
try:
    fetch.fetch_study(Path(sys.argv[1]), source=sys.argv[2], progress=progress)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("is_silent", [False, True])
def test_an_interruption_ends_it(folder: Path, server: FileServer, is_silent: bool) -> None:
    go = threading.Event()
    server.plans[LARGE] = [silent(go) if is_silent else broken_off(1, go)]
    # A shell without job control starts what runs in the background with interrupts ignored.
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(folder), server.address],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    go.set()
    assert (ended.stdout, ended.stderr) == ("interrupted\n", "")
    assert there(folder) == OTHERS
    (folder / ".download-x1").mkdir()  # as a killed process leaves one
    assert fetch_study(folder).fetched == 1


def test_a_folder_for_something_else_is_left_alone(tmp_path: Path, server: FileServer) -> None:
    (tmp_path / ".download-x1").mkdir()
    (tmp_path / "LICENSE").write_bytes(b"of my own project")
    with pytest.raises(InputError, match="it contains 'LICENSE'"):
        fetch_study(tmp_path)
    assert there(tmp_path) == {"LICENSE": b"of my own project"}
    assert server.paths == []


@pytest.mark.parametrize(
    "name",
    [
        "file", "file/deeper", "a\0b", "\udcff\ud800", "x" * 5000, "~no-such-person-here/study",
        "/proc/study",
    ],
)  # fmt: skip
def test_an_invalid_folder_name(server: FileServer, name: str, tmp_path: Path) -> None:
    if name.startswith("/proc") and not Path("/proc/self").is_dir():
        pytest.skip("no place where nobody may write")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(
        InputError, match=r"cannot store the study in|no folder can be called|File name too long"
    ):
        fetch_study(Path(name) if name.startswith("~") else tmp_path / name)
    assert server.paths == []


@pytest.mark.usefixtures("server")
def test_a_disk_or_a_folder_in_the_way_is_one_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / LARGE).mkdir(parents=True)
    with pytest.raises(InputError, match=r"cannot store the study in .*: Is a directory"):
        fetch_study(folder)
    assert there(folder).items() <= FILES.items()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError, match=r"cannot store the study in .*: No space left on device"):
        fetch_study(folder)
    assert there(folder).items() <= FILES.items()


@pytest.mark.parametrize(
    "source",
    [
        "ftp://example.org", "file:///etc", "example.org", "https://", "http:// a", "",
        "https://me:secret@example.org", "https://example.org/?token=secret", "https://a.org/#x",
    ],
)  # fmt: skip
def test_an_invalid_source_is_rejected(
    folder: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY_SOURCE", source or "nonsense")
    with pytest.raises(InputError, match="the source of the study must") as caught:
        fetch_study(folder, source=source or None)
    assert "secret" not in str(caught.value)
    assert not folder.exists()


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("source", "name", "value"),
    [
        ("http://127.0.0.1:9", "HTTP_PROXY", "nonsense://me:secret@127.0.0.1"),
        ("http://127.0.0.1:9", "HTTP_PROXY", "socks5://me:secret@127.0.0.1:9"),
        ("http://127.0.0.1:9", "HTTP_PROXY", "http://me:secret@127.0.0.1:9"),
        ("https://127.0.0.1:9", "SSL_CERT_FILE", "/no-such-file"),
        ("http://a..b/x", "SSL_CERT_FILE", "no-such-file"),
    ],
)
def test_settings_that_do_not_work_are_named_without_a_password(
    folder: Path, monkeypatch: pytest.MonkeyPatch, source: str, name: str, value: str
) -> None:
    monkeypatch.delenv("NO_PROXY")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match=NO_CONNECTION) as caught:
        fetch_study(folder, source=source)
    assert "secret" not in str(caught.value)


def test_the_registry_names_the_whole_study_at_a_pinned_commit() -> None:
    files = study_files()
    assert re.fullmatch(
        r"https://raw\.githubusercontent\.com(/[\w-]+){2}/[0-9a-f]{40}", STUDY_SOURCE
    )
    assert len({path.lower() for path in files}) == 619
    assert sum(map(is_context, files)) == 600
    assert [path for path in files if "/phase" not in path] == [
        "LICENSE", "experiments/code_change_summ_finetune_impl/gpt-4o.jsonl",
    ]  # fmt: skip
    for path, checksum in files.items():  # no path leads out of the folder, or to a hidden file
        assert all(re.fullmatch(r"[\w-][\w.-]*", part, re.ASCII) for part in path.split("/"))
        assert re.fullmatch("sha256:[0-9a-f]{64}", checksum)


def test_checksums_match_the_files(study_dir: Path) -> None:
    there = [
        is_whole(study_dir / path, checksum)
        for path, checksum in study_files().items()
        if (is_context(path) or path == "LICENSE") and (study_dir / path).is_file()
    ]
    assert there
    assert all(there)
