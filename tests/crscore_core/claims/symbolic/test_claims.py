# ruff: noqa: E501 - a change and what is claimed of it stand on one line each
"""True claims, and none beside them: what is said of a change, and what must not be."""

import pytest

from crscore_core.change import parse_change
from crscore_core.claims import Claim, ClaimKind
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.claims.symbolic.layout import is_test_path


def claims_of(diff: str) -> tuple[Claim, ...]:
    return SymbolicClaims().generate(parse_change(diff)).claims


def diff_of(name: str, body: str, section: str = "") -> str:
    """One hunk at line 1 of the file `name`."""
    lines = body.split("\n")
    old = sum(not line.startswith("+") for line in lines)
    new = sum(not line.startswith("-") for line in lines)
    return f"--- a/{name}\n+++ b/{name}\n@@ -1,{old} +1,{new} @@ {section}\n{body}\n"


def texts(name: str, body: str, section: str = "") -> list[str]:
    return [claim.text for claim in claims_of(diff_of(name, body, section))]


MEANT = {
    "shop.py: parameter added\n-def pay(order):\n+def pay(order, currency='EUR'):\n     check(order)": "The function `pay` takes a new parameter `currency` that defaults to `'EUR'` | Existing calls of `pay` that do not pass `currency` keep working with the default `'EUR'`",
    "Shop.java: return type\n-    public int price(Item item) {\n+    public long price(Item item) {": "The return type of `price` changes from `int` to `long`",
    "shop.py: body beside a heading is no return type\n-def price(item): return item.cost\n+def price(item): return item.price": "The declaration of `price` is reworded from `def price(item): return item.cost` to `def price(item): return item.price`",
    "Shop.kt: expression beside a return type\n-fun find(id: Int): Item? = stock.find(id)\n+fun find(id: Int): Item = stock.find(id)!!": "The return type of `find` changes from `Item?` to `Item`",
    "Shop.java: visibility\n-    private void close() {\n+    public void close() {": "The method `close` changes from private to public | `close` becomes visible to other code as part of the API",
    "Shop.java: base class\n-class Shop extends Store {\n+class Shop extends Market {": "The class `Shop` now extends `Market` instead of `Store`",
    "shop.js: null check\n   const a = 1;\n+  if (order === null) {\n+    return;\n+  }": "A condition is added to check whether `order === null`; if so, it returns early | The check guards against order being null or missing, which avoids a null pointer or undefined error",
    "shop.go: boundary\n-\tif count < limit {\n+\tif count <= limit {": "It checked `count < limit` before and checks `count <= limit` now | The comparison uses `<=` instead of `<`, so the boundary or equal case is decided differently",
    "shop.py: clause added\n-    if ready:\n+    if ready and paid:": "The condition also requires `paid`",
    "shop.py: argument added\n-    send(order)\n+    send(order, retries)": "The additional argument `retries` is passed to `send`",
    "shop.py: literal\n-TIMEOUT = 30\n+TIMEOUT = 60": "The value of `TIMEOUT` changes from `30` to `60`",
    "shop.py: imports\n+import json\n+import sys\n x = 1": "New imports are added for `json` and `sys`",
    'Shop.java: exception message\n-throw new ShopError();\n+throw new ShopError("no stock");': "The exception `ShopError` gets the message `no stock`",
    "shop.py: swallowed\n try:\n     buy()\n+except OSError:\n+    pass": "The code now catches `OSError` and the handler does nothing | Silently swallowing `OSError` may hide errors",
    "shop.rb: log\n+  logger.warn('late')\n   ship": "Log output `'late'` is added",
    'package.json: dependency\n-  "left-pad": "1.0.0",\n+  "left-pad": "1.3.0",': 'The value of `left-pad` changes from `"1.0.0"` to `"1.3.0"`',
    "shop.c: return\n-  return total;\n+  return -1;": "The code now returns `-1` instead of `total`",
    "shop.py: todo\n+# TODO: refund\n x = 1": "A TODO comment is added: refund | The work is left unfinished: refund",
    "Shop.cs: attribute\n int a;\n+    [Obsolete]\n     int b;": "The annotation `[Obsolete]` is added",
    "shop.py: blank lines\n x = 1\n+\n y = 2": "Blank lines or whitespace are added",
    "shop.py: moved\n-connect_to_database()\n a = 1\n b = 2\n+connect_to_database()": "`connect_to_database()` is moved further down",
    'shop.py: blank in a string\n-x = "a b"\n+x = "ab"': 'The value of `x` changes from `"a b"` to `"ab"` | not: stays the same | not: formatting',
    "shop.py: swapped in and out of a block\n if a:\n-    return 1\n-return 2\n+    return 2\n+return 1": "`return 2` moves into the block of `if a:` | `return 1` moves out of the block of `if a:` | not: stays the same | not: Only the",
    "shop.yaml: key moved to another level\n b:\n   a: 1\n-  c: 2\n+c: 2": "`c: 2` moves out of the block of `b:` | not: stays the same | not: Only the",
    "shop: indentation in an unknown language\n-  ship()\n+    ship()": "not: stays the same | not: Only the",
    "shop.sh: blanks that mean something\n-a=b\n+a = b": "`a=b` is replaced with `a = b` | not: stays the same | not: Only",
    "shop.js: line break after return\n-return x\n+return\n+x": "not: stays the same | not: Only the",
    "Shop.java: swapped lines\n-    pack();\n-    ship();\n+    ship();\n+    pack();": "The order in which `pack();` happens changes | not: stays the same | not: Only the",
    "Shop.java: joined lines\n-  ship( a,\n-    b);\n+  ship(a, b);": "Behaviour stays the same, the formatting is for readability | not: replaced | not: called",
    'shop.py: blanks in a string of several lines\n     q = """\n-    SELECT a\n+    SELECT  a\n     """': "not: stays the same",
    "shop.js: one more blank in a string\n-  const x = 'a b';\n+  const x = 'a  b';": "The blanks within `const x = 'a b';` change | not: changes from | not: stays the same",
    "shop.rb: rescue without a name\n-  rescue => e\n+  rescue IOError => e\n     log(e)": "The handler catches `IOError` instead of every exception | not: property",
    "shop.py: any number of arguments\n-def f(a):\n+def f(a, *args, **opts):": "The function `f` takes the new parameters `*args` and `**opts` | Existing calls of `f` keep working without passing `args` | not: Every caller",
    "shop.py: keyword-only\n-def f(a, b):\n+def f(a, *, b):": "`b` of `f` can now be passed only by keyword | not: Every caller | not: parameter `*`",
    "shop.py: position-only\n-def f(a, b):\n+def f(a, /, b):": "`a` of `f` can now be passed only by position | not: Every caller | not: `/`",
    "shop.ts: optional in TypeScript\n-function f(a: A): void {\n+function f(a: A, b?: Opts): void {": "The function `f` takes a new optional parameter `b?: Opts` | not: Every caller",
    "shop.rb: keyword default in Ruby\n-def f(a)\n+def f(a, tax: 0.2)": "The function `f` takes a new parameter `tax` that defaults to `0.2` | not: Every caller",
    "shop.go: name first in Go\n-func Dial(a int) error {\n+func Dial(a int, addr string) error {": "Every caller of `Dial` has to pass the argument `addr` | not: argument `string`",
    "shop.go: type said once in Go\n-func Dial(a int, b int) error {\n+func Dial(a, b int, c ...Opt) error {": "Existing calls of `Dial` keep working without passing `c` | not: declaration of the parameter | not: Every caller",
    "Shop.java: less visible in Java\n-    protected void f() {\n+    void f() {": "Code elsewhere may no longer be able to access `f` | not: becomes visible | not: More code",
    "Shop.java: more visible in Java\n-    void f() {\n+    protected void f() {": "More code can now access `f` | not: no longer be able",
    "Shop.java: throws removed\n-    public void f() throws IOException {\n+    public void f() {": "`f` no longer declares that it throws `IOException` | not: reworded",
    "shop.cpp: override in C++\n-virtual void f() const;\n+void f() const override;": "The function `f` changes from virtual to override | not: no longer virtual",
    "shop.go: function literal in Go\n-\tdefer f.Close()\n+\tdefer func() {\n+\t\tf.Close()\n+\t}()": "not: function `func` | not: no longer called",
    "shop.c: still called elsewhere\n if (x) {\n-    free(c);\n+    report(c);\n }\n free(c);": "`free(c);` is replaced with `report(c);` | not: no longer called | not: instead of `free`",
    "shop.js: called in another way\n-  fetch(url).then(r => use(r));\n+  const r = await fetch(url);\n+  use(r);": "not: `fetch` and | not: `fetch` is no longer",
    'shop.c: the most similar call\n-    strcpy(dst, src);\n+    strncpy(dst, src, sizeof(dst));\n+    printf("%s", dst);': "`strncpy` is called instead of `strcpy` | not: `printf` is called",
    "Shop.java: not null, then an error\n+if (user != null) {\n+    throw new ExistsException();\n+}\n int x;": "The code stops early with an error in the case of `user != null` | not: guards | not: user null",
    "Shop.java: not null, then used\n+if (user != null) {\n+    user.save();\n+}\n int x;": "The check guards against user being null or missing, which avoids a null pointer or undefined error",
    "shop.c: negated test\n+if (!p)\n+    return -1;\n go(p);": "The rest of the code is skipped in the case of `!p` | not: case of p",
    "shop.py: clause within brackets\n-if not (a and b):\n+if not (a and b and c):\n     go()": "It checked `not (a and b)` before and checks `not (a and b and c)` now | not: also requires | not: fewer",
    "shop.py: clause among others\n-if a or b:\n+if a or b and c:\n     go()": "not: also requires | not: fewer",
    "shop.js: break in a switch\n switch (x) {\n   case 1:\n     f();\n+    break;\n   case 2:": "There is now a `break` | not: loop",
    "shop.py: condition moved to the loop\n-    while True:\n+    while not done:\n         step()\n-        if done:\n-            break": "It checked `True` before and checks `not done` now | not: no longer check | not: no longer set",
    "shop.py: removed branch\n def f():\n-    if x is None:\n-        return None\n     return 1": "The condition that checked `x is None` is removed in the `f` function, so it no longer returns `None`",
    "shop.sql: SQL in small letters\n-update t set a = 1 where b = 2;\n+update t set a = 1 where b = 3;": "`3` takes the place of `2` | not: value of | not: Later code",
    "shop.sql: column type\n CREATE TABLE t (\n   id int,\n+  name varchar(20) not null,\n   x int\n );": "not: called | not: argument",
    "shop.jsx: arrow in an attribute\n+      <button onClick={() => save()}>Save</button>\n       <p>x</p>": "The markup `<button onClick={() => save()}>Save</button>` is added | not: `save()}>Save` | not: configured",
    'shop.py: message of an error\n-    raise ValueError("bad")\n+    raise ValueError("bad value")': "The message of the exception `ValueError` changes from `bad` to `bad value` | not: clear | not: debug | not: argument",
    "shop.py: alias\n-import numpy\n+import numpy as np": "`numpy` is now imported under the name `np` | not: dependency | not: replaced",
    "shop.py: import removed\n-import numpy\n x = 1": "The dependency on numpy is gone, so the code must not use it any more | not: unused | not: needed",
    "shop.py: function removed\n-def f():\n-    return a.b\n x = 1": "The removed function `f` returns `a.b` | not: Nothing",
    "shop.py: more exceptions\n try:\n     buy()\n-except ValueError:\n+except (ValueError, KeyError) as e:\n     pass": "The handler catches `ValueError, KeyError` instead of `ValueError` | What fails with `KeyError` is caught here now as well | not: handled differently | not: no longer",
    "README.md: prose\n # Shop\n+Run `pay(x)` twice. if you want, return it.\n+- item = 2\n+import x": "A text in the documentation is added: Run 'pay(x)' twice. if you want, return it. - item = 2 import x | not: set to | not: import of | not: affects | not: called",
    "LICENSE: documentation without an extension\n-if you use it, return it.\n+If you use it, return it.": "The text in the documentation says `If` instead of `if`: If you use it, return it. | not: condition | not: affects",
    "latest.py: no test file\n+def test_pay():\n+    return 1\n x = 1": "A new function `test_pay` is added | not: new test",
    "tests/shop.py: no test function\n+def testimonials():\n+    return 1\n x = 1": "A new function `testimonials` is added | not: new test",
    "src/ShopTest.java: test in Java\n+    public void testPay() {\n+    }\n int x;": "A new test `testPay` is added",
    "shop.py: added operator\n-result = f(a)\n+result = f(a) is not None": "`is not None` is added to the value of `result` | not: has to deal",
    "shop.yaml: property\n a:\n+  b: 2\n   c: 1": "A new property `b` is added in `a` with the value `2` | not: configured | not: affects",
    "shop.ts: field with a type after it\n interface A {\n   x: number;\n+  y?: string;\n }": "A new variable `y` is declared without a value | not: `string`",
    "shop.css: declaration of CSS\n a {\n+  margin: 0 auto;\n }": "A new property `margin` is added with the value `0 auto` | not: `auto` is",
    "shop.py: builtins are no subject\n+    for i in range(len(prices)):\n+        print(prices[i])\n     x = 1": "This affects the handling of prices | not: range, len",
    'store.go: return at the same place, another one new\n func get() (string, error) {\n \tif !ok {\n-\t\treturn "", errors.New("none")\n+\t\treturn "", fmt.Errorf("no %q: %w", key, ErrNone)\n+\t}\n+\tselect {\n+\tcase <-ctx.Done():\n+\t\treturn "", ctx.Err()\n \t}\n }': 'The code now returns `"", fmt.Errorf("no %q: %w", key, ErrNone)` instead of `"", errors.New("none")` in the `get` function | not: ctx.Err()` instead | not: `ctx.Err` is called instead',
    'handler.py: early return beside a rewritten one\n def handle(event):\n-    return {"status": 200}\n+    if not event:\n+        return {"status": 400}\n+    return {"status": 200, "body": event}': 'The code now returns `{"status": 200, "body": event}` instead of `{"status": 200}` in the `handle` function | not: 400}` instead of',
    "read.go: new return within a new branch\n func f() (int, error) {\n-\treturn n, err\n+\tif err != nil {\n+\t\treturn 0, err\n+\t}\n+\treturn n * k, nil\n }": "The code now returns `n * k, nil` instead of `n, err` in the `f` function | not: `0, err` instead",
    "shop.py: returns far from each other\n def pay(x):\n-    if x is None:\n-        return 1\n     go(x)\n+    return go(x)": "The code now returns `go(x)` in the `pay` function | not: instead of `1`",
    "shop.js: errors at different places\n function pay(x) {\n-  throw new OldError(x);\n+  if (!x) {\n+    throw new EmptyError();\n+  }\n+  throw new NewError(x);\n }": "`NewError` is thrown instead of `OldError` in the `pay` function | not: `EmptyError` is thrown instead",
    "A.java: loop of another kind\n-    for (int i = 0; i < n; i++) {\n+    for (String name : names) {": "The loop `for int i = 0; i < n; i++` becomes `for String name : names` | not: It checked",
    "A.java: condition and switch\n-    if (o != null) {\n+    switch (o) {": "A switch over `o` is added | The condition that checked `o != null` is removed | not: It checked | not: whether `o`",
    "a.py: value worked on\n def f(self):\n+    self.total += 1\n+    self.rest -= x\n     go()": "`self.total` is increased by `1` in the `f` method | `x` is subtracted from `self.rest` in the `f` method | not: is set to",
    "a.py: value worked on otherwise\n-total += 1\n+total += 2": "`total` is increased by `2` instead of `1` | not: value of `total` changes",
    "a.js: value set and worked on\n-var total = 0;\n-total += a.price;\n+const total = sum(items);": "The value of `total` changes from `0` to `sum(items)` | not: from `a.price`",
    "a.php: literal written like a call\n-return view('a', array('b' => 1));\n+return view('a', ['b' => 1]);": "not: no longer involves",
    "a.py: new code that is tried\n+try:\n+    read(path)\n+except OSError:\n+    stop()\n x = 1": "A try block is added around code that calls `read(path)` | not: wrapped",
    "a.py: merge conflict\n def f():\n+<<<<<<< HEAD\n     x = 1\n+=======\n+    x = 2\n+>>>>>>> other\n     go(x)": "A merge conflict mark is added | not: HEAD | not: head | not: other | not: ==",
    "a.py: branch on one line\n     while True:\n+        if count >= 10: break\n         step()": "A condition is added to check whether `count >= 10`; if so, it breaks out | not: 10: break",
    "a.ts: throw on the line of its condition\n+    if (user is null) throw new Missing(id);\n     go();": "A condition is added to check whether `user is null`; if so, it throws `new Missing(id)`",
    "a.c: only the body of a one-line branch changes\n-    if (!p) return -1;\n+    if (!p) goto err;": "not: check",
    "a.py: local names\n-def area(w, h):\n-    tmp = w * h\n-    log(tmp)\n-    return tmp\n+def area(width, h):\n+    surface = width * h\n+    log(surface)\n+    return surface": "`w` is renamed to `width` and `tmp` is renamed to `surface` | not: instead of `tmp` | not: from `tmp` | not: new parameter",
    "shop.py: gist without comments and syntax\n+# why the retries\n+if maxRetries is None:\n+    return resetQueue()\n x = 1": "This affects the handling of max retries and reset queue",
    "shop.py: argument on a line of its own\n x,\n+retries=None,\n y,": "A new argument `retries` is added with the value `None`",
    "shop.py: code in a name is no template\n+x['{noun.__class__}'] = 1\n y = 1": "What uses the variable class depends on the value that is set here",
    "shop.py: names that touch a concern\n+read_timeout = timeout(wait_timeout)\n x = 1": "The unit of time matters for read timeout and timeout, as does the length of a timeout or delay",
    "tests/test_shop.py: assertion in a test\n+assert total == 3\n y = 1": "Test coverage improves, as the test verifies total",
}
"""By file, case and changed lines: claims that are made, and (`not:`) words that no claim has."""


@pytest.mark.parametrize("case", MEANT)
def test_a_claim_is_true(case: str) -> None:
    title, body = case.split("\n", 1)
    found = texts(title.partition(":")[0], body)
    assert found
    for text in MEANT[case].split(" | "):
        if text.startswith("not: "):
            assert [claim for claim in found if text.removeprefix("not: ") in claim] == []
        elif text:
            assert text in found


NOTATIONS = {
    "account.rb\n def a\n   b\n+  @balance\n end": "`@balance` is added in the `a` method",
    "a.php\n <?php\n+use App\\Models\\User;": "A new import of `App\\Models\\User` is added",
    "a.php\n class A {\n+    use Loggable;\n }": "`use Loggable;` is added",
    "a.rb\n+require_relative 'yaml'\n x = 1": "A new import of `yaml` is added",
    "a.rb\n class A\n+  include Comparable\n end": "`include Comparable` is added",
    "A.cs\n void F() {\n+    using var scope = Start(1);\n }": "A new variable `scope` holds `Start(1)` until its block ends in the `F` method",
    "a.cpp\n+using Map = std::map<int, int>;\n int x;": "The name `Map` now stands for `std::map<int, int>`",
    "a.ts\n+export type Handler = (e: Event) => void;\n x = 1;": "A new type `Handler` is defined with the value `(e: Event) => void`",
    "A.java\n class A {\n+  enum Color { RED, GREEN }\n }": "A new enum `Color` is added in the `A` class",
    "A.java\n+interface Foo extends Bar<K, V>, Baz { void go(); }\n class A {}": "A new interface `Foo` is added, based on `Bar<K, V>` and `Baz`",
    "A.cs\n-public class A {\n+public record A(int X) {": "The class `A` becomes the record `A`",
    "a.cpp\n class S {\n+  virtual ~S() = default;\n };": "A new virtual destructor `~S` is added in the `S` class",
    "a.cpp\n void f() {\n+  std::cin >> x;\n }": "`std::cin >> x;` is added in the `f` function",
    "a.js\n+export default A;\n x = 1;": "`export default A;` is added",
    "a.cpp\n-T max(T a, T b) { return a > b ? a : b; }\n+T max(T a, T b) { return a < b ? b : a; }": "The body of `max` changes from `return a > b ? a : b;` to `return a < b ? b : a;`",
    "a.ts\n-  constructor(private a: A) {}\n+  constructor(private a: A, private b: B) {}": "The method `constructor` takes a new parameter `private b: B`",
    "a.css\n .btn {\n }\n+.btn:hover { opacity: .8; }": "`.btn:hover { opacity: .8; }` is added",
    "A.java\n-  void f(Map<K, V> a) {\n+  void f(Map<K, V> a, BiFunction<? super T, ? super U> b) {": "The method `f` takes a new parameter `BiFunction<? super T, ? super U> b`",
}
"""By file and changed lines: the claim about a notation that other languages mean otherwise."""


@pytest.mark.parametrize("case", NOTATIONS)
def test_a_notation_is_read_as_its_language_means_it(case: str) -> None:
    found = texts(*case.split("\n", 1))
    assert NOTATIONS[case] in found
    assert not [text for text in found if "import of" in text and text != NOTATIONS[case]]
    assert not [text for text in found if "without a value" in text or "argument passed" in text]


WHOLE = {
    "a.py\n for t in ts:\n     total += t\n-    print(total)\n+print(total)": "`print(total)` moves out of the block of `for t in ts:` | This affects the handling of total",
    "a.py\n-def f(a, b, *, c):\n+def f(a):": "The parameters `b` and `c` of `f` are removed | Callers can no longer pass `b` and `c` to `f` | The code now defines the function f with a",
    "A.java\n-    public void f() {\n+    public void f() throws IOException {": "`f` now declares that it throws `IOException` | Callers of `f` have to expect `IOException` | This affects the handling of IO exception",
    "a.go\n v, err := f()\n+if err != nil {\n+\treturn err\n+}": "A condition is added to check whether `err != nil`; if so, it returns `err` | An error in `err` is handled here: it returns `err` | This affects the handling of err | Special cases such as wrong or missing values are now handled on their own | Callers of the function depend on this return value | The code now checks whether err is not nil | The code now returns err",
    "a.js\n-if (a == b && c) {\n+if (a === b || c) {": "It checked `a == b && c` before and checks `a === b || c` now | The if condition is modified | The parts of the condition are joined by `||` and no longer by `&&` | The comparison uses `===` instead of `==`, so it compares without a conversion of types | The branch may be executed in other cases, as the condition is another one | The code now checks whether a is b or c is set",
    "a.py\n-    m = p.match(s)\n-    if m:\n+    if (m := p.match(s)):\n         use(m)": "It checked `m` before and checks `m := p.match(s)` now | The if condition is modified | This affects the handling of match | The branch may be executed in other cases, as the condition is another one | The code now checks whether match of p with s, kept as m, is set",
    "a.c\n-    strcpy(dst, src);\n+    strncpy(dst, src, n);": "`strncpy` is called instead of `strcpy` | This affects the handling of strncpy, dst, src and strcpy | The change from strcpy to strncpy may give another result | The call of strncpy may have another result with these arguments | The code now calls strncpy with dst, src and n",
    "a.cpp\n-    std::vector<int> v;\n+    std::vector<int> v(n);": "`std::vector<int> v;` is replaced with `std::vector<int> v(n);` | This affects the handling of vector",
    "a.php\n     foreach ($a as $b) {\n+        if (!isset($b->c)) {\n+            continue;\n+        }\n         go($b);": "A condition is added to check whether `!isset($b->c)`; if so, it skips to the next iteration | The rest of the code is skipped in the case of `!isset($b->c)` | Special cases such as wrong or missing values are now handled on their own | The code now checks whether the c of b is not set | The code now continues with the next iteration",
    "a.rb\n-  if a.nil?\n+  unless a.present?\n     go\n   end": "It checked `if a.nil?` before and checks `unless a.present?` now | The unless condition is modified | This affects the handling of present | The branch may be executed in other cases, as the condition is another one | The code now checks whether a is not present",
    "a.yaml\n web:\n-  image: nginx:1.1\n+  image: nginx:1.2": "The value of `image` changes from `nginx:1.1` to `nginx:1.2` in `web`",
    'a.json\n {\n-  "a": 1\n+  "a": 1,\n+  "b": [1, 2]\n }': "A new property `b` is added with the value `[1, 2]`",
    "a.sql\n select a\n from t\n+where b = 2\n+order by a": "The SQL clauses `where b = 2` and `order by a` are added",
    "a.md\n-Use `x`.\n+Use `y`.": "The text in the documentation says `'y'.` instead of `'x'.`: Use 'y'. | The text in the documentation is updated",
    "A.java\n-import java.util.List;\n+import java.util.Map;": "The import of `java.util.List` is replaced by `java.util.Map` | This affects the handling of java, util and map | The dependency is now on java util map, imported from another place | The code now imports map from java util",
    "a.py\n-x = [1,2]\n+x = [1, 2]": "Only the formatting, whitespace or line breaks of `x = [1, 2]` changes | Behaviour stays the same, the formatting is for readability",
}
"""By file and changed lines: all claims."""


@pytest.mark.parametrize("case", WHOLE)
def test_nothing_else_is_claimed(case: str) -> None:
    assert texts(*case.split("\n", 1)) == WHOLE[case].split(" | ")


EVENTS = {
    "diff --git a/a.py b/b.py\nsimilarity index 100%\nrename from a.py\nrename to b.py\n": "The file `a.py` is renamed to `b.py`",
    "diff --git a/a.py b/b.py\nsimilarity index 100%\ncopy from a.py\ncopy to b.py\n": "The file `a.py` is copied to `b.py`",
    "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n": "`run` becomes executable",
    "diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n": "The new empty file `e` is added",
    "diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n": "The binary file `p.png` changes",
    "diff --git a/lib b/lib\nindex 1..2 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1111111111111111111111111111111111111111\n+Subproject commit 2222222222222222222222222222222222222222\n": "The submodule `lib` moves from commit 111111111111 to 222222222222",
    "diff --git a/a.py b/a.py\ndeleted file mode 100644\n--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n": "The file `a.py` is deleted",
    "diff --git a/git_submodule.py b/git_submodule.py\nold mode 100644\nnew mode 100755\n--- a/git_submodule.py\n+++ b/git_submodule.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n": "The value of `x` changes from `1` to `2`",
}


@pytest.mark.parametrize(("diff", "expected"), EVENTS.items())
def test_a_file_event_is_described(diff: str, expected: str) -> None:
    assert expected in [claim.text for claim in claims_of(diff)]


def test_a_new_function_is_one_block_not_a_claim_a_line() -> None:
    found = texts(
        "shop.py",
        "+def total(prices, rate):\n+    if not prices:\n+        return 0\n+    amount = sum(prices)\n"
        "+    amount = convert(amount, rate)\n+    return round(amount)",
    )
    assert "A new function `total` is added with the parameters `prices` and `rate`" in found
    assert len(found) <= 8
    assert not [text for text in found if text.startswith(("`amount`", "The code now sets"))]


def test_the_section_says_where() -> None:
    assert "A new private field `stock` is declared in the `Shop` class without a value" in texts(
        "Shop.java", "+    private int stock;", "public class Shop {"
    )
    assert "A call to `audit(order)` is added in the `sell` function" in texts(
        "shop.py", "+    audit(order)", "def sell(order):"
    )


def test_claims_name_their_place_level_and_source() -> None:
    deletion = "diff --git a/a.py b/a.py\ndeleted file mode 100644\n--- a/a.py\n+++ /dev/null\n"
    deleted = claims_of(f"{deletion}@@ -1,2 +0,0 @@\n-x = 1\n-y = f(x)\n")
    assert {(claim.path, claim.line) for claim in deleted} == {("a.py", None)}
    removed = claims_of(diff_of("a.py", " a = 1\n-drop(a)\n b = 2\n c = 3"))
    assert {claim.line for claim in removed} == {2}
    both = claims_of(diff_of("a.py", "-def f(a):\n+def f(a, b):"))
    assert {claim.kind for claim in both} == {ClaimKind.CLAIM, ClaimKind.IMPLICATION}
    assert {claim.source for claim in both} == {"symbolic"}
    assert claims_of(diff_of("a.py", " a = 1\n b = 2")) == ()


TEST_FILES = (
    "test_shop.py", "shop_test.go", "shop.spec.ts", "shop.test.js", "tests/shop.py",
    "src/test/java/Shop.java", "ShopTest.java", "ShopTests.cs", "spec/shop_spec.rb",
)  # fmt: skip
OTHER_FILES = (
    "latest.py", "inspect.py", "specification.md", "contest/shop.py", "testimonials.js",
    "attestation.go", None,
)  # fmt: skip


def test_a_test_file_is_told_by_whole_words() -> None:
    assert [path for path in (*TEST_FILES, *OTHER_FILES) if is_test_path(path)] == [*TEST_FILES]
