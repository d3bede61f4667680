"""Names and links of pull requests, the API that each belongs to, and the token for it."""

import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from crscore_core.errors import InputError

_GITHUB, _GITLAB = "https://api.github.com", "https://gitlab.com/api/v4"
PULL_ADDRESSES = (_GITHUB, _GITLAB)
"""Addresses of the public APIs, the default."""

_SITES = {"github.com": _GITHUB, "www.github.com": _GITHUB, "gitlab.com": _GITLAB}
_API = re.compile(
    r"(?:https://[^/?#@\s]+|http://(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]+)?)"
    r"(?:/[^?#@\s]*)?/api/v[34]/?|https://api\.(?:github|[A-Za-z0-9-]+\.ghe)\.com/?"
)
"""API addresses: `/api/v4` belongs to GitLab, the others to GitHub. Tokens go there encrypted."""

_GITHUB_TOKENS = ("GH_TOKEN", "GITHUB_TOKEN")
_ENTERPRISE_TOKENS = ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
_GITLAB_TOKENS = ("GITLAB_TOKEN",)
_PART = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_NAME = re.compile(
    rf"/?(?P<project>{_PART}(?:/{_PART})+?)"
    r"(?:(?P<mark>[#!]|/(?:-/)?pull/|/(?:-/)?merge_requests/)(?P<number>[0-9]{1,9})(?:/.*)?)?/?",
    re.ASCII,
)
_LONGEST_NAME = 1_000


@dataclass(frozen=True, slots=True)
class PullReference:
    """A pull request at the API `address`, or all of a project if `number` is None."""

    address: str
    project: str
    number: int | None

    @property
    def is_gitlab(self) -> bool:
        """True for a GitLab API, by its address; this determines the token."""
        return self.address.endswith("/v4")

    @property
    def name(self) -> str:
        """The display name, such as `OWNER/REPO#3`."""
        number = "" if self.number is None else f"{'!' if self.is_gitlab else '#'}{self.number}"
        return f"{self.project}{number}"


def read_reference(text: str, api_url: str | None = None) -> PullReference:
    """Parse `OWNER/REPO#N`, `GROUP/PROJECT!N`, a link to one, or a project without a number.

    `api_url` is the API of a self-hosted server to use instead of the public ones; links to other
    hosts are then rejected.

    Raises:
        InputError: `text` is none of these, or names a host without a known API.
    """
    if api_url is not None and not _API.fullmatch(api_url):
        raise InputError(
            "--api-url must be https://HOST/api/v3 (GitHub Enterprise) or https://HOST/api/v4 "
            "(GitLab), which determines the token to send"
        )
    try:
        parts = urlsplit(text) if text.startswith(("https://", "http://")) else None
    except ValueError:  # brackets without an address
        parts = urlsplit("")
    match = _NAME.fullmatch((parts.path if parts else text)[:_LONGEST_NAME])
    shown = text.rpartition("@")[2][:200]  # before it may stand a password
    if match is None or len(text) > _LONGEST_NAME:
        raise InputError(
            f"{shown!r} is not a pull request; write OWNER/REPO#N, GROUP/PROJECT!N for "
            "GitLab, or a link"
        )
    if parts is None:
        address = api_url or (_GITLAB if match["mark"] == "!" else _GITHUB)
    else:
        site = (parts.hostname or "").lower()
        own = (urlsplit(api_url or "").hostname or "").removeprefix("api.")
        address = _SITES.get(site, "") if api_url is None else api_url if site == own else ""
        if not address:
            raise InputError(
                f"{site[:100]!r} is not {own or 'github.com or gitlab.com'}; give its API with "
                "--api-url, such as https://HOST/api/v3 (GitHub Enterprise) or "
                "https://HOST/api/v4 (GitLab)"
            )
    project, number = match["project"], match["number"]
    reference = PullReference(address.rstrip("/"), project, int(number) if number else None)
    if not reference.is_gitlab and project.count("/") != 1:
        raise InputError(f"{shown!r}: a GitHub repository is OWNER/REPO")
    return reference


def token_for(reference: PullReference) -> str | None:
    """Return the token for a host from the environment, if any.

    As in the programs `gh` and `glab`, each variable applies to certain hosts: `GH_TOKEN` and
    `GITHUB_TOKEN` to github.com and ghe.com, or to the server whose Actions set `GITHUB_API_URL`;
    `GH_ENTERPRISE_TOKEN` and `GITHUB_ENTERPRISE_TOKEN` to `GH_HOST`, or without it to other
    servers; `GITLAB_TOKEN` to `GITLAB_HOST`, or without it to the server whose pipelines set
    `CI_API_V4_URL`, or to gitlab.com.
    """
    host = urlsplit(reference.address).netloc
    home = (os.environ.get("GITHUB_API_URL") or _GITHUB).rstrip("/")
    names: tuple[str, ...] = ()
    if reference.is_gitlab:
        names = _GITLAB_TOKENS if host == _host_of("GITLAB_HOST", "CI_API_V4_URL", _GITLAB) else ()
    elif reference.address == home or reference.address.endswith(".ghe.com"):
        names = _GITHUB_TOKENS
    elif reference.address != _GITHUB:
        names = _ENTERPRISE_TOKENS if host == _host_of("GH_HOST", "", host) else ()
    tokens = (os.environ.get(name, "").strip() for name in names)
    return next(filter(None, tokens), None)


def _host_of(variable: str, other: str, usual: str) -> str:
    """Return the host that the first set variable names, as an address or alone."""
    named = os.environ.get(variable) or os.environ.get(other) or usual
    return urlsplit(named if "//" in named else f"//{named}").netloc.lower()
