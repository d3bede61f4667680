"""Error handling: try, catch, finally, raise and throw."""

import re
from collections.abc import Sequence

from crscore_core.claims.symbolic.actions import action, summary
from crscore_core.claims.symbolic.candidate import (
    Candidate,
    Scene,
    claim,
    implication,
    listed,
    quoted,
)
from crscore_core.claims.symbolic.lexing import TokenKind, tokenize
from crscore_core.claims.symbolic.pairing import Pair
from crscore_core.claims.symbolic.statement import Sort, Statement


def added_failure(statement: Statement, body: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe new error handling or a new error."""
    line, detail = statement.line, statement.detail
    match statement.sort:
        case Sort.TRY:
            what = next((a for s in body if (a := action(s))), "")
            text = "A try block is added" + (f" around code that {what}" if what else "")
            return [claim(text + scene.place, 62, line)]
        case Sort.FINALLY:
            what = summary(body)
            text = (
                f"A finally block {what} whatever happens" if what else "A finally block is added"
            )
            return [claim(text + scene.place, 62, line)]
        case Sort.CATCH:
            return _added_catch(statement, body, scene)
    if not detail:
        return [claim(f"The caught exception is thrown again{scene.place}", 82, line)]
    return [
        claim(f"The code now throws {quoted(detail)}{scene.place}", 82, line),
        implication(f"Callers have to expect the error {quoted(_error(detail))}", 54, line),
    ]


def _added_catch(statement: Statement, body: Sequence[Statement], scene: Scene) -> list[Candidate]:
    line = statement.line
    caught = _caught(statement)
    what = summary(body)
    text = f"The code now catches {caught}{scene.place}"
    found = [claim(text + (f" and the handler {what}" if what else ""), 84, line)]
    quiet = [s for s in body if s.sort not in {Sort.COMMENT, Sort.BLANK, Sort.BRACKETS}]
    if not quiet or all(s.sort is Sort.JUMP for s in quiet):
        text = f"Silently swallowing {caught} may hide errors"
        found.append(implication(text, 66, line))
    elif not any(s.sort is Sort.RAISE for s in quiet):
        which = f" with {caught}" if _named(statement) else ""
        text = f"A failure{which} no longer stops the caller"
        found.append(implication(text, 56, line))
    return found


def removed_failure(
    statement: Statement, body: Sequence[Statement], scene: Scene
) -> list[Candidate]:
    """Describe error handling or an error that is gone."""
    line, detail = statement.line, statement.detail
    match statement.sort:
        case Sort.TRY:
            return [claim(f"A try block is removed{scene.place}", 50, line)]
        case Sort.FINALLY:
            what = summary(body)
            return [
                claim(f"The finally block{f' that {what}' if what else ''} is removed", 60, line)
            ]
        case Sort.CATCH:
            caught = _caught(statement)
            return [
                claim(f"The handler for {caught} is removed{scene.place}", 80, line),
                implication(f"From now on {caught} is not handled by this code", 60, line),
            ]
    if not detail:
        return [
            claim(f"The caught exception is no longer thrown again{scene.place}", 82, line),
            implication("The caller does not learn of the failure any more", 58, line),
        ]
    if detail in scene.text_now:
        return [claim(f"One place that throws {quoted(detail)} is removed{scene.place}", 72, line)]
    return [
        claim(f"The code no longer throws {quoted(detail)}{scene.place}", 82, line),
        implication(
            f"What used to fail with {quoted(_error(detail))} no longer does",
            58,
            line,
        ),
    ]


def rewritten_failure(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say what changed in a raised or caught error."""
    old, new, line = pair.old, pair.new, pair.new.line
    if old.detail == new.detail:
        return []
    if new.sort is Sort.CATCH:
        before, after = _caught(old), _caught(new)
        if before == after:
            return []
        text = f"The handler catches {after} instead of {before}{scene.place}"
        return [claim(text, 84, line), implication(_reach(old, new), 54, line)]
    if new.sort is not Sort.RAISE:
        return []
    error_before, error_after = _error(old.detail), _error(new.detail)
    found: list[Candidate] = []
    if error_before != error_after:
        found.append(
            claim(
                f"{quoted(error_after)} is thrown instead of {quoted(error_before)}{scene.place}",
                86,
                line,
            )
        )
        text = f"Callers that catch {quoted(error_before)} may miss {quoted(error_after)}"
        found.append(implication(text, 56, line))
    message_before, message_after = (_message(s.detail, scene) for s in (old, new))
    if message_before != message_after:
        found.append(_message_change(message_before, message_after, error_after, line))
    if not found:
        found.append(
            claim(
                f"The thrown error changes from {quoted(old.detail)} to {quoted(new.detail)}",
                80,
                line,
            )
        )
    return found


def _message_change(before: str, after: str, error: str, line: int) -> Candidate:
    where = f"the message of the exception {quoted(error)}"
    if not before:
        return claim(f"The exception {quoted(error)} gets the message {quoted(after)}", 84, line)
    if not after:
        return claim(f"{where[0].upper()}{where[1:]} {quoted(before)} is dropped", 80, line)
    return claim(
        f"{where[0].upper()}{where[1:]} changes from {quoted(before)} to {quoted(after)}", 84, line
    )


_BROAD = frozenset({"Exception", "BaseException", "Throwable", "StandardError", "..."})
_VARIABLE = re.compile(r"(?<=[\w>])\s*(?:&\s*|\s)\$?[a-z_]\w*$|^[a-z_$]\w*$|\s*=>\s*\w+$")


def _named(statement: Statement) -> str:
    """The exceptions that a handler names, without the variable that holds the one caught."""
    detail = statement.detail.partition(" as ")[0].strip("() ")
    return _VARIABLE.sub("", detail).removeprefix("const ").removeprefix("final ").strip()


def _reach(old: Statement, new: Statement) -> str:
    """Say which exceptions a handler meets now and did not before, or the other way round."""
    before, after = (
        [n.strip() for n in re.split(r"[,|]", _named(s)) if n.strip()] for s in (old, new)
    )
    more = listed([quoted(n) for n in after if n not in before], 3)
    less = listed([quoted(n) for n in before if n not in after], 3)
    if not after or _BROAD & set(after):
        return f"Exceptions other than {less} are caught now as well"
    if not before or _BROAD & set(before):
        return f"Exceptions other than {more} are no longer caught here"
    if not less:
        return f"What fails with {more} is caught here now as well"
    return f"{less} may no longer be caught here"


def _caught(statement: Statement) -> str:
    """What a handler catches, in words that can stand in a sentence."""
    named = _named(statement)
    return quoted(named) if named else "every exception"


def _error(detail: str) -> str:
    """The name of the error in what is thrown."""
    name = detail.removeprefix("new ").split("(")[0].strip()
    return name or "error"


def _message(detail: str, scene: Scene) -> str:
    strings = [t.text[1:-1] for t in tokenize(detail, scene.language) if t.kind is TokenKind.STRING]
    return " ".join(strings)
