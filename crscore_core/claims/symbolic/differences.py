"""Describe changed statements: new values, heads of definitions, differences in brackets."""

from collections.abc import Callable, Iterator

from crscore_core.claims.symbolic import lexer, sentences, wording
from crscore_core.claims.symbolic.lexer import Tokens, to_code
from crscore_core.claims.symbolic.nesting import Statement
from crscore_core.claims.symbolic.patterns import CODE, WORDS, Kind
from crscore_core.claims.symbolic.sentences import Fact, Rank, fact_about
from crscore_core.claims.symbolic.wording import MAX_QUOTED, quote

_NAMES_A_VALUE = frozenset({Kind.ASSIGNMENT, Kind.ENTRY})
_MAX_WHOLE = 60  # characters of a value that is quoted in full even if it differs only in brackets


def describe_changed_statement(old: Statement, new: Statement) -> list[Fact]:
    """Return the facts about a changed statement; empty if only the blocks around it changed."""
    if old.parsed.key == new.parsed.key:
        return list(_inline_comment_facts(old, new))
    describe = _DESCRIPTIONS.get(new.kind, _value_facts) if old.kind is new.kind else None
    facts = list(describe(old, new)) if describe else []
    facts = facts or list(_difference_facts(old, new, Rank.VALUE))
    return [*facts, *_inline_comment_facts(old, new)]


def _inline_comment_facts(old: Statement, new: Statement) -> Iterator[Fact]:
    comment = new.line.comment
    if old.line.comment != comment and new.kind is not Kind.COMMENT:
        change = "now says {text}" if comment else "is removed"
        template = f"the comment on {{code}} {change}"
        fields = {"code": quote(new.parsed.text, 50), "text": wording.quote_prose(comment)}
        yield fact_about(template, Rank.COMMENT, new, **fields)


def _comment_facts(old: Statement, new: Statement) -> Iterator[Fact]:
    before, after = old.parsed.value.split(), new.parsed.value.split()
    is_prose = new.parsed.keyword not in {"comment", "docstring"}
    noun = "the text" if is_prose else f"a {new.parsed.keyword}"
    rewording = wording.describe_rewording(before, after, noun)
    yield fact_about("{rewording}{in_place}", Rank.COMMENT, new, rewording=rewording)


def _definition_facts(old: Statement, new: Statement) -> Iterator[Fact]:
    """Yield the facts about a function or type whose head changed."""
    before, after = old.parsed, new.parsed
    place = new.outer_name
    name = quote(f"{place}.{after.name}" if place and "." not in after.name else after.name)
    if before.name != after.name:
        now = f"the {after.keyword} {name}" if new.kind is Kind.TYPE else name
        fields = {"was": quote(before.name), "now": now}
        yield fact_about("{was} is renamed to {now}", Rank.DEFINITION, new, **fields)
    yield from _parameter_facts(name, old, new)
    heads = [one.value.replace(one.name, "", 1).replace("(…)", "") for one in (before, after)]
    pair = wording.contrast(before.value, after.value)
    if after.operator != "=" and heads[0] != heads[1] and pair:
        template = "{name} is now declared as {now} instead of {was}"
        yield fact_about(template, Rank.VALUE, new, name=name, was=pair[0], now=pair[1])


def _parameter_facts(name: str, old: Statement, new: Statement) -> Iterator[Fact]:
    """Yield the facts about the parameters of a function: added, removed or changed."""
    before, after = dict(old.parsed.parameters), dict(new.parsed.parameters)
    differing = [pair for pair in zip(before, after, strict=False) if pair[0] != pair[1]]
    if len(before) == len(after) and len(differing) == 1:  # perhaps it only has another name
        was, now = differing[0]
        if before[was].startswith("*") == after[now].startswith("*"):
            before[now] = before.pop(was)
    added = [quote(text) for key, text in after.items() if key not in before]
    removed = [quote(text) for key, text in before.items() if key not in after]
    for verb, items in (("takes the new", added), ("no longer takes the", removed)):
        if items:
            template = f"{{name}} {verb} parameter{{/s}} {{item}}"
            yield fact_about(template, Rank.DEFINITION, new, *items, name=name)
    for key, now in after.items():
        if key in before and (pair := wording.contrast(before[key], now)):
            template = "the parameter {was} of {name} becomes {now}"
            yield fact_about(template, Rank.DEFINITION, new, name=name, was=pair[0], now=pair[1])


def _value_facts(old: Statement, new: Statement) -> Iterator[Fact]:
    """Yield a fact with the new and the old value, or with the difference between long values."""
    before, after = old.parsed, new.parsed
    was, now = (side.name if side.kind is Kind.LOOP else side.value for side in (before, after))
    if new.kind in _NAMES_A_VALUE:
        are_set = {before.operator, after.operator} <= WORDS["sets"]
        heads = {side.text.removesuffix(side.value) for side in (before, after) if side.is_declared}
        if before.name != after.name or not (are_set and was and now) or len(heads) > 1:
            return
    templates = sentences.SENTENCES[new.kind]
    template, rank = templates.get("instead") or templates.get("", ("", 0))
    if "{was}" not in template:
        template = template.replace("{value}", "{value} instead of {was}")
    pair = wording.contrast(was, now)
    if pair is None or "{was}" not in template:
        return
    is_same_call = new.kind is Kind.CALL and before.name == after.name
    start = _innermost_start(before.tokens, after.tokens)
    is_long = len(max(was, now, key=len)) > _MAX_WHOLE
    if is_same_call or (is_long and start and _target(after.tokens[:start], new)[0]):
        yield from _difference_facts(old, new, rank)
        return
    nothing = sentences.phrase(new.kind, "missing", "nothing")
    fields = {"was": pair[0] if was else nothing, "value": pair[1] if now else nothing}
    yield fact_about(template, rank, new, now="now", **fields)


_DESCRIPTIONS: dict[Kind, Callable[[Statement, Statement], Iterator[Fact]]] = {
    Kind.COMMENT: _comment_facts,
    Kind.FUNCTION: _definition_facts,
    Kind.TYPE: _definition_facts,
}
"""Maps kinds to functions that describe a changed statement; `_value_facts` handles the others."""


def _difference_facts(old: Statement, new: Statement, rank: int) -> Iterator[Fact]:
    """Yield what is added, removed or different in the innermost brackets, or in the statement."""
    sides: list[Tokens] = [old.parsed.tokens, new.parsed.tokens]
    start = 0 if new.kind is Kind.ROW else _innermost_start(*sides)
    target, is_call = _target(new.parsed.tokens[:start], new) if start else ("", False)
    ends = [lexer.closing_index(side, start - 1) if start else 0 for side in sides]
    sides = [side[start:end] for side, end in zip(sides, ends, strict=True)]
    split = [lexer.split(side, angles=True) for side in sides]
    old_parts, new_parts = ([lexer.close_brackets(part) for part in parts] for parts in split)
    added = [part for part in new_parts if part not in old_parts]
    removed = [part for part in old_parts if part not in new_parts]
    is_long = max(len(side.parsed.text) for side in (old, new)) > MAX_QUOTED
    if (target or is_long) and bool(added) != bool(removed):
        items = [quote(part, MAX_QUOTED) for part in added or removed]
        verb = "added to" if added else "removed from"
        if is_call:
            verb = "now passed to" if added else "no longer passed to"
        change = f"{verb} {{target}}" if target else verb.split()[0]
        yield fact_about(f"{{item}} {{is/are}} {change}{{where}}", rank, new, *items, target=target)
        return
    was, now = old.parsed.text, new.parsed.text
    if added and (target or is_long):
        was, now = ", ".join(removed), ", ".join(added)
    if pair := wording.contrast(was, now):
        place = " in {target}" * bool(target and added)
        template = f"{{now}} replaces {{was}}{place}{{where}}"
        if is_call and added:
            template = "{target} is now called with {now} instead of {was}{where}"
        yield fact_about(template, rank, new, was=pair[0], now=pair[1], target=target)


def _innermost_start(before: Tokens, after: Tokens) -> int:
    """Return the index after the innermost bracket around the whole difference, or 0."""
    texts = ([token.text for token in side] for side in (before, after))
    start, end = wording.common_ends(*texts)
    for bracket in reversed(lexer.unmatched_brackets(after[:start])[0]):
        stops = [lexer.closing_index(side, bracket) - len(side) for side in (before, after)]
        if min(stops) >= -end:
            return bracket + 1
    return 0


def _target(before: Tokens, statement: Statement) -> tuple[str, bool]:
    """Return the function whose arguments follow the tokens, or what is set; True for a call."""
    callee = CODE["callee"].search(to_code(before[:-1])) if before[-1].text == "(" else None
    if callee:
        name, kind = quote(callee[0], 50), statement.kind
        is_call = kind is Kind.ASSIGNMENT or not sentences.is_field(statement)
        is_call &= kind is not Kind.FUNCTION and not CODE["attribute"].match(statement.parsed.text)
        return f"the parameters of {name}" if kind is Kind.FUNCTION else name, is_call
    is_set = statement.parsed.name[:1] not in "{[" and statement.kind in _NAMES_A_VALUE
    return quote(statement.parsed.name, 50) if is_set else "", False
