"""Python text to syntax tree, whatever the text holds."""

import ast
import re
import warnings

from analyzers.reading import UnparsableError

__all__ = ["parse"]

_LABEL = "<analysed passage>"
_OURS = re.compile(re.escape(_LABEL))


def parse(text: str) -> ast.Module:
    """The tree of `text`, read with the grammar of the running Python.

    Raises:
        UnparsableError: `text` is no Python, or nested too deeply to read.
    """
    _silence_warnings()
    readable = text.encode("utf-8", "replace").decode("utf-8")
    if "\0" in readable:
        line = readable[: readable.index("\0")].count("\n") + 1
        raise UnparsableError(line, "a NUL byte")
    try:
        return ast.parse(readable, filename=_LABEL)
    except SyntaxError as error:
        raise UnparsableError(error.lineno or 1, error.msg) from None
    except ValueError as error:
        raise UnparsableError(1, str(error)) from None
    except (RecursionError, MemoryError):
        raise UnparsableError(1, "nested too deeply to read") from None


def _silence_warnings() -> None:
    # Parsing warns of doubtful escapes and literals: those of others, not ours to print.
    # The filter names our label, so that no other warning of the process is touched.
    if not any(module == _OURS for _, _, _, module, _ in warnings.filters):
        warnings.filterwarnings("ignore", module=_OURS.pattern)
