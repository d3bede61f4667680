"""The settings and versions behind a score, so that it can be made again."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from analyzers import AnalyzerResult


@dataclass(frozen=True, slots=True)
class Signature:
    """Everything that a score depends on besides the change and the review.

    `precision` is the number format that the encoder computed in, by torch's name.
    `analyzers` are (name, version) pairs of those that looked at something.
    """

    encoder: str
    claims: str
    analyzers: tuple[tuple[str, str], ...]
    tau: float
    version: str
    precision: str = "float32"

    def __str__(self) -> str:
        tools = ",".join(f"{name}={number}" for name, number in self.analyzers) or "none"
        return (
            f"crscore:{self.version}|{encoder_words(self.encoder, self.precision)}"
            f"|claims:{self.claims}|analyzers:{tools}|tau:{self.tau:g}"
        )


def encoder_words(encoder: str, precision: str) -> str:
    """Name an encoder as signatures do, with its precision where that is not float32."""
    return f"encoder:{encoder}" + ("" if precision == "float32" else f"|precision:{precision}")


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
