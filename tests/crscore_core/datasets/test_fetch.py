"""The download against a real server: in any case, only whole files are left."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Container, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from filelock import FileLock

from crscore_core.datasets import download, fetch
from crscore_core.datasets.download import WORK_FOLDER, FetchProgress
from crscore_core.datasets.fetch import (
    FetchResult,
    fetch_study,
    find_fetch,
    start_fetch,
)
from crscore_core.errors import StudyError
from crscore_core.job import JobState
from tests.crscore_core.datasets.file_server import (
    FILES,
    Answer,
    FileServer,
    broken_off,
    content,
    manifest_of,
    served,
    status,
    together,
)

LARGE = "human_study/phase1/large.csv"
SIZE = sum(map(len, FILES.values()))
WITHIN = 60


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses between attempts, which take no time."""
    pauses: list[float] = []
    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=pauses.append))
    return pauses


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, pauses: list[float]) -> Iterator[FileServer]:
    assert pauses == []
    monkeypatch.setattr(fetch, "study_manifest", lambda: manifest_of(FILES))
    with served() as files:
        monkeypatch.setenv("CRSCORE_STUDY_SOURCE", f"{files.address}/")
        yield files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "study"


def there(folder: Path) -> dict[str, bytes]:
    """Return the contents of the folder without the hidden folder, which has only a lock."""
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    files.pop(f"{WORK_FOLDER}/lock", None)
    return files


def test_all_files_are_downloaded_once(folder: Path, server: FileServer) -> None:
    seen: list[FetchProgress] = []
    assert fetch_study(folder, progress=seen.append) == FetchResult(folder, 6, 6, SIZE)
    assert there(folder) == FILES
    assert sorted(server.paths) == sorted(FILES)
    assert [now.files for now in seen] == list(range(7))
    assert seen[0] == FetchProgress(0, 6, 0, SIZE)
    assert seen[-1] == FetchProgress(6, 6, SIZE, SIZE)
    again = fetch_study(folder)
    assert (again.fetched_files, again.fetched_bytes, again.kept_files) == (0, 0, 6)
    assert len(server.paths) == 6
    shutil.rmtree(folder / WORK_FOLDER)
    fetch_study(folder)
    assert not (folder / WORK_FOLDER).exists()  # a whole study needs no right to write


def test_only_missing_and_wrong_files_are_downloaded(folder: Path, server: FileServer) -> None:
    fetch_study(folder, context_files=False)
    assert there(folder) == {path: text for path, text in FILES.items() if "context" not in path}
    (folder / "LICENSE").write_bytes(b"mine")
    server.paths.clear()
    assert fetch_study(folder).fetched_files == 3
    assert there(folder) == FILES
    assert sorted(path for path in server.paths if "context" not in path) == ["LICENSE"]


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
    ("answer", "message", "requests"),
    [
        (status(404), "the server answered 404 Not Found", 1),
        (status(403), "403 Forbidden", 1),
        (status(503), "503 Service Unavailable", 4),
        (broken_off(0), "the connection broke", 4),
        (broken_off(1000), "the connection broke", 4),
        (content(upside_down), "the wrong checksum", 4),
        (content(lambda data: data * 2), "exceeds the 256000 bytes", 1),
        (status(302, Location="/" + LARGE), "the connection broke: TooManyRedirects", None),
    ],
)
def test_an_unavailable_file_is_named_and_the_rest_is_kept(
    folder: Path, server: FileServer, answer: Answer, message: str, requests: int | None
) -> None:
    mine = folder / LARGE
    mine.parent.mkdir(parents=True)
    mine.write_bytes(b"mine")
    server.plans[LARGE] = [answer] * 200
    with pytest.raises(StudyError, match=f"1 of 6 .*{server.address}.: {LARGE}: ") as caught:
        fetch_study(folder)
    assert message in str(caught.value)
    assert there(folder) == FILES | {LARGE: b"mine"}
    if requests is not None:
        assert server.paths.count(LARGE) == requests


def test_a_server_that_stalls_is_given_up(
    folder: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "_TIMEOUT", (5, 0.2))
    monkeypatch.setattr(download, "_RETRIES", 1)
    stop = threading.Event()
    server.plans[LARGE] = [broken_off(1, stop)] * 9
    with pytest.raises(StudyError, match="no response in time"):
        fetch_study(folder)
    stop.set()
    assert server.paths.count(LARGE) == 2
    assert there(folder) == {path: text for path, text in FILES.items() if path != LARGE}


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(("files", "more"), [(5, {2}), (200, range(100))])
def test_an_unreachable_server_is_given_up_and_the_first_problems_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int, more: Container[int]
) -> None:
    contents = {f"human_study/{number}.csv": b"x" for number in range(files)}
    monkeypatch.setattr(fetch, "study_manifest", lambda: manifest_of(contents))
    with pytest.raises(StudyError, match=f"{files} of {files} .*no connection") as caught:
        fetch_study(tmp_path, source="http://127.0.0.1:9")
    assert str(caught.value).count(".csv") == 3
    assert int(str(caught.value).split("; and ")[1].split()[0]) in more


def test_several_files_are_downloaded_at_the_same_time(folder: Path, server: FileServer) -> None:
    answer = together(3)
    server.plans = {path: [answer] for path in [*FILES][:3]}
    fetch_study(folder)
    assert there(folder) == FILES
    assert len(server.paths) == 6


INTERRUPTED = """
import os, signal, sys
from pathlib import Path
from crscore_core.datasets import download, fetch
from tests.crscore_core.datasets.file_server import FILES, manifest_of
fetch.study_manifest = lambda: manifest_of(FILES)
def progress(now):
    if now.files == len(FILES) - 1:
        os.kill(os.getpid(), signal.SIGINT)
try:
    fetch.fetch_study(Path(sys.argv[1]), source=sys.argv[2], progress=progress)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_an_interruption_ends_it(folder: Path, server: FileServer) -> None:
    go = threading.Event()
    server.plans[LARGE] = [broken_off(1, go)]
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
    assert there(folder) == {path: text for path, text in FILES.items() if path != LARGE}
    assert fetch_study(folder).fetched_files == 1


def test_one_process_at_a_time(folder: Path, server: FileServer) -> None:
    (folder / WORK_FOLDER).mkdir(parents=True)
    with (
        FileLock(folder / WORK_FOLDER / "lock"),
        pytest.raises(StudyError, match="another process"),
    ):
        fetch_study(folder)
    assert server.paths == []
    fetch_study(folder)
    assert there(folder) == FILES


def test_a_folder_for_something_else_is_left_alone(tmp_path: Path, server: FileServer) -> None:
    (tmp_path / "LICENSE").write_bytes(b"of my own project")
    with pytest.raises(StudyError, match="it contains 'LICENSE'"):
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
        StudyError, match=r"cannot store the study in|no folder can be called|File name too long"
    ):
        fetch_study(Path(name) if name.startswith("~") else tmp_path / name)
    assert server.paths == []


@pytest.mark.usefixtures("server")
def test_a_disk_or_a_folder_in_the_way_is_one_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / LARGE).mkdir(parents=True)
    with pytest.raises(StudyError, match=r"cannot store the study in .*: Is a directory"):
        fetch_study(folder)
    assert there(folder).items() <= FILES.items()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(StudyError, match=r"cannot store the study in .*: No space left on device"):
        fetch_study(folder)
    assert there(folder).items() <= FILES.items()


@pytest.mark.parametrize(
    "source",
    [
        "ftp://example.org", "file:///etc", "example.org", "https://", "http://[", "",
        "https://me:secret@example.org", "https://example.org/?token=secret", "http://a:99999/",
    ],
)  # fmt: skip
def test_an_invalid_source_is_rejected(
    folder: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY_SOURCE", source or "nonsense")
    with pytest.raises(StudyError, match="the source of the study must") as caught:
        fetch_study(folder, source=source or None)
    assert "secret" not in str(caught.value)
    assert not folder.exists()


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("HTTP_PROXY", "nonsense://me:secret@127.0.0.1", "proxy and certificate settings"),
        (
            "HTTP_PROXY",
            "socks5://me:secret@127.0.0.1:9",
            "proxy and certificate settings|the proxy",
        ),
        ("HTTP_PROXY", "http://me:secret@127.0.0.1:9", "the proxy set in the environment"),
        ("SSL_CERT_FILE", "/secret/no-such-file", "no connection|certificate settings"),
    ],
)
def test_settings_that_do_not_work_are_named_without_a_password(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    monkeypatch.delenv("NO_PROXY")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv(name, value)
    address = "https://127.0.0.1:9" if name == "SSL_CERT_FILE" else "http://127.0.0.1:9"
    with pytest.raises(StudyError, match=message) as caught:
        fetch_study(folder, source=address)
    assert "secret" not in str(caught.value)


def test_a_download_in_the_background(server: FileServer, folder: Path) -> None:
    assert find_fetch(folder) is None
    go = threading.Event()
    server.plans["LICENSE"] = [broken_off(1, go)]
    first = start_fetch(folder)
    assert start_fetch(folder) is first
    first.stop()
    end = first.wait(WITHIN)
    go.set()
    assert end.state is JobState.STOPPED
    assert "stopped" in str(end.error)
    end = start_fetch(folder).wait(WITHIN)
    assert end.state is JobState.DONE
    assert there(folder) == FILES
    assert end.progress == FetchProgress(6, 6, SIZE, SIZE)
    assert find_fetch(folder) not in (first, None)
    server.plans["LICENSE"] = [status(404)]
    end = start_fetch(folder / "other").wait(WITHIN)
    assert end.state is JobState.FAILED
    assert "404" in str(end.error)
