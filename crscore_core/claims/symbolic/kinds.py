"""Edit -> facts: one sentence for each kind of change, and what follows from it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from crscore_core.claims.model import ClaimKind
from crscore_core.claims.symbolic.aspects import aspect_of
from crscore_core.claims.symbolic.edits import Edit, EditKind, Statement
from crscore_core.claims.symbolic.fact import Fact
from crscore_core.claims.symbolic.lexis import TokenKind, common_ends, tokenize
from crscore_core.claims.symbolic.statement import (
    CALLS,
    Parameter,
    Parts,
    Sort,
    callee_of,
    source_of,
)
from crscore_core.claims.symbolic.wording import cleaned, listed, quoted, said

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Scene:
    """The edits of one hunk by the heading that they stand in, and what the file is.

    `inside` and `nested` map a heading that was added or removed to what came or went with it,
    and to what stood there already. `code_now` is the code that the change brought.
    """

    language: str | None
    is_test: bool
    code_now: str = ""
    inside: dict[Statement, list[Edit]] = field(default_factory=dict)
    nested: dict[Statement, list[Statement]] = field(default_factory=dict)


_TEST_CALLS = frozenset({"describe", "it", "test", "context", "specify", "suite", "t.Run"})


def place_of(statement: Statement) -> str:
    """Return the dotted name of the function or type around a statement, empty if unknown."""
    names: list[str] = []
    for heading in reversed(statement.around):
        if heading.sort is Sort.FUNCTION and not names:
            names.append(heading.parts.name)
        elif heading.sort is Sort.TYPE and heading.parts.noun not in {"namespace", "module"}:
            names.append(heading.parts.name)
            break
    names = [name for name in names if name and len(name) <= 60]
    if len(names) == 2 and "." in names[0]:
        names.pop()
    return ".".join(reversed(names))


def _where(statement: Statement) -> str:
    place = place_of(statement)
    if place:
        return f" in {quoted(place)}"
    for heading in reversed(statement.around):
        if heading.sort is Sort.CALL and heading.parts.name in _TEST_CALLS and heading.parts.items:
            return f" in the test {quoted(heading.parts.items[0])}"
        if heading.sort in {Sort.ASSIGNMENT, Sort.ENTRY} and heading.parts.name:
            return f" in {quoted(heading.parts.name, 40)}"
    return ""


def _who(statement: Statement) -> str:
    for heading in reversed(statement.around):
        if heading.sort is Sort.FUNCTION and heading.parts.name:
            return quoted(place_of(statement))
        if heading.sort is Sort.TYPE:
            break
    return "the code"


def _call_text(parts: Parts) -> str:
    return f"{parts.name}({', '.join(parts.items)})"


def does(parts: Parts) -> str:
    """Say what a statement does, as a verb in the third person with its object."""
    match parts.sort:
        case Sort.RETURN:
            if parts.operator.startswith("yield"):
                return f"yields {quoted(parts.value)}"
            return f"returns {quoted(parts.value)}" if parts.value else "returns early"
        case Sort.RAISE:
            verb = "throws" if "throw" in parts.operator else "raises"
            return f"{verb} {quoted(parts.value)}" if parts.value else f"{verb} the error again"
        case Sort.CALL if parts.noun == "keyword":
            return f"runs {quoted(f'{parts.name} ' + ', '.join(parts.items))}"
        case Sort.CALL:
            return f"calls {quoted(_call_text(parts))}"
        case Sort.ASSIGNMENT if parts.operator in {"=", ":="} and parts.value:
            return f"sets {quoted(parts.name, 40)} to {quoted(parts.value)}"
        case Sort.JUMP:
            word = parts.name.split(maxsplit=1)[0] if parts.name else ""
            if word in {"continue", "next"}:
                return "goes on with the next item"
            if word == "pass":
                return "does nothing"
            return f"leaves the block by {quoted(parts.name)}"
        case Sort.CONDITION:
            then = f" and then {does(parts.body)}" if parts.body else ""
            return f"checks {quoted(parts.value)}{then}"
        case Sort.LOOP | Sort.SCOPE:
            return f"runs {quoted(parts.name)}"
        case Sort.FUNCTION:
            return f"defines {quoted(parts.name)}"
    text = parts.value if not parts.name else f"{parts.name} {parts.operator} {parts.value}".strip()
    return f"runs {quoted(text)}"


_ACTS = (
    Sort.RAISE, Sort.RETURN, Sort.JUMP, Sort.CALL, Sort.ASSIGNMENT, Sort.CONDITION, Sort.LOOP,
    Sort.OTHER,
)  # fmt: skip
_TOLD_OF_BLOCK = 2


def _acts(edits: Sequence[Edit]) -> list[Statement]:
    """Return the statements that tell best what a block does, in their order."""
    statements = [e.statement for e in edits if e.statement.sort in _ACTS]
    ranked = sorted(statements, key=lambda s: _ACTS.index(s.sort))[:_TOLD_OF_BLOCK]
    return [statement for statement in statements if statement in ranked]


def _and_does(statements: Sequence[Statement]) -> str:
    return " and ".join(does(statement.parts) for statement in statements)


def _fact(text: str, weight: int, statement: Statement, *items: str) -> Fact:
    is_preamble = statement.sort in {Sort.IMPORT, Sort.COMMENT} or (
        statement.sort is Sort.TYPE and statement.parts.noun in {"namespace", "module"}
    )
    return Fact(
        text,
        weight,
        statement.line.line,
        items=items,
        wordings=(aspect_of(statement),),
        is_preamble=is_preamble,
        where=where if text.endswith(where := _where(statement)) else "",
    )


def _implied(text: str, weight: int, statement: Statement) -> Fact:
    return Fact(text, weight, statement.line.line, ClaimKind.IMPLICATION)


def facts_of(edit: Edit, scene: Scene, *, depth: int = 0) -> Iterator[Fact]:
    """Yield the facts of one edit, and those of the edits within it."""
    match edit.kind:
        case EditKind.ADDED if edit.new:
            yield from _of_block(edit.new, scene, depth, is_added=True)
        case EditKind.REMOVED if edit.old:
            yield from _of_block(edit.old, scene, depth, is_added=False)
        case EditKind.CHANGED if edit.old and edit.new:
            yield from _changed(edit.old, edit.new, scene)
        case EditKind.MOVED if edit.old and edit.new:
            old, new = place_of(edit.old), place_of(edit.new)
            way = f" from {quoted(old)} to {quoted(new)}" if old and new and old != new else ""
            up = edit.new.line.rows.start < edit.old.line.rows.start
            way = way or (" further up" if up else " further down") + _where(edit.new)
            parts = edit.new.parts
            is_named = parts.sort in {Sort.FUNCTION, Sort.TYPE} and parts.name
            what = (
                f"the {parts.noun} {quoted(parts.name)}"
                if is_named
                else quoted(edit.new.line.text, 60)
            )
            yield _fact("{} <is> moved" + way, 55, edit.new, what)


_TOLD_OF_FUNCTION, _TOLD_OF_TEST = 5, 2
"""Facts about the body of a function or a test that comes or goes as a whole."""

_DEEPER = 9
"""Weight that a fact loses for each block within an added or removed one."""


def _of_block(statement: Statement, scene: Scene, depth: int, *, is_added: bool) -> Iterator[Fact]:
    inside = scene.inside.get(statement, [])
    around = scene.nested.get(statement, [])
    tell = _added if is_added else _removed
    acts = _acts(inside)
    if statement.parts.body and not acts:
        inline = does(statement.parts.body)
    else:
        inline = _and_does(acts)
    for fact in tell(statement, scene, inline, around):
        yield _lowered(fact, depth)
    absorbed = acts if statement.sort not in {Sort.FUNCTION, Sort.TYPE} else []
    told: list[Fact] = []
    for edit in inside:
        if edit.statement in absorbed and not scene.inside.get(edit.statement):
            continue
        told += facts_of(edit, scene, depth=depth + 1)
    if statement.sort is Sort.FUNCTION:
        most = _TOLD_OF_TEST if scene.is_test else _TOLD_OF_FUNCTION
        told = sorted(told, key=lambda fact: -fact.weight)[:most]
    yield from told


def _lowered(fact: Fact, depth: int) -> Fact:
    return replace(fact, weight=fact.weight - _DEEPER * depth)


def _heading_of(parts: Parts) -> str:
    names = ", ".join(parameter.text for parameter in parts.parameters)
    return f"{parts.name}({names})"


def _is_test(statement: Statement, scene: Scene) -> bool:
    name = statement.parts.name
    return scene.is_test and name.rpartition(".")[2].lower().startswith("test")


def _added(
    statement: Statement, scene: Scene, then: str, around: Sequence[Statement]
) -> Iterator[Fact]:
    """Say what an added statement brings; `around` are statements that it now holds."""
    parts, where, who = statement.parts, _where(statement), _who(statement)
    held = listed([quoted(s.line.text, 50) for s in around], 2)
    match parts.sort:
        case Sort.COMMENT:
            yield _fact(f"a comment is added{where}: {said(parts.value)}", 25, statement)
        case Sort.IMPORT:
            yield _fact("{} <is> now imported", 38, statement, quoted(parts.value))
        case Sort.DECORATOR:
            yield _fact(
                f"{{}} <is> added as an annotation{where}", 50, statement, quoted(parts.value)
            )
        case Sort.FUNCTION:
            noun = "test" if _is_test(statement, scene) else parts.noun or "function"
            weight = 80 if noun != "test" else 62
            heading = quoted(_heading_of(parts))
            yield _fact(f"the {noun}<s> {{}} <is> added{where}", weight, statement, heading)
        case Sort.TYPE:
            based = f" with {quoted(parts.value, 60)}" if parts.value else ""
            yield _fact(
                f"the {parts.noun} {quoted(parts.name)} is added{based}{where}", 82, statement
            )
        case Sort.CONDITION:
            if then:
                yield _fact(f"if {quoted(parts.value)}, {who} now {then}", 84, statement)
                inside = [e.statement for e in scene.inside.get(statement, [])]
                yield from _new_error(
                    next((s for s in inside if s.sort is Sort.RAISE), None), scene
                )
            elif held:
                yield _fact(f"{held} now runs only if {quoted(parts.value)}{where}", 84, statement)
            else:
                yield _fact(f"{who} now checks {quoted(parts.value)}", 76, statement)
        case Sort.ELSE if then:
            yield _fact(f"otherwise, {who} now {then}", 62, statement)
        case Sort.CASE:
            that = f", where it {then}" if then else ""
            yield _fact(
                f"{who} now handles the case {quoted(parts.value or 'default')}{that}",
                72,
                statement,
            )
        case Sort.LOOP:
            if held and not then:
                yield _fact(
                    f"{held} now runs in the loop {quoted(parts.name)}{where}", 78, statement
                )
            else:
                that = f" that {then}" if then else ""
                yield _fact(f"a loop {quoted(parts.name)} is added{where}{that}", 74, statement)
        case Sort.SCOPE:
            if held and not then:
                yield _fact(f"{held} now runs inside {quoted(parts.name)}{where}", 76, statement)
            else:
                weight = 66 if parts.node is not None else 46
                yield _fact(f"{quoted(parts.name)} is added{where}", weight, statement)
        case Sort.CATCH:
            what = quoted(parts.value) if parts.value else "any error"
            that = f" and then {then}" if then else ""
            yield _fact(f"{who} now catches {what}{that}", 78, statement)
        case Sort.FINALLY if then:
            yield _fact(f"{who} now always {then} in the end", 66, statement)
        case Sort.RETURN:
            yield _fact(f"{who} now {does(parts)}", 76, statement)
        case Sort.RAISE:
            yield _fact(f"{who} now {does(parts)}", 82, statement)
            yield from _new_error(statement, scene)
        case Sort.JUMP if not parts.name.startswith("pass"):
            yield _fact(f"{who} now {does(parts)}", 50, statement)
        case Sort.CALL:
            weight = 46 if scene.is_test else 64
            if parts.noun == "keyword":
                text = quoted(f"{parts.name} {', '.join(parts.items)}")
                yield _fact(f"{{}} <is> added{where}", weight, statement, text)
            elif parts.name in _TEST_CALLS and parts.items:
                yield _fact("the test<s> {} <is> added", 62, statement, quoted(parts.items[0]))
            else:
                yield _fact(
                    f"{{}} <is> now called{where}", weight, statement, quoted(_call_text(parts))
                )
        case Sort.ASSIGNMENT:
            yield _set(statement, scene, where)
        case Sort.ENTRY:
            text = f"{parts.name}: {parts.value}" if parts.value else parts.name
            noun = _noun_of_entry(statement)
            yield _fact(f"{noun}{{}} <is> added{where}", 56, statement, quoted(text))
        case Sort.OTHER:
            text = quoted(statement.line.text.rstrip(",;"))
            yield _fact(f"{_noun_of_entry(statement)}{{}} <is> added{where}", 48, statement, text)


def _new_error(statement: Statement | None, scene: Scene) -> Iterator[Fact]:
    """Say who meets a new error: the callers of the function that raises it."""
    if statement is None or scene.is_test or not statement.parts.name:
        return
    place = place_of(statement)
    is_caught = any(heading.sort is Sort.TRY for heading in statement.around)
    inner = next((h for h in reversed(statement.around) if h.sort is Sort.FUNCTION), None)
    if place and not is_caught and inner is not None and inner not in scene.inside:
        text = f"callers of {quoted(place)} have to expect {quoted(statement.parts.name, 50)}"
        yield _implied(text, 44, statement)


def _noun_of_entry(statement: Statement) -> str:
    """Name what stands in an enumeration or a list, empty elsewhere."""
    around = statement.around[-1] if statement.around else None
    if around is not None and around.parts.noun == "enum":
        return "the enum value<s> "
    return "the entr<y> " if statement.sort is Sort.ENTRY else ""


def _set(statement: Statement, scene: Scene, where: str) -> Fact:
    parts = statement.parts
    name, value = quoted(parts.name, 50), quoted(parts.value)
    weight = 44 if scene.is_test else 58
    if parts.operator in {"=", ":="} and parts.value and _is_field(statement):
        text = f"the field {name} is added{where} with the value {value}"
        return _fact(text, weight, statement)
    if parts.operator in {"=", ":="} and parts.value:
        noun = "the variable " if parts.noun == "declaration" else ""
        return _fact(f"{noun}{name} is set to {value}{where}", weight, statement)
    if parts.operator in {"++", "--"}:
        verb = "increased" if parts.operator == "++" else "decreased"
        return _fact(f"{name} is {verb} by one{where}", weight, statement)
    if parts.operator in {"+=", "-="} and parts.value:
        way = (
            f"{value} is added to {name}"
            if parts.operator == "+="
            else f"{value} is taken from {name}"
        )
        return _fact(f"{way}{where}", weight, statement)
    if not parts.value and parts.result:
        noun = "field" if _is_field(statement) else "variable"
        item = f"{name} of type {quoted(parts.result, 50)}"
        return _fact(f"the {noun}<s> {{}} <is> declared{where}", 54, statement, item)
    return _fact(f"{{}} <is> added{where}", 50, statement, quoted(statement.line.text))


def _is_field(statement: Statement) -> bool:
    around = statement.around[-1] if statement.around else None
    return around is not None and around.sort is Sort.TYPE and around.line.indent >= 0


def _removed(
    statement: Statement, scene: Scene, then: str, around: Sequence[Statement]
) -> Iterator[Fact]:
    """Say what goes with a removed statement; `around` are statements that it no longer holds."""
    parts, where, who = statement.parts, _where(statement), _who(statement)
    source = where.replace(" in ", " from ", 1)
    held = listed([quoted(s.line.text, 50) for s in around], 2)
    match parts.sort:
        case Sort.COMMENT:
            yield _fact(f"a comment is removed{source}: {said(parts.value)}", 22, statement)
        case Sort.IMPORT:
            yield _fact("{} <is> no longer imported", 38, statement, quoted(parts.value))
        case Sort.FUNCTION:
            noun = "test" if _is_test(statement, scene) else parts.noun or "function"
            yield _fact(
                f"the {noun}<s> {{}} <is> removed{source}",
                82,
                statement,
                quoted(_heading_of(parts)),
            )
        case Sort.TYPE:
            yield _fact(f"the {parts.noun} {quoted(parts.name)} is removed{source}", 82, statement)
        case Sort.CONDITION:
            if held and not then:
                yield _fact(
                    f"{held} no longer depends on {quoted(parts.value)}{where}", 84, statement
                )
            elif then:
                yield _fact(f"{who} no longer {then} if {quoted(parts.value)}", 84, statement)
            else:
                yield _fact(f"{who} no longer checks {quoted(parts.value)}", 78, statement)
        case Sort.ELSE if then:
            yield _fact(f"the branch in which {who} otherwise {then} is removed", 60, statement)
        case Sort.CASE:
            yield _fact(
                f"{who} no longer handles the case {quoted(parts.value or 'default')}",
                70,
                statement,
            )
        case Sort.LOOP | Sort.SCOPE:
            if held and not then:
                yield _fact(
                    f"{held} no longer runs inside {quoted(parts.name)}{where}", 78, statement
                )
            else:
                yield _fact(f"{quoted(parts.name)} is removed{source}", 70, statement)
        case Sort.CATCH:
            what = quoted(parts.value) if parts.value else "errors"
            yield _fact(f"{who} no longer catches {what}", 80, statement)
        case Sort.RETURN | Sort.JUMP | Sort.OTHER | Sort.DECORATOR:
            weight = 66 if parts.sort is Sort.RETURN else 46
            yield _fact(
                f"{{}} <is> removed{source}", weight, statement, quoted(statement.line.text)
            )
        case Sort.RAISE:
            yield _fact(f"{who} no longer {does(parts)}", 80, statement)
        case Sort.CALL if parts.noun == "keyword":
            yield _fact(f"{{}} <is> removed{source}", 56, statement, quoted(statement.line.text))
        case Sort.CALL if f"{parts.name}(" in scene.code_now:
            return
        case Sort.CALL:
            weight = 46 if scene.is_test else 64
            yield _fact(
                f"the call<s> {{}} <is> removed{source}",
                weight,
                statement,
                quoted(_call_text(parts)),
            )
        case Sort.ASSIGNMENT | Sort.ENTRY:
            noun = _noun_of_entry(statement)
            if parts.sort is Sort.ASSIGNMENT:
                noun = "the field<s> " if _is_field(statement) else "the assignment<s> "
            yield _fact(
                f"{noun}{{}} <is> removed{source}",
                52,
                statement,
                quoted(statement.line.text.rstrip(",;")),
            )


_SHORT = 60


def _changed(old: Statement, new: Statement, scene: Scene) -> Iterator[Fact]:
    """Say how a statement differs from what it was."""
    if cleaned(old.line.text) == cleaned(new.line.text) and old.line.key != new.line.key:
        yield _fact(f"only blanks within {quoted(new.line.text)} change{_where(new)}", 20, new)
        return
    if old.line.key == new.line.key:
        yield _fact(
            f"the comment beside {quoted(new.line.text, 50)} changes to {said(new.line.note)}"
            if new.line.note
            else f"the comment beside {quoted(new.line.text, 50)} is removed",
            20,
            new,
        )
        return
    told = list(_DIFFERENCES[new.sort](old, new, scene)) if (
        old.sort is new.sort and new.sort in _DIFFERENCES
    ) else []  # fmt: skip
    yield from told or [_rewritten(old, new)]


def _rewritten(old: Statement, new: Statement) -> Fact:
    if fact := _narrowed(old, new):
        return fact
    if fact := _narrowed_by_tokens(old, new):
        return fact
    before, after = old.line.text.rstrip(";,{ "), new.line.text.rstrip(";,{ ")
    return _fact(f"{quoted(after)} replaces {quoted(before)}{_where(new)}", 60, new)


def _narrowed_by_tokens(old: Statement, new: Statement) -> Fact | None:
    """Tell the tokens between those that two long statements share at both ends."""
    if old.sort is not new.sort:
        return None
    start, end = common_ends(old.line.key, new.line.key)
    was, now = (_between(statement.line.text, start, end) for statement in (old, new))
    if start + end < _SHARED or not (was or now) or len(was) + len(now) > 160:
        return None
    if not (_is_balanced(was) and _is_balanced(now)):
        return None
    context, where = _context(new) or f" in {quoted(new.line.text, 50)}", _where(new)
    if was and now:
        text = f"{quoted(now)} replaces {quoted(was)}{context}{where}"
    else:
        text = f"{quoted(now or was)} is {'added' if now else 'removed'}{context}{where}"
    return _fact(text, 60, new)


def _between(code: str, start: int, end: int) -> str:
    """Return code without its first `start` and its last `end` tokens."""
    tokens = [t for t in tokenize(code, None) if t.kind is not TokenKind.COMMENT]
    middle = tokens[start : len(tokens) - end]
    return code[middle[0].start : middle[-1].start + len(middle[-1].text)] if middle else ""


_SHARED = 6
"""Tokens that two statements share at their ends, from which only the others are told."""


def _narrowed(old: Statement, new: Statement, weight: int = 64) -> Fact | None:
    """Tell the one place within two statements where their trees differ."""
    if old.parts.node is None or new.parts.node is None:
        return None
    if bool(old.parts.value) != bool(new.parts.value):
        return None
    before, after, call = _differing(old.parts.node, new.parts.node)
    was, now = source_of(before), source_of(after)
    context = f" in the call of {quoted(call, 50)}" if call else _context(new)
    where = _where(new)
    if before.type.endswith(("arguments", "argument_list")):
        return _arguments(*_children(before, after), call, new, weight)
    if before.type in _LISTS and before.type == after.type:
        return _elements(*_children(before, after), context + where, new, weight)
    if was == now or len(was) + len(now) > 200:
        return None
    if now and was and now.startswith(was) and len(now) - len(was) > 2:
        rest = now.removeprefix(was).strip()
        if _is_balanced(rest):
            return _fact(
                f"{quoted(rest)} is added after {quoted(was, 50)}{context}{where}", weight, new
            )
    if now and was and was.startswith(now) and len(was) - len(now) > 2:
        rest = was.removeprefix(now).strip()
        if _is_balanced(rest):
            return _fact(
                f"{quoted(rest)} is removed after {quoted(now, 50)}{context}{where}", weight, new
            )
    return _fact(f"{quoted(now)} replaces {quoted(was)}{context}{where}", weight, new)


_LISTS = frozenset(
    "list tuple set dictionary array object hash array_initializer initializer_list literal_value "
    "array_creation_expression initializer_expression expression_list string_array symbol_array "
    "parenthesized_expression element_value_array_initializer collection_expression".split()
)


def _children(old: "Node", new: "Node") -> tuple[list[str], list[str]]:
    return [source_of(c) for c in old.named_children], [source_of(c) for c in new.named_children]


def _elements(
    old: Sequence[str], new: Sequence[str], context: str, statement: Statement, weight: int
) -> Fact | None:
    """Tell which elements of a list came or went."""
    came = [text for text in new if text not in old]
    gone = [text for text in old if text not in new]
    if came and gone:
        text = f"{_items(came)} replace{'s' * (len(came) == 1)} {_items(gone)}{context}"
    elif came or gone:
        verb = "added" if came else "removed"
        items = came or gone
        text = f"{_items(items)} {'is' if len(items) == 1 else 'are'} {verb}{context}"
    else:
        return None
    return _fact(text, weight, statement)


def _is_balanced(code: str) -> bool:
    return all(code.count(a) == code.count(b) for a, b in ("()", "[]", "{}", '""')) and (
        code.count('"') % 2 == 0
    )


def _context(statement: Statement) -> str:
    parts = statement.parts
    match parts.sort:
        case Sort.RETURN:
            return " in what is returned"
        case Sort.ASSIGNMENT | Sort.ENTRY if parts.name:
            return f" in the value of {quoted(parts.name, 50)}"
        case Sort.CONDITION:
            return " in a condition"
        case Sort.RAISE if parts.name:
            return f" in the error {quoted(parts.name, 50)}"
        case Sort.LOOP:
            return " in the loop"
    return ""


def _differing(old: "Node", new: "Node") -> "tuple[Node, Node, str]":
    """Descend to the smallest nodes that hold the whole difference; name the call around them."""
    call = ""
    for _ in range(40):
        if old.type != new.type:
            break
        before, after = old.children, new.children
        if len(before) != len(after):
            break
        differing = [(a, b) for a, b in zip(before, after, strict=True) if a.text != b.text]
        if len(differing) != 1 or not (differing[0][0].is_named and differing[0][1].is_named):
            break
        if old.type in {"string", "template_string", "string_literal", "keyword_argument", "pair",
                        "named_argument", "concatenated_string", "interpreted_string_literal",
                        "interpolated_string_expression", "encapsed_string"}:  # fmt: skip
            break
        if old.type in CALLS and source_of(old.child_by_field_name("arguments")) != source_of(
            new.child_by_field_name("arguments")
        ):
            call = callee_of(new)
        old, new = differing[0]
    return old, new, call


def _arguments(
    old: Sequence[str], new: Sequence[str], call: str, statement: Statement, weight: int
) -> Fact:
    where, of = _where(statement), f"the call of {quoted(call, 50)}" if call else "the arguments"
    came = [text for text in new if text not in old]
    gone = [text for text in old if text not in new]
    if came and gone:
        text = f"{of} now passes {_items(came)} instead of {_items(gone)}{where}"
    elif came:
        text = f"{of} now also passes {_items(came)}{where}"
    elif gone:
        text = f"{of} no longer passes {_items(gone)}{where}"
    else:
        text = f"{of} now passes {_items(new)} in another order{where}"
    return _fact(text, weight, statement)


def _items(texts: Sequence[str]) -> str:
    return listed([quoted(text, 60) for text in texts], 3)


def _import_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    yield _fact(
        f"{quoted(new.parts.value)} is now imported instead of {quoted(old.parts.value)}", 42, new
    )


def _condition_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after, where = old.parts.value, new.parts.value, _where(new)
    if before == after:
        if old.parts.body and new.parts.body:
            yield _fact(
                f"if {quoted(after)}, {_who(new)} now {does(new.parts.body)}; before, it "
                f"{does(old.parts.body)}", 74, new,
            )  # fmt: skip
        return
    for marks, verb, lost in (
        (("&&", "and"), "now also requires", "no longer requires"),
        (("||", "or"), "now also holds if", "no longer holds just because"),
    ):
        for mark in marks:
            was, now = _clauses(before, mark), _clauses(after, mark)
            if len(was) == len(now):
                continue
            came = [clause for clause in now if clause not in was]
            gone = [clause for clause in was if clause not in now]
            if came and not gone:
                yield _fact(f"the check {quoted(before, 60)}{where} {verb} {_items(came)}", 82, new)
                return
            if gone and not came:
                yield _fact(f"the check {quoted(after, 60)}{where} {lost} {_items(gone)}", 82, new)
                return
    yield _fact(f"{_who(new)} now checks {quoted(after)} instead of {quoted(before)}", 80, new)


def _clauses(condition: str, mark: str) -> list[str]:
    """Split a condition at a mark outside brackets; whole where another mark joins clauses."""
    padded = f" {mark} "
    if padded not in condition:
        return [condition]
    others = {"&&", "and", "||", "or"} - {mark}
    clauses, depth, start, index = [], 0, 0, 0
    while index < len(condition):
        depth += (condition[index] in "([{") - (condition[index] in ")]}")
        if depth == 0 and condition.startswith(padded, index):
            clauses.append(condition[start:index].strip())
            index += len(padded)
            start = index
            continue
        if depth == 0 and any(condition.startswith(f" {other} ", index) for other in others):
            return [condition]
        index += 1
    return [*clauses, condition[start:].strip()]


def _return_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts.value, new.parts.value
    if max(len(before), len(after)) > _SHORT and (fact := _narrowed(old, new, 74)):
        yield fact
        return
    was = quoted(before) if before else "nothing"
    now = quoted(after) if after else "nothing"
    verb = "yields" if new.parts.operator.startswith("yield") else "returns"
    yield _fact(f"{_who(new)} now {verb} {now} instead of {was}", 78, new)


def _raise_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    if old.parts.name != new.parts.name:
        was, now = old.parts.name or old.parts.value, new.parts.name or new.parts.value
        verb = "throws" if "throw" in new.parts.operator else "raises"
        yield _fact(f"{_who(new)} now {verb} {quoted(now)} instead of {quoted(was)}", 80, new)
    elif fact := _narrowed(old, new, 64):
        yield fact


def _assignment_changed(old: Statement, new: Statement, scene: Scene) -> Iterator[Fact]:
    before, after, where = old.parts, new.parts, _where(new)
    name = quoted(after.name, 50)
    if before.name != after.name:
        if before.value == after.value and before.value:
            text = f"{quoted(after.value)} is now assigned to {name} instead of {quoted(before.name, 50)}"
            yield _fact(text + where, 56, new)
        return
    if before.value == after.value:
        if before.result != after.result and before.result and after.result:
            text = f"the type of {name} is now {quoted(after.result)} instead of {quoted(before.result)}"
            yield _fact(text + where, 68, new)
        elif before.modifiers != after.modifiers:
            yield _modified(before, after, name, new)
        return
    if not before.value or not after.value:
        was, now = before.value or "no value", after.value or "no value"
        yield _fact(f"{name} now has the value {quoted(now)}{where}" if after.value
                    else f"{name} no longer has the value {quoted(was)}{where}", 62, new)  # fmt: skip
        return
    if max(len(before.value), len(after.value)) > _SHORT and (fact := _narrowed(old, new, 62)):
        yield fact
        return
    yield _fact(
        f"{name} is now {quoted(after.value)} instead of {quoted(before.value)}{where}", 68, new
    )


def _modified(before: Parts, after: Parts, name: str, new: Statement) -> Fact:
    came = [m for m in after.modifiers if m not in before.modifiers]
    gone = [m for m in before.modifiers if m not in after.modifiers]
    where = _where(new)
    if came and gone:
        text = (
            f"{name} is now {' '.join(map(quoted, came))} instead of {' '.join(map(quoted, gone))}"
        )
    elif came:
        text = f"{name} is now {' '.join(map(quoted, came))}"
    else:
        text = f"{name} is no longer {' '.join(map(quoted, gone))}"
    return _fact(text + where, 64, new)


def _call_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts, new.parts
    if before.name == after.name:
        if fact := _narrowed(old, new, 68):
            yield fact
        else:
            yield _arguments(before.items, after.items, after.name, new, 66)
        return
    if before.items == after.items and before.items:
        text = f"{quoted(after.name)} is now called instead of {quoted(before.name)} with {_items(after.items)}"
        yield _fact(text + _where(new), 70, new)
        return
    if max(len(_call_text(before)), len(_call_text(after))) > 80 and (fact := _narrowed(old, new)):
        yield fact
        return
    text = f"{quoted(_call_text(after))} is now called instead of {quoted(_call_text(before))}"
    yield _fact(text + _where(new), 68, new)


def _entry_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after, where = old.parts, new.parts, _where(new)
    if before.name == after.name and before.value and after.value:
        if max(len(before.value), len(after.value)) > _SHORT and (fact := _narrowed(old, new, 60)):
            yield fact
            return
        yield _fact(
            f"{quoted(after.name, 50)} is now {quoted(after.value)} instead of "
            f"{quoted(before.value)}{where}", 66, new,
        )  # fmt: skip
    elif before.value == after.value:
        yield _fact(f"{quoted(before.name)} is now called {quoted(after.name)}{where}", 62, new)


def _catch_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    if old.parts.value != new.parts.value:
        was, now = (quoted(p.value) if p.value else "every error" for p in (old.parts, new.parts))
        yield _fact(f"{_who(new)} now catches {now} instead of {was}", 80, new)


def _comment_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts.value.split(), new.parts.value.split()
    start, end = common_ends(before, after)
    was = " ".join(before[start : len(before) - end])
    now = " ".join(after[start : len(after) - end])
    if not was:
        text = f"{said(now)} is added to the comment {said(old.parts.value, 60)}"
    elif not now:
        text = f"{said(was)} is removed from the comment {said(old.parts.value, 60)}"
    else:
        text = f"a comment now says {said(now)} instead of {said(was)}"
    topic = now or was
    yield Fact(
        text + _where(new), 26, new.line.line,
        wordings=(f"{_kind_of_comment(new.parts.value)} says {topic[:200]}",),
    )  # fmt: skip


def _kind_of_comment(text: str) -> str:
    if "copyright" in text.lower() or "license" in text.lower():
        return "the copyright or license notice is updated and"
    return "the comment or documentation is updated and"


def _type_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts, new.parts
    if before.name != after.name:
        yield _fact(
            f"the {after.noun} {quoted(before.name)} is renamed to {quoted(after.name)}", 84, new
        )
        yield _implied(
            f"code that uses {quoted(before.name)} has to use {quoted(after.name)}", 40, new
        )
    if before.value != after.value:
        was = quoted(before.value) if before.value else "nothing"
        now = quoted(after.value) if after.value else "nothing"
        yield _fact(
            f"the {after.noun} {quoted(after.name)} is now declared with {now} instead of {was}",
            78,
            new,
        )
    elif before.modifiers != after.modifiers and before.name == after.name:
        yield _modified(before, after, quoted(after.name), new)


def _function_changed(old: Statement, new: Statement, scene: Scene) -> Iterator[Fact]:
    before, after = old.parts, new.parts
    place = place_of(new)
    name = quoted(f"{place}.{after.name}" if place and "." not in after.name else after.name)
    if before.name != after.name:
        yield _fact(f"{quoted(before.name)} is renamed to {name}", 86, new)
        if not scene.is_test and before.name and not before.name.startswith("_"):
            yield _implied(
                f"callers of {quoted(before.name)} have to call {quoted(after.name)}", 42, new
            )
    yield from _parameters_changed(before.parameters, after.parameters, name, new, scene)
    if before.result != after.result:
        if before.result and after.result:
            yield _fact(
                f"{name} now has the return type {quoted(after.result)} instead of "
                f"{quoted(before.result)}", 78, new,
            )  # fmt: skip
        elif after.result:
            yield _fact(f"{name} now declares the return type {quoted(after.result)}", 66, new)
        else:
            yield _fact(
                f"{name} no longer declares the return type {quoted(before.result)}", 66, new
            )
    if before.modifiers != after.modifiers:
        yield _modified(before, after, name, new)
    if throws := _throws(new) - _throws(old):
        yield _fact(f"{name} now declares that it throws {_items(sorted(throws))}", 76, new)
    if throws := _throws(old) - _throws(new):
        yield _fact(f"{name} no longer declares that it throws {_items(sorted(throws))}", 76, new)


def _throws(statement: Statement) -> set[str]:
    _, _, rest = statement.line.text.partition(" throws ")
    return {name.strip() for name in rest.rstrip("{; ").split(",") if name.strip()}


def _parameters_changed(
    old: Sequence[Parameter],
    new: Sequence[Parameter],
    name: str,
    statement: Statement,
    scene: Scene,
) -> Iterator[Fact]:
    before, after = {p.name: p for p in old}, {p.name: p for p in new}
    came = [p for p in new if p.name not in before]
    gone = [p for p in old if p.name not in after]
    if came and len(came) == len(gone) and len(old) == len(new):
        for was, now in zip(gone, came, strict=True):
            yield _fact(
                f"the parameter {quoted(was.text)} of {name} becomes {quoted(now.text)}",
                72,
                statement,
            )
        came, gone = [], []
    if came:
        yield _fact(f"{name} takes the new parameter<s> {{}}", 84, statement,
                    *(quoted(p.text) for p in came))  # fmt: skip
        required = [p for p in came if not p.is_optional]
        if required and not scene.is_test:
            yield _implied(
                f"callers of {name} have to pass {_items([p.name for p in required])}",
                60,
                statement,
            )
    if gone:
        yield _fact(f"{name} no longer takes the parameter<s> {{}}", 84, statement,
                    *(quoted(p.text) for p in gone))  # fmt: skip
        if not scene.is_test:
            yield _implied(
                f"callers of {name} can no longer pass {_items([p.name for p in gone])}",
                58,
                statement,
            )
    for parameter in new:
        other = before.get(parameter.name)
        if other is None or other.text == parameter.text:
            continue
        short = quoted(parameter.name)
        if other.default != parameter.default:
            if other.default and parameter.default:
                text = (f"{short} of {name} defaults to {quoted(parameter.default)} instead of "
                        f"{quoted(other.default)}")  # fmt: skip
            elif parameter.default:
                text = f"{short} of {name} now defaults to {quoted(parameter.default)}"
            else:
                text = f"{short} of {name} no longer has the default {quoted(other.default)}"
            yield _fact(text, 82, statement)
        else:
            text = f"the parameter {quoted(other.text)} of {name} becomes {quoted(parameter.text)}"
            yield _fact(text, 74, statement)


_DIFFERENCES: dict[Sort, Callable[[Statement, Statement, Scene], Iterator[Fact]]] = {
    Sort.IMPORT: _import_changed,
    Sort.CONDITION: _condition_changed,
    Sort.RETURN: _return_changed,
    Sort.RAISE: _raise_changed,
    Sort.ASSIGNMENT: _assignment_changed,
    Sort.CALL: _call_changed,
    Sort.ENTRY: _entry_changed,
    Sort.CATCH: _catch_changed,
    Sort.COMMENT: _comment_changed,
    Sort.TYPE: _type_changed,
    Sort.FUNCTION: _function_changed,
}
