"""Functions, methods and types: added, removed, and what changed in their headings."""

import re
from collections.abc import Sequence

from crscore_core.claims.symbolic.actions import summary
from crscore_core.claims.symbolic.candidate import (
    Candidate,
    Scene,
    are,
    claim,
    implication,
    listed,
    quoted,
)
from crscore_core.claims.symbolic.headings import Heading, Parameter
from crscore_core.claims.symbolic.pairing import Pair
from crscore_core.claims.symbolic.statement import Sort, Statement

_TEST = re.compile(r"test(?:$|_|[A-Z0-9])|Test(?:$|[A-Z0-9])")

_REACH = {"private": 0, "fileprivate": 1, "internal": 2, "protected": 2, "public": 4}
_OPEN = _REACH["public"]
"""How much code sees what has the modifier; `internal` and `protected` see different code."""

_PLAIN_REACH = {"java": 1, "csharp": 0, "php": 4, "typescript": 4, "kotlin": 4, "javascript": 4}
"""The same without any of the modifiers, by language."""


def added_definition(
    statement: Statement, body: Sequence[Statement], scene: Scene
) -> list[Candidate]:
    """Describe a new function or type, and what the `body` that came with it does."""
    heading = _heading(statement)
    name = quoted(heading.name)
    if statement.sort is Sort.TYPE:
        return _added_type(statement, heading, body, scene)
    if scene.is_test and _TEST.match(heading.name):
        found = [claim(f"A new test {name} is added{scene.owner}", 90, statement.line)]
        what = summary(s for s in body if s.sort is Sort.ASSERTION)
        if what:
            found.append(claim(f"The test {name} {what}", 75, statement.line))
        return found
    kind = " ".join([*_shown_modifiers(heading), heading.noun])
    found = [
        claim(
            f"A new {kind} {name} is added{scene.owner}{_with_parameters(heading.parameters)}"
            + _with_result(heading),
            95,
            statement.line,
        )
    ]
    what = summary(s for s in body if s.sort != Sort.LOG)
    if what:
        found.append(claim(f"The {heading.noun} {name} {what}", 80, statement.line))
    logs = summary((s for s in body if s.sort is Sort.LOG), 2)
    if logs:
        found.append(claim(f"{name} {logs}", 50, statement.line))
    found += _duties(heading, statement, body)
    return found


def _duties(heading: Heading, statement: Statement, body: Sequence[Statement]) -> list[Candidate]:
    name = quoted(heading.name)
    if not body:
        return []
    documented = any(s.sort is Sort.COMMENT for s in body)
    if heading.parameters and not documented:
        names = listed([quoted(p.name) for p in heading.parameters])
        return [
            implication(
                f"{name} should be tested and its use of {names} documented", 48, statement.line
            )
        ]
    return [implication(f"The behaviour of the new {name} should be tested", 46, statement.line)]


def _added_type(
    statement: Statement, heading: Heading, body: Sequence[Statement], scene: Scene
) -> list[Candidate]:
    bases = listed([quoted(b) for b in heading.bases])
    found = [
        claim(
            f"A new {heading.noun} {quoted(heading.name)} is added{scene.owner}"
            + (f", based on {bases}" if bases else ""),
            96,
            statement.line,
        )
    ]
    methods = [quoted(s.subject) for s in body if s.sort is Sort.FUNCTION]
    fields = [quoted(s.subject) for s in body if s.sort is Sort.ASSIGNMENT]
    if methods:
        found.append(
            claim(f"{quoted(heading.name)} has the methods {listed(methods)}", 78, statement.line)
        )
    elif fields:
        found.append(claim(f"{quoted(heading.name)} defines {listed(fields)}", 70, statement.line))
    return found


def removed_definition(
    statement: Statement, body: Sequence[Statement], scene: Scene
) -> list[Candidate]:
    """Describe a function or type that is gone."""
    heading = _heading(statement)
    name = quoted(heading.name)
    found = [claim(f"The {heading.noun} {name} is removed{scene.owner}", 92, statement.line)]
    what = summary(body)
    if what and statement.sort is Sort.FUNCTION:
        found.append(claim(f"The removed {heading.noun} {name} {what}", 40, statement.line))
    if scene.is_test and _TEST.match(heading.name):
        found.append(implication(f"What {name} tested is no longer covered", 60, statement.line))
    elif all(_REACH.get(m, _OPEN) == _OPEN for m in heading.modifiers):
        found.append(
            implication(
                f"Callers and subclasses that still use {name} would break without it",
                60,
                statement.line,
            )
        )
    return found


def rewritten_definition(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say what changed in the heading of a function or type."""
    old, new = _heading(pair.old), _heading(pair.new)
    line = pair.new.line
    if pair.new.sort is Sort.TYPE:
        return _rewritten_type(old, new, line, scene)
    name = quoted(new.name)
    found: list[Candidate] = []
    if old.name != new.name:
        found.append(claim(f"The {new.noun} {quoted(old.name)} is renamed to {name}", 92, line))
        text = f"Callers of {quoted(old.name)} have to call {name} instead"
        found.append(implication(text, 58, line))
    found += _parameter_changes(old, new, line, scene)
    if old.result != new.result and (old.result or new.result):
        if old.result and new.result:
            text = f"The return type of {name} changes from {quoted(old.result)} to "
            found.append(claim(text + quoted(new.result), 85, line))
        elif new.result:
            found.append(claim(f"{name} now declares it returns {quoted(new.result)}", 80, line))
        else:
            found.append(
                claim(f"{name} no longer declares the result {quoted(old.result)}", 80, line)
            )
        found.append(
            implication(f"Code that uses the result of {name} must fit its new type", 50, line)
        )
    found += _thrown_changes(old, new, line)
    found += _modifier_changes(old, new, line, scene)
    before, after = _body_at_once(pair.old), _body_at_once(pair.new)
    if before and after and before != after:
        text = f"The body of {name} changes from {quoted(before)} to {quoted(after)}"
        found.append(claim(text + ("" if found else scene.owner), 82, line))
    if not found:
        found.append(
            claim(
                f"The declaration of {name} is reworded from {quoted(pair.old.text)} to "
                f"{quoted(pair.new.text)}{scene.owner}",
                70,
                line,
            )
        )
    return found


_AT_ONCE = re.compile(r"\)[^(){}]*\{\s*(.*\S)\s*\}$")


def _body_at_once(statement: Statement) -> str:
    """The code of a function that stands in braces on the line of its heading."""
    body = _AT_ONCE.search(statement.text)
    return body.group(1) if body else ""


def _thrown_changes(old: Heading, new: Heading, line: int) -> list[Candidate]:
    name = quoted(new.name)
    come = listed([quoted(e) for e in new.throws if e not in old.throws])
    gone = listed([quoted(e) for e in old.throws if e not in new.throws])
    found: list[Candidate] = []
    if come:
        found.append(claim(f"{name} now declares that it throws {come}", 86, line))
        found.append(implication(f"Callers of {name} have to expect {come}", 58, line))
    if gone:
        found.append(claim(f"{name} no longer declares that it throws {gone}", 86, line))
    return found


def _parameter_changes(old: Heading, new: Heading, line: int, scene: Scene) -> list[Candidate]:
    name = quoted(new.name)
    before = {p.name: p for p in old.parameters}
    after = {p.name: p for p in new.parameters}
    gone = [p for p in old.parameters if p.name not in after]
    come = [p for p in new.parameters if p.name not in before]
    found: list[Candidate] = []
    if len(gone) == len(come) == 1 and len(old.parameters) == len(new.parameters):
        text = f"The parameter {quoted(gone[0].text)} of {name} becomes {quoted(come[0].text)}"
        found.append(claim(text, 88, line))
        gone, come = [], []
    if come:
        found.append(claim(f"The {new.noun} {name} takes {_new_parameters(come)}", 93, line))
        found += [_for_callers(p, name, line, scene) for p in come[:2]]
    if gone:
        noun = "parameter" if len(gone) == 1 else "parameters"
        names = listed([quoted(p.name) for p in gone])
        text = f"The {noun} {names} of {name} {are(gone)} removed"
        found.append(claim(text, 90, line))
        found.append(implication(f"Callers can no longer pass {names} to {name}", 58, line))
    for parameter in new.parameters:
        earlier = before.get(parameter.name)
        if earlier is not None and earlier.text != parameter.text:
            found.append(_altered(earlier, parameter, name, line))
        if earlier is not None and earlier.how != parameter.how:
            found += _passed(parameter, name, line)
    same = [p.name for p in old.parameters if p.name in after]
    if same != [p.name for p in new.parameters if p.name in before]:
        found.append(claim(f"The order of the parameters of {name} changes", 75, line))
    return found


def _new_parameters(parameters: Sequence[Parameter]) -> str:
    if len(parameters) == 1:
        only = parameters[0]
        default = f" that defaults to {quoted(only.default)}" if only.default else ""
        if only.optional and not default:
            return f"a new optional parameter {quoted(only.text)}"
        return f"a new parameter {quoted(only.name if only.default else only.text)}{default}"
    shown = [
        quoted(p.text if p.optional and not p.default else p.name)
        + (f" (default {quoted(p.default, 30)})" if p.default else "")
        for p in parameters
    ]
    return f"the new parameters {listed(shown)}"


def _passed(parameter: Parameter, name: str, line: int) -> list[Candidate]:
    shown = quoted(parameter.name)
    if not parameter.how:
        text = f"{shown} of {name} can now be passed by position and by keyword"
        return [claim(text, 82, line)]
    effect = f"Calls of {name} that do not pass {shown} {parameter.how} fail"
    return [
        claim(f"{shown} of {name} can now be passed only {parameter.how}", 86, line),
        implication(effect, 60, line),
    ]


def _for_callers(parameter: Parameter, name: str, line: int, scene: Scene) -> Candidate:
    if parameter.default:
        return implication(
            f"Existing calls of {name} that do not pass {quoted(parameter.name)} keep working "
            f"with the default {quoted(parameter.default, 40)}",
            60,
            line,
        )
    shown = quoted(parameter.name)
    if parameter.optional:
        text = f"Existing calls of {name} keep working without passing {shown}"
        return implication(text, 60, line)
    if scene.language == "javascript":
        text = f"Callers of {name} that do not pass {shown} leave it undefined"
        return implication(text, 60, line)
    return implication(
        f"Every caller of {name} has to pass the argument {quoted(parameter.name)}", 60, line
    )


def _altered(old: Parameter, new: Parameter, name: str, line: int) -> Candidate:
    where = f"of the parameter {quoted(new.name)} of {name}"
    if old.default != new.default:
        if not new.default:
            return claim(f"The default {quoted(old.default)} {where} is removed", 84, line)
        if not old.default:
            return claim(
                f"The parameter {quoted(new.name)} of {name} is now optional and defaults to "
                f"{quoted(new.default)}",
                84,
                line,
            )
        return claim(
            f"The default {where} changes from {quoted(old.default)} to {quoted(new.default)}",
            86,
            line,
        )
    return claim(
        f"The declaration {where} changes from {quoted(old.text)} to {quoted(new.text)}", 80, line
    )


def _modifier_changes(old: Heading, new: Heading, line: int, scene: Scene) -> list[Candidate]:
    lost = [m for m in old.modifiers if m not in new.modifiers]
    gained = [m for m in new.modifiers if m not in old.modifiers]
    name = quoted(new.name)
    found: list[Candidate] = []
    if lost and gained:
        found.append(
            claim(
                f"The {new.noun} {name} changes from {' '.join(lost)} to {' '.join(gained)}",
                85,
                line,
            )
        )
    elif gained:
        found.append(claim(f"The {new.noun} {name} becomes {' '.join(gained)}", 84, line))
    elif lost:
        found.append(claim(f"The {new.noun} {name} is no longer {' '.join(lost)}", 84, line))
    if "async" in gained:
        found.append(implication(f"Callers of {name} have to await its result", 58, line))
    before, after = _reach(old, scene), _reach(new, scene)
    if before is None or after is None or before == after:
        return found
    if after < before:
        text = f"Code elsewhere may no longer be able to access {name}"
    elif after == _OPEN:
        text = f"{name} becomes visible to other code as part of the API"
    else:
        text = f"More code can now access {name}"
    return [*found, implication(text, 58, line)]


def _reach(heading: Heading, scene: Scene) -> int | None:
    """How visible it is, None where that is not known."""
    said = [_REACH[m] for m in heading.modifiers if m in _REACH]
    return max(said) if said else _PLAIN_REACH.get(scene.language or "")


def _rewritten_type(old: Heading, new: Heading, line: int, scene: Scene) -> list[Candidate]:
    name = quoted(new.name)
    found: list[Candidate] = []
    if old.name != new.name:
        found.append(claim(f"The {new.noun} {quoted(old.name)} is renamed to {name}", 92, line))
    if old.noun != new.noun:
        text = f"The {old.noun} {quoted(old.name)} becomes the {new.noun} {name}"
        found.append(claim(text, 88, line))
    lost = [quoted(b) for b in old.bases if b not in new.bases]
    gained = [quoted(b) for b in new.bases if b not in old.bases]
    if lost and gained:
        found.append(
            claim(
                f"The {new.noun} {name} now extends {listed(gained)} instead of {listed(lost)}",
                90,
                line,
            )
        )
        found.append(
            implication(
                f"{name} inherits the methods and behaviour of {listed(gained)} and loses those "
                f"of {listed(lost)}",
                58,
                line,
            )
        )
    elif gained:
        text = f"The {new.noun} {name} additionally extends or implements {listed(gained)}"
        found.append(claim(text, 88, line))
    elif lost:
        text = f"The {new.noun} {name} no longer extends or implements {listed(lost)}"
        found.append(claim(text, 88, line))
    found += _modifier_changes(old, new, line, scene)
    if not found:
        text = f"The declaration of the {new.noun} {name} is reworded"
        found.append(claim(text, 60, line))
    return found


def _heading(statement: Statement) -> Heading:
    return statement.heading or Heading("definition", statement.subject)


def _shown_modifiers(heading: Heading) -> list[str]:
    return [m for m in heading.modifiers if m not in {"final", "export", "default", "inline"}]


def _with_parameters(parameters: Sequence[Parameter]) -> str:
    if not parameters:
        return ""
    noun = "parameter" if len(parameters) == 1 else "parameters"
    return f" with the {noun} {listed([quoted(p.name) for p in parameters])}"


def _with_result(heading: Heading) -> str:
    if heading.result in {"", "void", "None"}:
        return ""
    joint = "and" if heading.parameters else "with"
    return f" {joint} the return type {quoted(heading.result)}"
