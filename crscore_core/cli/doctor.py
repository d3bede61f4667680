"""`crscore doctor`."""

import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from platformdirs import user_cache_path

from analyzers import ANALYZERS, Fragment, SourceFile, Status, analyze_each
from crscore_core.claims import CLAIM_BACKENDS, ClaimOptions
from crscore_core.cli.inputs import json_option
from crscore_core.cli.output import print_json, print_line
from crscore_core.corpus.run.store import runs_folder
from crscore_core.datasets.registry import DATA_SETS
from crscore_core.errors import InputError
from crscore_core.scoring.registry import DEFAULT_ENCODER, verify_embedded
from crscore_core.scoring.signature import package_version

_LINE = {"python": "import os\n", "java": "class A {}\n", "javascript": "var a;\n"}
_ROOM = 1_000_000_000
"""Bytes below which a disk is called nearly full."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One part of the installation: whether it works, and why, or how to fix it.

    `is_needed` says that nothing is scored without it.
    """

    part: str
    works: bool
    reason: str
    is_needed: bool = False


@click.command("doctor")
@json_option
def command(*, as_json: bool) -> int:
    """Show what is installed, what is missing and how to fix it.

    Runs every analyzer on a line of each language, verifies the embedded encoder, and looks
    whether the folders can be written. The exit status is 1 if nothing can be scored.
    """
    findings = [*_needed(), *_analyzers(), *_backends(), *_data()]
    if as_json:
        print_json({"findings": [asdict(finding) for finding in findings]})
    else:
        print_line(f"crscore {package_version()}, Python {platform.python_version()}")
        for finding in findings:
            mark = "ok " if finding.works else "BAD" if finding.is_needed else "-- "
            print_line(f"{mark} {finding.part}: {finding.reason}")
    return int(any(finding.is_needed and not finding.works for finding in findings))


def _needed() -> Iterator[Finding]:
    part = f"encoder {DEFAULT_ENCODER}"
    try:
        verify_embedded()
        yield Finding(part, works=True, reason="its files are verified", is_needed=True)
    except InputError as error:
        yield Finding(part, works=False, reason=str(error), is_needed=True)
    yield _folder("caches", user_cache_path("crscore"))
    yield _folder("runs", runs_folder())


def _folder(name: str, folder: Path) -> Finding:
    """Find out if a folder, or the first one above it that is there, can be written."""
    there = next(path for path in (folder, *folder.absolute().parents) if os.path.exists(path))
    part = f"folder of {name}"
    if not os.path.isdir(there) or not os.access(there, os.W_OK | os.X_OK):
        return Finding(part, works=False, reason=f"{folder} cannot be written")
    free = shutil.disk_usage(there).free
    room = f"{free / 10**9:,.1f} GB free"
    return Finding(part, works=free >= _ROOM, reason=f"{folder}, {room}")


def _analyzers() -> Iterator[Finding]:
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
            reason = "runs" if works else str(result.reason)
            version = f" {result.version}" if result.version else ""
            yield Finding(f"analyzer {result.name}{version} ({language})", works, reason)


def _backends() -> Iterator[Finding]:
    for name, backend in CLAIM_BACKENDS.items():
        try:
            now = backend.availability(ClaimOptions())
        except (InputError, OSError) as error:
            yield Finding(f"claims {name}", works=False, reason=str(error))
        else:
            yield Finding(f"claims {name}", now.is_available, now.reason)


def _data() -> Iterator[Finding]:
    for name, known in DATA_SETS.items():
        works = known.is_there(name)
        hint = "" if works else f"; get it with 'crscore study fetch {name}', or set "
        reason = f"{known.path(name)}{hint}{'' if works else known.variable}"
        yield Finding(f"data set {name}", works, reason)
