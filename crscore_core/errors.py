"""The exceptions of this package.

A message says in one line what is wrong, where, and what to do.
"""

from importlib.util import find_spec


class InputError(Exception):
    """Input that cannot be used."""


class UnavailableError(InputError):
    """A package, model, device, server or tool that is needed but missing."""


class ModelError(InputError):
    """A local or remote model that failed."""


def require_packages(user: str, extra: str, *names: str) -> None:
    """Raise if an optional package is missing.

    `user` is what needs the packages, in words, and `extra` the extra that installs them.

    Raises:
        UnavailableError: the message names the packages and how to install them.
    """
    if missing := [name for name in names if find_spec(name) is None]:
        raise UnavailableError(
            f"{user} needs {', '.join(missing)}; "
            f"install with `pip install 'crscore-dashboard[{extra}]'`"
        )
