# ruff: noqa: E501 - a change and all that is claimed of it stand on one line
"""Claims about changes: each fact once, true, with its code."""

import pytest

from crscore_core.change import parse_change
from crscore_core.claims import Claim, ClaimKind
from crscore_core.claims.symbolic import SymbolicClaims
from crscore_core.claims.symbolic.files import is_test_path


def claims_of(diff: str) -> tuple[Claim, ...]:
    return SymbolicClaims().generate(parse_change(diff)).claims


def diff_of(name: str, body: str, section: str = "") -> str:
    """One hunk at line 1 of the file `name`."""
    lines = body.split("\n")
    old = sum(not line.startswith("+") for line in lines)
    new = sum(not line.startswith("-") for line in lines)
    return f"--- a/{name}\n+++ b/{name}\n@@ -1,{old} +1,{new} @@ {section}\n{body}\n"


def read(case: str) -> str:
    """Make a diff of `name @@ section` and the lines of a hunk; a whole diff stays as it is."""
    if case.startswith("diff "):
        return case
    head, _, body = case.partition("\n")
    name, _, section = head.partition(" @@ ")
    return diff_of(name, body, section)


DIFFERENCES = {
    "shop.py\n-def pay(order):\n+def pay(order, currency='EUR'):\n     check(order)": "`pay` takes the new parameter `currency='EUR'`",
    "shop.py\n-def pay(order):\n+def pay(order, currency):\n     check(order)": "`pay` takes the new parameter `currency` | Callers of `pay` have to pass `currency`",
    "shop.py\n-def pay(order, a):\n+def pay(order):\n     check(order)": "`pay` no longer takes the parameter `a`",
    "shop.py\n-def pay(order, rate=1):\n+def pay(order, rate=2):\n     check(order)": "`rate` of `pay` defaults to `2` instead of `1`",
    "shop.py\n-def pay(order, rate):\n+def pay(order, rate=2):\n     check(order)": "The parameter `rate` of `pay` becomes `rate=2`",
    "a.py\n-def pay(order, currency):\n+def pay(order, money):\n     check(order)": "The parameter `currency` of `pay` becomes `money`",
    "shop.py\n-def f(a):\n+def f(a, *args, **opts):": "`f` takes the new parameters `*args` and `**opts`",
    "shop.py\n-def pay(order):\n+def buy(order):": "`pay` is renamed to `buy` | Callers of `pay` have to call `buy`",
    "shop.py\n-def pay(order) -> int:\n+def pay(order) -> float:": "`pay` now has the return type `float` instead of `int`",
    "Shop.java\n-    private void close() {\n+    public void close() {": "`close` is now `public` instead of `private`",
    "Shop.java\n-    public void f() {\n+    public void f() throws IOException {": "`public void f() throws IOException` replaces `public void f()`",
    "Shop.java\n-class Shop extends Store {\n+class Shop extends Market {": "The class `Shop` is now declared with `extends Market` instead of `extends Store`",
    "shop.ts\n-function f(a: A): void {\n+function f(a: A, b?: Opts): void {": "`f` takes the new parameter `b?: Opts`",
    "shop.rb\n-def f(a)\n+def f(a, tax: 0.2)": "`f` takes the new parameter `tax: 0.2`",
    "shop.go\n-func Dial(a int) error {\n+func Dial(a int, addr string) error {": "`Dial` takes the new parameter `addr string` | Callers of `Dial` have to pass `addr`",
    "shop.go\n-func Dial(a int, b int) error {\n+func Dial(a, b int, c ...Opt) error {": "`Dial` takes the new parameter `c ...Opt`",
    "Shop.cs\n-    public int Price(Item item) {\n+    public async Task<int> Price(Item item, bool fast = false) {": "`Price` takes the new parameter `bool fast = false` | `Price` now has the return type `Task<int>` instead of `int` | `Price` is now `async`",
    "shop.php\n-    public function pay($order) {\n+    public function pay($order, $rate = 1) {": "`pay` takes the new parameter `$rate = 1`",
    "shop.c\n-int pay(struct order *o)\n+int pay(struct order *o, int rate)\n {": "`pay` takes the new parameter `int rate` | Callers of `pay` have to pass `rate`",
    "A.java\n-class Alpha {\n+class Beta {": "`Alpha` is renamed to the class `Beta`",
    "a.py\n-def f():\n+async def f():\n     go()": "`f` is now `async`",
    "a.py\n x = 1\n+if a:\n+    if b: return {}": "If `a`, the code now checks `b` and then returns `{}`",
    "a.py\n-x: int = 1\n+x: float = 1": "The type of `x` is now `float` instead of `int`",
    "a.cs\n class A {\n-    private readonly int x;\n+    private readonly long x;\n }": "The type of `x` is now `long` instead of `int` in `A`",
    "a.js @@ function f() {\n-  const a = 1;\n+  let a = 1;\n   b();": "`a` is no longer `const` in `f`",
    "a.kt\n-fun pay(order: Order) {\n+fun buy(order: Order) {\n     x()": "`pay` is renamed to `buy` | Callers of `pay` have to call `buy`",
    "A.java\n-  void f(Map<K, V> a) {\n+  void f(Map<K, V> a, BiFunction<? super T, ? super U> b) {": "`f` takes the new parameter `BiFunction<? super T, ? super U> b` | Callers of `f` have to pass `b`",
    "shop.py @@ def sell(order):\n     if ready:\n         go()\n-    if ready:\n+    if ready and paid:": "`sell` now checks `ready and paid` instead of `ready`",
    "shop.js\n-if (a && b && c) {\n+if (a && c) {\n   go();": "The code now checks `a && c` instead of `a && b && c`",
    "shop.js\n-if (a) {\n+if (a || b) {\n   go();": "The code now checks `a || b` instead of `a`",
    "shop.go\n-\tif count < limit {\n+\tif count <= limit {": "The code now checks `count <= limit` instead of `count < limit`",
    "shop.py\n-if not (a and b):\n+if not (a and b and c):\n     go()": "The code now checks `not (a and b and c)` instead of `not (a and b)`",
    "shop.py\n-if a or b:\n+if a or b and c:\n     go()": "The code now checks `a or b and c` instead of `a or b`",
    "a.rb\n-  if a.nil?\n+  unless a.present?\n     go\n   end": "The code now checks `not a.present?` instead of `a.nil?`",
    "a.js\n-    } else if (a) {\n+    } else if (b) {": "The code now checks `b` instead of `a`",
    "shop.py @@ def sell(order):\n-    send(order)\n+    send(order, retries)": "`retries` is added in the call of `send` in `sell`",
    "shop.py @@ def sell(order):\n-    send(order, retries)\n+    send(order)": "`retries` is removed in the call of `send` in `sell`",
    "shop.py @@ def sell(order):\n-    send(order, 1)\n+    send(order, 2)": "`2` replaces `1` in the call of `send` in `sell`",
    "a.py @@ def f():\n-    result = client.fetch_everything(alpha, beta, gamma, delta, epsilon, zeta)\n+    result = client.fetch_everything(alpha, beta, gamma, delta, epsilon, zeta, retries=3)\n     go()": "`retries=3` is added in the call of `client.fetch_everything` in `f`",
    'shop.js\n-const NAMES = ["b", "a"];\n+const NAMES = ["a", "b"];': '`NAMES` is now `["a", "b"]` instead of `["b", "a"]`',
    'a.py\n-FILES = ["alpha.txt", "beta.txt", "gamma.txt", "delta.txt", "epsilon.txt", "zeta.txt"]\n+FILES = ["alpha.txt", "beta.txt", "gamma.txt", "epsilon.txt", "zeta.txt", "eta.txt"]': '`"eta.txt"` replaces `"delta.txt"` in `FILES`',
    'a.py\n-MESSAGE = "The order that you made was recieved, and it is going to be sent to you by tomorrow evening"\n+MESSAGE = "The order that you made was received, and it is going to be sent to you by tomorrow evening"': '`MESSAGE` is now `"The order that you made was received, and it is going to be sent to you by …` instead of `"The order that you made was recieved, and it is going to be sent to you by …`',
    "shop.py\n-TIMEOUT = 30\n+TIMEOUT = 60": "`TIMEOUT` is now `60` instead of `30`",
    'shop.py\n-    raise ValueError("bad")\n+    raise KeyError("bad")': "The code now raises `KeyError` instead of `ValueError`",
    "shop.py\n try:\n     buy()\n-except ValueError:\n+except (ValueError, KeyError) as e:\n     pass": "The code now catches `ValueError, KeyError` instead of `ValueError`",
    "shop.rb\n-  rescue => e\n+  rescue IOError => e\n     log(e)": "The code now catches `IOError` instead of every error",
    "a.py\n-total += 1\n+total += 2": "`total += 2` replaces `total += 1`",
    "a.py\n-    return total\n+    return total + tax": "The code now returns `total + tax` instead of `total`",
    "a.c\n-    strcpy(dst, src);\n+    strncpy(dst, src, n);": "`strncpy(dst, src, n)` is now called instead of `strcpy(dst, src)`",
    "a.py\n class A:\n-    name = models.CharField(max_length=10)\n+    name = models.CharField(max_length=20, null=True)\n     x = 1": "`name` is now `models.CharField(max_length=20, null=True)` instead of `models.CharField(max_length=10)` in `A`",
    "a.js\n-  return x;\n+  return { ...x, y };": "The code now returns `{ ...x, y }` instead of `x`",
    "A.java @@ class A {\n-  private int x;\n+  private int x = 1;": "`private int x = 1` replaces `private int x` in `A`",
    "a.js\n   switch (x) {\n-    case 1:\n+    case 2:\n       f();": "The code now handles the case `2` instead of `1`",
    'store.go\n func get() (string, error) {\n \tif !ok {\n-\t\treturn "", errors.New("none")\n+\t\treturn "", fmt.Errorf("no %q: %w", key, ErrNone)\n+\t}\n+\tselect {\n+\tcase <-ctx.Done():\n+\t\treturn "", ctx.Err()\n \t}\n }': '`get` now returns `"", fmt.Errorf("no %q: %w", key, ErrNone)` instead of `"", errors.New("none")` | `get` now handles the case `<-ctx.Done()`, where it returns `"", ctx.Err()` | `select` is added in `get`',
    'handler.py\n def handle(event):\n-    return {"status": 200}\n+    if not event:\n+        return {"status": 400}\n+    return {"status": 200, "body": event}': 'If `not event`, `handle` now returns `{"status": 400}` | `handle` now returns `{"status": 200, "body": event}` instead of `{"status": 200}`',
    "a.py\n-    for i in range(10):\n+    for i in range(11):\n         go(i)": "The loop `for i in range(11)` replaces `for i in range(10)`",
    "A.java\n-import java.util.List;\n+import java.util.Map;\n class A {}": "`java.util.Map` is now imported instead of `java.util.List`",
}
"""Changed statements: only the difference is claimed."""

ONE_SIDED = {
    "a.py @@ def f(x):\n+    # be careful here\n     go(x)": "A comment is added: “be careful here”",
    "a.py\n+import json\n+import sys\n x = 1": "`json` and `sys` are now imported",
    "A.java\n class A {\n+    @Override\n     public String toString() {": "`@Override` is added as an annotation of `toString` in `A`",
    "a.py\n+def total(prices, rate):\n+    if not prices:\n+        return 0\n+    amount = sum(prices)\n+    amount = convert(amount, rate)\n+    return round(amount)": "The function `total(prices, rate)` is added | If `not prices`, `total` now returns `0` | `total` now returns `round(amount)` | `amount` is set to `sum(prices)` in `total` | `amount` is set to `convert(amount, rate)` in `total`",
    "a.py\n+class Shop(Store):\n+    def pay(self):\n+        return 1": "The class `Shop` is added, based on `Store` | The function `pay()` is added in `Shop` | `Shop.pay` now returns `1`",
    "a.js @@ function f(order) {\n   const a = 1;\n+  if (order === null) {\n+    return;\n+  }": "If `order === null`, `f` now returns early",
    'a.py @@ def f(x):\n+    if x is None:\n+        raise ValueError("no x")\n     go(x)': 'If `x is None`, `f` now raises `ValueError("no x")`',
    "a.py @@ def f(x):\n-    go(x)\n+    if x:\n+        go(x)": "`go(x)` now runs only if `x` in `f`",
    "a.c @@ int f(void)\n-\tfree(p);\n+\tif (p)\n+\t\tfree(p);\n \treturn 0;": "`free(p);` now runs only if `p` in `f`",
    "a.py @@ def f(x):\n     if x:\n         go(x)\n+    else:\n+        stop()": "Unless `x`, `f` now calls `stop()`",
    "a.py @@ def f(x):\n     if x:\n         go()\n+    elif y:\n+        stop()": "If `y`, `f` now calls `stop()`",
    "a.java @@ void f(int x) {\n   switch (x) {\n     case 1:\n       f();\n       break;\n+    case 2:\n+      g();\n+      break;\n   }": "`f` now handles the case `2`, where it calls `g()`",
    "a.py @@ def f(xs):\n+    for x in xs:\n+        go(x)\n     return 1": "A loop `for x in xs` is added in `f` that calls `go(x)`",
    "a.c @@ int f(void)\n+\twhile (x)\n+\t\tgo(x);\n \ty();": "A loop `while (x)` is added in `f` that calls `go(x)`",
    "a.py @@ def f(xs):\n-    go(x)\n+    for x in xs:\n+        go(x)\n     return 1": "`go(x)` now runs in the loop `for x in xs` in `f`",
    "a.py @@ def f(xs):\n     try:\n         go()\n     except OSError:\n         pass\n+    finally:\n+        close()": "`f` now always calls `close()` in the end",
    "a.py @@ def f(xs):\n     go()\n+    return 1": "`f` now returns `1`",
    "a.py @@ def f(order):\n+    audit(order)\n     x = 1": "`audit(order)` is now called in `f`",
    "a.js\n it('x', async () => {\n+  await pay(1);\n });": "`await pay(1)` is now called in the test `'x'`",
    "a.py @@ def f(order):\n+    del order.x\n     x = 1": "`del order.x` is added in `f`",
    "shop.py\n def f(self):\n+    self.total += 1\n+    self.rest -= x\n     go()": "`self.total += 1` and `self.rest -= x` are added in `f`",
    "A.java @@ class A {\n+    private int stock = 2;\n+    private String name;\n     int b;": "The field `stock` is added in `A` with the value `2` | The field `private String name` is declared in `A`",
    "a.go @@ func f() {\n+\tn := 1\n+\ti++\n+\tvar s string\n \tgo()": "`n` is set to `1` in `f` | The variable `var s string` is declared in `f` | `i++` is added in `f`",
    "A.java\n enum Color {\n   RED,\n+  GREEN,\n+  BLUE\n }": "`GREEN` and `BLUE` are added in `Color`",
    'a.py\n OPTIONS = {\n     "a": 1,\n+    "b": 2,\n }': 'The entry `"b": 2` is added in `OPTIONS`',
    "a.kt\n class A {\n+    val size = 3\n+    fun pay(): Int {\n+        return size\n+    }\n }": "The function `pay` is added in `A` | `val size = 3` is added in `A` | `return size` is added in `A.pay`",
    "a.py\n+@app.route('/home')\n def home():\n     pass": "`@app.route('/home')` is added as an annotation of `home`",
    "a.cs @@ void F()\n+            if (x == null)\n+            {\n+                throw new ArgumentNullException(nameof(x));\n+            }\n             Go(x);": "If `x == null`, `F` now throws `new ArgumentNullException(nameof(x))`",
    "a.py\n+    yield x\n     go()": "The code now yields `x`",
    "tests/test_a.py\n+def test_pay():\n+    order = Order()\n+    assert pay(order) == 1\n x = 1": "The test `test_pay()` is added | `assert pay(order) == 1` is added in `test_pay` | `order` is set to `Order()` in `test_pay`",
    "tests/a.test.js\n describe('shop', () => {\n+  it('pays', () => {\n+    expect(pay()).toBe(1);\n+  });\n });": "The test `'pays'` is added | `expect(pay()).toBe(1)` is now called in the test `'pays'`",
    "a.go\n+func (s *Shop) Pay(x int) error {\n+\treturn nil\n+}\n // end": "The function `Shop.Pay(x int)` is added | `Shop.Pay` now returns `nil`",
    "a.rb @@ class A\n+  def pay(x)\n+    return 1 unless x\n+    go(x)\n+  end": "The function `pay(x)` is added in `A` | If `not x`, `A.pay` now returns `1` | `go(x)` is now called in `A.pay`",
    "a.js\n+import { a, b } from 'x';\n go();": "`{ a, b } from 'x'` is now imported",
    "A.cs\n+using System;\n class A {}": "`System` is now imported",
    "shop.jsx\n+      <button onClick={() => save()}>Save</button>\n       <p>x</p>": "`<button onClick={() => save()}>Save</button>` is added",
    "a.php @@ function f($x) {\n+    try {\n+        go($x);\n+    } catch (Exception $e) {\n+        log($e);\n+    }\n     y();": "`f` now catches `Exception` and then calls `log($e)` | `go($x)` is now called in `f`",
    "a.py @@ def f(x):\n-    go(x)\n+    with lock:\n+        go(x)": "`go(x)` now runs inside `with lock` in `f`",
    "a.py @@ def f(x):\n-    go(x)\n+    try:\n+        go(x)\n+    except OSError:\n+        log(x)": "`f` now catches `OSError` and then calls `log(x)`",
    "a.py @@ def f(x):\n-    # be careful here\n     go(x)": "A comment is removed: “be careful here”",
    "a.py\n-import json\n x = 1": "`json` is no longer imported",
    "A.java\n class A {\n-    @Override\n     public String toString() {": "`@Override` is removed from `A`",
    "a.py\n-def total(prices, rate):\n-    return 1\n x = 1": "The function `total(prices, rate)` is removed",
    "a.py\n-class Shop(Store):\n-    def pay(self):\n-        return 1\n x = 1": "The class `Shop` is removed",
    'a.py @@ def f(x):\n-    if x is None:\n-        raise ValueError("no x")\n     go(x)': 'The check `x is None`, after which `f` raises `ValueError("no x")`, is removed',
    "a.py @@ def f(x):\n-    if x:\n-        go(x)\n+    go(x)": "`go(x)` no longer depends on `x` in `f`",
    "a.py @@ def f(x):\n-    for y in x:\n-        go(y)\n+    go(y)\n     z": "`go(y)` no longer runs inside `for y in x` in `f`",
    "a.py @@ def f(x):\n     if x:\n         go(x)\n-    else:\n-        stop()": "The branch in which `f` calls `stop()` unless `x` is removed",
    "a.py @@ def f(xs):\n-    for x in xs:\n-        go(x)\n     return 1": "`for x in xs` is removed from `f`",
    "a.py @@ def f(xs):\n-    try:\n-        go(x)\n-    except OSError:\n-        pass\n+    go(x)\n     return 1": "`f` no longer catches `OSError`",
    "a.py @@ def f(x):\n     try:\n         go()\n-    except OSError:\n-        pass\n     except ValueError:\n         pass": "`f` no longer catches `OSError`",
    "a.py @@ def f(xs):\n     go()\n-    return 1": "`return 1` is removed from `f`",
    "a.py @@ def f(order):\n-    audit(order)\n     x = 1": "The call `audit(order)` is removed from `f`",
    "A.java @@ class A {\n-    private int stock = 2;\n     int b;": "The assignment `private int stock = 2` is removed from `A`",
    "A.java\n enum Color {\n   RED,\n-  GREEN,\n   BLUE\n }": "`GREEN` is removed from `Color`",
    "a.java @@ void f(int x) {\n   switch (x) {\n     case 1:\n       f();\n       break;\n-    case 2:\n-      g();\n-      break;\n   }": "`f` no longer handles the case `2`",
    "tests/a.test.js\n describe('shop', () => {\n-  it('pays', () => {\n-    expect(pay()).toBe(1);\n-  });\n });": "The test `'pays'` is removed",
    "a.ts\n-export type Reader<T> = (state: T) => void\n x()\n y()\n+export type Reader<T extends State> = (state: T) => void": "The type `Reader` is now declared with `<T extends State> = (state: T) => void` instead of `<T> = (state: T) => void`",
    "a.ts\n-type Options<S> = {\n+export type Options<\n+  S\n+> = {\n   name: string": "The type `Options` is now `export`",
    "a.ts\n-function total(x) {\n+const total: Total = <T>(\n+  x: T\n+) => {\n   x()": "`const total: Total = <T>(` is added",
    "a.c\n-int detach(item *a, int n)\n+static int remove_at(item *a, size_t n)\n {\n   go(a);\n }\n+int detach(item *a, int n)\n+{\n+  return remove_at(a, (size_t)n);\n+}": "The function `remove_at(item *a, size_t n)` is added | `detach` now returns `remove_at(a, (size_t)n)`",
    "a.h\n class Shop {\n-    size_t count()\n+    size_t count() const\n     {": "`size_t count() const` replaces `size_t count()` in `Shop`",
    "A.java\n class A {\n-    static class B {\n-        int it = 1;\n+    int all = 2;\n         // placed\n+    static class B {\n         B() {": "The field `all` is added in `A` with the value `2` | The assignment `int it = 1` is removed from `B`",
    "A.java\n class A {\n-    @Deprecated\n-    void pay(int x) {\n-        go(x);\n-    }\n     int b;": "The function `pay(int x)` is removed from `A`",
    "a.h @@ class Shop {\n         go();\n+        int price = sum();": "The variable `price` is set to `sum()` in `Shop`",
    "a.py @@ def f(t):\n-    if is_a(t, tuple):\n+    if is_a(t, Limit):\n+        pass\n+    elif is_a(t, tuple):\n         go(t)": "`f` now checks `is_a(t, Limit)` | `elif is_a(t, tuple):` replaces `if is_a(t, tuple):` in `f`",
    "a.cpp\n void f() {\n   try {\n     go();\n-  } catch (Lost &e) {\n-    log();\n+    stop();\n+  }\n+  catch (Lost& e) {\n+    log(e);\n   }\n }": "`e` is added in the call of `log` in `f` | `stop()` is now called in `f` | `catch (Lost& e)` replaces `} catch (Lost &e)` in `f`",
    "a.py @@ def f(x):\n         retries=2,\n-        timeout=3\n+        **rest": "The entry `timeout=3` is removed from `f` | `**rest` is added in `f`",
    "a.php @@ function f() {\n     $x = [\n-        'a' => $this->b,\n+        'a' => $this->c == 1 ?\n+            ($this->b ? 1 : 0) :\n+            ($this->b ? 2 : 3),\n     ];": "`$this->c == 1 ? ($this->b ? 1 : 0) : ($this->b ? 2 : 3)` replaces `$this->b` in `$x` in `f`",
    "a.php @@ function f() {\n+    if ($a) {\n+        $done = [];\n+        foreach ($b as $c) {\n+            go($c);\n+        }\n+        $b = $done;\n+    }": "If `$a`, `f` now sets `$done` to `[]` and runs `foreach ($b as $c)` | A loop `foreach ($b as $c)` is added in `f` that calls `go($c)` | `$b` is set to `$done` in `f`",
    "a.js\n-})\n+ })": "Only the layout of `})` changes: blanks or line breaks",
    "a.cpp\n+template<class T>\n+using list_of = std::vector<T>;\n x();": "The type `list_of` is added",
    "a.test.ts\n it('a', () => {\n-  const use = create<Counter>(\n+  const use = create<\n+    Counter,\n+    Named\n+  >(\n     devtools(\n       go": "`use` is now `create< Counter, Named >(…)` instead of `create<Counter>(…)` in the test `'a'`",
    "a.ts\n-      Stored<Counter>\n+      Stored<Counter> &\n+        Named<Counter>\n     >(": "`Stored<Counter> & Named<Counter>` replaces `Stored<Counter>`",
    'test/a_spec.rb\n it "sets a" do\n   go\n end\n \n-it "sets b" do\n-  call "foo", :b => true\n+it "sets c with any value" do\n+  call "foo", :c => Object.new\n+end\n+\n+it "sets c with text" do\n+  call "foo", :c => "Lax"\n end': '`"sets c with any value"` replaces `"sets b"` in the call of `it` | `call "foo", :b => true` is removed | `call "foo", :c => Object.new` and `it "sets c with text" do … end` are added',
}
"""Added and removed statements, alone or with their contents."""

LAYOUT = {
    "shop.py\n-connect_to_database()\n a = 1\n b = 2\n+connect_to_database()": "`connect_to_database()` is moved further down",
    "shop.py\n def first():\n-    connect_to_database(a, b)\n     go()\n def second():\n+    connect_to_database(a, b)\n     go()": "`connect_to_database(a, b)` is moved from `first` to `second`",
    "shop.py\n-def alpha(a, b):\n-    return a + b\n x = 1\n y = 2\n z = 3\n+def alpha(a, b):\n+    return a + b": "The function `alpha` is moved further down",
    "shop.py\n def f(items):\n-    total = 0\n+    amount = 0\n     for item in items:\n-        total += item.price\n+        amount += item.price\n-    return total\n+    return amount": "`total` is renamed to `amount` in 3 statements, such as `amount = 0`, `amount += item.price` and 1 more",
    "a.py @@ def f(x):\n     while x:\n         stop()\n-        go(y)\n+    go(y)\n     z()": "`go(y)` moves to another block",
    "shop.yaml\n b:\n   a: 1\n-  c: 2\n+c: 2": "`c: 2` moves to another block",
    "a.c\n-static const char *skip(const char *in) {while (in && *in<=32) in++; return in;}\n+static const char *skip(const char *in)\n+{\n+    while (in && (*in<=32))\n+    {\n+        in++;\n+    }\n+    return in;\n+}": "The code of `static const char *skip(const char *in)` is laid out anew, on 8 lines instead of 1, and stays nearly the same",
    "shop.py\n-x = [1,2]\n+x = [1, 2]": "Only the layout of `x = [1, 2]` changes: indentation, blanks or line breaks",
    "Shop.java\n-  ship( a,\n-    b);\n+  ship(a, b);": "Only the layout of `ship(a, b);` changes: indentation, blanks or line breaks",
    "shop.py\n x = 1\n+\n y = 2": "Only blank lines are added",
    'shop.py\n def f(x):\n-    """Return x."""\n+    """Return twice x."""\n     return x': "“twice” is added to a comment after “Return” in `f`",
    'shop.py\n def f(x):\n+    """Return twice x.\n+\n+    And more.\n+    """\n     return x': "A comment is added in `f`: “Return twice x. And more.”",
    "A.java\n+/**\n+ * Pays the order.\n+ * @param order the order\n+ */\n void pay(Order order) {": "A comment is added: “Pays the order. @param order the order”",
    "shop.js\n-f(); // a\n+f(); // b": "The comment beside `f();` changes to “b”",
    "A.java @@ class A {\n-    // Copyright 2019 A\n+    // Copyright 2020 A": "A comment now says “Copyright 2020 A” instead of “Copyright 2019 A”",
    "shop.sh\n-a=b\n+a = b": "`a = b` replaces `a=b`",
    "shop.js\n-return x\n+return\n+x": "The code now returns nothing instead of `x` | `x` is added",
    "Shop.java\n-    pack();\n-    ship();\n+    ship();\n+    pack();": "`ship();` is moved further down",
    "shop.js\n-  const x = 'a b';\n+  const x = 'a  b';": "Only blanks within `const x = 'a b';` change",
    'shop.py\n-x = "a b"\n+x = "ab"': '`x` is now `"ab"` instead of `"a b"`',
}
"""Moves, renames, comments and layout."""

OTHERS = {
    "README.md\n # Shop\n+Run `pay(x)` twice. if you want, return it.\n+- item = 2\n+import x": "A passage is added to the documentation: “Run 'pay(x)' twice. if you want, return it. - item = 2 import x”",
    "README.md\n-Use `x` for this.\n+Use `y` for this.": "The text now says “Use 'y' for this.” instead of “Use 'x' for this.”",
    "README.md\n+## Install\n+\n+Run make.\n end": "The section “Install” is added to the documentation",
    "README.md\n-one two\n-three\n+one\n+two three": "Only the line breaks or blanks of “one two three” change",
    "LICENSE\n-if you use it, return it.\n+If you use it, return it.": "The text now says “If you use it,” instead of “if you use it,”",
    "README.md\n-Install it with pip and run it.\n+Install it with pip or with uv and run it.": "“or with uv” is added to the text after “Install it with pip”",
    "a.yaml\n web:\n-  image: nginx:1.1\n+  image: nginx:1.2": "`image` is now `nginx:1.2` instead of `nginx:1.1`",
    "a.yaml\n jobs:\n-  - run: make\n+  - run: make test": "`run` is now `make test` instead of `make`",
    'package.json\n   "dependencies": {\n-    "left-pad": "1.0.0",\n+    "left-pad": "1.3.0",\n+    "right-pad": "2.0.0"\n   }': '`left-pad` is now `"1.3.0"` instead of `"1.0.0"` | The entry `"right-pad": "2.0.0"` is added',
    "pyproject.toml\n x = 1\n+[tool.ruff]\n+line-length = 100": "The entry `line-length = 100` is added | `[tool.ruff]` is added",
    "a.toml\n [a]\n-b = 1\n c = 2": "The entry `b = 1` is removed",
    ".github/workflows/ci.yml\n     steps:\n-      - uses: actions/checkout@v3\n+      - uses: actions/checkout@v4\n+      - name: Test\n+        run: make test": "`uses` is now `actions/checkout@v4` instead of `actions/checkout@v3` | The entries `name: Test` and `run: make test` are added",
    'package-lock.json\n-    "left-pad": "1.0.0",\n+    "left-pad": "1.3.0",': "The lock file `package-lock.json` changes: 1 line added and 1 line removed",
    "gen.py\n+# Code generated by x. DO NOT EDIT.\n-a()\n+b()": "The generated file `gen.py` changes: 2 lines added and 1 line removed",
    "a.sql\n-update t set a = 1 where b = 2;\n+update t set a = 1 where b = 3;": "`update t set a = 1 where b = 3` replaces `update t set a = 1 where b = 2`",
    'a.sh\n+set -e\n+if [ -z "$X" ]; then\n+  exit 1\n+fi\n go': 'If `[ -z "$X" ]`, the code now runs `exit 1` | `set -e` is added',
    "a.sh\n-curl -s http://a\n+curl -sf http://a": "`curl -sf http://a` replaces `curl -s http://a`",
    "requirements.txt\n-flask==1.0\n+flask==2.0\n+numpy": "`flask==2.0` replaces `flask==1.0` | `numpy` is added",
    "a.html\n <ul>\n+  <li>One</li>\n </ul>": "`<li>One</li>` is added",
    "diff --git a/a.py b/b.py\nsimilarity index 100%\nrename from a.py\nrename to b.py\n": "The file `a.py` is renamed to `b.py` | References to `a.py` have to name `b.py`",
    "diff --git a/a.py b/b.py\nsimilarity index 100%\ncopy from a.py\ncopy to b.py\n": "The file `a.py` is copied to `b.py`",
    "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n": "The mode of `run` changes from 100644 to 100755: it becomes executable",
    "diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n": "The empty file `e` is added",
    "diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n": "The binary file `p.png` changes",
    "diff --git a/lib b/lib\nindex 1..2 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1111111111111111111111111111111111111111\n+Subproject commit 2222222222222222222222222222222222222222\n": "The submodule `lib` moves from commit 111111111111 to 222222222222",
    "diff --git a/lib b/lib\ndeleted file mode 160000\n--- a/lib\n+++ /dev/null\n@@ -1 +0,0 @@\n-Subproject commit 1111111111111111111111111111111111111111\n": "The submodule `lib` is removed",
    "diff --git a/a.py b/a.py\ndeleted file mode 100644\n--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n": "The file `a.py` is deleted",
    "diff --git a/git_submodule.py b/git_submodule.py\nold mode 100644\nnew mode 100755\n--- a/git_submodule.py\n+++ b/git_submodule.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n": "The mode of `git_submodule.py` changes from 100644 to 100755: it becomes executable | `x` is now `2` instead of `1`",
    "diff --git a/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1,4 @@\n+import os\n+\n+def f(x):\n+    return os.path.join(x)\n": "The function `f(x)` is added | `f` now returns `os.path.join(x)` | The file `n.py` is added",
    "diff --git a/a.py b/b.py\nsimilarity index 90%\nrename from a.py\nrename to b.py\n--- a/a.py\n+++ b/b.py\n@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n y\n": "The file `a.py` is renamed to `b.py` | `x` is now `2` instead of `1` | References to `a.py` have to name `b.py`",
    "diff --git a/notes.md b/notes.md\nnew file mode 100644\n--- /dev/null\n+++ b/notes.md\n@@ -0,0 +1,3 @@\n+# Notes\n+\n+Several words of text.\n": "The file `notes.md` is added | The section “Notes” is added to the documentation",
    "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-x = load(a)\n+x = fetch(a)\n y\ndiff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1,2 +1,2 @@\n-z = load(b)\n+z = fetch(b)\n y\ndiff --git a/c.py b/c.py\n--- a/c.py\n+++ b/c.py\n@@ -1,2 +1,3 @@\n+log.info(1)\n-z = load(c)\n+z = fetch(c)\n y\n": "`load` is replaced by `fetch` in 3 statements of 3 files, such as `x = fetch(a)`, `z = fetch(b)` and 1 more | `log.info(1)` is now called",
    "diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1,1 +1,2 @@\n+'use strict';\n y\ndiff --git a/b.js b/b.js\n--- a/b.js\n+++ b/b.js\n@@ -1,1 +1,2 @@\n+'use strict';\n y\n": "`'use strict'` is added, in 2 files",
    "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@ def load():\n-    path = find()\n+    path = None\n \n@@ -10,2 +10,2 @@ def store():\n-    path = find()\n+    path = None\n \n": "`path` is now `None` instead of `find()` in `load` and `store`",
    "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-def fetch_user(x):\n+def load_user(x):\n     go()\ndiff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1,2 +1,2 @@ def f():\n-    u = fetch_user(1)\n+    u = load_user(1)\n \ndiff --git a/c.py b/c.py\n--- a/c.py\n+++ b/c.py\n@@ -1,2 +1,2 @@ def g():\n-    return fetch_user(2)\n+    return load_user(2)\n \n": "`fetch_user` is renamed to `load_user` in 3 statements of 3 files, such as `def load_user(x):`, `u = load_user(1)` and 1 more",
    "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,4 +1,2 @@\n a = 1\n-class Shop(Store):\n-    name = 1\n b = 2\ndiff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1,2 +1,4 @@\n a = 1\n+class Shop(Store):\n+    name = 1\n b = 2\n": "The class `Shop` is added, based on `Store` | The class `Shop` is moved to another file | The field `name` is added in `Shop` with the value `1`",
}
"""Prose, settings, generated files, languages without a grammar, and files as a whole."""

CASES = {**DIFFERENCES, **ONE_SIDED, **LAYOUT, **OTHERS}


@pytest.mark.parametrize("case", CASES)
def test_exactly_the_expected_facts_are_claimed(case: str) -> None:
    found = [claim.text for claim in claims_of(read(case))]
    assert sorted(found) == sorted(CASES[case].split(" | "))


WORDINGS = {
    "a.js\n x();\n+if (user == null) {\n+  return;\n+}": "if statement",
    "a.py\n+    logger.warning('disk is full')\n     x()": "log message",
    "tests/test_a.py\n def test_a():\n+    assertEqual(pay(), 1)\n     x()": "assertion in the test",
    "a.py\n-MAX_SIZE = 3\n+MAX_SIZE = 4": "constant max size",
    "a.py\n-    return userName\n+    return user_name or default": "user name or default",
    "a.py\n-# Copyright 2019 Us\n+# Copyright 2020 Us": "copyright or license notice",
    "a.py\n x = 1\n+\n y = 2": "whitespace",
    "poetry.lock\n-a\n+b": "versions of dependencies",
}
"""By change: a phrase of another wording of the first claim."""


@pytest.mark.parametrize("case", WORDINGS)
def test_a_fact_has_wordings_in_plain_words(case: str) -> None:
    wordings = claims_of(read(case))[0].wordings
    assert any(WORDINGS[case] in wording for wording in wordings)
    assert not any("`" in wording for wording in wordings)


def test_claims_name_their_place_level_and_source() -> None:
    deletion = "diff --git a/a.py b/a.py\ndeleted file mode 100644\n--- a/a.py\n+++ /dev/null\n"
    deleted = claims_of(f"{deletion}@@ -1,2 +0,0 @@\n-x = 1\n-y = f(x)\n")
    assert {(claim.path, claim.line) for claim in deleted} == {("a.py", None)}
    removed = claims_of(diff_of("a.py", " a = 1\n-drop(a)\n b = 2\n c = 3"))
    assert {claim.line for claim in removed} == {2}
    changed = claims_of(diff_of("a.py", " a = 1\n-b = 1\n+b = 2\n+use(b)\n c = 3"))
    assert sorted(claim.line or 0 for claim in changed) == [2, 3]
    both = claims_of(diff_of("a.py", "-def f(a):\n+def f(a, b):"))
    assert [claim.kind for claim in both] == [ClaimKind.CLAIM, ClaimKind.IMPLICATION]
    assert {claim.source for claim in both} == {"symbolic"}
    assert claims_of(diff_of("a.py", " a = 1\n b = 2")) == ()


def test_the_most_informative_claim_comes_first() -> None:
    body = "+import json\n+# be careful\n+log(1)\n-def f(a):\n+def f(a, rate):\n     x()"
    assert "new parameter `rate`" in claims_of(diff_of("a.py", body))[0].text


def test_a_merge_of_40_files_is_described_by_its_facts() -> None:
    own = [
        diff_of(f"src/a{i}.py", f"     x()\n+    check_{i}(x, {i})", f"def f{i}(x):")
        for i in range(20)
    ]
    shared = [diff_of(f"lib/b{i}.py", "-import old_lib\n+import new_lib\n x()") for i in range(20)]
    result = SymbolicClaims().generate(parse_change("".join(own + shared)))
    found = [claim.text for claim in result.claims]
    assert len([text for text in found if "old_lib" in text and "new_lib" in text]) == 1
    assert not [text for text in found if "further file" in text]
    assert {f"`check_{i}(x, {i})` is now called in `f{i}`" for i in range(20)} <= set(found)


TESTS = "test_a.py a_test.go a.spec.ts a.test.js tests/a.py src/test/java/A.java CartTest.java"
OTHER = "latest.py inspect.py specification.md contest/shop.py testimonials.js attestation.go"


def test_a_test_file_is_recognised_by_whole_words() -> None:
    assert [path for path in f"{TESTS} {OTHER}".split() if is_test_path(path)] == TESTS.split()
    assert not is_test_path(None)
