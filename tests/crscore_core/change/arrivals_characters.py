# ruff: noqa: E501 - a text and its reading stand on one line each
"""Line ends, characters, encodings, and what wraps a diff."""

from tests.crscore_core.change.arrivals import Arrival

__all__ = ["CHARACTERS"]

HUNK = "@@ -1 +1 @@\n-a\n+b\n"

CHARACTERS = [
    Arrival(
        "24 CRLF in transport",
        "--- a/x.py\r\n+++ b/x.py\r\n@@ -1,2 +1,2 @@ f\r\n-a\r\n+b\r\n\r\n",
        [
            "modified 'x.py' -> 'x.py', python by file name",
            "@@ -1,2 +1,2 @@ f",
            "4: -1 'a'",
            "5: +1 'b'",
            "6:  2/2 ''",
        ],
    ),
    Arrival(
        "24 CRLF in transport, last line without",
        "@@ -1 +1 @@\r\n-a\r\n+b",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b'",
        ],
    ),
    Arrival(
        "24 CRLF in transport of a CRLF file",
        "@@ -1 +1 @@\r\n-a\r\r\n+b\r\r\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a\\r'",
            "3: +1 'b\\r'",
        ],
    ),
    Arrival(
        "24 git header in CRLF",
        "diff --git a/x.py b/y.py\r\nsimilarity index 90%\r\nrename from x.py\r\nrename to y.py\r\nindex 1..2 100644\r\n--- a/x.py\r\n+++ b/y.py\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n",
        [
            "renamed 'x.py' -> 'y.py', python by file name, mode 100644 -> 100644",
            "@@ -1,1 +1,1 @@",
            "9: -1 'a'",
            "10: +1 'b'",
        ],
    ),
    Arrival(
        "24 a CRLF file",
        "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-a\r\n+b\r\n \r\n",
        [
            "modified 'x.py' -> 'x.py', python by file name",
            "@@ -1,2 +1,2 @@",
            "4: -1 'a\\r'",
            "5: +1 'b\\r'",
            "6:  2/2 '\\r'",
        ],
    ),
    Arrival(
        "24 from CRLF to LF",
        "@@ -1 +1 @@\n-a\r\n+a\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a\\r'",
            "3: +1 'a'",
        ],
    ),
    Arrival(
        "24 a CRLF file whose blanks were stripped",
        "@@ -1,2 +1,2 @@\n-a\r\n+b\r\n\r\n",
        [
            "modified None -> None",
            "@@ -1,2 +1,2 @@",
            "2: -1 'a\\r'",
            "3: +1 'b\\r'",
            "4:  2/2 '\\r'",
        ],
    ),
    Arrival(
        "24 headers alone in CRLF",
        "diff --git a/x b/x\r\nindex 1..2 100644\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\n+b\n",
        [
            "modified 'x' -> 'x', mode 100644 -> 100644",
            "@@ -1,1 +1,1 @@",
            "6: -1 'a'",
            "7: +1 'b'",
        ],
    ),
    Arrival(
        "25 CR inside a line",
        "@@ -1 +1 @@\n-a\rb\n+\rc\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a\\rb'",
            "3: +1 '\\rc'",
        ],
    ),
    Arrival(
        "25 CR as the only line end",
        "@@ -1 +1 @@\r-a\r+b\r",
        "diff, line 1: the text ends inside the hunk of line 1, which lacks 1 old and 1 new lines",
    ),
    Arrival(
        "25 line that begins with CR",
        "@@ -1,2 +1,2 @@\n-a\n+b\n\rc\n",
        "diff, line 4: not a line of a hunk, but the hunk of line 1 lacks 1 old and 1 new lines",
    ),
    Arrival(
        "26 vertical tab",
        "@@ -1 +1 @@\n-a\x0bb\n+c\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a\\x0bb'",
            "3: +1 'c'",
        ],
    ),
    Arrival(
        "26 form feed",
        "@@ -1,2 +1,2 @@\n-a\n+\x0c\n b\x0c\n",
        [
            "modified None -> None",
            "@@ -1,2 +1,2 @@",
            "2: -1 'a'",
            "3: +1 '\\x0c'",
            "4:  2/2 'b\\x0c'",
        ],
    ),
    Arrival(
        "26 file, group, record separators",
        "@@ -1 +1 @@\n-a\x1cb\x1dc\x1ed\n+c\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a\\x1cb\\x1dc\\x1ed'",
            "3: +1 'c'",
        ],
    ),
    Arrival(
        "26 NEL",
        "@@ -1 +1 @@\n-a\x85b\n+c\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a\\x85b'",
            "3: +1 'c'",
        ],
    ),
    Arrival(
        "26 U+2028 and U+2029",
        "@@ -1 +1 @@\n-a\u2028b\n+c\u2029d\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a\\u2028b'",
            "3: +1 'c\\u2029d'",
        ],
    ),
    Arrival(
        "27 NUL",
        "@@ -1 +1 @@\n-a\n+b\0c\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b\\x00c'",
            "warning: line 3 holds a NUL character",
        ],
    ),
    Arrival(
        "27 NUL between all characters",
        "@@ -1".encode("utf-16-le"),
        "diff, line 1: no diff found: neither a hunk (`@@ -1,2 +1,3 @@`) nor a file header (`diff --git a/x b/x`)",
    ),
    Arrival(
        "28 invalid UTF-8",
        b"@@ -1 +1 @@\n-caf\xe9\n+b\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'caf�'",
            "3: +1 'b'",
            "warning: line 2 is not valid UTF-8; what cannot be read is shown as U+FFFD",
        ],
    ),
    Arrival(
        "28 invalid UTF-8 after a byte order mark",
        b"\xef\xbb\xbf@@ -1 +1 @@\n-a\n+caf\xe9\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'caf�'",
            "warning: line 3 is not valid UTF-8; what cannot be read is shown as U+FFFD",
        ],
    ),
    Arrival(
        "28 overlong and surrogate bytes",
        b"@@ -1 +1 @@\n-\xc0\xaf\n+\xed\xa0\x80\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 '��'",
            "3: +1 '���'",
            "warning: line 2 is not valid UTF-8; what cannot be read is shown as U+FFFD",
        ],
    ),
    Arrival(
        "28 cut inside a character",
        b"@@ -1 +1 @@\n-a\n+caf\xc3",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'caf�'",
            "warning: line 3 is not valid UTF-8; what cannot be read is shown as U+FFFD",
        ],
    ),
    Arrival(
        "28 odd number of UTF-16 bytes",
        "\ufeff@@ -1 +1 @@\n-a\n+b".encode("utf-16-le") + b"\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b�'",
            "warning: line 3 is not valid UTF-16-LE; what cannot be read is shown as U+FFFD",
        ],
    ),
    Arrival(
        "29 lone surrogate",
        "@@ -1 +1 @@\n-a\n+b\ud800c\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b�c'",
            "warning: line 3 holds half of a surrogate pair, shown as U+FFFD",
        ],
    ),
    Arrival(
        "29 lone surrogate in a name",
        "--- a/x\udc80.py\n+++ b/x\udc80.py\n" + HUNK,
        [
            "modified 'x�.py' -> 'x�.py', python by file name",
            "@@ -1,1 +1,1 @@",
            "4: -1 'a'",
            "5: +1 'b'",
            "warning: line 1 holds half of a surrogate pair, shown as U+FFFD",
            "warning: line 1 begins a file whose name is not UTF-8 and is shown with U+FFFD",
        ],
    ),
    Arrival(
        "30 byte order mark",
        "\ufeff" + HUNK,
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b'",
        ],
    ),
    Arrival(
        "30 UTF-8 with a byte order mark",
        b"\xef\xbb\xbf@@ -1 +1 @@\n-a\n+b\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b'",
        ],
    ),
    Arrival(
        "30 UTF-16, little end first",
        ("\ufeff" + HUNK).encode("utf-16-le"),
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b'",
        ],
    ),
    Arrival(
        "30 UTF-16, big end first",
        ("\ufeff" + HUNK).encode("utf-16-be"),
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b'",
        ],
    ),
    Arrival(
        "30 byte order mark of the file",
        "@@ -1 +1 @@\n-\ufeffa\n+a\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 '\\ufeffa'",
            "3: +1 'a'",
            "warning: line 2 holds a zero-width character",
        ],
    ),
    Arrival(
        "30 two byte order marks",
        "\ufeff\ufeff" + HUNK,
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b'",
        ],
    ),
    Arrival(
        "31 bidirectional controls",
        "@@ -1 +1 @@\n-a\n+if (\u202e x \u2066) {\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'if (\\u202e x \\u2066) {'",
            "warning: line 3 holds a bidirectional control character",
        ],
    ),
    Arrival(
        "31 bidirectional control in a name",
        "--- a/x\u202eyp.exe\n+++ b/x\u202eyp.exe\n" + HUNK,
        [
            "modified 'x\\u202eyp.exe' -> 'x\\u202eyp.exe'",
            "@@ -1,1 +1,1 @@",
            "4: -1 'a'",
            "5: +1 'b'",
            "warning: line 1 holds a bidirectional control character",
        ],
    ),
    Arrival(
        "32 zero-width characters",
        "@@ -1,2 +1,2 @@\n-a\u200bb\n+ab\n c\u200d\n",
        [
            "modified None -> None",
            "@@ -1,2 +1,2 @@",
            "2: -1 'a\\u200bb'",
            "3: +1 'ab'",
            "4:  2/2 'c\\u200d'",
            "warning: line 2 holds a zero-width character",
        ],
    ),
    Arrival(
        "33 coloured by git",
        "\x1b[1mdiff --git a/x.py b/x.py\x1b[m\n\x1b[1mindex 1..2 100644\x1b[m\n\x1b[1m--- a/x.py\x1b[m\n\x1b[1m+++ b/x.py\x1b[m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[m \x1b[mdef f\x1b[m\n\x1b[31m-a\x1b[m\n\x1b[32m+\x1b[m\x1b[32mb\x1b[m\x1b[41m \x1b[m\n c\x1b[m\n",
        [
            "modified 'x.py' -> 'x.py', python by file name, mode 100644 -> 100644",
            "@@ -1,2 +1,2 @@ def f",
            "6: -1 'a'",
            "7: +1 'b '",
            "8:  2/2 'c'",
        ],
    ),
    Arrival(
        "33 colour in the file",
        '@@ -1 +1 @@\n-a\n+print("\x1b[31mred\x1b[0m")\n',
        [
            "modified None -> None, python by guess",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'print(\"\\x1b[31mred\\x1b[0m\")'",
            "warning: the language of a hunk without file name is a guess: python; declare it to be sure",
        ],
    ),
    Arrival(
        "33 coloured lines under plain headers",
        "@@ -1 +1 @@\n\x1b[31m-a\x1b[m\n\x1b[32m+b\x1b[m\n",
        "diff, line 2: not a line of a hunk, but the hunk of line 1 lacks 1 old and 1 new lines",
    ),
    Arrival(
        "34 fence",
        "```diff\n" + HUNK + "```\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "3: -1 'a'",
            "4: +1 'b'",
        ],
    ),
    Arrival(
        "34 fence of tildes in prose",
        "Here is it:\n\n~~~~ \n--- a/x.py\n+++ b/x.py\n" + HUNK + "~~~~\n- what do you think?\n",
        [
            "modified 'x.py' -> 'x.py', python by file name",
            "@@ -1,1 +1,1 @@",
            "7: -1 'a'",
            "8: +1 'b'",
        ],
    ),
    Arrival(
        "34 fence without an end",
        "```\n" + HUNK,
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "3: -1 'a'",
            "4: +1 'b'",
        ],
    ),
    Arrival(
        "34 indented end",
        "```diff\n" + HUNK + "  ```\nDone.\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "3: -1 'a'",
            "4: +1 'b'",
        ],
    ),
    Arrival(
        "34 two fences",
        "First:\n```diff\n--- a/x.py\n+++ b/x.py\n"
        + HUNK
        + "```\nSecond:\n```diff\n--- a/y.py\n+++ b/y.py\n"
        + HUNK
        + "```\n",
        [
            "modified 'x.py' -> 'x.py', python by file name",
            "@@ -1,1 +1,1 @@",
            "6: -1 'a'",
            "7: +1 'b'",
            "modified 'y.py' -> 'y.py', python by file name",
            "@@ -1,1 +1,1 @@",
            "14: -1 'a'",
            "15: +1 'b'",
        ],
    ),
    Arrival(
        "34 a fence of something else before",
        "```\n$ make\n```\n\n```diff\n" + HUNK + "```\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "7: -1 'a'",
            "8: +1 'b'",
        ],
    ),
    Arrival(
        "34 fences in the file",
        "```diff\n@@ -1,4 +1,4 @@\n ```\n-a\n+b\n ```\n \n```\n",
        [
            "modified None -> None, javascript by guess",
            "@@ -1,4 +1,4 @@",
            "3:  1/1 '```'",
            "4: -2 'a'",
            "5: +2 'b'",
            "6:  3/3 '```'",
            "7:  4/4 ''",
            "warning: the language of a hunk without file name is a guess: javascript; declare it to be sure",
        ],
    ),
    Arrival(
        "34 end without a fence",
        HUNK + "```\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b'",
            "warning: line 4 stands outside of any hunk and was ignored",
        ],
    ),
    Arrival(
        "34 diff cut off by the fence",
        "```diff\n@@ -1,2 +1,2 @@\n-a\n+b\n```\n",
        "diff, line 5: not a line of a hunk, but the hunk of line 2 lacks 1 old and 1 new lines",
    ),
]
