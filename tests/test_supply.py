"""Pins of the environment and the checksums of their files."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def pins(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)(?:\[\w+\])?==([\w.]+)", text, re.MULTILINE))


def test_every_pin_has_checksums() -> None:
    text = (ROOT / "hashes.txt").read_text(encoding="utf-8")
    packages = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in package for package in packages)
    assert "://" not in text
    hashed = {re.sub(r"[-_.]+", "-", name).lower(): pin for name, pin in pins("hashes.txt").items()}
    assert hashed == {
        re.sub(r"[-_.]+", "-", name).lower(): pin for name, pin in pins("constraints.txt").items()
    }


def test_requirements_are_pinned_as_the_environment_is() -> None:
    environment = {name.lower(): pin for name, pin in pins("constraints.txt").items()}
    for name in ("requirements.txt", "requirements-dev.txt"):
        for package, pin in pins(name).items():
            assert environment[package.lower()] == pin
