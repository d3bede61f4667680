"""The exceptions of this package.

A message says in one line what is wrong, where, and what to do.
"""


class InputError(Exception):
    """Input that cannot be used."""


class UnavailableError(InputError):
    """A package, model, device, server or tool that is needed but missing."""


class ModelError(InputError):
    """A local or remote model that failed."""
