# ruff: noqa: E501 - a text and its reading stand on one line each
"""Texts, hunk headers and hunk lines."""

from tests.crscore_core.change.arrivals import Arrival

__all__ = ["SHAPES"]

NAMES = "--- a/x.py\n+++ b/x.py\n"
HUNK = "@@ -1 +1 @@\n-a\n+b\n"

SHAPES = [
    Arrival(
        "1 empty",
        "",
        "diff: it is empty; give the output of `git diff`, or a hunk that begins with @@",
    ),
    Arrival(
        "1 empty, as bytes",
        b"",
        "diff: it is empty; give the output of `git diff`, or a hunk that begins with @@",
    ),
    Arrival(
        "1 only blanks and line feeds",
        " \n\t\r\n\n",
        "diff: it is empty; give the output of `git diff`, or a hunk that begins with @@",
    ),
    Arrival(
        "1 only a byte order mark",
        b"\xef\xbb\xbf",
        "diff: it is empty; give the output of `git diff`, or a hunk that begins with @@",
    ),
    Arrival(
        "2 prose",
        "Please review my change.\n\nIt fixes the bug.\n",
        "diff, line 1: no diff found: neither a hunk (`@@ -1,2 +1,3 @@`) nor a file header (`diff --git a/x b/x`)",
    ),
    Arrival(
        "2 prose with a list and a rule",
        "- fixed\n+ added\n---\n  more\n",
        "diff, line 1: no diff found: neither a hunk (`@@ -1,2 +1,3 @@`) nor a file header (`diff --git a/x b/x`)",
    ),
    Arrival(
        "2 code that is no diff",
        "def f():\n    return 1\n",
        "diff, line 1: no diff found: neither a hunk (`@@ -1,2 +1,3 @@`) nor a file header (`diff --git a/x b/x`)",
    ),
    Arrival(
        "2 prose that begins like a hunk",
        "@@ look at this\n",
        "diff, line 1: malformed hunk header; it should read like `@@ -12,5 +12,7 @@`",
    ),
    Arrival(
        "2 prose before and after a hunk",
        "Look:\n\n" + HUNK + "\nThat is all.\n- really\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "4: -1 'a'",
            "5: +1 'b'",
            "warning: line 7 stands outside of any hunk and was ignored",
        ],
    ),
    Arrival(
        "2 a list right after a hunk",
        HUNK + "- fixed\n",
        "diff, line 4: looks like a line of a hunk, but by the headers above no hunk goes on",
    ),
    Arrival(
        "3 bare hunk",
        "@@ -204,3 +204,3 @@ class Renderer(Exporter):\n     x\n-    y\n+    z\n     w\n",
        [
            "modified None -> None, python by guess",
            "@@ -204,3 +204,3 @@ class Renderer(Exporter):",
            "2:  204/204 '    x'",
            "3: -205 '    y'",
            "4: +205 '    z'",
            "5:  206/206 '    w'",
            "warning: the language of a hunk without file name is a guess: python; declare it to be sure",
        ],
    ),
    Arrival(
        "3 bare hunk, last line without line feed",
        "@@ -1 +1 @@\n-a\n+b",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b'",
        ],
    ),
    Arrival(
        "3 lines of a hunk above a bare hunk",
        "-lost\n+kept\n" + HUNK,
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "4: -1 'a'",
            "5: +1 'b'",
            "warning: line 2 stands above the first header and was ignored",
        ],
    ),
    Arrival(
        "4 two bare hunks in order",
        HUNK + "@@ -7,0 +8 @@ f\n+c\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b'",
            "@@ -7,0 +8,1 @@ f",
            "5: +8 'c'",
        ],
    ),
    Arrival(
        "4 bare hunks apart may be of different files",
        HUNK + "\n" + HUNK,
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b'",
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "6: -1 'a'",
            "7: +1 'b'",
        ],
    ),
    Arrival(
        "4 a hunk after a blank line stays with its file",
        NAMES + HUNK + "\n@@ -7 +7 @@\n-c\n+d\n",
        [
            "modified 'x.py' -> 'x.py', python by file name",
            "@@ -1,1 +1,1 @@",
            "4: -1 'a'",
            "5: +1 'b'",
            "@@ -7,1 +7,1 @@",
            "8: -7 'c'",
            "9: +7 'd'",
        ],
    ),
    Arrival(
        "4 a hunk after a remark stays with its file",
        NAMES + HUNK + "And here:\n@@ -7 +7 @@\n-c\n+d\n",
        [
            "modified 'x.py' -> 'x.py', python by file name",
            "@@ -1,1 +1,1 @@",
            "4: -1 'a'",
            "5: +1 'b'",
            "@@ -7,1 +7,1 @@",
            "8: -7 'c'",
            "9: +7 'd'",
            "warning: line 6 stands outside of any hunk and was ignored",
        ],
    ),
    Arrival(
        "5 counts left out",
        HUNK,
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b'",
        ],
    ),
    Arrival(
        "5 one count left out",
        "@@ -3 +3,2 @@\n-a\n+b\n+c\n",
        [
            "modified None -> None",
            "@@ -3,1 +3,2 @@",
            "2: -3 'a'",
            "3: +3 'b'",
            "4: +4 'c'",
        ],
    ),
    Arrival(
        "6 -0,0 of a new file",
        "--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,2 @@\n+a\n+b\n",
        [
            "added None -> 'x.py', python by file name",
            "@@ -0,0 +1,2 @@",
            "4: +1 'a'",
            "5: +2 'b'",
        ],
    ),
    Arrival(
        "6 -0,0 of an empty file",
        "--- a/x.py\n+++ b/x.py\n@@ -0,0 +1 @@\n+a\n",
        [
            "modified 'x.py' -> 'x.py', python by file name",
            "@@ -0,0 +1,1 @@",
            "4: +1 'a'",
        ],
    ),
    Arrival(
        "6 -0,0 in a bare hunk",
        "@@ -0,0 +1 @@\n+a\n",
        [
            "modified None -> None",
            "@@ -0,0 +1,1 @@",
            "2: +1 'a'",
        ],
    ),
    Arrival(
        "6 a count without lines after line 5",
        "@@ -5,0 +6 @@\n+a\n",
        [
            "modified None -> None",
            "@@ -5,0 +6,1 @@",
            "2: +6 'a'",
        ],
    ),
    Arrival(
        "6 line 0 with lines",
        "@@ -0 +0 @@\n-a\n+b\n",
        "diff, line 1: lines are numbered from 1, but the hunk header starts at 0",
    ),
    Arrival(
        "7 hunk without lines",
        "@@ -1,0 +1,0 @@\n",
        "diff, line 1: the hunk header says that the hunk has no lines",
    ),
    Arrival(
        "7 hunk without lines in a file",
        NAMES + "@@ -0,0 +0,0 @@\n" + HUNK,
        "diff, line 3: the hunk header says that the hunk has no lines",
    ),
    Arrival(
        "8 function text",
        "@@ -1 +1 @@ def f(a):  # @@ \n-a\n+b\n",
        [
            "modified None -> None, python by guess",
            "@@ -1,1 +1,1 @@ def f(a):  # @@",
            "2: -1 'a'",
            "3: +1 'b'",
            "warning: the language of a hunk without file name is a guess: python; declare it to be sure",
        ],
    ),
    Arrival(
        "8 function text with odd characters",
        "@@ -1 +1 @@ größe\x0c字\n-a\n+b\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@ größe\x0c字",
            "2: -1 'a'",
            "3: +1 'b'",
        ],
    ),
    Arrival(
        "9 overflowing start",
        "@@ -99999999999999999999 +1 @@\n-a\n+b\n",
        "diff, line 1: a number in the hunk header is too large",
    ),
    Arrival(
        "9 start just too large",
        "@@ -2147483648 +1 @@\n-a\n+b\n",
        "diff, line 1: a number in the hunk header is too large",
    ),
    Arrival(
        "9 largest start",
        "@@ -2147483647 +1 @@\n-a\n+b\n",
        [
            "modified None -> None",
            "@@ -2147483647,1 +1,1 @@",
            "2: -2147483647 'a'",
            "3: +1 'b'",
        ],
    ),
    Arrival(
        "9 overflowing count in the second hunk",
        HUNK + "@@ -9,4294967296 +9 @@\n-a\n+b\n",
        "diff, line 4: a number in the hunk header is too large",
    ),
    Arrival(
        "10 negative start",
        "@@ --1 +1 @@\n-a\n+b\n",
        "diff, line 1: malformed hunk header; it should read like `@@ -12,5 +12,7 @@`",
    ),
    Arrival(
        "10 negative count",
        "@@ -1,-1 +1 @@\n-a\n+b\n",
        "diff, line 1: malformed hunk header; it should read like `@@ -12,5 +12,7 @@`",
    ),
    Arrival(
        "11 Arabic digits",
        "@@ -١ +١ @@\n-a\n+b\n",
        "diff, line 1: malformed hunk header; it should read like `@@ -12,5 +12,7 @@`",
    ),
    Arrival(
        "11 superscript digit",
        "@@ -1² +1 @@\n-a\n+b\n",
        "diff, line 1: malformed hunk header; it should read like `@@ -12,5 +12,7 @@`",
    ),
    Arrival(
        "12 the text ends",
        "@@ -1,3 +1,3 @@\n a\n-b\n",
        "diff, line 3: the text ends inside the hunk of line 1, which lacks 1 old and 2 new lines",
    ),
    Arrival(
        "12 the text ends after the header",
        NAMES + "@@ -1,2 +1 @@\n",
        "diff, line 3: the text ends inside the hunk of line 3, which lacks 2 old and 1 new lines",
    ),
    Arrival(
        "12 the next file begins",
        "@@ -1,2 +1,2 @@\n-a\n+b\n" + "diff --git a/y b/y\n",
        "diff, line 4: not a line of a hunk, but the hunk of line 1 lacks 1 old and 1 new lines",
    ),
    Arrival(
        "12 the next hunk begins",
        "@@ -1,2 +1,2 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n",
        "diff, line 4: not a line of a hunk, but the hunk of line 1 lacks 1 old and 1 new lines",
    ),
    Arrival(
        "12 the names of the next file have the look of lines",
        "@@ -1,2 +1 @@\n-a\n+b\n" + NAMES + HUNK,
        "diff, line 5: `+++` without a `---` line before it",
    ),
    Arrival(
        "12 the names of the next file pass for lines",
        "@@ -1,2 +1,2 @@\n-a\n+b\n" + NAMES + "@@ -9 +9 @@\n-a\n+b\n",
        [
            "modified None -> None",
            "@@ -1,2 +1,2 @@",
            "2: -1 'a'",
            "3: +1 'b'",
            "4: -2 '-- a/x.py'",
            "5: +2 '++ b/x.py'",
            "@@ -9,1 +9,1 @@",
            "7: -9 'a'",
            "8: +9 'b'",
            "warning: line 5 and the one above it look like file names, but belong to the hunk by its counts and were read as changed lines",
        ],
    ),
    Arrival(
        "13 an added line too many",
        HUNK + "+c\n",
        "diff, line 4: looks like a line of a hunk, but by the headers above no hunk goes on",
    ),
    Arrival(
        "13 a removed line too many",
        HUNK + "-c\n",
        "diff, line 4: looks like a line of a hunk, but by the headers above no hunk goes on",
    ),
    Arrival(
        "13 a context line too many",
        HUNK + " c\n",
        "diff, line 4: looks like a line of a hunk, but by the headers above no hunk goes on",
    ),
    Arrival(
        "13 an added line too many inside",
        "@@ -1,2 +1,1 @@\n-a\n+b\n+c\n-d\n",
        "diff, line 4: more lines than the hunk of line 1 says",
    ),
    Arrival(
        "13 lines after a blank one",
        HUNK + "\n \n+c\n",
        "diff, line 6: looks like a line of a hunk, but by the headers above no hunk goes on",
    ),
    Arrival(
        "13 lines after a file without hunks",
        "diff --git a/x b/y\nrename from x\nrename to y\n+c\n",
        "diff, line 4: looks like a line of a hunk, but by the headers above no hunk goes on",
    ),
    Arrival(
        "13 blank lines at the end",
        HUNK + "\n    \n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b'",
        ],
    ),
    Arrival(
        "14 same lines twice",
        NAMES + HUNK + HUNK,
        "diff, line 6: the hunk overlaps or precedes the one before it; if it belongs to another file, put that file's header above it",
    ),
    Arrival(
        "14 backwards",
        NAMES + "@@ -5 +5 @@\n-a\n+b\n" + HUNK,
        "diff, line 6: the hunk overlaps or precedes the one before it; if it belongs to another file, put that file's header above it",
    ),
    Arrival(
        "14 overlap in the new file only",
        NAMES + "@@ -1 +1,3 @@\n-a\n+b\n+c\n+d\n@@ -5 +3 @@\n-e\n+f\n",
        "diff, line 8: the hunk overlaps or precedes the one before it; if it belongs to another file, put that file's header above it",
    ),
    Arrival(
        "14 hunks that touch",
        NAMES + HUNK + "@@ -2 +2 @@\n-c\n+d\n",
        [
            "modified 'x.py' -> 'x.py', python by file name",
            "@@ -1,1 +1,1 @@",
            "4: -1 'a'",
            "5: +1 'b'",
            "@@ -2,1 +2,1 @@",
            "7: -2 'c'",
            "8: +2 'd'",
        ],
    ),
    Arrival(
        "14 insertions at the same place",
        NAMES + "@@ -1,0 +2 @@\n+a\n@@ -1,0 +3 @@\n+b\n",
        [
            "modified 'x.py' -> 'x.py', python by file name",
            "@@ -1,0 +2,1 @@",
            "4: +2 'a'",
            "@@ -1,0 +3,1 @@",
            "6: +3 'b'",
        ],
    ),
    Arrival(
        "15 missing +++",
        "--- a/x.py\n" + HUNK,
        "diff, line 1: `---` without a `+++` line after it",
    ),
    Arrival(
        "15 missing +++ at the end",
        "--- a/x.py\n",
        "diff, line 1: `---` without a `+++` line after it",
    ),
    Arrival(
        "15 missing +++ in git",
        "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n" + HUNK,
        "diff, line 3: `---` without a `+++` line after it",
    ),
    Arrival(
        "15 names without a hunk",
        NAMES + "text\n",
        "diff, line 2: file names without a hunk after them",
    ),
    Arrival(
        "16 only +++",
        "+++ b/x.py\n" + HUNK,
        "diff, line 1: `+++` without a `---` line before it",
    ),
    Arrival(
        "16 only +++ in git",
        "diff --git a/x b/x\nindex 1..2 100644\n+++ b/x\n" + HUNK,
        "diff, line 3: `+++` without a `---` line before it",
    ),
    Arrival(
        "17 empty old name",
        "--- \n+++ b/x.py\n" + HUNK,
        "diff, line 1: the file name is empty",
    ),
    Arrival(
        "17 empty new name",
        "--- a/x.py\n+++ \n" + HUNK,
        "diff, line 2: the file name is empty",
    ),
    Arrival(
        "17 only a time stamp",
        "--- \t2020-01-01 10:00:00\n+++ b/x.py\n" + HUNK,
        "diff, line 1: the file name is empty",
    ),
    Arrival(
        "17 only prefixes",
        "--- a/\n+++ b/\n" + HUNK,
        "diff, line 1: the file name is empty",
    ),
    Arrival(
        "17 only a mark without its blank",
        "---\n+++\n" + HUNK,
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "4: -1 'a'",
            "5: +1 'b'",
            "warning: line 2 stands above the first header and was ignored",
        ],
    ),
    Arrival(
        "17 git without names",
        "diff --git \nold mode 100644\nnew mode 100755\n",
        "diff, line 1: `diff --git` needs two file names",
    ),
    Arrival(
        "17 git with one name",
        "diff --git a/x\nold mode 100644\nnew mode 100755\n",
        "diff, line 1: `diff --git` needs two file names",
    ),
    Arrival(
        "17 git with prefixes only",
        "diff --git a/ b/\nold mode 100644\nnew mode 100755\n",
        "diff, line 1: the file name is empty",
    ),
    Arrival(
        "17 quotes around nothing",
        '--- ""\n+++ "b/x"\n' + HUNK,
        "diff, line 1: the file name is empty",
    ),
    Arrival(
        "17 rename from nothing",
        "diff --git a/x b/y\nrename from \nrename to y\n",
        "diff, line 2: the file name is empty",
    ),
    Arrival(
        "17 no file on either side",
        "--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+a\n",
        "diff, line 1: neither side names a file",
    ),
    Arrival(
        "18 --- against diff --git",
        "diff --git a/x b/x\n--- a/y\n+++ b/x\n" + HUNK,
        "diff, line 1: the header gives the file conflicting names",
    ),
    Arrival(
        "18 +++ against diff --git",
        "diff --git a/x b/x\n--- a/x\n+++ b/y\n" + HUNK,
        "diff, line 1: the header gives the file conflicting names",
    ),
    Arrival(
        "18 rename against diff --git",
        "diff --git a/x b/y\nrename from z\nrename to y\n",
        "diff, line 1: the header gives the file conflicting names",
    ),
    Arrival(
        "18 rename against +++",
        "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/z\n" + HUNK,
        "diff, line 1: the header gives the file conflicting names",
    ),
    Arrival(
        "18 names with blanks",
        "diff --git a/x y b/x y\n--- a/x z\t\n+++ b/x y\t\n" + HUNK,
        "diff, line 1: the header gives the file conflicting names",
    ),
    Arrival(
        "18 a second rename",
        "diff --git a/x b/y\nrename from x\nrename from z\nrename to y\n",
        "diff, line 3: a second `rename from`",
    ),
    Arrival(
        "18 half a rename",
        "diff --git a/x b/y\nrename from x\n",
        "diff, line 1: `rename from` and `rename to` go together",
    ),
    Arrival(
        "18 two files compared by git",
        "diff --git a/x.py b/y.py\nindex 1..2 100644\n--- a/x.py\n+++ b/y.py\n" + HUNK,
        [
            "modified 'x.py' -> 'y.py', python by file name, mode 100644 -> 100644",
            "@@ -1,1 +1,1 @@",
            "6: -1 'a'",
            "7: +1 'b'",
        ],
    ),
    Arrival(
        "18 two files compared by diff",
        "--- x.py\n+++ y.py\n" + HUNK,
        [
            "modified 'x.py' -> 'y.py', python by file name",
            "@@ -1,1 +1,1 @@",
            "4: -1 'a'",
            "5: +1 'b'",
        ],
    ),
    Arrival(
        "19 removed line that reads --- x",
        "@@ -1,2 +1 @@\n--- x\n-a\n+b\n",
        [
            "modified None -> None",
            "@@ -1,2 +1,1 @@",
            "2: -1 '-- x'",
            "3: -2 'a'",
            "4: +1 'b'",
        ],
    ),
    Arrival(
        "19 removed SQL comment before an added ++ line",
        NAMES + "@@ -1 +1 @@\n--- a/y.py\n+++ b/y.py\n@@ -5 +5 @@\n-a\n+b\n",
        [
            "modified 'x.py' -> 'x.py', python by file name",
            "@@ -1,1 +1,1 @@",
            "4: -1 '-- a/y.py'",
            "5: +1 '++ b/y.py'",
            "@@ -5,1 +5,1 @@",
            "7: -5 'a'",
            "8: +5 'b'",
            "warning: line 5 and the one above it look like file names, but belong to the hunk by its counts and were read as changed lines",
        ],
    ),
    Arrival(
        "20 added line that reads +++ x",
        "@@ -1 +1,2 @@\n-a\n+++ x\n+++ y\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,2 @@",
            "2: -1 'a'",
            "3: +1 '++ x'",
            "4: +2 '++ y'",
        ],
    ),
    Arrival(
        "20 lines that read like headers",
        "@@ -1,2 +1,2 @@\n @@ -1 +1 @@\n-diff --git a/x b/x\n+@@ -1 +1 @@\n",
        [
            "modified None -> None",
            "@@ -1,2 +1,2 @@",
            "2:  1/1 '@@ -1 +1 @@'",
            "3: -2 'diff --git a/x b/x'",
            "4: +2 '@@ -1 +1 @@'",
        ],
    ),
    Arrival(
        "21 marker on the old side",
        "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a' without newline",
            "4: +1 'b'",
        ],
    ),
    Arrival(
        "21 marker on the new side",
        HUNK + "\\ No newline at end of file\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b' without newline",
        ],
    ),
    Arrival(
        "21 marker on both sides",
        "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a' without newline",
            "4: +1 'b' without newline",
        ],
    ),
    Arrival(
        "21 marker after a context line",
        "@@ -1 +1,2 @@\n+a\n b\n\\ No newline at end of file\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,2 @@",
            "2: +1 'a'",
            "3:  1/2 'b' without newline",
        ],
    ),
    Arrival(
        "21 marker after nothing",
        "@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n",
        "diff, line 2: a no-newline marker that follows no line",
    ),
    Arrival(
        "21 marker twice",
        HUNK + "\\ No newline at end of file\n" * 2,
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b' without newline",
            "warning: line 5 stands outside of any hunk and was ignored",
        ],
    ),
    Arrival(
        "21 marker before more lines",
        "@@ -1,2 +1 @@\n-a\n\\ No newline at end of file\n-b\n+c\n",
        "diff, line 3: a no-newline marker, but the hunk says that more lines follow",
    ),
    Arrival(
        "21 a hunk after the end",
        HUNK + "\\ No newline at end of file\n@@ -9 +9 @@\n-c\n+d\n",
        "diff, line 5: a hunk after the end of the file",
    ),
    Arrival(
        "21 a line that reads like the marker",
        "@@ -1 +1 @@\n-\\ No newline at end of file\n+\\ x\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 '\\\\ No newline at end of file'",
            "3: +1 '\\\\ x'",
        ],
    ),
    Arrival(
        "22 marker in German",
        HUNK + "\\ Kein Zeilenumbruch am Dateiende.\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b' without newline",
        ],
    ),
    Arrival(
        "22 marker in Chinese",
        HUNK + "\\ 文件尾没有换行符\n",
        [
            "modified None -> None",
            "@@ -1,1 +1,1 @@",
            "2: -1 'a'",
            "3: +1 'b' without newline",
        ],
    ),
    Arrival(
        "22 a backslash without its blank",
        "@@ -1,2 +1,2 @@\n-a\n+b\n\\begin{x}\n",
        "diff, line 4: not a line of a hunk, but the hunk of line 1 lacks 1 old and 1 new lines",
    ),
    Arrival(
        "23 empty context line without its blank",
        "@@ -1,3 +1,3 @@\n-a\n+b\n\n c\n",
        [
            "modified None -> None",
            "@@ -1,3 +1,3 @@",
            "2: -1 'a'",
            "3: +1 'b'",
            "4:  2/2 ''",
            "5:  3/3 'c'",
        ],
    ),
    Arrival(
        "23 the same at the end of the text",
        "@@ -1,2 +1,2 @@\n-a\n+b\n\n",
        [
            "modified None -> None",
            "@@ -1,2 +1,2 @@",
            "2: -1 'a'",
            "3: +1 'b'",
            "4:  2/2 ''",
        ],
    ),
    Arrival(
        "23 the same cut off with its line feed",
        "@@ -1,2 +1,2 @@\n-a\n+b\n",
        "diff, line 3: the text ends inside the hunk of line 1, which lacks 1 old and 1 new lines",
    ),
    Arrival(
        "23 other context line without its blank",
        "@@ -1,2 +1,2 @@\n-a\n+b\nreturn\n",
        "diff, line 4: not a line of a hunk, but the hunk of line 1 lacks 1 old and 1 new lines",
    ),
]
