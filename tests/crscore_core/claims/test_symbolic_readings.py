"""What is said where notations look alike, or where several statements could be meant."""

import pytest

from crscore_core.claims.symbolic.quoting import spoken
from tests.crscore_core.claims.test_symbolic_truth import texts

PAIRED = [
    pytest.param(
        "store.go",
        ' func get() (string, error) {\n \tif !ok {\n-\t\treturn "", errors.New("none")\n'
        '+\t\treturn "", fmt.Errorf("no %q: %w", key, ErrNone)\n+\t}\n+\tselect {\n'
        '+\tcase <-ctx.Done():\n+\t\treturn "", ctx.Err()\n \t}\n }',
        [
            (
                'The code now returns `"", fmt.Errorf("no %q: %w", key, ErrNone)` instead of '
                '`"", errors.New("none")` in the `get` function'
            )
        ],
        ["ctx.Err()` instead", "`ctx.Err` is called instead"],
        id="return at the same place, another one new",
    ),
    pytest.param(
        "handler.py",
        ' def handle(event):\n-    return {"status": 200}\n+    if not event:\n'
        '+        return {"status": 400}\n+    return {"status": 200, "body": event}',
        [
            (
                'The code now returns `{"status": 200, "body": event}` instead of '
                '`{"status": 200}` in the `handle` function'
            )
        ],
        ["400}` instead of"],
        id="early return beside a rewritten one",
    ),
    pytest.param(
        "read.go",
        " func f() (int, error) {\n-\treturn n, err\n+\tif err != nil {\n+\t\treturn 0, err\n+\t}\n"
        "+\treturn n * k, nil\n }",
        ["The code now returns `n * k, nil` instead of `n, err` in the `f` function"],
        ["`0, err` instead"],
        id="new return within a new branch",
    ),
    pytest.param(
        "shop.py",
        " def pay(x):\n-    if x is None:\n-        return 1\n     go(x)\n+    return go(x)",
        ["The code now returns `go(x)` in the `pay` function"],
        ["instead of `1`"],
        id="returns far from each other",
    ),
    pytest.param(
        "shop.js",
        " function pay(x) {\n-  throw new OldError(x);\n+  if (!x) {\n"
        "+    throw new EmptyError();\n"
        "+  }\n+  throw new NewError(x);\n }",
        ["`NewError` is thrown instead of `OldError` in the `pay` function"],
        ["`EmptyError` is thrown instead"],
        id="errors at different places",
    ),
    pytest.param(
        "A.java",
        "-    for (int i = 0; i < n; i++) {\n+    for (String name : names) {",
        ["The loop `for int i = 0; i < n; i++` becomes `for String name : names`"],
        ["It checked"],
        id="loop of another kind",
    ),
    pytest.param(
        "A.java",
        "-    if (o != null) {\n+    switch (o) {",
        ["A switch over `o` is added", "The condition that checked `o != null` is removed"],
        ["It checked", "whether `o`"],
        id="condition and switch",
    ),
    pytest.param(
        "a.py",
        " def f(self):\n+    self.total += 1\n+    self.rest -= x\n     go()",
        [
            "`self.total` is increased by `1` in the `f` method",
            "`x` is subtracted from `self.rest` in the `f` method",
        ],
        ["is set to"],
        id="value worked on",
    ),
    pytest.param(
        "a.py",
        "-total += 1\n+total += 2",
        ["`total` is increased by `2` instead of `1`"],
        ["value of `total` changes"],
        id="value worked on otherwise",
    ),
    pytest.param(
        "a.js",
        "-var total = 0;\n-total += a.price;\n+const total = sum(items);",
        ["The value of `total` changes from `0` to `sum(items)`"],
        ["from `a.price`"],
        id="value set and worked on",
    ),
    pytest.param(
        "a.php",
        "-return view('a', array('b' => 1));\n+return view('a', ['b' => 1]);",
        [],
        ["no longer involves"],
        id="literal written like a call",
    ),
    pytest.param(
        "a.py",
        "+try:\n+    read(path)\n+except OSError:\n+    stop()\n x = 1",
        ["A try block is added around code that calls `read(path)`"],
        ["wrapped"],
        id="new code that is tried",
    ),
    pytest.param(
        "a.py",
        " def f():\n+<<<<<<< HEAD\n     x = 1\n+=======\n+    x = 2\n+>>>>>>> other\n     go(x)",
        ["A merge conflict mark is added"],
        ["HEAD", "head", "other", "=="],
        id="merge conflict",
    ),
    pytest.param(
        "a.py",
        "     while True:\n+        if count >= 10: break\n         step()",
        ["A condition is added to check whether `count >= 10`; if so, it breaks out"],
        ["10: break"],
        id="branch on one line",
    ),
    pytest.param(
        "a.ts",
        "+    if (user is null) throw new Missing(id);\n     go();",
        [
            (
                "A condition is added to check whether `user is null`; if so, it throws "
                "`new Missing(id)`"
            )
        ],
        [],
        id="throw on the line of its condition",
    ),
    pytest.param(
        "a.c",
        "-    if (!p) return -1;\n+    if (!p) goto err;",
        [],
        ["check"],
        id="only the body of a one-line branch changes",
    ),
    pytest.param(
        "a.py",
        "-def area(w, h):\n-    tmp = w * h\n-    log(tmp)\n-    return tmp\n"
        "+def area(width, h):\n+    surface = width * h\n+    log(surface)\n+    return surface",
        ["`w` is renamed to `width` and `tmp` is renamed to `surface`"],
        ["instead of `tmp`", "from `tmp`", "new parameter"],
        id="local names",
    ),
]


@pytest.mark.parametrize(("name", "body", "must", "must_not"), PAIRED)
def test_what_became_of_a_statement(
    name: str, body: str, must: list[str], must_not: list[str]
) -> None:
    found = texts(name, body)
    assert [text for text in must if text not in found] == []
    assert [part for part in must_not if any(part in text for text in found)] == []


READ = [
    ("account.rb", " def a\n   b\n+  @balance\n end", ["`@balance` is added in the `a` method"]),
    ("a.php", " <?php\n+use App\\Models\\User;", ["A new import of `App\\Models\\User` is added"]),
    ("a.php", " class A {\n+    use Loggable;\n }", ["`use Loggable;` is added"]),
    ("a.rb", "+require_relative 'yaml'\n x = 1", ["A new import of `yaml` is added"]),
    (
        "a.rb",
        " class A\n+  include Comparable\n end",
        ["`include Comparable` is added"],
    ),
    (
        "A.cs",
        " void F() {\n+    using var scope = Start(1);\n }",
        ["A new variable `scope` holds `Start(1)` until its block ends in the `F` method"],
    ),
    (
        "a.cpp",
        "+using Map = std::map<int, int>;\n int x;",
        ["The name `Map` now stands for `std::map<int, int>`"],
    ),
    (
        "a.ts",
        "+export type Handler = (e: Event) => void;\n x = 1;",
        ["A new type `Handler` is defined with the value `(e: Event) => void`"],
    ),
    (
        "A.java",
        " class A {\n+  enum Color { RED, GREEN }\n }",
        ["A new enum `Color` is added in the `A` class"],
    ),
    (
        "A.java",
        "+interface Foo extends Bar<K, V>, Baz { void go(); }\n class A {}",
        ["A new interface `Foo` is added, based on `Bar<K, V>` and `Baz`"],
    ),
    (
        "A.cs",
        "-public class A {\n+public record A(int X) {",
        ["The class `A` becomes the record `A`"],
    ),
    (
        "a.cpp",
        " class S {\n+  virtual ~S() = default;\n };",
        ["A new virtual destructor `~S` is added in the `S` class"],
    ),
    (
        "a.cpp",
        " void f() {\n+  std::cin >> x;\n }",
        ["`std::cin >> x;` is added in the `f` function"],
    ),
    ("a.js", "+export default A;\n x = 1;", ["`export default A;` is added"]),
    (
        "a.cpp",
        "-T max(T a, T b) { return a > b ? a : b; }\n+T max(T a, T b) { return a < b ? b : a; }",
        ["The body of `max` changes from `return a > b ? a : b;` to `return a < b ? b : a;`"],
    ),
    (
        "a.ts",
        "-  constructor(private a: A) {}\n+  constructor(private a: A, private b: B) {}",
        ["The method `constructor` takes a new parameter `private b: B`"],
    ),
    (
        "a.css",
        " .btn {\n }\n+.btn:hover { opacity: .8; }",
        ["`.btn:hover { opacity: .8; }` is added"],
    ),
    (
        "A.java",
        "-  void f(Map<K, V> a) {\n+  void f(Map<K, V> a, BiFunction<? super T, ? super U> b) {",
        ["The method `f` takes a new parameter `BiFunction<? super T, ? super U> b`"],
    ),
]


@pytest.mark.parametrize(("name", "body", "must"), READ)
def test_a_notation_is_read_as_its_language_means_it(name: str, body: str, must: list[str]) -> None:
    found = texts(name, body)
    assert [text for text in must if text not in found] == []
    assert not [text for text in found if "import of" in text and text not in must]
    assert not [text for text in found if "without a value" in text or "argument passed" in text]


@pytest.mark.parametrize(
    ("name", "words"),
    [("IPv4Network", "ipv4 network"), ("maxRetries", "max retries"), ("HTTPServer", "HTTP server")],
)
def test_an_identifier_is_said_in_words(name: str, words: str) -> None:
    assert spoken(name) == words
