"""Claims about changes: each fact is true, is claimed once, and shows its code."""

from pathlib import Path

import pytest

from crscore_core.change import parse_change
from crscore_core.claims import PseudoReference, ReferenceKind
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.claims.symbolic.files import is_test_path
from crscore_core.claims.symbolic.wording import to_plain_words
from tests.cases import cases


def claims_of(diff: str) -> tuple[PseudoReference, ...]:
    return SymbolicClaims().generate(parse_change(diff)).claims


def diff_of(name: str, body: str, section: str = "") -> str:
    """One hunk at line 1 of the file `name`."""
    lines = body.split("\n")
    old = sum(not line.startswith("+") for line in lines)
    new = sum(not line.startswith("-") for line in lines)
    return f"--- a/{name}\n+++ b/{name}\n@@ -1,{old} +1,{new} @@ {section}\n{body}\n"


@pytest.mark.parametrize(("place", "body", "claims"), cases(Path(__file__).with_name("claims.txt")))
def test_exactly_the_expected_facts_are_claimed(place: str, body: str, claims: str) -> None:
    """The change is a hunk of `name @@ section`, or the whole diff `body`."""
    name, _, section = place.partition(" @@ ")
    hunk = diff_of(name, body.removesuffix("\n"), section)
    found = claims_of(body if place == "a diff" else hunk)
    assert sorted(claim.text for claim in found) == sorted(claims.split("\n"))


@pytest.mark.parametrize(("name", "body", "wordings"), [
    ("a.js", " x();\n+if (userName == null) {\n+  return;\n+}",
     ["if user name == null the code now returns early"]),
    ("a.py", " x = 1\n+MAX_SIZE = load_size(3)", ["max size is set to load size 3"]),
    ("a.py", " x = 1\n+ok = maxCount >= 3 or a_2 < b",
     ["ok is set to max count at least 3 or a 2 less than b"]),
    ("a.py", " def f():\n+  go(1)", ["go 1 is now called in f"]),  # the only claim
    ("a.py", " def f():\n+  go(1)\n+  if ok:\n+    return\n def g():\n+  stop()",
     ["go 1 is now called", "if ok f now returns early", "stop is now called in g"]),
])  # fmt: skip
def test_wordings_leave_out_places_that_half_of_the_claims_share(
    name: str, body: str, wordings: list[str]
) -> None:
    as_code, plain = zip(*(claim.wordings for claim in claims_of(diff_of(name, body))), strict=True)
    assert sorted(plain) == sorted(wordings)
    assert [*map(to_plain_words, as_code)] == [*plain]


LONG = {
    "a.json": '"k": "{}"', "a.yaml": "k: {}", "a.sql": "insert into t values ('{}');",
    "a.csv": "1,{},2", "a.html": "<p>{}</p>", "a.py": 'x = f("{}")', "a.js": "const x = `{}`;",
    "A.java": 'go("{}", 1);', "a.go": "x := `{}`", "a.rs": 'let x = "{}";',
}  # fmt: skip
"""Maps each file name to a line that contains a long string."""


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("length", [40, 650, 1500])
def test_a_claim_shows_the_difference_between_long_lines(name: str, length: int) -> None:
    text = "a " * (length // 2)
    old, new = (LONG[name].format(f"{text}{end} {text}") for end in "AB")
    (claim,) = claims_of(diff_of(name, f"-{old}\n+{new}"))
    assert "layout" not in claim.text
    assert "A" in claim.text
    assert "B" in claim.text


def test_claims_have_a_path_line_kind_and_source() -> None:
    deletion = "diff --git a/a.py b/a.py\ndeleted file mode 100644\n--- a/a.py\n+++ /dev/null\n"
    deleted = claims_of(f"{deletion}@@ -1,2 +0,0 @@\n-x = 1\n-y = f(x)\n")
    assert {(claim.path, claim.line) for claim in deleted} == {("a.py", None)}
    removed = claims_of(diff_of("a.py", " a = 1\n-drop(a)\n b = 2\n c = 3"))
    assert {claim.line for claim in removed} == {2}
    last = claims_of(diff_of("a.go", " func f(n int) {\n \tgo(n)\n-\tdrop(n)\n }\n \n func g() {"))
    assert {claim.line for claim in last} == {3}
    changed = claims_of(diff_of("a.py", " a = 1\n-b = 1\n+b = 2\n+use(b)\n c = 3"))
    assert sorted(claim.line or 0 for claim in changed) == [2, 3]
    assert {(claim.kind, claim.source) for claim in changed} == {(ReferenceKind.CLAIM, "symbolic")}
    assert claims_of(diff_of("a.py", " a = 1\n b = 2")) == ()


CHANGELOG = diff_of(
    "CHANGELOG.md", "+## 1.2\n+\n+- Checks x.\n+\n+- Is fast.\n \n-Olde text.\n+Old text."
)
PASSAGES = "Passages are added: “- Checks x.” and “- Is fast.”"
MINOR = "+import json\n+# be careful\n def f(order):\n"


@pytest.mark.parametrize(("diff", "claims"), [
    # Source files come before settings, tests, prose and versions; each of them has a claim.
    (diff_of("README.md", " # Shop\n+Orders have rates.")
     + diff_of("go.yml", "+a: 1\n b: 2") + diff_of("v.py", '-VERSION = "1"\n+VERSION = "2"\n x = 1')
     + diff_of("tests/test_a.py", "+def test_rate():\n+    assert f(1) == 2\n x = 1")
     + diff_of("b.py", "+import os\n x = 1") + diff_of("y.lock", "+b\n c\n d")
     + diff_of("a.py", "     x = order\n+    x.rate = 1\n     go(x)", "def f(order):"),
     ["`x.rate` is set to `1` in `f`", "`os` is now imported", "The entry `a: 1` is added",
      "The test `test_rate()` is added", "A passage is added: “Orders have rates.”",
      '`VERSION` is now `"2"` instead of `"1"`', "The lock file `y.lock` changes: 1 line added"]),
    # A changelog has one claim next to other files.
    (CHANGELOG + diff_of("a.py", "+check(x)\n x = 1"), ["`check(x)` is now called", PASSAGES]),
    # Imports and comments complete a short list.
    (diff_of("a.py", f"{MINOR}+    order.rate = 1\n+    pay(order)\n     go(order)"),
     ["`pay(order)` is now called in `f`", "`order.rate` is set to `1` in `f`",
      "`json` is now imported", "A comment is added: “be careful”"]),
])  # fmt: skip
def test_the_most_informative_facts_come_first(diff: str, claims: list[str]) -> None:
    assert [claim.text for claim in claims_of(diff)] == claims


def test_a_changelog_alone_has_its_sections() -> None:
    texts = {claim.text for claim in claims_of(CHANGELOG)}
    assert {"A section is added: “## 1.2”", PASSAGES} < texts


def test_imports_and_comments_are_counted_after_a_long_list() -> None:
    rates = "\n".join(f"+    order.rate{number} = {number}" for number in range(11))
    change = parse_change(diff_of("a.py", f"{MINOR}{rates}\n     go(order)"))
    found = SymbolicClaims().generate(change)
    assert len(found.claims) == 12
    assert found.warnings == ("claims left out as minor: 1",)


@pytest.mark.parametrize("name", "a.sh a.ps1 nginx.conf a.unknown a.csv a.vim a.bat a.sql".split())
@pytest.mark.parametrize("number", [3, 12, 30])
def test_each_changed_row_without_rules_is_claimed_or_counted(name: str, number: int) -> None:
    rows = [(f"word{i} step{i} one{i}", f"word{i} step{i} two{i}") for i in range(number)]
    body = "\n ---\n".join(f"-{old}\n+{new}" for old, new in rows)
    found = SymbolicClaims().generate(parse_change(diff_of(name, body)))
    claimed = [new for old, new in rows if any(new in claim.text for claim in found.claims)]
    n_left = sum(int(text.split()[-1]) for text in found.warnings if "left out as minor" in text)
    assert len(claimed) == min(number, 12)
    assert len(claimed) + n_left == number


def test_a_merge_of_40_files_is_described_by_its_facts() -> None:
    own = [
        diff_of(f"src/a{i}.py", f"     x()\n+    check_{i}(x, {i})", f"def f{i}(x):")
        for i in range(20)
    ]
    shared = [diff_of(f"lib/b{i}.py", "-import old_lib\n+import new_lib\n x()") for i in range(20)]
    found = [claim.text for claim in claims_of("".join(own + shared))]
    assert len([text for text in found if "old_lib" in text and "new_lib" in text]) == 1
    assert {f"`check_{i}(x, {i})` is now called in `f{i}`" for i in range(20)} <= set(found)


TESTS = "test_a.py a_test.go a.spec.ts a.test.js tests/a.py src/test/java/A.java CartTest.java"
OTHER = "latest.py inspect.py specification.md contest/shop.py testimonials.js attestation.go"


def test_a_test_file_is_recognised_by_whole_words() -> None:
    assert [path for path in f"{TESTS} {OTHER}".split() if is_test_path(path)] == TESTS.split()
