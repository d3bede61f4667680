"""`crscore claims`, and the options of claims that commands share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from crscore_core.claims import (
    CLAIM_BACKENDS,
    DEFAULT_CLAIMS,
    ClaimGenerator,
    ClaimOption,
    ClaimOptions,
    Progress,
    check_claim_options,
    claim_generator,
    parse_claims,
    silent,
)
from crscore_core.cli.inputs import (
    diff_option,
    json_option,
    language_option,
    read_change,
    read_text,
)
from crscore_core.cli.output import (
    StatusLine,
    is_watched,
    print_json,
    print_line,
    print_warnings,
)

_Decorator = Callable[[Callable[..., object]], Callable[..., object]]


@dataclass(frozen=True, slots=True)
class ClaimChoice:
    """The claims that a person chose: a backend's name or a file, and the backend's options."""

    name: str
    options: ClaimOptions


def claim_options(
    default: str = DEFAULT_CLAIMS,
    others: str = "or a file with claims, - for standard input",
    purpose: str = "",
) -> _Decorator:
    """Give a command the options of claims, and their values as `claims`.

    `others` says in the help what may be chosen beside the backends; `purpose` is the whole help
    where no claims are made.
    """
    rows: dict[str, dict[ClaimOption, list[str]]] = {}
    for name, backend in CLAIM_BACKENDS.items():
        for row in backend.options:
            rows.setdefault(row.name, {}).setdefault(row, []).append(name)

    def decorate(command: Callable[..., object]) -> Callable[..., object]:
        @wraps(command)
        def wrapped(*, name: str, **others: Any) -> object:  # noqa: ANN401 - values of any option
            values = {field: others.pop(field) for field in (*rows, "use_cache")}
            return command(claims=ClaimChoice(name, ClaimOptions(**values)), **others)

        no_cache = click.option(
            "--no-cache",
            "use_cache",
            flag_value=False,
            default=True,
            help="Ask the language model anew: its kept answers are neither read nor added to.",
        )
        claims = click.option(
            "--claims",
            "name",
            default=default,
            show_default=True,
            metavar="BACKEND" if purpose else "BACKEND_OR_FILE",
            help=purpose or f"Maker of the claims: {', '.join(CLAIM_BACKENDS)}; {others}.",
        )
        options: list[_Decorator] = [claims, *map(_option, rows.values()), no_cache]
        decorated: Callable[..., object] = wrapped
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def _option(backends: dict[ClaimOption, list[str]]) -> _Decorator:
    """Make an option of the command line of all rows of the same name, with their backends."""
    first, *_ = backends
    kind = click.Choice(first.choices) if first.choices else None
    return click.option(
        f"--{first.name.replace('_', '-')}",
        type=kind,
        metavar=None if kind else first.label.upper().replace(" ", "_"),
        help="; ".join(f"{', '.join(names)}: {row.help}" for row, names in backends.items()),
    )


def read_claim_choice(choice: ClaimChoice, progress: Progress = silent) -> ClaimGenerator:
    """Return the backend of `choice`, or the claims of its file or of standard input.

    Raises:
        InputError: neither a backend nor a file, the claims cannot be read, an option that the
            backend does not take, or a backend that cannot be had.
    """
    if choice.name != "-":
        return claim_generator(choice.name, choice.options, progress)
    check_claim_options(choice.name, choice.options)
    return parse_claims(read_text("-", "claims"))


@contextmanager
def shown_answers() -> Iterator[Progress]:
    """Give a callback that counts on standard error what a model writes, if somebody watches."""
    if not is_watched():
        yield silent
        return
    changes: set[int] = set()
    characters = 0

    def written() -> str:
        return f"the model writes about change {len(changes):,}: {characters:,} characters so far"

    with StatusLine(0) as line:

        def count(index: int, text: str) -> None:
            nonlocal characters
            if text:
                changes.add(index)
                characters += len(text)
                line.show(written)

        yield count


@click.command("claims")
@diff_option
@claim_options()
@language_option
@json_option
def command(*, diff: str, claims: ClaimChoice, language: str | None, as_json: bool) -> None:
    """Show the claims about a change and its implications."""
    from crscore_core.scoring.documents import claims_document

    with shown_answers() as progress:
        generator = read_claim_choice(claims, progress)
        change = read_change(diff, language)
        document = claims_document(generator.generate(change), change.warnings)
    if as_json:
        print_json(document)
        return
    for claim in document["claims"]:
        place = f"{claim['path'] or 'hunk'}:{claim['line'] or '-'}"
        print_line(f"{claim['kind']:<12}{place}  {claim['text']}")
    print_warnings(document["warnings"])
