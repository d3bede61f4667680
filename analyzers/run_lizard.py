"""Measure the functions in files with lizard: print one line of JSON for each file.

Lizard's own command line silently skips functions after a comment that asks for it, and the rest
of a file that it takes for generated code or fails on.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lizard import (
    FileInfoBuilder,
    condition_counter,
    get_reader_for,
    line_counter,
    preprocessing,
    token_counter,
)


def _without_comments(tokens: Iterator[str], reader: Any) -> Iterator[str]:  # noqa: ANN401
    """Drop comments, including directives to lizard, but keep their line breaks."""
    for token in tokens:
        comment = reader.get_comment_from_token(token)
        if comment is None:
            yield token
        else:
            yield from "\n" * token.count("\n")


def _functions(name: str) -> list[dict[str, object]]:
    """Return name, rows, lines of code, parameters and complexity of each function."""
    builder = FileInfoBuilder(name)
    reader = get_reader_for(name)(builder)
    tokens = reader.generate_tokens(Path(name).read_bytes().decode())
    steps = preprocessing, _without_comments, line_counter, token_counter, condition_counter
    for process in steps:
        tokens = process(tokens, reader)
    for _ in reader(tokens, reader):
        pass
    return [
        {
            "name": function.name,
            "first_row": function.start_line,
            "last_row": function.end_line,
            "lines": function.nloc,
            "parameters": _parameter_count(function),
            "complexity": function.cyclomatic_complexity,
        }
        for function in builder.fileinfo.function_list
    ]


def _parameter_count(function: Any) -> int:  # noqa: ANN401
    """Count parameters; lizard counts a PHP function's as one, but each has a `$`."""
    if function.filename.endswith(".php"):
        return sum(text.count("$") for text in function.full_parameters)
    return int(function.parameter_count)


def main(names: list[str]) -> None:
    """Measure the files `names` and print their measures."""
    for name in names:
        try:
            report: dict[str, object] = {"functions": _functions(name)}
        except Exception as error:  # noqa: BLE001 - one bad file must not spoil the others
            report = {"error": type(error).__name__}
        print(json.dumps({"file": name, **report}))


if __name__ == "__main__":
    main(sys.argv[1:])
