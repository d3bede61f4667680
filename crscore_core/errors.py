"""The exceptions of this package.

InputError                 input that cannot be used
├── UnavailableError       a package, weights, device, server or tool is missing
└── ModelError             a model, here or on a server, ran and failed

A message says what is wrong, where, and what to do, in one line. Exit codes and page messages are
chosen by the command line and the pages.
"""


class InputError(Exception):
    """Input that cannot be used."""


class UnavailableError(InputError):
    """A package, model, device, server or tool that is needed but missing."""


class ModelError(InputError):
    """A model, here or on a server, that ran and failed."""
