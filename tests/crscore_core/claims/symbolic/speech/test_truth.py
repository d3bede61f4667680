"""Predicates that said what the code does not: what each is to say instead."""

import pytest

from crscore_core.claims.symbolic.logical import LogicalLine
from crscore_core.claims.symbolic.recognition import recognise
from crscore_core.claims.symbolic.speech import predicate


def said(language: str, text: str) -> str:
    line = LogicalLine(text, (0,), (0,), 1, 0, prose=False)
    return predicate(recognise(line, language), language)


GROUPED = [
    ("python", "total = a - (b - c)", "sets total to a minus (b minus c)"),
    ("python", "total = a - b - c", "sets total to a minus b minus c"),
    ("python", "total = (a + b) * c", "sets total to (a plus b) times c"),
    ("python", "total = a + b * c", "sets total to a plus b times c"),
    ("python", "return 2 * (n - 1)", "returns 2 times (n minus 1)"),
    ("python", "x = -(a + b)", "sets x to minus (a plus b)"),
    ("python", "x = len(a + b)", "sets x to the length of (a plus b)"),
    ("python", "x = len(a) + b", "sets x to the length of a plus b"),
    ("python", "x = f(g(a, b), c)", "sets x to f of (g of a and b) and c"),
    ("python", "x = a // 2 ** n", "sets x to a divided by (2 to the power of n)"),
    ("c", "x = (a & b) | c;", "sets x to (a masked with b) combined with c"),
    ("java", "x = (a ? b : c) + d;", "sets x to (b if a is set, otherwise c) plus d"),
    (
        "python",
        "if (a or b) and c:",
        "checks whether either a is set or b is set, and c is set",
    ),
    ("python", "if a and (b or c):", "checks whether a is set and either b is set or c is set"),
    ("python", "if a and b or c:", "checks whether a is set and b is set, or c is set"),
    (
        "python",
        "if not (a and b or c):",
        "checks whether either a is not set or b is not set, and c is not set",
    ),
    (
        "python",
        "if not (a or b) and c:",
        "checks whether a is not set and b is not set and c is set",
    ),
]

PARTS = [
    ("python", "x = xs[:10]", "sets x to the part of xs before 10"),
    ("python", "x = xs[1:]", "sets x to the part of xs from 1 on"),
    ("python", "x = xs[a:b]", "sets x to the part of xs from a until b"),
    ("python", "x = xs[:]", "sets x to all of xs"),
    ("python", "x = xs[::-1]", "sets x to xs in reverse order"),
    ("python", "x = xs[a:b:2]", "sets x to a part of xs"),
    ("go", "x = y[1:]", "sets x to the part of y from 1 on"),
    ("go", "x = y[a.b:]", "sets x to a part of y"),
    ("ruby", "x = options[:limit]", "sets x to limit of options"),
]

TAKEN_OUT = [
    ("python", "requests.delete(url)", "calls delete on requests with url"),
    ("python", "os.remove(path)", "calls remove on os with path"),
    ("java", "map.remove(0);", "calls remove on map with 0"),
    ("java", "listeners.remove(listener);", "removes listener from listeners"),
    ("python", "self.items.remove(x)", "removes x from items"),
    ("javascript", "router.push(url);", "calls push on router with url"),
    ("javascript", "names.push(name);", "adds name to names"),
]

ASSERTED = [
    ("java", 'assertEquals("message", expected, actual);', "asserts that expected equals actual"),
    ("java", 'assertTrue("message", list.isEmpty());', "asserts that list is empty"),
    ("python", 'self.assertEqual(total, 5, "message")', "asserts that total equals 5"),
    ("python", "self.assertAlmostEqual(a, b)", "asserts that a almost equals b"),
    ("python", "self.assertGreaterEqual(a, b)", "asserts that a is at least b"),
    ("python", "self.assertLess(a, 3)", "asserts that a is less than 3"),
    ("php", "$this->assertGreaterThan(1, $x);", "asserts that x is greater than 1"),
    ("csharp", "Assert.Contains(name, names);", "asserts that names contains name"),
    ("python", "self.assertIn(", "makes an assertion"),
    ("go", "assert.Contains(t, names, name)", "asserts that names contains name"),
    ("go", 't.Errorf("got %v", x)', "makes the test fail: got %v with x"),
    ("java", "verify(x, never()).y();", "expects no call of y on x"),
    ("java", "verify(x, times(2)).y(z);", "expects 2 calls of y on x with z"),
    ("java", "verify(x).y();", "expects a call of y on x"),
    ("ruby", "expect { x }.to raise_error(Foo)", "expects x to raise error foo"),
]

CHANGED = [
    ("csharp", "x += Handler;", "adds handler to x"),
    ("csharp", "x -= Handler;", "removes handler from x"),
    ("python", "lst += [1]", "adds a list of 1 to lst"),
    ("python", "count += 2", "increases count by 2"),
    ("python", "x @= y", "changes x by y"),
    ("python", "x = y = 0", "sets x and y to 0"),
    ("cpp", "in >> x;", "reads x from in"),
    ("cpp", "std::cout << x;", "prints x"),
    ("cpp", "while (in >> x) {", "loops while x can be read from in"),
    ("cpp", "return out << x;", "returns out with x written to it"),
    ("c", "*p++ = 'a';", "sets the value at p to a and increments p"),
    ("c", "if (*p == c) {", "checks whether the value at p is c"),
    ("c", "while (*text)", "loops while the value at text is set"),
    ("c", "x = i++;", "sets x to i and increments i"),
    ("c", "f(i++);", "calls f with i before it is incremented"),
    ("c", "p->x = &y;", "sets the x of p to the address of y"),
    ("cpp", "virtual void f() = 0;", "declares the abstract method f"),
    ("python", "yield from items", "yields each of items"),
]

CASES = [
    ("ruby", "when 1, 2", "handles the case 1 or 2"),
    ("go", 'case "a", "b":', "handles the case a or b"),
    (
        "python",
        "if isinstance(x, (int, str)):",
        "checks whether x is an instance of int or str",
    ),
    ("c", r"if (*p == '\0')", "checks whether the value at p is a null character"),
    ("python", r"parts = text.split('\n')", "sets parts to split of text with a line break"),
    ("python", "if any(x > 1 for x in y):", "checks whether x is greater than 1 for some x in y"),
    (
        "python",
        "if not any(x > 1 for x in y):",
        "checks whether x is greater than 1 for no x in y",
    ),
    (
        "python",
        "if not all(x > 1 for x in y):",
        "checks whether x is at most 1 for some x in y",
    ),
    ("python", "if a in (b, c):", "checks whether a is b or c"),
    ("python", "if a not in (b,):", "checks whether a is not b"),
    ("python", "if a in names:", "checks whether a is in names"),
    (
        "javascript",
        "if (!isPathInFields(fields, path)) {",
        "checks whether the test is path in fields does not hold for fields and path",
    ),
    ("csharp", "return x switch { 1 => 2, _ => 3 };", "returns a value chosen by x"),
]

MEMBERS = [
    ("python", "self.backoff = backoff", "keeps backoff in the attribute backoff"),
    ("javascript", "const user = this.user;", "takes user from the attribute user"),
    ("ruby", "@a = a", "keeps a in the attribute a"),
    ("python", "super().__init__(x)", "calls the super constructor with x"),
    (
        "java",
        "public <U, R> Seq<R> zip(Seq<U> that) {",
        "defines the public method zip with that, returning seq of r",
    ),
    ("php", "parent::__construct($x);", "calls the super constructor with x"),
    ("javascript", "node.parent.add(x);", "adds x to the parent of node"),
    ("csharp", "base.Close(x);", "calls close of super with x"),
    ("python", "retries: limit", "sets retries to limit"),
    ("python", "retries: int", "declares retries of the type int"),
    ("typescript", "a: string;", "declares the string a"),
    ("typescript", "public get x(): number {", "defines the public getter of x"),
    ("typescript", "get c(): number { return this.b * 2; }", "defines the getter of c"),
    ("cpp", "Foo::Foo(int a) : a_(a) {}", "defines the constructor of foo"),
    ("csharp", "public Foo(int a) : base(a)", "defines the public constructor of foo"),
    ("csharp", "public record A(int X);", "defines the public record a"),
    ("cpp", "using namespace std;", "uses the namespace std"),
    ("csharp", "using (var x = new Foo()) {", "uses a new foo for the block that follows"),
    ("java", "throw new X(message);", "throws an x with message"),
    ("ruby", 'it "does x" do', "tests does x"),
    ("python", '"""', ""),
    ("python", "<<<<<<< HEAD", ""),
    ("java", "=======", ""),
    ("javascript", ">>>>>>> feature/a", ""),
]


ROWS = [
    (
        "csharp",
        "var x = xs.Where(a => a.B > 1).Select(a => a.C).Take(3);",
        "sets x to the result of where, select and take on xs",
    ),
    (
        "java",
        "a.add(b).add(c).add(d);",
        "calls add, add and add in turn on a",
    ),
    ("javascript", "a.find(b).bind(c, d);", "calls bind on (find of a with b) with c and d"),
    (
        "javascript",
        "x = reduce((a, b) => a + b, c);",
        "sets x to reduce of (a function of a and b giving a plus b) and c",
    ),
    ("java", "x = Arrays.asList(a);", "sets x to the result of as list on arrays with a"),
    ("java", "x = Optional.of(a);", "sets x to optional of a"),
    ("java", "when(x.y()).thenReturn(z);", "makes the y of x return z"),
    ("python", "x = {a: b * 2 for a in c}", "sets x to a map of a to (b times 2) for each a in c"),
]


@pytest.mark.parametrize(
    ("language", "code", "words"),
    [*GROUPED, *PARTS, *TAKEN_OUT, *ASSERTED, *CHANGED, *CASES, *MEMBERS, *ROWS],
)
def test_a_predicate_is_true(language: str, code: str, words: str) -> None:
    assert said(language, code) == words
