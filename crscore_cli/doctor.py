"""`crscore doctor`."""

import platform
from collections.abc import Iterator
from typing import NamedTuple

from analyzers import ANALYZERS, Fragment, SourceFile, Status, analyze_each
from crscore_cli.options import Json
from crscore_cli.output import print_json, print_line
from crscore_core.claims import CLAIM_BACKENDS, ClaimOptions
from crscore_core.errors import InputError
from crscore_core.scoring.registry import DEFAULT_ENCODER, verify_embedded
from crscore_core.scoring.signature import package_version

_LINE = {"python": "import os\n", "java": "class A {}\n", "javascript": "var a;\n"}


class Check(NamedTuple):
    """One part of the installation: whether it works, and why or how to fix it."""

    part: str
    works: bool
    reason: str
    is_needed: bool = False


def doctor(*, as_json: Json = False) -> int:
    """Show what works here and how to fix what does not.

    Runs every analyzer on a line of each language and verifies the embedded encoder. The exit
    status is 1 if nothing can be scored.
    """
    checks = [_encoder(), *_analyzers(), *_backends()]
    if as_json:
        print_json({"checks": [check._asdict() for check in checks]})
    else:
        print_line(f"crscore {package_version()}, Python {platform.python_version()}")
        for check in checks:
            mark = "ok " if check.works else "BAD" if check.is_needed else "-- "
            print_line(f"{mark} {check.part}: {check.reason}")
    return int(any(check.is_needed and not check.works for check in checks))


def _encoder() -> Check:
    part = f"encoder {DEFAULT_ENCODER}"
    try:
        verify_embedded()
    except InputError as error:
        return Check(part, works=False, reason=str(error), is_needed=True)
    return Check(part, works=True, reason="its weights are verified", is_needed=True)


def _analyzers() -> Iterator[Check]:
    languages = list(ANALYZERS)
    files = [
        SourceFile(
            None,
            language,
            (Fragment(1, _LINE.get(language, "int a;\n")),),
            frozenset({1}),
            is_whole=True,
        )
        for language in languages
    ]
    for language, results in zip(languages, analyze_each(files), strict=True):
        for result in results:
            works = result.status is not Status.NOT_ANALYSED
            version = f" {result.version}" if result.version else ""
            reason = "runs" if works else str(result.reason)
            yield Check(f"analyzer {result.name}{version} ({language})", works, reason)


def _backends() -> Iterator[Check]:
    for name, backend in CLAIM_BACKENDS.items():
        try:
            availability = backend.availability(ClaimOptions())
        except (InputError, OSError) as error:
            yield Check(f"claims {name}", works=False, reason=str(error))
        else:
            yield Check(f"claims {name}", availability.is_available, availability.reason)
