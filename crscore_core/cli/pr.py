"""`crscore pr`."""

from datetime import UTC, datetime
from pathlib import Path

import click
from click.core import ParameterSource

from crscore_core.cli.inputs import json_option
from crscore_core.cli.output import (
    SET_ASIDE,
    StatusLine,
    file_to_write,
    print_json,
    print_line,
    print_warnings,
    write_file,
)
from crscore_core.errors import InputError
from crscore_core.text import counted


@click.command("pr")
@click.argument("names", nargs=-1, metavar="[OWNER/REPO#N | LINK]...")
@click.option(
    "-o",
    "--output",
    type=file_to_write,
    required=True,
    metavar="CORPUS.jsonl",
    help="Corpus to write, JSON Lines.",
)
@click.option(
    "--from",
    "saved",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Corpus that this command wrote, to read instead of asking a host; repeat for several.",
)
@click.option("--author", "authors", multiple=True, metavar="LOGIN", help="Comments of this login.")
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="Comments written on this day or later; of a project, pull requests updated since.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="Most pull requests of a project that is named without a number.",
)
@click.option(
    "--api-url",
    metavar="ADDRESS",
    help="API of a server of your own, ending in /api/v3 or /api/v4.",
)
@json_option
def command(
    *,
    names: tuple[str, ...],
    output: Path,
    saved: tuple[Path, ...],
    authors: tuple[str, ...],
    since: datetime | None,
    limit: int,
    api_url: str | None,
    as_json: bool,
) -> int:
    """Write the review comments of pull requests, each with its change, to a corpus file.

    OWNER/REPO#N is of GitHub, GROUP/PROJECT!N of GitLab; without a number all pull requests count.
    The token is that of GH_TOKEN, GITHUB_TOKEN (other servers: GH_ENTERPRISE_TOKEN) or
    GITLAB_TOKEN.
    After an interruption the same command goes on.
    """
    from crscore_core.datasets.pulls.fetch import PullProgress, fetch_pulls
    from crscore_core.datasets.pulls.reference import read_reference
    from crscore_core.datasets.pulls.rows import OUTCOMES, corpus_text, read_rows, rows_of_pulls

    if bool(names) == bool(saved):
        raise InputError("name pull requests, or a corpus of `crscore pr` with --from")
    context = click.get_current_context()
    for name in ("limit", "api_url"):
        if saved and context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name.replace('_', '-')} does not apply to --from.")
    if output.suffix.lower() not in {".jsonl", ".ndjson"}:
        raise InputError(f"{str(output)!r}: the name of the corpus must end in .jsonl")
    day = since.replace(tzinfo=UTC) if since else None
    if saved:
        made = read_rows(saved, authors=authors, since=day)
    else:
        references = [read_reference(name, api_url) for name in names]
        with StatusLine() as line:

            def show(now: PullProgress) -> None:
                line.show(lambda: f"{now.done:,} of {now.total:,}: {now.text}")
                if now.is_pause:
                    line.end()

            pulls = fetch_pulls(references, show, since=day, limit=limit)
        made = rows_of_pulls(pulls, authors=authors, since=day)
    write_file(output, corpus_text(made.rows))
    known = [name for name in OUTCOMES if any(name in row for row in made.rows)]
    n_pulls = len({row["pull"] for row in made.rows})
    document = {
        "rows": len(made.rows),
        "pulls": n_pulls,
        "systems": sorted({str(row["system"]) for row in made.rows}),
        "outcomes": {name: sum(row[name] is not None for row in made.rows) for name in known},
        "remarks": made.remarks,
        "output": str(output),
    }
    if as_json:
        print_json(document)
    else:
        comments = counted(len(made.rows), "comment")
        print_line(f"{comments} of {counted(n_pulls, 'pull request')}: {output}")
    print_warnings(made.remarks)
    return SET_ASIDE if made.left_out else 0
