"""Java that is odd to read, with the smells in it, and what is no Java."""

__all__ = ["FOUND", "ODD", "SMELLY", "UNREADABLE"]

SMELLY = "class Cache {\n    private int size;\n}\n"
FOUND = [("NoPackage", 1), ("UnusedPrivateField", 2)]

_RECORD = """\
package shop;
record Point(int x, int y) {
    private static int spare;
}
"""
_SEALED = """\
package shop;
sealed interface Shape permits Square {
}
final class Square implements Shape {
    private int side;
}
"""
_PATTERNS = """\
package shop;
class Names {
    String name(Object given) {
        int spare = 1;
        return switch (given) {
            case Point(int x, _) when x > 3 -> "far";
            case String text -> text;
            default -> "";
        };
    }
}
"""
_TEXT_BLOCK = '''\
package shop;
class Names {
    String all = """
        private int x;
        """;
    private int spare;
}
'''
_DEEP = 6_000
_DEEPER = 100_000

ODD: dict[str, tuple[str, list[tuple[str, int]]]] = {
    # Each line break of another kind, and what takes no place, moves nothing to another line.
    "carriage returns": (f"/* \r \r */ {SMELLY}", FOUND),
    "windows line ends": (SMELLY.replace("\n", "\r\n"), FOUND),
    "byte order mark": (f"\ufeff{SMELLY}", FOUND),
    "form feed": (f"\f{SMELLY}", FOUND),
    "line separators": (f"/* \u2028 \u2029 \x85 \v */ {SMELLY}", FOUND),
    "wide characters": (f"/* 😀 \u202e */ {SMELLY}", FOUND),
    "lone surrogate": (f"/* \ud800 */ {SMELLY}", FOUND),
    "NUL in a name": (SMELLY.replace("size", "si\0ze"), FOUND),
    "unicode escape": (SMELLY.replace("size", "\\u0073ize"), FOUND),
    "escaped line break": (f"/* \\u000a \\u000a */ {SMELLY}", FOUND),
    "long line": (f"/* {'x' * 900_000} */ {SMELLY}", FOUND),
    "long text": (SMELLY.replace(";", f'; String a = "{"x" * 900_000}";'), FOUND),
    "everything silenced": (f'@SuppressWarnings("all") {SMELLY}', FOUND),
    "nothing": ("", []),
    "comment": ("// nothing but this", []),
    "module": ("module shop {\n    requires java.base;\n}\n", []),
    "package": ("/** Shop. */\n@Deprecated\npackage shop;\n", []),
    "record": (_RECORD, [("UnusedPrivateField", 3)]),
    "sealed classes": (_SEALED, [("UnusedPrivateField", 5)]),
    "patterns": (_PATTERNS, [("UnusedLocalVariable", 4)]),
    "text block": (_TEXT_BLOCK, [("UnusedPrivateField", 6)]),
}
"""The code, and the rule and line of each smell in it."""

UNREADABLE = {
    "NUL": (SMELLY.replace("{", "{ \0 "), "line 1: PMD cannot read this Java: unexpected "),
    "line separator": (SMELLY.replace(";", "\u2028;"), "line 2: PMD cannot read this Java: "),
    "conflict": (f"{SMELLY}<<<<<<<\n", 'line 4: PMD cannot read this Java: unexpected "<<'),
    "torn": ("class Cache {\n    void f(\n", "PMD cannot read this Java: unexpected <EOF>"),
    "parentheses": (
        f"class A {{ int a = {'(' * _DEEP}1{')' * _DEEP}; }}\n",
        "PMD could not get through it (StackOverflowError)",
    ),
    "braces": (
        f"class A {{ void f() {'{' * _DEEPER}{'}' * _DEEPER} }}\n",
        "PMD could not get through it (",
    ),
}
"""The code, and how the reason starts why it is not analysed."""
