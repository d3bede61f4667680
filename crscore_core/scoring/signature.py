"""The settings and versions behind a score, so that it can be reproduced."""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version


@dataclass(frozen=True, slots=True)
class Signature:
    """Everything that a score depends on besides the change and the review.

    `analyzers` are (name, version) pairs of the analyzers that ran, sorted by name.
    """

    encoder: str
    claims: str
    analyzers: tuple[tuple[str, str], ...]
    tau: float
    version: str

    def __str__(self) -> str:
        tools = ",".join(f"{name}={number}" for name, number in self.analyzers) or "none"
        return (
            f"crscore:{self.version}|encoder:{self.encoder}"
            f"|claims:{self.claims}|analyzers:{tools}|tau:{self.tau:g}"
        )


@cache
def package_version() -> str:
    """Return the version of this package, or `unknown` if it is not installed."""
    try:
        return version("crscore-dashboard")
    except PackageNotFoundError:
        return "unknown"
