"""`crscore doctor`."""

import platform
from collections.abc import Iterator
from functools import partial
from typing import Any

from crscore_cli import options, output
from crscore_core.analyzers import ANALYZERS, Fragment, SourceFile, Status, analyze_files
from crscore_core.analyzers.tool import HOW_TO_INSTALL, NOT_INSTALLED
from crscore_core.claims import CLAIM_BACKENDS, ModelOptions
from crscore_core.errors import InputError
from crscore_core.scoring.load_encoder import DEFAULT_ENCODER, verify_default_encoder
from crscore_core.version import __version__


def doctor(*, as_json: options.Json = False) -> int:
    """Show what works on this machine and how to fix what does not.

    Runs every analyzer on an empty line and verifies the weights of the default encoder.
    The exit status is 1 if nothing can be scored.
    """
    checks = [*_encoder_and_backends(), *_analyzers()]
    if as_json:
        output.print_json({"checks": checks})
    else:
        result = "reviews can be scored" if checks[0]["works"] else "reviews cannot be scored"
        output.print_line(f"crscore {__version__}, Python {platform.python_version()}: {result}")
        width = max(len(check["part"]) for check in checks)
        for check in checks:
            mark = "ok" if check["works"] else "no"
            output.print_line(f"{mark} {check['part']:<{width}}  {check['reason']}", indent=5)
    return 0 if checks[0]["works"] else 1


def _encoder_and_backends() -> Iterator[dict[str, Any]]:
    checks = {f"encoder {DEFAULT_ENCODER}": verify_default_encoder} | {
        f"claims {name}": partial(backend.check, ModelOptions())
        for name, backend in CLAIM_BACKENDS.items()
    }
    for part, check in checks.items():
        try:
            yield {"part": part, "works": True, "reason": check() or "weights verified"}
        except (InputError, OSError) as error:
            yield {"part": part, "works": False, "reason": str(error)}


def _analyzers() -> Iterator[dict[str, Any]]:
    files = [SourceFile(None, one, (Fragment(1, "\n"),), frozenset({1})) for one in ANALYZERS]
    for file, results in zip(files, analyze_files(files), strict=True):
        for result in results:
            part = " ".join(filter(None, ("analyzer", result.name, result.version)))
            works = result.status is not Status.NOT_ANALYSED
            reason = (result.reason or "runs").replace(NOT_INSTALLED, HOW_TO_INSTALL)
            yield {"part": f"{part} ({file.language})", "works": works, "reason": reason}
