"""Where the study is downloaded from."""

import os
from urllib.parse import urlsplit

from crscore_core.datasets.download.manifest import Manifest
from crscore_core.errors import StudyError

__all__ = ["check_source", "default_source"]


def default_source(manifest: Manifest) -> str:
    """The address that `CRSCORE_STUDY_SOURCE` names, a mirror say, or the authors' own."""
    return os.environ.get("CRSCORE_STUDY_SOURCE") or manifest.source


def check_source(source: str) -> str:
    """`source` as files' paths can be put after it.

    Raises:
        StudyError: it is no http or https address, or has a user name, a query or a fragment.
    """
    try:
        parts = urlsplit(source.strip())
        is_address = parts.scheme in {"http", "https"} and parts.port != 0 and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address:
        raise StudyError("the source of the study must be an address that starts with https://")
    if "@" in parts.netloc or parts.query or parts.fragment:
        # What may be a secret is never sent, logged or shown.
        raise StudyError("the source of the study must have no user name, '?' or '#' in it")
    return source.strip().rstrip("/")
