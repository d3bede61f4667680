"""What is claimed of small changes: each row a diff and sentences that must be among its claims."""

import pytest

from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import ClaimKind
from crscore_core.claims.symbolic import SymbolicClaims


def change(diff: str) -> CodeChange:
    return parse_change(diff)


def texts(diff: str) -> list[str]:
    return [claim.text for claim in SymbolicClaims().generate(change(diff)).claims]


def diff_of(name: str, body: str, *, section: str = "") -> str:
    """One hunk at line 1 of the file `name`."""
    lines = body.strip("\n").split("\n")
    old = sum(not line.startswith("+") for line in lines)
    new = sum(not line.startswith("-") for line in lines)
    head = f"--- a/{name}\n+++ b/{name}\n@@ -1,{old} +1,{new} @@ {section}".rstrip()
    return f"{head}\n" + "\n".join(lines) + "\n"


CASES = [
    pytest.param(
        "shop.py",
        "-def pay(order):\n+def pay(order, currency='EUR'):\n     check(order)",
        [
            "The function `pay` takes a new parameter `currency` that defaults to `'EUR'`",
            ("Existing calls of `pay` that do not pass `currency` keep working with the default "
            "`'EUR'`"),
        ],
        id="parameter added",
    ),
    pytest.param(
        "Shop.java",
        "-    public int price(Item item) {\n+    public long price(Item item) {",
        ["The return type of `price` changes from `int` to `long`"],
        id="return type",
    ),
    pytest.param(
        "shop.py",
        "-def price(item): return item.cost\n+def price(item): return item.price",
        [
            ("The declaration of `price` is reworded from `def price(item): return item.cost` to "
            "`def price(item): return item.price`")
        ],
        id="body beside a heading is no return type",
    ),
    pytest.param(
        "Shop.kt",
        "-fun find(id: Int): Item? = stock.find(id)\n+fun find(id: Int): Item = stock.find(id)!!",
        ["The return type of `find` changes from `Item?` to `Item`"],
        id="expression beside a return type",
    ),
    pytest.param(
        "Shop.java",
        "-    private void close() {\n+    public void close() {",
        [
            "The method `close` changes from private to public",
            "`close` becomes visible to other code as part of the API",
        ],
        id="visibility",
    ),
    pytest.param(
        "Shop.java",
        "-class Shop extends Store {\n+class Shop extends Market {",
        ["The class `Shop` now extends `Market` instead of `Store`"],
        id="base class",
    ),
    pytest.param(
        "shop.js",
        "   const a = 1;\n+  if (order === null) {\n+    return;\n+  }",
        [
            "A condition is added to check whether `order === null`; if so, it returns early",
            ("The check guards against order being null or missing, which avoids a null pointer "
            "or undefined error"),
        ],
        id="null check",
    ),
    pytest.param(
        "shop.go",
        "-\tif count < limit {\n+\tif count <= limit {",
        [
            "It checked `count < limit` before and checks `count <= limit` now",
            ("The comparison uses `<=` instead of `<`, so the boundary or equal case is decided "
            "differently"),
        ],
        id="boundary",
    ),
    pytest.param(
        "shop.py",
        "-    if ready:\n+    if ready and paid:",
        ["The condition also requires `paid`"],
        id="clause added",
    ),
    pytest.param(
        "shop.py",
        "-    send(order)\n+    send(order, retries)",
        ["The additional argument `retries` is passed to `send`"],
        id="argument added",
    ),
    pytest.param(
        "shop.py",
        "-TIMEOUT = 30\n+TIMEOUT = 60",
        ["The value of `TIMEOUT` changes from `30` to `60`"],
        id="literal",
    ),
    pytest.param(
        "shop.py",
        "+import json\n+import sys\n x = 1",
        ["New imports are added for `json` and `sys`"],
        id="imports",
    ),
    pytest.param(
        "Shop.java",
        '-throw new ShopError();\n+throw new ShopError("no stock");',
        ["The exception `ShopError` gets the message `no stock`"],
        id="exception message",
    ),
    pytest.param(
        "shop.py",
        " try:\n     buy()\n+except OSError:\n+    pass",
        [
            "The code now catches `OSError` and the handler does nothing",
            "Silently swallowing `OSError` may hide errors",
        ],
        id="swallowed",
    ),
    pytest.param(
        "shop.rb",
        "+  logger.warn('late')\n   ship",
        ["Log output `'late'` is added"],
        id="log",
    ),
    pytest.param(
        "package.json",
        '-  "left-pad": "1.0.0",\n+  "left-pad": "1.3.0",',
        ['The value of `left-pad` changes from `"1.0.0"` to `"1.3.0"`'],
        id="dependency",
    ),
    pytest.param(
        "shop.c",
        "-  return total;\n+  return -1;",
        ["The code now returns `-1` instead of `total`"],
        id="return",
    ),
    pytest.param(
        "shop.py",
        "+# TODO: refund\n x = 1",
        ["A TODO comment is added: refund", "The work is left unfinished: refund"],
        id="todo",
    ),
    pytest.param(
        "Shop.cs",
        " int a;\n+    [Obsolete]\n     int b;",
        ["The annotation `[Obsolete]` is added"],
        id="attribute",
    ),
    pytest.param(
        "shop.py", "-x = [1,2]\n+x = [1, 2]", [("Only the formatting, whitespace or line breaks "
        "of `x = [1, 2]` changes")], id="formatting",
    ),
    pytest.param(
        "shop.py", " x = 1\n+\n y = 2", ["Blank lines or whitespace are added"], id="blank lines",
    ),
    pytest.param(
        "shop.py",
        "-connect_to_database()\n a = 1\n b = 2\n+connect_to_database()",
        ["`connect_to_database()` is moved further down"],
        id="moved",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "body", "expected"), CASES)
def test_a_change_is_described(name: str, body: str, expected: list[str]) -> None:
    found = texts(diff_of(name, body))
    assert [text for text in expected if text not in found] == []


def test_a_new_function_is_one_block_not_a_claim_a_line() -> None:
    body = """
+def total(prices, rate):
+    if not prices:
+        return 0
+    amount = sum(prices)
+    amount = convert(amount, rate)
+    return round(amount)
"""
    found = texts(diff_of("shop.py", body))
    assert "A new function `total` is added with the parameters `prices` and `rate`" in found
    assert len(found) <= 8
    assert not [text for text in found if text.startswith(("`amount`", "The code now sets"))]


def test_the_section_says_where() -> None:
    of_class = diff_of("Shop.java", "+    private int stock;", section="public class Shop {")
    assert ("A new private field `stock` is declared in the `Shop` class without a value") in texts(
        of_class
    )
    of_function = diff_of("shop.py", "+    audit(order)", section="def sell(order):")
    assert "A call to `audit(order)` is added in the `sell` function" in texts(of_function)


EVENTS = [
    pytest.param(
        "diff --git a/a.py b/b.py\nsimilarity index 100%\nrename from a.py\nrename to b.py\n",
        "The file `a.py` is renamed to `b.py`",
        id="rename",
    ),
    pytest.param(
        "diff --git a/a.py b/b.py\nsimilarity index 100%\ncopy from a.py\ncopy to b.py\n",
        "The file `a.py` is copied to `b.py`",
        id="copy",
    ),
    pytest.param(
        "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n",
        "`run` becomes executable",
        id="mode",
    ),
    pytest.param(
        "diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n",
        "The new empty file `e` is added",
        id="empty file",
    ),
    pytest.param(
        "diff --git a/p.png b/p.png\nindex 1111111..2222222 100644\n"
        "Binary files a/p.png and b/p.png differ\n",
        "The binary file `p.png` changes",
        id="binary",
    ),
    pytest.param(
        "diff --git a/lib b/lib\nindex 1111111..2222222 160000\n--- a/lib\n+++ b/lib\n"
        "@@ -1 +1 @@\n-Subproject commit 1111111111111111111111111111111111111111\n"
        "+Subproject commit 2222222222222222222222222222222222222222\n",
        "The submodule `lib` moves from commit 111111111111 to 222222222222",
        id="submodule",
    ),
    pytest.param(
        "diff --git a/a.py b/a.py\ndeleted file mode 100644\nindex 1111111..0000000\n"
        "--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n",
        "The file `a.py` is deleted",
        id="deletion",
    ),
]


def test_a_file_named_like_a_submodule_is_read() -> None:
    diff = (
        "diff --git a/git_submodule.py b/git_submodule.py\nold mode 100644\nnew mode 100755\n"
        "--- a/git_submodule.py\n+++ b/git_submodule.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    )
    assert "The value of `x` changes from `1` to `2`" in texts(diff)


@pytest.mark.parametrize(("diff", "expected"), EVENTS)
def test_a_file_event_is_described(diff: str, expected: str) -> None:
    assert expected in texts(diff)


def test_the_gist_leaves_out_comments_and_syntax() -> None:
    body = "+# why the retries\n+if maxRetries is None:\n+    return resetQueue()\n x = 1"
    found = texts(diff_of("shop.py", body))
    assert "This affects the handling of max retries and reset queue" in found


def test_an_argument_on_a_line_of_its_own_is_no_assignment() -> None:
    found = texts(diff_of("shop.py", " x,\n+retries=None,\n y,"))
    assert "A new argument `retries` is added with the value `None`" in found


def test_claims_of_a_deleted_file_name_no_line() -> None:
    diff = (
        "diff --git a/a.py b/a.py\ndeleted file mode 100644\n--- a/a.py\n+++ /dev/null\n"
        "@@ -1,2 +0,0 @@\n-x = 1\n-y = f(x)\n"
    )
    claims = SymbolicClaims().generate(change(diff)).claims
    assert {claim.line for claim in claims} == {None}
    assert {claim.path for claim in claims} == {"a.py"}


def test_removed_code_names_the_line_that_stands_there_now() -> None:
    claims = (
        SymbolicClaims()
        .generate(change(diff_of("a.py", " a = 1\n-drop(a)\n b = 2\n c = 3")))
        .claims
    )
    assert {claim.line for claim in claims} == {2}


def test_both_levels_of_abstraction_are_made() -> None:
    claims = SymbolicClaims().generate(change(diff_of("a.py", "-def f(a):\n+def f(a, b):"))).claims
    assert {claim.kind for claim in claims} == {ClaimKind.CLAIM, ClaimKind.IMPLICATION}
    assert {claim.source for claim in claims} == {"symbolic"}


def test_context_alone_gives_no_claim() -> None:
    assert texts(diff_of("a.py", " a = 1\n b = 2")) == []
