"""What follows from changed statements, a row for each family of them."""

import string

import pytest

from crscore_core.claims import ClaimKind
from crscore_core.claims.symbolic import consequences as module
from crscore_core.claims.symbolic.changed import changed_statements
from crscore_core.claims.symbolic.consequences import MAX_CONSEQUENCES, consequences
from tests.crscore_core.claims.symbolic.blocks import blocks


def told(name: str, body: str, language: str) -> list[str]:
    found = [
        one
        for block in blocks(name, body)
        for one in consequences(changed_statements(block, language))
    ]
    assert all(one.kind is ClaimKind.IMPLICATION for one in found)
    return [one.text for one in found]


@pytest.mark.parametrize(
    ("name", "body", "part"),
    [
        ("a.py", "+if a is None:\n+    a = b\n x = 1", "wrong or missing values"),
        ("a.py", "-if a is None:\n-    go()\n x = 1", "no longer checked"),
        ("a.py", "-if a > b:\n+if a > c:\n     go()", "condition is another one"),
        ("a.py", "+for a in items:\n+    go(a)\n x = 1", "performance"),
        ("A.java", "+throw new IOException();\n x();", "handle the error"),
        ("a.py", "+import requests\n x = 1", "requests a dependency of this module"),
        ("a.py", "-import requests\n x = 1", "dependency on requests is gone"),
        ("a.py", "-import numpy\n+import pandas", "dependency is now on pandas"),
        ("a.py", "+# why it waits\n x = 1", "documentation and readability"),
        ("a.py", "+log.info('sent')\n x = 1", "debugging"),
        ("a.py", "+maxRetries = 3\n x = 1", "variable max retries"),
        ("A.java", "+private int maxRetries;\n void f();", "field max retries"),
        ("a.py", "+MAX_RETRIES = 3\n x = 1", "constant max retries"),
        ("a.py", "-return a\n+return b", "different return value, b"),
        ("a.py", "+sender.flushAll()\n x = 1", "call of flush all"),
        ("test_a.py", "+assert total == 3\n x = 1", "verifies total"),
        ("A.java", "+@Deprecated\n void f();", "annotation deprecated"),
    ],
)
def test_a_consequence(name: str, body: str, part: str) -> None:
    language = "java" if name.endswith(".java") else "python"
    assert [text for text in told(name, body, language) if part in text]


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ("-import numpy\n+import numpy as np", "dependency"),
        (
            "-    m = match(s)\n-    if m:\n+    if (m := match(s)):\n         use(m)",
            "no longer set",
        ),
        (
            "-    while True:\n+    while not done:\n         go()\n-        if done:",
            "no longer che",
        ),
    ],
)
def test_what_does_not_follow(body: str, wrong: str) -> None:
    assert [text for text in told("a.py", body, "python") if wrong in text] == []


def test_the_same_is_said_once_and_little_of_a_long_block() -> None:
    lines = "\n".join(f"+log.info('step {n}')" for n in range(20))
    assert len(told("a.py", lines + "\n x = 1", "python")) == 1
    lines = "\n".join(f"+value{n} = {n}" for n in range(20))
    assert len(told("a.py", lines + "\n x = 1", "python")) == MAX_CONSEQUENCES


def test_code_in_a_name_is_no_template() -> None:
    assert told("a.py", "+# {it} {noun.__class__}\n+x['{it}'] = 1\n y = 1", "python")


def test_templates_name_nothing_else() -> None:
    texts = [text for of_sort in module._CONSEQUENCES.values() for text in of_sort.values()]
    fields = {field for text in texts for _, field, *_ in string.Formatter().parse(text) if field}
    assert fields == {"it", "noun"}
