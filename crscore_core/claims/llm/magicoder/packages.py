"""The packages that run a model, and their versions."""

from importlib.metadata import version
from importlib.util import find_spec

from crscore_core.errors import MissingPackageError

__all__ = ["missing_packages", "require_packages", "versions"]

_PACKAGES = ("transformers", "accelerate", "bitsandbytes")
_ANSWERS_DEPEND_ON = ("transformers", "bitsandbytes")


def missing_packages() -> str | None:
    """Which packages are not installed and how to install them; None where all are."""
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if not missing:
        return None
    return f"Missing: {', '.join(missing)}. Install with `pip install 'crscore-dashboard[llm]'`."


def require_packages() -> None:
    """Check that everything is installed.

    Raises:
        MissingPackageError: it is not.
    """
    missing = missing_packages()
    if missing is not None:
        raise MissingPackageError(f"a language model on this machine needs packages. {missing}")


def versions() -> str:
    """Versions of the packages on which answers depend."""
    return " ".join(f"{name} {version(name)}" for name in _ANSWERS_DEPEND_ON)
