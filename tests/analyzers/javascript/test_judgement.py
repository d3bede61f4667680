"""What JSHint says although a reviewer who sees the code would not."""

import pytest

from analyzers import Status
from analyzers.javascript.jshint import JSHint
from analyzers.linter import Linter
from analyzers.syntax.reading import READERS
from tests.analyzers.sources import whole

FINE = """
class House extends require("./hut") { constructor() { super(); this.size = 1; } } new House();
for (const [key, value] of rooms) { paint(key, value); }
const [, room] = rooms; paint(room);
const { size, ...rest } = house; paint(size, rest);
for (const door of doors) { open.push(() => door); }
for (let i = 0; i < 3; i++) { open.push(() => i); }
if (door == null) { open(); }
try { open(); } catch { close(); }
try { open(); } catch (error) { close(); }
door?.open?.();
door && door.open();
door ? door.open() : close();
if (!size++) { open(); }
expect(size).to.be.true;
size.should.be.ok;
if (door) { open(); } else if (hut) { close(); }
if (door) return;
if (door) { /* the wind did it */ }
doors.forEach((_) => open());
doors.forEach((door, _index) => open(door));
house = { __proto__: null, size: 1 };
const open = async ({ size, wide = true } = {}, ...rest) => paint(size, wide, rest);
text = '\\u{1F600}';
window.x = function (door) { return this.size || door; }.bind(this);
location = "/house";
const name = house.name; paint(name);
function unusedByThisScript() {}
otherScript.open(thirdScript);
const area = require("./area"); area(new URL("/", document.baseURI), jest.fn(), $("a"));
(async () => { for await (const door of doors()) { open(door); } })();
house = { async *rooms() { yield* this.all; }, get size() { return 1; } };
do { open(); } while (size);
size = a ? b : c ?? (d || e);
export { size as default } from "./house";
export const twice = (size) => 2 * size;
export {};
"""
FINE_ON_LINES = {
    "falls through, in a comment of a line": """
switch (size) {
    case 1:
        open();
        // falls through
    case 2:
        close();
}
""",
    "falls through, in another": """
switch (size) {
    case 1:
        open(); /* fallthrough */
    case 2:
        close();
}
""",
    "no semicolons at all": """
open()
close()
paint()
""",
    "an empty block with a comment": """
if (ready) {
    // nothing to do
}
""",
    "an assertion on several lines": """
expect(size)
    .to.be
    .true;
""",
    "no braces on the same line": """
if (ready) open();
else close();
for (const door of doors) open(door);
""",
    "operators and commas first": """
size = a
    || b
    ? c
    : { d: 1
    , e: 2 };
""",
    "only var": """
var size = 3;
open(size);
""",
    "not a loop's body": """
do {
    open()
} while (ready)
if (size) { close() }
""",
}


def rules(*texts: str) -> list[set[str]]:
    files = [whole(text, language="javascript") for text in texts]
    results = Linter(JSHint(), READERS["javascript"]).analyze(files)
    assert {result.status for result in results} == {Status.ANALYSED}
    return [{smell.rule for smell in result.smells} for result in results]


def test_fine_code_has_no_smell() -> None:
    lines = FINE.strip().split("\n")
    smells = rules(*(f"{line}\n" for line in lines))
    assert {line: found for line, found in zip(lines, smells, strict=True) if found} == {}


def test_fine_code_on_several_lines_has_no_smell() -> None:
    smells = rules(*FINE_ON_LINES.values())
    assert {name for name, found in zip(FINE_ON_LINES, smells, strict=True) if found} == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("open() = 1;", "E031"),
        ("size;", "W030"),
        ("open();\nclose();\npaint()", "W033"),
        ("if (ready) {\n}", "W035"),
        ("function f() { break; }", "W052"),
        ("house = new House;", "W058"),
        ("for (var i = 0; i < 3; i++) { open.push(() => i); }", "W083"),
        ("switch (size) { case 1: open();\ncase 2: close(); }", "W086"),
        ("export default 3;\nfunction unusedInThisModule() {}", "W098"),
        ("doors.forEach((door, index) => open(door));", "W098"),
        ("house.__proto__ = null;", "W103"),
        ("if (ready)\n    open();", "W116"),
        ("const size = 3;\nvar room = 4;", "W132"),
        ("function open(size = 3, room) { paint(size, room); }", "W138"),
        ("import a from 'a';\notherScript.open(a);", "W117"),
        ("const a = require('a');\notherScript.open(a);", "W117"),
    ],
)
def test_where_nothing_speaks_against_it_a_finding_is_believed(text: str, expected: str) -> None:
    (result,) = Linter(JSHint(), READERS["javascript"]).analyze(
        [whole(f"{text}\n", language="javascript")]
    )
    said = [smell.rule for smell in result.smells]
    if expected == "E031":
        assert result.status is Status.NOT_ANALYSED
    else:
        assert said == [expected]


def test_what_is_said_of_a_line_twice_is_a_smell_once() -> None:
    (result,) = Linter(JSHint(), READERS["javascript"]).analyze(
        [whole("open(a == b, c == d);\nopen(a == b);\n", language="javascript")]
    )
    assert [(smell.rule, smell.line) for smell in result.smells] == [("W116", 1), ("W116", 2)]
