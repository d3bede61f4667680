"""Requests to the API of GitHub or GitLab, within its rate limits; answers are kept.

An answer is kept in this user's caches with its ETag, and the host is asked whether it still
holds; what can never change is not asked for again. Work that ended goes on from there.
"""

import hashlib
import json
import re
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from platformdirs import user_cache_path

from crscore_core.caches import ByteStore
from crscore_core.errors import PullRequestError
from crscore_core.scoring.signature import package_version
from crscore_core.text import visible_text

if TYPE_CHECKING:
    import requests

Json = Any
"""A value of JSON, not checked yet."""

MOST_PAGES = 100
"""Limit of pages of a list."""

_MOST_BYTES = 30_000_000
_KEPT_BYTES = 1_000_000_000
_TIMEOUT = (10, 30)  # seconds to connect, and between bytes
_LONGEST_ANSWER = 120  # seconds, however it trickles in
_TRIES = 6
_LONGEST_WAIT = 3_700
_SECONDARY_WAIT = 60
_MOST_REDIRECTS = 3
_BROKEN = "the host answers"
_TOKEN = re.compile(r"[!-~]+", re.ASCII)


class NotThereError(PullRequestError):
    """The host has nothing at an address, refuses to show it, or fails to answer."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer: its body, the query of the next page, empty on the last one, and its ETag."""

    body: Json
    next_query: str = ""
    etag: str = ""


_UNCHANGED = _Answer(None)


class Api:
    """The API at `address`, asked with `token`, which goes to that host alone.

    `say` hears of waits; setting `stopping` ends a question or a wait with a `CancelledError`.
    `keeps` says whether answers are kept on disk.
    """

    def __init__(
        self,
        address: str,
        token: str | None,
        say: Callable[[str], None],
        stopping: threading.Event,
        *,
        keeps: bool = True,
    ) -> None:
        import requests

        if token is not None and not _TOKEN.fullmatch(token):
            raise PullRequestError("the token has a blank or another character that no token has")
        self.address = address.rstrip("/")
        self.has_token = token is not None
        self._say, self._stopping = say, stopping
        folder = user_cache_path("crscore") / "pulls"
        self._store = ByteStore(folder, _KEPT_BYTES) if keeps else None
        self._token = token or ""
        self._session = requests.Session()
        # An `auth` of its own keeps the library from logging in with what .netrc says.
        self._session.auth = self._sign
        self._session.headers.update(
            {"User-Agent": f"crscore/{package_version()}", "Accept": "application/json"}
        )

    def get(self, path: str, query: str = "", *, is_fixed: bool = False) -> Json:
        """Return what the API has at a path; an answer that `is_fixed` is asked for once.

        Raises:
            NotThereError: there is nothing, or nothing that may be seen.
            PullRequestError: the host cannot be reached, or refuses.
            CancelledError: the work was stopped.
        """
        return self._get(path, query, is_fixed=is_fixed).body

    def pages(self, path: str, query: str = "") -> Iterator[list[Json]]:
        """Return the pages of a list, `MOST_PAGES` at most; errors are those of `get`."""
        query = f"{query}&per_page=100" if query else "per_page=100"
        for _ in range(MOST_PAGES):
            answer = self._get(path, query, is_fixed=False)
            if not isinstance(answer.body, list):
                raise PullRequestError(f"{self.address}{path} answers with something else")
            yield answer.body
            if not answer.next_query:
                return
            query = answer.next_query

    def graphql(self, query: str, variables: dict[str, object]) -> Json:
        """Return the answer to a question in GraphQL; errors are those of `get`."""
        address = f"{self.address.removesuffix('/v3').removesuffix('/v4')}/graphql"
        return self._ask("POST", address, json={"query": query, "variables": variables}).body

    def _get(self, path: str, query: str, *, is_fixed: bool) -> _Answer:
        address = f"{self.address}{path}{'?' if query else ''}{query}"
        key = hashlib.sha256(f"{self._token}\n{address}".encode()).digest()
        value = self._store.known([key]).get(key) if self._store else None
        kept = _Answer(*json.loads(zlib.decompress(value))) if value else None
        if kept and is_fixed:
            return kept
        answer = self._ask("GET", address, etag=kept.etag if kept else "")
        if kept and answer is _UNCHANGED:
            return kept
        if self._store and (is_fixed or answer.etag):
            parts = json.dumps([answer.body, answer.next_query, answer.etag])
            self._store.keep({key: zlib.compress(parts.encode())})
        return answer

    def _ask(self, method: str, address: str, *, etag: str = "", json: Json = None) -> _Answer:
        """Ask until there is an answer, with pauses as long as the host wants them."""
        import requests

        headers = {"If-None-Match": etag} if etag else {}
        failed, redirects, paused = 0, 0, 0.0
        while True:
            if self._stopping.is_set():
                raise CancelledError
            try:
                with closing(
                    self._session.request(
                        method,
                        address,
                        headers=headers,
                        json=json,
                        timeout=_TIMEOUT,
                        stream=True,
                        allow_redirects=False,
                    )
                ) as response:
                    if response.is_redirect and redirects < _MOST_REDIRECTS:
                        address, redirects = self._redirected(response), redirects + 1
                        continue
                    content = self._content(response)
                    wait = _announced_wait(response, content)
                    if wait is None and response.status_code < 500:
                        return self._read(response, content)
                    reason = f"{_BROKEN} {response.status_code}"
            except (requests.RequestException, ValueError, RecursionError) as error:
                wait, reason = None, f"no whole answer came ({type(error).__name__})"
            if wait is None:
                failed += 1
                wait = 2.0 ** (failed - 1)
            else:
                reason = "the host limits how often it is asked"
                paused += wait
            if failed == _TRIES or paused > _LONGEST_WAIT:
                until = f", and wants pauses of {paused:,.0f} s" if paused > _LONGEST_WAIT else ""
                is_broken = reason.startswith(_BROKEN)
                raise (NotThereError if is_broken else PullRequestError)(
                    f"{urlsplit(address).netloc}: {reason}{until}; what came so far is kept, so "
                    "try again later"
                )
            self._say(f"{reason}; asking again in {wait:,.0f} s")
            if self._stopping.wait(wait):
                raise CancelledError

    def _sign(self, request: "requests.PreparedRequest") -> "requests.PreparedRequest":
        if self._token:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request

    def _redirected(self, response: "requests.Response") -> str:
        """Return the address that an answer sends to, which is one of the same host."""
        address: str = urljoin(response.url, response.headers["Location"])
        if urlsplit(address)[:2] != urlsplit(self.address)[:2]:
            raise PullRequestError(
                f"{urlsplit(self.address).netloc} sends to another host, where nothing is asked: "
                f"{visible_text(urlsplit(address).netloc)[:80]}"
            )
        return address

    def _content(self, response: "requests.Response") -> bytes:
        """Read the body of an answer.

        Raises:
            ValueError: it takes too long.
        """
        content, end = bytearray(), time.monotonic() + _LONGEST_ANSWER
        for chunk in response.iter_content(65_536):
            content += chunk
            if len(content) > _MOST_BYTES:
                raise PullRequestError(f"an answer is larger than {_MOST_BYTES:,} bytes")
            if self._stopping.is_set():
                raise CancelledError
            if time.monotonic() > end:
                raise ValueError
        return bytes(content)

    def _read(self, response: "requests.Response", content: bytes) -> _Answer:
        """Read an answer that does not ask for a pause.

        Raises:
            ValueError: it is no JSON.
        """
        if response.status_code == 304:
            return _UNCHANGED
        if response.status_code >= 300:
            raise self._refusal(response, content)
        link = response.links.get("next", {}).get("url", "")
        etag = response.headers.get("ETag", "")
        return _Answer(json.loads(content), urlsplit(link).query, etag)

    def _refusal(self, response: "requests.Response", content: bytes) -> PullRequestError:
        status = response.status_code
        try:
            message = str(json.loads(content)["message"])
        except (ValueError, KeyError, TypeError):
            message = str(response.reason)
        said = f"{urlsplit(response.url).netloc} answers {status}: {visible_text(message)[:200]}"
        if status in {404, 410, 422}:
            hint = "" if self.has_token else "; what is not public needs a token"
            return NotThereError(f"{urlsplit(response.url).path} is not there ({said}){hint}")
        if status == 401:
            return PullRequestError(f"the token is not accepted ({said})")
        return PullRequestError(said)


def _announced_wait(response: "requests.Response", content: bytes) -> float | None:
    """Return the seconds to wait before the next request, None where the host asks for no pause.

    GitHub says 403 or 429 with `Retry-After`, with `X-RateLimit-Remaining: 0` and the time of its
    reset, or with words about a rate limit alone, its GraphQL 200 with an error of that kind;
    GitLab says 429 with `Retry-After`.
    """
    headers = response.headers
    is_limited = response.status_code == 200 and b'"RATE_LIMITED"' in content[:500]
    if response.status_code not in {403, 429, 503} and not is_limited:
        return None
    try:
        if "Retry-After" in headers:
            return max(1.0, float(headers["Retry-After"]))
        if headers.get("X-RateLimit-Remaining") == "0":
            return max(1.0, float(headers.get("X-RateLimit-Reset", "")) - time.time() + 1)
    except ValueError:
        pass
    is_limited |= response.status_code == 429 or b"rate limit" in content.lower()
    return float(_SECONDARY_WAIT) if is_limited else None
