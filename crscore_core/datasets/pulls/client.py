"""Requests to the API of GitHub or GitLab, within its rate limits and with a cache.

A response is cached for this user with its ETag and revalidated with the host; what can never
change is not requested again. So interrupted work can be resumed.
"""

import hashlib
import json
import re
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from platformdirs import user_cache_path

from crscore_core.caches import ByteStore
from crscore_core.errors import InputError
from crscore_core.scoring.signature import package_version
from crscore_core.text import visible_text

if TYPE_CHECKING:
    import requests

Json = Any
"""An unvalidated JSON value."""

_MOST_PAGES = 100
_MOST_BYTES = 30_000_000
_KEPT_BYTES = 1_000_000_000
_TIMEOUT = (10, 30)  # seconds to connect, and between bytes
_TRIES = 6
_LONGEST_WAIT = 3_700
_ENDLESS = 1_000_000
_SECONDARY_WAIT = 60.0
_MOST_REDIRECTS = 3
_TOKEN = re.compile(r"[!-~]+", re.ASCII)
_HIDDEN = b"***"


class NotThereError(InputError):
    """The address does not exist, is not accessible, or the host fails to answer."""


class _Answer(NamedTuple):
    """A response: its body, the query of the next page (empty on the last) and its ETag."""

    body: Json
    next_query: str = ""
    etag: str = ""


class Api:
    """A client of the API at `address`; `token` is sent only to that host.

    `say` is called before waits; setting `stopping` ends a request or wait with `CancelledError`.
    `keeps` caches responses on disk.
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
            raise InputError("the token contains a space or another invalid character")
        self.address = address.rstrip("/")
        self.has_token = token is not None
        self._say, self._stopping = say, stopping
        folder = user_cache_path("crscore") / "pulls"
        self._store = ByteStore(folder, _KEPT_BYTES) if keeps else None
        self._token = token or ""
        self._session = requests.Session()
        # A custom `auth` keeps the library from using credentials in .netrc.
        self._session.auth = self._sign
        self._session.headers.update(
            {"User-Agent": f"crscore/{package_version()}", "Accept": "application/json"}
        )

    def get(self, path: str, query: str = "", *, is_fixed: bool = False) -> Json:
        """Return the response at a path; one that `is_fixed` is requested only once.

        Raises:
            NotThereError: there is nothing, or it is not accessible.
            InputError: the host cannot be reached, or refuses.
            CancelledError: the work was stopped.
        """
        return self._get(path, query, is_fixed=is_fixed).body

    def items(self, path: str, query: str = "") -> Iterator[Json]:
        """Yield the items of a list, of 100 pages at most; raises the errors of `get`."""
        query = f"{query}&per_page=100" if query else "per_page=100"
        for _ in range(_MOST_PAGES):
            answer = self._get(path, query, is_fixed=False)
            if not isinstance(answer.body, list):
                raise InputError(f"{self.address}{path} did not return a list")
            yield from answer.body
            if not answer.next_query:
                return
            query = answer.next_query

    def nodes(self, query: str, variables: Mapping[str, object], *path: str) -> Iterator[Json]:
        """Yield the nodes of the list at `path` in the data that a GraphQL query returns.

        What fails or is not accessible is left out. Raises `CancelledError` if the work was
        stopped.
        """
        address = f"{self.address.removesuffix('/v3').removesuffix('/v4')}/graphql"
        with suppress(InputError, KeyError, TypeError):
            for _ in range(_MOST_PAGES):
                question = {"query": query, "variables": variables}
                answer = self._ask("POST", address, json=question).body["data"]
                for name in path:
                    answer = answer[name]
                yield from answer["nodes"]
                if not answer["pageInfo"]["hasNextPage"]:
                    return
                variables = {**variables, "after": answer["pageInfo"]["endCursor"]}

    def _get(self, path: str, query: str, *, is_fixed: bool) -> _Answer:
        address = f"{self.address}{path}{'?' if query else ''}{query}"
        key = hashlib.sha256(f"{self._token}\n{address}".encode()).digest()
        value = self._store.known([key]).get(key) if self._store else None
        kept = _Answer(*json.loads(zlib.decompress(value))) if value else None
        if kept and is_fixed:
            return kept
        answer = self._ask("GET", address, kept=kept)
        if self._store and answer is not kept and (is_fixed or answer.etag):
            self._store.keep({key: zlib.compress(json.dumps(answer).encode())})
        return answer

    def _ask(
        self, method: str, address: str, *, kept: _Answer | None = None, json: Json = None
    ) -> _Answer:
        """Send a request until there is a response, with the pauses that the host asks for.

        Return `kept` if the host says that it is still valid.
        """
        import requests

        host, failures, paused = urlsplit(address).netloc, 0, 0.0
        while not self._stopping.is_set():
            kind: type[InputError] = InputError
            try:
                response, content = self._send(method, address, kept.etag if kept else "", json)
                wait = _announced_wait(response, content)
                if wait is None and response.status_code < 500:
                    return self._read(response, content, kept)
                kind, reason = NotThereError, f"the host answered {response.status_code}"
            except (requests.RequestException, ValueError, RecursionError) as error:
                wait, reason = None, f"the answer was incomplete ({type(error).__name__})"
            if wait is None:
                failures += 1
                wait = 2.0 ** (failures - 1)
            else:
                paused += wait
                kind, reason = InputError, "the host's rate limit is reached"
            if failures == _TRIES or paused > _LONGEST_WAIT:
                length = f"{paused:,.0f} s" if paused < _ENDLESS else f"more than {_ENDLESS:,} s"
                pause = f", and requires a pause of {length}" if paused else ""
                raise kind(f"{host}: {reason}{pause}; the data so far is saved, so try again later")
            self._say(f"{reason}; retrying in {wait:,.0f} s")
            self._stopping.wait(wait)
        raise CancelledError

    def _send(
        self, method: str, address: str, etag: str, json: Json
    ) -> "tuple[requests.Response, bytes]":
        """Send a request, follow redirects on the same host, and read the response."""
        for _ in range(1 + _MOST_REDIRECTS):
            with self._session.request(
                method,
                address,
                headers={"If-None-Match": etag} if etag else {},
                json=json,
                timeout=_TIMEOUT,
                stream=True,
                allow_redirects=False,
            ) as response:
                if not response.is_redirect:
                    return response, self._content(response)
                address = urljoin(response.url, response.headers["Location"])
            if urlsplit(address)[:2] != urlsplit(self.address)[:2]:
                raise InputError(
                    f"{urlsplit(self.address).netloc} redirects to another host; not followed: "
                    f"{self._quoted(urlsplit(address).netloc)[:80]}"
                )
        raise InputError(f"{urlsplit(address).netloc} redirects too often")

    def _sign(self, request: "requests.PreparedRequest") -> "requests.PreparedRequest":
        if self._token:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request

    def _content(self, response: "requests.Response") -> bytes:
        """Return the content without the token, which the host may repeat."""
        content = bytearray()
        for chunk in response.iter_content(65_536):
            content += chunk
            if len(content) > _MOST_BYTES:
                raise InputError(f"a response is larger than {_MOST_BYTES:,} bytes")
            if self._stopping.is_set():
                raise CancelledError
        return bytes(content.replace(self._token.encode(), _HIDDEN) if self._token else content)

    def _read(self, response: "requests.Response", content: bytes, kept: _Answer | None) -> _Answer:
        """Parse a response that does not ask for a pause.

        Raises:
            ValueError: it is not JSON.
        """
        status, place = response.status_code, urlsplit(response.url)
        if status == 304 and kept:
            return kept
        if status < 300:
            link = response.links.get("next", {}).get("url", "")
            etag = response.headers.get("ETag", "")
            return _Answer(json.loads(content), urlsplit(link).query, etag)
        try:
            message = str(json.loads(content)["message"])
        except (ValueError, KeyError, TypeError):
            message = str(response.reason)
        said = f"{place.netloc} answered {status}: {self._quoted(message)[:200]}"
        if status in {404, 410, 422}:
            hint = "" if self.has_token else "; private data needs the token of this host"
            raise NotThereError(f"{self._quoted(place.path)} was not found ({said}){hint}")
        raise InputError(f"the token was rejected ({said})" if status == 401 else said)

    def _quoted(self, text: str) -> str:
        """Return words of the host on one line, without the token."""
        return visible_text(text.replace(self._token, _HIDDEN.decode()) if self._token else text)


def _announced_wait(response: "requests.Response", content: bytes) -> float | None:
    """Return the seconds to wait before the next request; None if the host asks for no pause.

    GitHub sends 403 or 429 with `Retry-After`, with `X-RateLimit-Remaining: 0` and its reset time,
    or with only a message about a rate limit; its GraphQL API sends 200 with such an error.
    GitLab sends 429 with `Retry-After`.
    """
    headers, status = response.headers, response.status_code
    is_limited = status == 429 or b'"RATE_LIMITED"' in content[:500]
    if status not in {403, 429, 503} and not (status == 200 and is_limited):
        return None
    with suppress(ValueError):
        if "Retry-After" in headers:
            return max(1.0, float(headers["Retry-After"]))
        if headers.get("X-RateLimit-Remaining") == "0":
            return max(1.0, float(headers.get("X-RateLimit-Reset", "")) - time.time() + 1)
    return _SECONDARY_WAIT if is_limited or b"rate limit" in content.lower() else None
