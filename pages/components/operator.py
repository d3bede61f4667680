"""Names that visitors may give a server that others reach: those that its operator lists."""

import os
import shlex
from urllib.parse import urlsplit

from streamlit import config

from crscore_core.errors import InputError
from pages.components.server import is_loopback

_VARIABLE = "CRSCORE_ALLOWED"


def is_shared() -> bool:
    """Return True if others than the people at this machine can reach the server."""
    names = [
        config.get_option("server.address"),
        *config.get_option("server.allowedHosts"),
        *(urlsplit(origin).hostname for origin in config.get_option("server.corsAllowedOrigins")),
    ]
    return not all(name and is_loopback(name) for name in names)


def allowed_names() -> tuple[str, ...] | None:
    """Return the encoders, models, folders and base URLs that visitors may name; None for any.

    On a shared server they are the words of the environment variable `CRSCORE_ALLOWED`, quoted as
    in a shell.

    Raises:
        InputError: a quotation mark in the variable has no partner.
    """
    if not is_shared():
        return None
    try:
        return tuple(shlex.split(os.environ.get(_VARIABLE, "")))
    except ValueError as error:
        raise InputError(f"the operator of this server has to fix {_VARIABLE}: {error}") from error


def check_allowed(name: str) -> None:
    """Refuse a name that visitors may not give, without a look at what it stands for.

    Raises:
        InputError: the name is not among `allowed_names`.
    """
    allowed = allowed_names()
    if allowed is not None and name not in allowed:
        raise InputError(
            f"others reach this server, so its operator lists what can be named; {name[:80]!r} is "
            f"not in {_VARIABLE}"
        )
