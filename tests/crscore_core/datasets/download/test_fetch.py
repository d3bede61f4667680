"""The download against a real server: whatever happens, only whole files are there after it."""

import errno
import hashlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock

from crscore_core.datasets.download.download import WORK_FOLDER, DownloadLimits
from crscore_core.datasets.download.fetch import FetchProgress, FetchResult, fetch_study
from crscore_core.errors import StudyError
from tests.crscore_core.datasets.download.file_server import (
    FILES,
    Answer,
    FileServer,
    broken_off,
    drip,
    in_one,
    manifest_of,
    served,
    short,
    status,
    together,
    without_ranges,
)

LARGE = "human_study/phase1/large.csv"
MANIFEST = manifest_of(FILES)
QUICK = DownloadLimits(connect=5, read=5, pause=0.01, longest_pause=0.02)


@pytest.fixture
def server() -> Iterator[FileServer]:
    with served() as files:
        yield files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "study"


def fetch(
    folder: Path,
    server: FileServer,
    limits: DownloadLimits = QUICK,
    cancelled: threading.Event | None = None,
) -> FetchResult:
    return fetch_study(
        folder, source=server.address, limits=limits, manifest=MANIFEST, cancelled=cancelled
    )


def there(folder: Path) -> dict[str, bytes]:
    """What the folder holds, but for the hidden folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and WORK_FOLDER not in path.parts
    }


def parts(folder: Path) -> dict[str, bytes]:
    work = folder / WORK_FOLDER
    return {path.name: path.read_bytes() for path in work.iterdir() if path.suffix == ".part"}


def write_part(folder: Path, content: bytes) -> None:
    part = folder / WORK_FOLDER / f"{LARGE.replace('/', '+')}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(content)


def assert_only_verified(folder: Path) -> None:
    for path, content in there(folder).items():
        assert content == FILES[path]


def test_all_files_come_once(folder: Path, server: FileServer) -> None:
    size = sum(map(len, FILES.values()))
    assert fetch(folder, server) == FetchResult(folder, len(FILES), len(FILES), size)
    assert there(folder) == FILES
    assert parts(folder) == {}
    assert sorted(server.paths) == sorted(FILES)
    again = fetch(folder, server)
    assert (again.fetched_files, again.fetched_bytes, again.kept_files) == (0, 0, len(FILES))
    assert len(server.requests) == len(FILES)


def test_a_folder_with_everything_needs_no_right_to_write(folder: Path) -> None:
    for path, content in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    result = fetch_study(folder, source="http://127.0.0.1:9", manifest=MANIFEST)
    assert result.kept_files == len(FILES)
    assert not (folder / WORK_FOLDER).exists()


def test_context_files_can_be_left_out_and_come_later(folder: Path, server: FileServer) -> None:
    fetch_study(folder, context_files=False, source=server.address, limits=QUICK, manifest=MANIFEST)
    assert there(folder) == {path: text for path, text in FILES.items() if "context" not in path}
    assert fetch(folder, server).fetched_files == 2
    assert there(folder) == FILES


def test_progress_ends_with_everything(folder: Path, server: FileServer) -> None:
    server.plans[LARGE] = [broken_off(1000)]
    seen: list[FetchProgress] = []
    fetch_study(
        folder, source=server.address, limits=QUICK, manifest=MANIFEST, progress=seen.append
    )
    size = sum(map(len, FILES.values()))
    assert seen[-1] == FetchProgress(len(FILES), len(FILES), size, size)
    assert all(0 <= one.size <= one.all_size == size for one in seen)
    assert all(one.files <= one.all_files == len(FILES) for one in seen)


@pytest.mark.parametrize(
    ("answers", "ranges"),
    [
        ([broken_off(1000)], [None, "bytes=1000-"]),
        ([broken_off(0)], [None, None]),
        ([short(1000)], [None, "bytes=1000-"]),
        ([broken_off(1000), broken_off(500)], [None, "bytes=1000-", "bytes=1500-"]),
        ([broken_off(1000), without_ranges], [None, "bytes=1000-"]),
        ([broken_off(1000), status(416)], [None, "bytes=1000-", None]),
        ([broken_off(1000), status(206, Content_Range="bytes 0-5/9")], [None, "bytes=1000-", None]),
        ([status(503)], [None, None]),
        ([status(500), status(502), status(429)], [None] * 4),
        ([status(429, Retry_After="86400")], [None, None]),
        ([status(429, Retry_After="Fri, 31 Dec 2100 23:59:59 GMT")], [None, None]),
        ([status(503, Retry_After="soon")], [None, None]),
        ([lambda request, content: in_one(request, content[::-1])], [None, None]),
        ([lambda request, content: in_one(request, content + b"more")], [None, None]),
    ],
)
def test_what_passes_is_tried_again(
    folder: Path, server: FileServer, answers: list[Answer], ranges: list[str | None]
) -> None:
    server.plans[LARGE] = list(answers)
    fetch(folder, server)
    assert there(folder) == FILES
    assert [span for path, span in server.requests if path == LARGE] == ranges


def test_a_server_is_left_alone_as_long_as_it_asks(
    folder: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr("asyncio.sleep", sleep)
    busy = [status(429, Retry_After="7"), status(429, Retry_After="99"), status(503)]
    server.plans[LARGE] = list(busy)
    fetch(folder, server, replace(QUICK, at_once=1, pause=1, longest_pause=30))
    assert pauses == [7, 30, 4]


def always(answer: Answer) -> list[Answer]:
    return [answer] * 20


@pytest.mark.parametrize(
    ("answer", "message", "requests"),
    [
        (status(404), "404 Not Found", 1),
        (status(403), "403 Forbidden", 1),
        (status(503), "503 Service Unavailable", 4),
        (short(1000), "no more than 1000 of 256000 bytes", 4),
        (broken_off(0), "the connection broke", 4),
        (lambda request, content: in_one(request, b"x" * len(content)), "its checksum", 2),
        (lambda request, content: in_one(request, content * 2), "more than its 256000 bytes", 2),
        (status(302, Location="/" + LARGE), "the connection broke", None),
    ],
)
def test_a_file_that_cannot_be_had_is_named_and_the_rest_is_kept(
    folder: Path, server: FileServer, answer: Answer, message: str, requests: int | None
) -> None:
    server.plans[LARGE] = always(answer) * 10
    with pytest.raises(StudyError) as caught:
        fetch(folder, server)
    text = str(caught.value)
    assert "1 of 6 files" in text
    assert f"{LARGE}: " in text
    assert message in text
    assert there(folder) == {path: text for path, text in FILES.items() if path != LARGE}
    if requests is not None:
        assert server.paths.count(LARGE) == requests
    server.plans.clear()
    assert fetch(folder, server).fetched_files == 1
    assert there(folder) == FILES


def test_a_wrong_part_is_thrown_away(folder: Path, server: FileServer) -> None:
    write_part(folder, b"wrong" * 1000)
    fetch(folder, server)
    assert there(folder) == FILES
    assert [span for path, span in server.requests if path == LARGE] == ["bytes=5000-", None]


@pytest.mark.parametrize(
    ("size", "spans"), [(256_000, []), (256_001, [None]), (255_999, ["bytes=255999-"])]
)
def test_a_part_is_continued(
    folder: Path, server: FileServer, size: int, spans: list[str | None]
) -> None:
    write_part(folder, (FILES[LARGE] + b"?")[:size])
    fetch(folder, server)
    assert there(folder) == FILES
    assert [span for path, span in server.requests if path == LARGE] == spans


@pytest.mark.parametrize("limits", [replace(QUICK, read=0.2), replace(QUICK, file=0.2)])
def test_a_server_that_stalls_is_given_up(
    folder: Path, server: FileServer, limits: DownloadLimits
) -> None:
    stop = threading.Event()
    server.plans[LARGE] = always(drip(stop))
    with pytest.raises(StudyError, match=r"large\.csv: the server is too slow"):
        fetch(folder, server, replace(limits, tries=2))
    stop.set()
    assert parts(folder) == {f"{LARGE.replace('/', '+')}.part": FILES[LARGE][:1]}
    assert_only_verified(folder)


def test_nobody_answers(folder: Path, server: FileServer) -> None:
    with served() as gone:
        pass
    with pytest.raises(StudyError, match="no connection"):
        fetch(folder, gone)
    assert there(folder) == {}
    assert server.requests == []


def test_a_dead_server_is_not_asked_for_every_file(tmp_path: Path) -> None:
    contents = {f"human_study/{number}.csv": b"x" for number in range(50)}
    with served(contents) as server:
        server.plans = {path: always(status(503)) for path in contents}
        with pytest.raises(StudyError, match=r"50 of 50 files .* and \d+ more"):
            fetch_study(
                tmp_path, source=server.address, limits=QUICK, manifest=manifest_of(contents)
            )
        assert len(set(server.paths)) < 30


def test_the_first_problems_are_named_and_all_counted(tmp_path: Path) -> None:
    contents = {f"human_study/{number}.csv": b"x" for number in range(5)}
    with served({}) as server, pytest.raises(StudyError) as caught:
        fetch_study(tmp_path, source=server.address, limits=QUICK, manifest=manifest_of(contents))
    text = str(caught.value)
    assert "5 of 5 files" in text
    assert "and 2 more" in text
    assert text.count(".csv") == 3
    assert server.address in text


def test_another_file_is_replaced_only_by_the_right_one(folder: Path, server: FileServer) -> None:
    path = folder / LARGE
    path.parent.mkdir(parents=True)
    path.write_bytes(b"mine")
    server.plans[LARGE] = [status(404)]
    with pytest.raises(StudyError, match="404"):
        fetch(folder, server)
    assert path.read_bytes() == b"mine"
    fetch(folder, server)
    assert there(folder) == FILES


def test_several_come_at_the_same_time(folder: Path, server: FileServer) -> None:
    answer = together(3)
    server.plans = {path: [answer] for path in [*FILES][:3]}
    fetch(folder, server, replace(QUICK, read=60, tries=1))
    assert there(folder) == FILES


def test_a_stop_is_heard_and_the_next_download_goes_on(folder: Path, server: FileServer) -> None:
    cancelled = threading.Event()
    stop = threading.Event()
    server.plans[LARGE] = [drip(stop, first=1000)]

    def progress(now: FetchProgress) -> None:
        # The others are there, and the large one has begun.
        if now.files == len(FILES) - 1 and now.size > sum(map(len, FILES.values())) - 256_000:
            cancelled.set()

    with pytest.raises(StudyError, match="stopped: 1 of 6 files"):
        fetch_study(
            folder,
            source=server.address,
            limits=replace(QUICK, read=60),
            manifest=MANIFEST,
            progress=progress,
            cancelled=cancelled,
        )
    stop.set()
    assert_only_verified(folder)
    assert len(there(folder)) == len(FILES) - 1
    result = fetch(folder, server)
    assert (result.fetched_files, result.fetched_bytes) == (1, 255_000)
    assert server.requests[-1] == (LARGE, "bytes=1000-")
    assert there(folder) == FILES


INTERRUPTED = """
import os, signal, sys
from pathlib import Path
from dataclasses import replace
from crscore_core.datasets.download.fetch import fetch_study
from tests.crscore_core.datasets.download.test_fetch import FILES, MANIFEST, QUICK
sent = []
def progress(now):
    if now.files == len(FILES) - 1 and not sent:
        sent.append(1)
        os.kill(os.getpid(), signal.SIGINT)
limits = replace(QUICK, read=60)
try:
    fetch_study(
        Path(sys.argv[1]), source=sys.argv[2], limits=limits, manifest=MANIFEST, progress=progress
    )
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_an_interruption_ends_it(folder: Path, server: FileServer) -> None:
    stop = threading.Event()
    server.plans[LARGE] = [drip(stop)]
    command = [sys.executable, "-c", INTERRUPTED, str(folder), server.address]
    # A shell without job control starts what runs in the background with interrupts ignored.
    ended = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    stop.set()
    assert (ended.stdout, ended.stderr) == ("interrupted\n", "")
    assert_only_verified(folder)
    assert fetch(folder, server).fetched_files == 1


def test_it_can_be_called_where_an_event_loop_runs(folder: Path, server: FileServer) -> None:
    import asyncio

    async def call() -> FetchResult:
        return fetch(folder, server)

    assert asyncio.run(call()).fetched_files == len(FILES)


def test_one_process_at_a_time(folder: Path, server: FileServer) -> None:
    (folder / WORK_FOLDER).mkdir(parents=True)
    with FileLock(folder / WORK_FOLDER / "lock"), pytest.raises(StudyError, match="another proc"):
        fetch(folder, server)
    assert there(folder) == {}
    fetch(folder, server)
    assert there(folder) == FILES


def test_a_folder_for_something_else_is_left_alone(tmp_path: Path, server: FileServer) -> None:
    (tmp_path / "LICENSE").write_bytes(b"of my own project")
    with pytest.raises(StudyError, match="it holds 'LICENSE'"):
        fetch(tmp_path, server)
    assert there(tmp_path) == {"LICENSE": b"of my own project"}
    assert server.requests == []


def test_a_file_is_no_folder(tmp_path: Path, server: FileServer) -> None:
    path = tmp_path / "study"
    path.write_bytes(b"")
    for place in (path, path / "deeper"):
        with pytest.raises(StudyError, match="cannot keep the study in"):
            fetch(place, server)


def test_a_folder_in_the_place_of_a_file(folder: Path, server: FileServer) -> None:
    (folder / LARGE).mkdir(parents=True)
    with pytest.raises(StudyError, match=r"cannot keep the study in .*: Is a directory"):
        fetch(folder, server)
    assert_only_verified(folder)


@pytest.mark.parametrize("name", ["a\0b", "\udcff\ud800", "x" * 300, "~no-such-person-here/study"])
def test_a_name_that_no_folder_can_have(server: FileServer, name: str, tmp_path: Path) -> None:
    with pytest.raises(StudyError):
        fetch(Path(name) if name.startswith("~") else tmp_path / name, server)
    assert server.requests == []


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no place where nobody may write")
def test_a_folder_that_cannot_be_written_to(server: FileServer) -> None:
    with pytest.raises(StudyError, match="cannot keep the study in /proc/study: "):
        fetch(Path("/proc/study"), server)
    assert server.requests == []


def test_a_full_disk_is_one_error(
    folder: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(StudyError, match=r"cannot keep the study in .*: No space left on device"):
        fetch(folder, server)
    assert there(folder) == {}


@pytest.mark.parametrize(
    "source",
    [
        "ftp://example.org", "file:///etc", "example.org", "https://", "http://[", "",
        "https://me:secret@example.org", "https://example.org/?token=secret", "http://a:99999/",
    ],
)  # fmt: skip
def test_a_source_that_is_none(folder: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRSCORE_STUDY_SOURCE", source or "nonsense")
    with pytest.raises(StudyError, match="the source of the study must") as caught:
        fetch_study(folder, source=source or None, manifest=MANIFEST)
    assert "secret" not in str(caught.value)
    assert not folder.exists()


def test_a_mirror_can_be_named_in_the_environment(
    folder: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY_SOURCE", f"{server.address}/")
    fetch_study(folder, manifest=MANIFEST, limits=QUICK)
    assert there(folder) == FILES


def test_a_proxy_that_is_none_is_named_without_its_password(
    folder: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "nonsense://me:secret@127.0.0.1")
    with pytest.raises(StudyError, match="settings of proxies") as caught:
        fetch(folder, server)
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_the_checksum_is_that_of_sha256(folder: Path, server: FileServer) -> None:
    fetch(folder, server)
    for file in MANIFEST.files:
        assert hashlib.sha256((folder / file.path).read_bytes()).hexdigest() == file.sha256
