"""True claims, and none beside them: what is said of a change, and what must not be."""

import pytest

from crscore_core.change import parse_change
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.claims.symbolic.files import is_test_path


def texts(name: str, body: str) -> list[str]:
    """The claims of one hunk at line 1 of the file `name`."""
    lines = body.split("\n")
    old = sum(not line.startswith("+") for line in lines)
    new = sum(not line.startswith("-") for line in lines)
    head = f"--- a/{name}\n+++ b/{name}\n@@ -1,{old} +1,{new} @@\n"
    change = parse_change(head + body + "\n")
    return [claim.text for claim in SymbolicClaims().generate(change).claims]


MEANT = [
    pytest.param(
        "shop.py",
        '-x = "a b"\n+x = "ab"',
        ['The value of `x` changes from `"a b"` to `"ab"`'],
        ["stays the same", "formatting"],
        id="blank in a string",
    ),
    pytest.param(
        "shop.py",
        " for t in ts:\n     total += t\n-    print(total)\n+print(total)",
        ["`print(total)` moves out of the block of `for t in ts:`"],
        ["stays the same", "Only the"],
        id="out of a loop",
    ),
    pytest.param(
        "shop.py",
        " if a:\n-    return 1\n-return 2\n+    return 2\n+return 1",
        [
            "`return 2` moves into the block of `if a:`",
            ("`return 1` moves out of the block of `if a:`"),
        ],
        ["stays the same", "Only the"],
        id="swapped in and out of a block",
    ),
    pytest.param(
        "shop.yaml",
        " b:\n   a: 1\n-  c: 2\n+c: 2",
        ["`c: 2` moves out of the block of `b:`"],
        ["stays the same", "Only the"],
        id="key moved to another level",
    ),
    pytest.param(
        "shop",
        "-  ship()\n+    ship()",
        [],
        ["stays the same", "Only the"],
        id="indentation in an unknown language",
    ),
    pytest.param(
        "shop.sh",
        "-a=b\n+a = b",
        ["`a=b` is replaced with `a = b`"],
        ["stays the same", "Only"],
        id="blanks that mean something",
    ),
    pytest.param(
        "shop.js",
        "-return x\n+return\n+x",
        [],
        ["stays the same", "Only the"],
        id="line break after return",
    ),
    pytest.param(
        "Shop.java",
        "-    pack();\n-    ship();\n+    ship();\n+    pack();",
        ["The order in which `pack();` happens changes"],
        ["stays the same", "Only the"],
        id="swapped lines",
    ),
    pytest.param(
        "Shop.java",
        "-  ship( a,\n-    b);\n+  ship(a, b);",
        ["Behaviour stays the same, the formatting is for readability"],
        ["replaced", "called"],
        id="joined lines",
    ),
    pytest.param(
        "shop.py",
        '     q = """\n-    SELECT a\n+    SELECT  a\n     """',
        [],
        ["stays the same"],
        id="blanks in a string of several lines",
    ),
    pytest.param(
        "shop.js",
        "-  const x = 'a b';\n+  const x = 'a  b';",
        ["The blanks within `const x = 'a b';` change"],
        ["changes from", "stays the same"],
        id="one more blank in a string",
    ),
    pytest.param(
        "shop.rb",
        "-  rescue => e\n+  rescue IOError => e\n     log(e)",
        ["The handler catches `IOError` instead of every exception"],
        ["property"],
        id="rescue without a name",
    ),
    pytest.param(
        "shop.py",
        "-def f(a):\n+def f(a, *args, **opts):",
        [
            "The function `f` takes the new parameters `*args` and `**opts`",
            "Existing calls of `f` keep working without passing `args`",
        ],
        ["Every caller"],
        id="any number of arguments",
    ),
    pytest.param(
        "shop.py",
        "-def f(a, b, *, c):\n+def f(a):",
        ["The parameters `b` and `c` of `f` are removed"],
        ["`*`"],
        id="several parameters removed",
    ),
    pytest.param(
        "shop.py",
        "-def f(a, b):\n+def f(a, *, b):",
        ["`b` of `f` can now be passed only by keyword"],
        ["Every caller", "parameter `*`"],
        id="keyword-only",
    ),
    pytest.param(
        "shop.py",
        "-def f(a, b):\n+def f(a, /, b):",
        ["`a` of `f` can now be passed only by position"],
        ["Every caller", "`/`"],
        id="position-only",
    ),
    pytest.param(
        "shop.ts",
        "-function f(a: A): void {\n+function f(a: A, b?: Opts): void {",
        ["The function `f` takes a new optional parameter `b?: Opts`"],
        ["Every caller"],
        id="optional in TypeScript",
    ),
    pytest.param(
        "shop.rb",
        "-def f(a)\n+def f(a, tax: 0.2)",
        ["The function `f` takes a new parameter `tax` that defaults to `0.2`"],
        ["Every caller"],
        id="keyword default in Ruby",
    ),
    pytest.param(
        "shop.go",
        "-func Dial(a int) error {\n+func Dial(a int, addr string) error {",
        ["Every caller of `Dial` has to pass the argument `addr`"],
        ["argument `string`"],
        id="name first in Go",
    ),
    pytest.param(
        "shop.go",
        "-func Dial(a int, b int) error {\n+func Dial(a, b int, c ...Opt) error {",
        ["Existing calls of `Dial` keep working without passing `c`"],
        ["declaration of the parameter", "Every caller"],
        id="type said once in Go",
    ),
    pytest.param(
        "Shop.java",
        "-    protected void f() {\n+    void f() {",
        ["Code elsewhere may no longer be able to access `f`"],
        ["becomes visible", "More code"],
        id="less visible in Java",
    ),
    pytest.param(
        "Shop.java",
        "-    void f() {\n+    protected void f() {",
        ["More code can now access `f`"],
        ["no longer be able"],
        id="more visible in Java",
    ),
    pytest.param(
        "Shop.java",
        "-    public void f() {\n+    public void f() throws IOException {",
        ["`f` now declares that it throws `IOException`"],
        ["reworded"],
        id="throws added",
    ),
    pytest.param(
        "Shop.java",
        "-    public void f() throws IOException {\n+    public void f() {",
        ["`f` no longer declares that it throws `IOException`"],
        ["reworded"],
        id="throws removed",
    ),
    pytest.param(
        "shop.cpp",
        "-virtual void f() const;\n+void f() const override;",
        ["The function `f` changes from virtual to override"],
        ["no longer virtual"],
        id="override in C++",
    ),
    pytest.param(
        "shop.go",
        "-\tdefer f.Close()\n+\tdefer func() {\n+\t\tf.Close()\n+\t}()",
        [],
        ["function `func`", "no longer called"],
        id="function literal in Go",
    ),
    pytest.param(
        "shop.c",
        " if (x) {\n-    free(c);\n+    report(c);\n }\n free(c);",
        ["`free(c);` is replaced with `report(c);`"],
        ["no longer called", "instead of `free`"],
        id="still called elsewhere",
    ),
    pytest.param(
        "shop.js",
        ("-  fetch(url).then(r => use(r));\n+  const r = await fetch(url);\n+  use(r);"),
        [],
        ["`fetch` and", "`fetch` is no longer"],
        id="called in another way",
    ),
    pytest.param(
        "shop.c",
        ('-    strcpy(dst, src);\n+    strncpy(dst, src, sizeof(dst));\n+    printf("%s", dst);'),
        ["`strncpy` is called instead of `strcpy`"],
        ["`printf` is called"],
        id="the most similar call",
    ),
    pytest.param(
        "shop.cpp",
        "-    std::vector<int> v;\n+    std::vector<int> v(n);",
        [],
        ["called"],
        id="constructor in C++",
    ),
    pytest.param(
        "shop.go",
        " v, err := f()\n+if err != nil {\n+\treturn err\n+}",
        ["An error in `err` is handled here: it returns `err`"],
        ["null"],
        id="error in Go",
    ),
    pytest.param(
        "Shop.java",
        "+if (user != null) {\n+    throw new ExistsException();\n+}\n int x;",
        ["The code stops early with an error in the case of `user != null`"],
        ["guards", "user null"],
        id="not null, then an error",
    ),
    pytest.param(
        "Shop.java",
        "+if (user != null) {\n+    user.save();\n+}\n int x;",
        [
            (
                "The check guards against user being null or missing, which avoids a "
                "null pointer or undefined error"
            )
        ],
        [],
        id="not null, then used",
    ),
    pytest.param(
        "shop.c",
        "+if (!p)\n+    return -1;\n go(p);",
        ["The rest of the code is skipped in the case of `!p`"],
        ["case of p"],
        id="negated test",
    ),
    pytest.param(
        "shop.py",
        ("-    m = p.match(s)\n-    if m:\n+    if (m := p.match(s)):\n         use(m)"),
        ["It checked `m` before and checks `m := p.match(s)` now"],
        ["`if (` is", "no longer", "is removed"],
        id="walrus",
    ),
    pytest.param(
        "shop.js",
        "-if (a == b && c) {\n+if (a === b || c) {",
        [
            "The parts of the condition are joined by `||` and no longer by `&&`",
            (
                "The comparison uses `===` instead of `==`, so it compares without a "
                "conversion of types"
            ),
        ],
        ["boundary"],
        id="and to or",
    ),
    pytest.param(
        "shop.py",
        "-if not (a and b):\n+if not (a and b and c):\n     go()",
        ["It checked `not (a and b)` before and checks `not (a and b and c)` now"],
        ["also requires", "fewer"],
        id="clause within brackets",
    ),
    pytest.param(
        "shop.py",
        "-if a or b:\n+if a or b and c:\n     go()",
        [],
        ["also requires", "fewer"],
        id="clause among others",
    ),
    pytest.param(
        "shop.rb",
        "-  if a.nil?\n+  unless a.present?\n     go\n   end",
        ["It checked `if a.nil?` before and checks `unless a.present?` now"],
        ["instead of `nil`"],
        id="condition turned round",
    ),
    pytest.param(
        "shop.js",
        " switch (x) {\n   case 1:\n     f();\n+    break;\n   case 2:",
        ["There is now a `break`"],
        ["loop"],
        id="break in a switch",
    ),
    pytest.param(
        "shop.py",
        (
            "-    while True:\n+    while not done:\n         step()\n-        if "
            "done:\n-            break"
        ),
        ["It checked `True` before and checks `not done` now"],
        ["no longer check", "no longer set"],
        id="condition moved to the loop",
    ),
    pytest.param(
        "shop.py",
        " def f():\n-    if x is None:\n-        return None\n     return 1",
        [
            (
                "The condition that checked `x is None` is removed in the `f` function, "
                "so it no longer returns `None`"
            )
        ],
        [],
        id="removed branch",
    ),
    pytest.param(
        "shop.sql",
        "-update t set a = 1 where b = 2;\n+update t set a = 1 where b = 3;",
        ["`3` takes the place of `2`"],
        ["value of", "Later code"],
        id="SQL in small letters",
    ),
    pytest.param(
        "shop.sql",
        " select a\n from t\n+where b = 2\n+order by a",
        ["The SQL clauses `where b = 2` and `order by a` are added"],
        ["is set to"],
        id="SQL clauses",
    ),
    pytest.param(
        "shop.sql",
        (" CREATE TABLE t (\n   id int,\n+  name varchar(20) not null,\n   x int\n );"),
        [],
        ["called", "argument"],
        id="column type",
    ),
    pytest.param(
        "shop.jsx",
        "+      <button onClick={() => save()}>Save</button>\n       <p>x</p>",
        ["The markup `<button onClick={() => save()}>Save</button>` is added"],
        ["`save()}>Save`", "configured"],
        id="arrow in an attribute",
    ),
    pytest.param(
        "shop.py",
        '-    raise ValueError("bad")\n+    raise ValueError("bad value")',
        [("The message of the exception `ValueError` changes from `bad` to `bad value`")],
        ["clear", "debug", "argument"],
        id="message of an error",
    ),
    pytest.param(
        "shop.py",
        "-import numpy\n+import numpy as np",
        ["`numpy` is now imported under the name `np`"],
        ["dependency", "replaced"],
        id="alias",
    ),
    pytest.param(
        "shop.py",
        "-import numpy\n x = 1",
        ["The dependency on numpy is gone, so the code must not use it any more"],
        ["unused", "needed"],
        id="import removed",
    ),
    pytest.param(
        "shop.py",
        "-def f():\n-    return a.b\n x = 1",
        ["The removed function `f` returns `a.b`"],
        ["Nothing"],
        id="function removed",
    ),
    pytest.param(
        "shop.py",
        (" try:\n     buy()\n-except ValueError:\n+except (ValueError, KeyError) as e:\n     pass"),
        [
            "The handler catches `ValueError, KeyError` instead of `ValueError`",
            "What fails with `KeyError` is caught here now as well",
        ],
        ["handled differently", "no longer"],
        id="more exceptions",
    ),
    pytest.param(
        "README.md",
        (" # Shop\n+Run `pay(x)` twice. if you want, return it.\n+- item = 2\n+import x"),
        [
            (
                "A text in the documentation is added: Run 'pay(x)' twice. if you want,"
                " return it. - item = 2 import x"
            )
        ],
        ["set to", "import of", "affects", "called"],
        id="prose",
    ),
    pytest.param(
        "LICENSE",
        "-if you use it, return it.\n+If you use it, return it.",
        [("The text in the documentation says `If` instead of `if`: If you use it, return it.")],
        ["condition", "affects"],
        id="documentation without an extension",
    ),
    pytest.param(
        "latest.py",
        "+def test_pay():\n+    return 1\n x = 1",
        ["A new function `test_pay` is added"],
        ["new test"],
        id="no test file",
    ),
    pytest.param(
        "tests/shop.py",
        "+def testimonials():\n+    return 1\n x = 1",
        ["A new function `testimonials` is added"],
        ["new test"],
        id="no test function",
    ),
    pytest.param(
        "src/ShopTest.java",
        "+    public void testPay() {\n+    }\n int x;",
        ["A new test `testPay` is added"],
        [],
        id="test in Java",
    ),
    pytest.param(
        "shop.py",
        "-result = f(a)\n+result = f(a) is not None",
        ["`is not None` is added to the value of `result`"],
        ["has to deal"],
        id="added operator",
    ),
    pytest.param(
        "shop.yaml",
        " a:\n+  b: 2\n   c: 1",
        ["A new property `b` is added in `a` with the value `2`"],
        ["configured", "affects"],
        id="property",
    ),
    pytest.param(
        "shop.ts",
        " interface A {\n   x: number;\n+  y?: string;\n }",
        ["A new variable `y` is declared without a value"],
        ["`string`"],
        id="field with a type after it",
    ),
    pytest.param(
        "shop.css",
        " a {\n+  margin: 0 auto;\n }",
        ["A new property `margin` is added with the value `0 auto`"],
        ["`auto` is"],
        id="declaration of CSS",
    ),
    pytest.param(
        "shop.py",
        "+    for i in range(len(prices)):\n+        print(prices[i])\n     x = 1",
        ["This affects the handling of prices"],
        ["range, len"],
        id="builtins are no subject",
    ),
]


@pytest.mark.parametrize(("name", "body", "must", "must_not"), MEANT)
def test_a_claim_is_true(name: str, body: str, must: list[str], must_not: list[str]) -> None:
    found = texts(name, body)
    assert found
    assert [text for text in must if text not in found] == []
    assert [part for part in must_not if any(part in text for text in found)] == []


WHOLE = [
    (
        "a.py",
        " for t in ts:\n     total += t\n-    print(total)\n+print(total)",
        [
            "`print(total)` moves out of the block of `for t in ts:`",
            "This affects the handling of total",
        ],
    ),
    (
        "a.py",
        "-def f(a, b, *, c):\n+def f(a):",
        [
            "The parameters `b` and `c` of `f` are removed",
            "Callers can no longer pass `b` and `c` to `f`",
            "The code now defines the function f with a",
        ],
    ),
    (
        "A.java",
        "-    public void f() {\n+    public void f() throws IOException {",
        [
            "`f` now declares that it throws `IOException`",
            "Callers of `f` have to expect `IOException`",
            "This affects the handling of IO exception",
        ],
    ),
    (
        "a.go",
        " v, err := f()\n+if err != nil {\n+\treturn err\n+}",
        [
            "A condition is added to check whether `err != nil`; if so, it returns `err`",
            "An error in `err` is handled here: it returns `err`",
            "This affects the handling of err",
            "Special cases such as wrong or missing values are now handled on their own",
            "Callers of the function depend on this return value",
            "The code now checks whether err is not nil",
            "The code now returns err",
        ],
    ),
    (
        "a.js",
        "-if (a == b && c) {\n+if (a === b || c) {",
        [
            "It checked `a == b && c` before and checks `a === b || c` now",
            "The if condition is modified",
            "The parts of the condition are joined by `||` and no longer by `&&`",
            (
                "The comparison uses `===` instead of `==`, so it compares without a "
                "conversion of types"
            ),
            "The branch may be executed in other cases, as the condition is another one",
            "The code now checks whether a is b or c is set",
        ],
    ),
    (
        "a.py",
        ("-    m = p.match(s)\n-    if m:\n+    if (m := p.match(s)):\n         use(m)"),
        [
            "It checked `m` before and checks `m := p.match(s)` now",
            "The if condition is modified",
            "This affects the handling of match",
            "The branch may be executed in other cases, as the condition is another one",
            "The code now checks whether match of p with s, kept as m, is set",
        ],
    ),
    (
        "a.c",
        "-    strcpy(dst, src);\n+    strncpy(dst, src, n);",
        [
            "`strncpy` is called instead of `strcpy`",
            "This affects the handling of strncpy, dst, src and strcpy",
            "The change from strcpy to strncpy may give another result",
            "The call of strncpy may have another result with these arguments",
            "The code now calls strncpy with dst, src and n",
        ],
    ),
    (
        "a.cpp",
        "-    std::vector<int> v;\n+    std::vector<int> v(n);",
        [
            "`std::vector<int> v;` is replaced with `std::vector<int> v(n);`",
            "This affects the handling of vector",
        ],
    ),
    (
        "a.php",
        (
            "     foreach ($a as $b) {\n+        if (!isset($b->c)) {\n+            "
            "continue;\n+        }\n         go($b);"
        ),
        [
            (
                "A condition is added to check whether `!isset($b->c)`; if so, it skips to the "
                "next iteration"
            ),
            "The rest of the code is skipped in the case of `!isset($b->c)`",
            "Special cases such as wrong or missing values are now handled on their own",
            "The code now checks whether the c of b is not set",
            "The code now continues with the next iteration",
        ],
    ),
    (
        "a.rb",
        "-  if a.nil?\n+  unless a.present?\n     go\n   end",
        [
            "It checked `if a.nil?` before and checks `unless a.present?` now",
            "The unless condition is modified",
            "This affects the handling of present",
            "The branch may be executed in other cases, as the condition is another one",
            "The code now checks whether a is not present",
        ],
    ),
    (
        "a.yaml",
        " web:\n-  image: nginx:1.1\n+  image: nginx:1.2",
        ["The value of `image` changes from `nginx:1.1` to `nginx:1.2` in `web`"],
    ),
    (
        "a.json",
        ' {\n-  "a": 1\n+  "a": 1,\n+  "b": [1, 2]\n }',
        ["A new property `b` is added with the value `[1, 2]`"],
    ),
    (
        "a.sql",
        " select a\n from t\n+where b = 2\n+order by a",
        ["The SQL clauses `where b = 2` and `order by a` are added"],
    ),
    (
        "a.md",
        "-Use `x`.\n+Use `y`.",
        [
            "The text in the documentation says `'y'.` instead of `'x'.`: Use 'y'.",
            "The text in the documentation is updated",
        ],
    ),
    (
        "A.java",
        "-import java.util.List;\n+import java.util.Map;",
        [
            "The import of `java.util.List` is replaced by `java.util.Map`",
            "This affects the handling of java, util and map",
            "The dependency is now on java util map, imported from another place",
            "The code now imports map from java util",
        ],
    ),
    (
        "a.py",
        "-x = [1,2]\n+x = [1, 2]",
        [
            "Only the formatting, whitespace or line breaks of `x = [1, 2]` changes",
            "Behaviour stays the same, the formatting is for readability",
        ],
    ),
]


@pytest.mark.parametrize(("name", "body", "claims"), WHOLE)
def test_nothing_else_is_claimed(name: str, body: str, claims: list[str]) -> None:
    assert texts(name, body) == claims


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("test_shop.py", True),
        ("shop_test.go", True),
        ("shop.spec.ts", True),
        ("shop.test.js", True),
        ("tests/shop.py", True),
        ("src/test/java/Shop.java", True),
        ("ShopTest.java", True),
        ("ShopTests.cs", True),
        ("spec/shop_spec.rb", True),
        ("latest.py", False),
        ("inspect.py", False),
        ("specification.md", False),
        ("contest/shop.py", False),
        ("testimonials.js", False),
        ("attestation.go", False),
        (None, False),
    ],
)
def test_a_test_file_is_told_by_whole_words(path: str | None, expected: bool) -> None:
    assert is_test_path(path) is expected
