"""Which statements count as changed, and what became of each."""

import pytest

from crscore_core.claims.symbolic.changed import changed_statements
from tests.crscore_core.claims.symbolic.blocks import blocks


@pytest.mark.parametrize(
    ("name", "body", "expected"),
    [
        ("a.py", "-x = 1\n+x = 2", [("new", "x = 2")]),
        ("a.py", "+f(a)\n x = 1", [("added", "f(a)")]),
        ("a.py", "-f(a)\n x = 1", [("removed", "f(a)")]),
        ("A.java", "+  }\n+\n   f();", []),
        ("A.java", "-f(a,\n-  b);\n+f(a, b);", []),
        ("a.py", "+def f(a):\n+    b = a\n+    return b\n x = 1", [("added", "def f(a):")]),
        ("a.py", "+def f(a):\n+    b = a\n+c = 1", [("added", "def f(a):"), ("added", "c = 1")]),
        ("a.py", "+# one\n+# two\n+f()", [("added", "one two"), ("added", "f()")]),
        (
            "a.py",
            "-while True:\n+while not done:\n     step()\n-    if done:\n-        go()",
            [("new", "while not done:"), ("removed", "go()")],
        ),
    ],
)
def test_changed_statements(name: str, body: str, expected: list[tuple[str, str]]) -> None:
    language = "java" if name.endswith(".java") else "python"
    found = [one for block in blocks(name, body) for one in changed_statements(block, language)]
    said = [(one.change.value, one.statement.text) for one in found]
    told = [(one.change.value, one.statement.detail) for one in found]
    assert len(found) == len(expected)
    assert all(want in {said[i], told[i]} for i, want in enumerate(expected))


def test_a_rewritten_statement_knows_what_it_was() -> None:
    (block,) = blocks("a.py", "-x = 1\n+x = 2")
    (new,) = changed_statements(block, "python")
    assert new.before is not None
    assert (new.before.text, new.statement.text) == ("x = 1", "x = 2")
