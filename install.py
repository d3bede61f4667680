"""Install packages into the environment of this Python, at the versions of constraints.txt.

Accepts the arguments of `pip install`, such as `.venv/bin/python install.py -r requirements.txt`.

pip installs uv, and uv installs the packages, which is several times as fast. uv does not read
pip's configuration, so its indexes, folders and certificates are passed to uv.
"""

import ast
import os
import subprocess
import sys

_PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
_UV = (sys.executable, "-m", "uv", "pip")
_PINNED = ("--constraint", "constraints.txt")

_UV_VARIABLES = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "cert": ("SSL_CERT_FILE", " "),
}
"""Options of pip, each with the variable that uv reads instead and the separator of its values."""


def uv_environment() -> dict[str, str]:
    """Return the environment of uv: pip's settings, unless a variable of uv is already set."""
    listing = subprocess.run(
        (*_PIP, "config", "list"), stdout=subprocess.PIPE, text=True, check=True
    )
    settings = dict(line.split("=", 1) for line in listing.stdout.splitlines())
    environment = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # as pip: all indexes are equal
    for option, (variable, separator) in _UV_VARIABLES.items():
        for section in ("global", "install", ":env:"):  # the last one wins
            if value := settings.get(f"{section}.{option}"):
                environment[variable] = separator.join(ast.literal_eval(value).split())
    return environment | os.environ


def main(arguments: list[str]) -> int:
    """Install with uv, and return the exit status."""
    output = () if sys.stdout.isatty() else ("--quiet",)
    uv = (*_UV, "install", "--python", sys.executable, *_PINNED, *output, *arguments)
    status = subprocess.run((*_PIP, "install", *_PINNED, "--quiet", "uv"), check=False).returncode
    return status or subprocess.run(uv, env=uv_environment(), check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("Interrupted; the next `make` installs again.")
