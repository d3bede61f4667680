"""A program that prints the first rows of standard input, for `preview`."""

import json
import resource
import sys
from collections.abc import Iterator
from dataclasses import astuple
from itertools import islice

from crscore_core.corpus.reading.files import RowStream
from crscore_core.corpus.reading.parquet import MEMORY
from crscore_core.corpus.reading.parquet_child import bound
from crscore_core.corpus.reading.preview import SECONDS_TO_START
from crscore_core.corpus.reading.table import Row, size_of
from crscore_core.errors import InputError


def main() -> None:
    """Print columns and rows of standard input, a line each; or one line, why it cannot be read."""
    name, most, characters, seconds = sys.argv[1], *map(int, sys.argv[2:])
    bound(resource.RLIMIT_CORE, 0)
    bound(resource.RLIMIT_CPU, seconds + SECONDS_TO_START)
    bound(resource.RLIMIT_AS, MEMORY)
    try:
        stream = RowStream(sys.stdin.buffer.read(), name, seconds=seconds)
        rows = _first(stream, name, most, characters)
        lines: list[object] = [stream.columns(0), *map(astuple, rows)]
    except InputError as error:
        lines = [str(error)]
    for line in lines:
        sys.stdout.buffer.write(f"{json.dumps(line, ensure_ascii=False)}\n".encode())


def _first(stream: RowStream, name: str, most: int, characters: int) -> Iterator[Row]:
    left = characters
    for number, row in enumerate(islice(stream.rows(), most)):
        left -= size_of(row)
        if left < 0 and number:
            return
        if left < 0:
            raise InputError(
                f"file {name[:80]!r}: its first row has more than {characters:,} characters; give "
                "only the columns needed"
            )
        yield row
