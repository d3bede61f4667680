"""The settings and versions behind a score, so that it can be made again."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from analyzers import AnalyzerResult


@dataclass(frozen=True, slots=True)
class Signature:
    """Everything that a score depends on besides the change and the review.

    `analyzers` are (name, version) pairs of those that looked at something.
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


def analyzer_versions(results: Iterable[AnalyzerResult]) -> tuple[tuple[str, str], ...]:
    """Names and versions of the analyzers that ran, sorted by name."""
    return tuple(sorted({(result.name, result.version) for result in results if result.version}))


@functools.cache
def package_version() -> str:
    """Version of this package, `unknown` where it is used without being installed."""
    try:
        return version("crscore-dashboard")
    except PackageNotFoundError:
        return "unknown"
