"""The exceptions of this package."""

from importlib.util import find_spec
from typing import Self


class InputError(Exception):
    """Input that cannot be used; `str(error)` joins the three fields on one line.

    problem: what is wrong.
    advice: what to do; empty if the problem says it. Pages omit advice that names an option.
    place: where the problem is, such as a file and line; empty if the problem says it.
    """

    def __init__(self, problem: str, advice: str = "", place: str = "") -> None:
        super().__init__(problem, advice, place)
        self.problem = problem
        self.advice = advice
        self.place = place

    def __str__(self) -> str:
        problem = f"{self.place}: {self.problem}" if self.place else self.problem
        return "; ".join(" ".join(part.splitlines()) for part in (problem, self.advice) if part)

    def within(self, place: str) -> Self:
        """Return the same error with an outer place in front of its own."""
        return type(self)(self.problem, self.advice, ", ".join(filter(None, (place, self.place))))


class UnavailableError(InputError):
    """A package, model, device, server or tool that is needed but missing."""


class ModelError(InputError):
    """A failure of a local or remote model."""


def quoted(text: str) -> str:
    """Return text from outside in quotation marks, for a message; cut after 200 characters."""
    return repr(text if len(text) <= 200 else f"{text[:200]} …")


def failure(part: str, error: BaseException) -> ModelError:
    """Return a one-line error about a component that raised an unexpected exception."""
    return ModelError(f"{part} failed: {type(error).__name__}: {error}".rstrip(" :")[:500])


def require_packages(user: str, extra: str, *names: str) -> None:
    """Raise an UnavailableError if a package of an `extra`, which `user` needs, is missing."""
    if missing := [name for name in names if find_spec(name) is None]:
        raise UnavailableError(
            f"{user} needs {', '.join(missing)}",
            f"install crscore-dashboard with the extra {extra}, `pip install 'PATH[{extra}]'`; "
            "PATH is a checkout or the wheel",
        )
