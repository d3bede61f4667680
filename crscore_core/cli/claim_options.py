"""Options for who makes the claims, and showing a language model at work."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps

import click

from crscore_core.claims import (
    DEFAULT_CLAIMS,
    MAX_TOKENS,
    MOST_TOKENS,
    ClaimGenerator,
    ClaimOptions,
    Progress,
    check_claim_options,
    claim_generator,
    parse_claims,
    silent,
)
from crscore_core.cli.inputs import read_text
from crscore_core.cli.output import is_watched

__all__ = ["ClaimChoice", "claim_options", "read_claim_choice", "shown_answers"]

_SECONDS_BETWEEN_COUNTS = 0.2

_OPTIONS = (
    click.option(
        "--model",
        metavar="NAME_OR_PATH",
        help="magicoder: a model of the hub, or its folder; endpoint: the model's name there. "
        "[default for endpoint: what CRSCORE_CLAIMS_MODEL names]",
    ),
    click.option(
        "--revision", metavar="COMMIT", help="magicoder: commit, branch or tag of a hub's model."
    ),
    click.option(
        "--device",
        type=click.Choice(["cuda", "cpu"]),
        help="magicoder: where it runs. It never falls back to the other.",
    ),
    click.option(
        "--base-url",
        metavar="URL",
        help="endpoint: an OpenAI-compatible server; it gets the key, also that of the "
        "environment. [default: what OPENAI_BASE_URL names]",
    ),
    click.option(
        "--api-key",
        metavar="KEY",
        help="endpoint: its key. Others on this machine may see it here; OPENAI_API_KEY in the "
        "environment is safer.",
    ),
    click.option(
        "--no-cache",
        is_flag=True,
        help="Ask the language model even about what it answered before: kept answers are not "
        "read, stay as they are, and new ones are not kept.",
    ),
    click.option(
        "--max-tokens",
        type=click.IntRange(1, MOST_TOKENS),
        help="magicoder, endpoint: how long an answer may get, reasoning included. "
        f"[default: {MAX_TOKENS}]",
    ),
)


@dataclass(frozen=True, slots=True)
class ClaimChoice:
    """What the options say: a backend's name or a file, and what it is to be made with."""

    name: str
    options: ClaimOptions


def claim_options(
    default: str = DEFAULT_CLAIMS,
    names: str = "symbolic, magicoder, endpoint, or a file with claims; - is standard input",
) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Give a command the options of claims, and what they say as `claims`.

    `names` says in the help what may be chosen.
    """
    claims = click.option(
        "--claims",
        "name",
        default=default,
        show_default=True,
        metavar="BACKEND_OR_FILE",
        help=f"What makes the claims: {names}.",
    )

    def decorate(command: Callable[..., object]) -> Callable[..., object]:
        @wraps(command)
        def wrapped(
            *,
            name: str,
            model: str | None,
            revision: str | None,
            device: str | None,
            base_url: str | None,
            api_key: str | None,
            no_cache: bool,
            max_tokens: int | None,
            **others: object,
        ) -> object:
            options = ClaimOptions(
                model=model,
                revision=revision,
                device=device,
                base_url=base_url,
                api_key=api_key,
                use_cache=not no_cache,
                max_tokens=max_tokens,
            )
            return command(claims=ClaimChoice(name, options), **others)

        decorated: Callable[..., object] = wrapped
        for option in reversed((claims, *_OPTIONS)):
            decorated = option(decorated)
        return decorated

    return decorate


def read_claim_choice(choice: ClaimChoice, progress: Progress = silent) -> ClaimGenerator:
    """The backend that was chosen: its name, a file, or standard input.

    Raises:
        ClaimsError: neither a backend nor a file, the claims cannot be read, an option that the
            backend does not take, or a backend that cannot be had.
    """
    if choice.name != "-":
        return claim_generator(choice.name, choice.options, progress)
    check_claim_options(choice.name, choice.options)
    return parse_claims(read_text("-", "claims"))


@contextmanager
def shown_answers() -> Iterator[Progress]:
    """What counts on standard error how much a language model has said, if somebody watches."""
    if not is_watched():
        yield silent
        return
    count = _Count()
    try:
        yield count
    finally:
        count.end()


class _Count:
    """One line that says how far a model is, written over again and again."""

    def __init__(self) -> None:
        self._changes: set[int] = set()
        self._characters = 0
        self._shown_at = 0.0

    def __call__(self, index: int, text: str) -> None:
        if not text:
            return
        self._changes.add(index)
        self._characters += len(text)
        if time.monotonic() - self._shown_at >= _SECONDS_BETWEEN_COUNTS:
            self._show()

    def end(self) -> None:
        """Show the last count, and leave its line."""
        if self._changes:
            self._show()
            click.echo(err=True)

    def _show(self) -> None:
        self._shown_at = time.monotonic()
        click.echo(
            f"\rthe model writes about change {len(self._changes):,}: "
            f"{self._characters:,} characters so far",
            nl=False,
            err=True,
        )
