"""Describe a hunk's edits: added and removed blocks with their statements, and other changes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from crscore_core.claims.symbolic import sentences
from crscore_core.claims.symbolic.differences import describe_changed_statement
from crscore_core.claims.symbolic.edits import Edit, comparable_code
from crscore_core.claims.symbolic.nesting import Statement
from crscore_core.claims.symbolic.patterns import CODE, CONTROL, DEFINITIONS, KINDS, WORDS, Kind
from crscore_core.claims.symbolic.sentences import Fact, Rank, fact_about, merge_facts
from crscore_core.claims.symbolic.wording import enumerate_items, quote

_ACTION_KINDS = [*map(Kind, "raise return loop call assignment other".split())]
"""Kinds of statements that describe a block, most informative first."""

_MOVED_NOUNS = {Kind.COMMENT: "{a /}{keyword}{/s} ", Kind.IMPORT: "the import{/s} "}
_MAX_BODY_FACTS = 2  # statements named with the heading of a block, and facts about a new function


@dataclass(frozen=True, slots=True, eq=False)
class _NestedEdit:
    """An edit, with the contents of the block that it adds or removes.

    is_contained: True if an added or removed statement is part of one on the other side.
    inside: the statements added or removed with the block.
    kept: the unchanged statements inside the block.
    """

    edit: Edit
    is_contained: bool
    inside: list["_NestedEdit"] = field(default_factory=list)
    kept: list[Statement] = field(default_factory=list)

    @property
    def statement(self) -> Statement:
        """The statement of the edit."""
        return self.edit.statement


def describe_edits(edits: Sequence[Edit], *, in_tests: bool) -> list[Fact]:
    """Return the facts about the edits of a hunk; `in_tests` is True for a test file."""
    return [fact for one in _nest(edits) for fact in _describe_edit(one, in_tests=in_tests)]


def describe_renaming(was: str, now: str, edits: Sequence[Edit]) -> Fact:
    """Return the fact about statements in which `now` replaces `was`."""
    sides = [(edit.old, edit.new) for edit in edits if edit.old and edit.new]
    is_named = any(was in old.defined_names and now in new.defined_names for old, new in sides)
    template = "{was} is renamed to {now}" if is_named else "{now} replaces {was}"
    rank = Rank.DEFINITION if is_named else Rank.VALUE
    template += " in several places{in_place}"
    fact = fact_about(template, rank, sides[0][1], was=quote(was), now=quote(now))
    places = dict.fromkeys(sentences.within(new) for _, new in sides)
    return replace(fact, places=() if "" in places else tuple(places))


def _nest(edits: Sequence[Edit]) -> list[_NestedEdit]:
    """Return the edits outside added and removed blocks, with the others nested in the blocks."""
    removed, added = (
        "\n".join(comparable_code(side) for side in sides if side and side.line.changed)
        for sides in ([edit.old for edit in edits], [edit.new for edit in edits])
    )
    pairs = {(edit.old, edit.new) for edit in edits if edit.old and edit.new}
    all_nested = [_NestedEdit(edit, _is_contained(edit, removed, added)) for edit in edits]
    one_sided = [nested for nested in all_nested if None in {nested.edit.old, nested.edit.new}]
    blocks = {nested.statement: nested for nested in one_sided}
    exits = [one for one in one_sided if _is_exit(one.statement)]
    guarded = {(one.statement.outer_name, one.edit.new is None) for one in exits}
    outermost: list[_NestedEdit] = []
    for nested in all_nested:
        old, new = nested.edit.old, nested.edit.new
        if old and new:
            changed = [blocks[side.block] for side in (old, new) if side.block in blocks]
            is_kept = comparable_code(old) == comparable_code(new)
            was, now = _clauses(old, new)
            is_kept &= new.kind not in KINDS["not_kept"]
            is_kept &= bool(was and now) or (new.outer_name, bool(now)) not in guarded
            is_kept &= not any(CODE["open_head"].match(x.statement.parsed.text) for x in changed)
            kept: list[_NestedEdit] = []
            if is_kept and old.outer_name == new.outer_name and not (was and now):
                kinds = KINDS["keepers"] if was or now else KINDS["keepers"] - {Kind.CONDITION}
                kept = [one for one in changed if one.statement.kind in kinds]
            for block in kept:
                block.kept.append(new if block.edit.new else old)
            is_moved = (old.block, new.block) not in pairs
            if is_kept and not kept and is_moved and was != now:
                moved = replace(nested, edit=replace(nested.edit, is_moved=True))
                (blocks[new.block].inside if new.block in blocks else outermost).append(moved)
            elif not nested.edit.is_moved or (is_moved and not kept):
                outermost.append(nested)
        else:
            headings = [one for one in nested.statement.headings if not one.is_item]
            around = [heading for heading in headings if heading in blocks]
            (blocks[around[-1]].inside if around else outermost).append(nested)
    return outermost


def _clauses(old: Statement, new: Statement) -> list[str]:
    """Return when a statement ran and when it runs now, without what holds on both sides."""
    clauses: list[str] = []
    for side, other in ((old, new), (new, old)):
        clause = sentences.condition_clause(side)
        others = [sentences.condition_clause(other, block) for block in other.headings]
        befores = [one.before.parsed.value for one in other.headings if one.before]
        others += [f" unless {quote(value, 90)}" for value in befores]
        is_same = "".join(clause.split()) in ["".join(one.split()) for one in others]
        clauses.append("" if is_same else clause)
    return clauses


def _is_exit(statement: Statement) -> bool:
    """Return True for an exit in a check, on which the statements after it depend as well."""
    is_end = statement.kind in KINDS["exits"] or statement.parsed.text in WORDS["jumps"]
    return is_end and statement.block is not None and statement.block.kind in CONTROL


def _is_contained(edit: Edit, removed: str, added: str) -> bool:
    """Return True if an added or removed statement is part of one on the other side."""
    if edit.new and edit.new.kind not in KINDS["contained"]:
        return False
    code, text = comparable_code(edit.statement), removed if edit.new else added
    pattern = rf"(?m)(?:^if|(?<!\w)){re.escape(code)}(?:(?<!\w)|(?!\w))"
    return code in text and bool(re.search(pattern, text))


def _describe_edit(nested: _NestedEdit, *, in_tests: bool) -> list[Fact]:
    """Return the facts about a changed statement, or an added or removed one with its contents."""
    old, new = nested.edit.old, nested.edit.new
    if nested.edit.is_described:
        return []
    if old and new and nested.edit.is_moved:
        return _move_facts(old, new, nested.edit)
    if old and new:
        return describe_changed_statement(old, new)
    direct = [one for one in nested.inside if one.statement.block is nested.statement]
    is_open = CODE["open_head"].match(nested.statement.parsed.text)
    direct = [one for one in direct if not (one.edit.is_moved or is_open)]
    actions = _main_actions(direct)
    fact = _one_sided_fact(nested, actions, in_tests=in_tests)
    is_mixed = actions and nested.kept  # a block around both unchanged and new statements
    kept = _one_sided_fact(nested, (), in_tests=in_tests) if is_mixed else None
    facts = [one for one in (fact, kept) if one]
    is_definition = nested.statement.kind in DEFINITIONS
    if old and (is_definition or (fact and nested.statement.kind is Kind.SECTION)):
        return facts
    plain = [one for one in actions if not one.inside or one.statement.kind not in CONTROL]
    named = plain if fact and "{then}" in fact.template else []
    others = [other for other in nested.inside if other not in named]
    if nested.statement.kind in _ACTION_KINDS:  # the arguments after its block are part of it
        others = [other for other in others if other.statement.kind is not Kind.ROW]
    others += [inner for action in named for inner in action.inside]
    inner = [fact for other in others for fact in _describe_edit(other, in_tests=in_tests)]
    is_plain = nested.statement.kind is Kind.CONDITION and not (old or actions or nested.kept)
    if is_plain and any("{outer}" in f.template or "{now}" in f.template for f in inner):
        facts = []
    if fact and old and nested.statement.kind in {*CONTROL, Kind.CALL}:
        inner = [f if f.rank < Rank.CALL else replace(f, rank=Rank.LAYOUT) for f in inner]
    return facts + _main_facts(nested.statement.kind, inner, in_tests=in_tests)


def _passed(old: Statement, new: Statement, kept: Sequence[Statement]) -> str:
    """Return which kept statement a moved one now comes before or after; empty if unknown."""
    start, end = old.line.rows[0], new.line.rows[0]
    passed = [one for one in kept if min(start, end) < one.line.rows[0] < max(start, end)]
    passed = [one for one in passed if len(one.parsed.tokens) > 1 and one not in new.headings]
    passed.sort(key=lambda one: (len(one.headings), abs(one.line.rows[0] - end)))
    side = "after" if start < end else "before"
    return "".join(f" {side} {quote(sentences.item_code(x.parsed), 60)}" for x in passed[:1])


def _move_facts(old: Statement, new: Statement, edit: Edit) -> list[Fact]:
    """Return the fact about a moved statement: its new place or its new condition."""
    if len(new.parsed.tokens) == 1 and new.kind in {Kind.OTHER, Kind.BLOCK, Kind.CONDITION}:
        return []  # such as `else`
    was, now = _clauses(old, new)
    start, end = sentences.within(old), sentences.within(new)
    is_new = [any(h.kind in DEFINITIONS and h.line.changed for h in x.headings) for x in (old, new)]
    is_within = start == end or (not start and not is_new[1]) or (not end and not is_new[0])
    if is_within and len({*edit.paths}) > 1:
        (start, end), now, is_within = map(quote, edit.paths), "", False
    rank = Rank.TRIVIAL if new.parsed.is_declared else Rank.TEXT if is_within else Rank.CALL
    template = f"{{item}} move{{s/}}{' from {start}' * bool(start)}{' to {end}' * bool(end)}{{now}}"
    passed = _passed(old, new, edit.kept)
    if is_within and was == now:
        template = "{item} move{s/}{passed} " + ("in {place}" if passed else "within {place}")
    elif is_within:
        rank = Rank.BEHAVIOUR
        only = " only" * (not was and now.startswith(" if"))
        be, run = ("{is/are} ", "checked") if new.kind is Kind.CONDITION else ("", "run{s/}")
        change = f"{be}now {run}{only}{{now}}" if now else f"{be}no longer {run} only{{was}}"
        if not now and was.startswith(" unless"):
            change, was = "no longer depend{s/} on{was}", was.removeprefix(" unless")
        change += " instead of{was}" if was and now else ""
        template = f"{{item}} {change}{{in_place}}"
    if noun := _MOVED_NOUNS.get(new.kind, ""):
        rank = Rank.LAYOUT if old.outer_name == new.outer_name else Rank.IMPORT
    was_in, is_in = ([one.parsed.key for one in side.headings] for side in (old, new))
    place = min(start, end, key=len) if new.outer_name or was_in == is_in else ""
    names = {"start": start, "end": end, "place": place or "the file", "passed": passed}
    return [fact_about(noun + template, rank, new, **names, was=was, now=now)]


def _main_facts(kind: Kind, facts: list[Fact], *, in_tests: bool) -> list[Fact]:
    """Return the facts about the contents of a block; those that say little get a low rank.

    In a function, test or entry, only the most informative facts rank as supplements, and none says
    "now", as the whole is new.
    """
    if kind not in {Kind.FUNCTION, Kind.TEST, Kind.ENTRY}:
        return facts
    facts = sorted(merge_facts(facts), key=lambda fact: fact.rank)
    lowest = Rank.DEFINITION if in_tests or kind is Kind.TEST else Rank.CALL
    best = [fact for fact in facts[:_MAX_BODY_FACTS] if fact.rank <= lowest]
    least = Rank.TRIVIAL if kind is Kind.ENTRY else min(lowest, Rank.BEHAVIOUR)
    ranks = [Rank.DETAIL if fact.rank <= least else Rank.LAYOUT for fact in facts]
    ranks[: len(best)] = [Rank.SUPPLEMENT] * len(best)
    plain = [one.template.replace("{now} ", "").replace(" now ", " ") for one in facts]
    ranked = zip(facts, ranks, plain, strict=True)
    return [replace(fact, rank=rank, template=template) for fact, rank, template in ranked]


def _main_actions(inside: Sequence[_NestedEdit]) -> list[_NestedEdit]:
    """Return the edits of the most informative statements of a block, in order."""
    actions = [one for one in inside if one.statement.kind in _ACTION_KINDS]
    actions = [one for one in actions if one.statement.parsed.text not in WORDS["ignored"]]
    actions = [x for x in actions if x.statement.parsed.value or not x.statement.parsed.is_declared]
    jumps = [one for one in actions if one.statement.parsed.text in WORDS["jumps"]][-1:]
    best = [one for one in actions if one.statement.parsed.text not in WORDS["jumps"]]
    best.sort(key=lambda action: _ACTION_KINDS.index(action.statement.kind))
    return [one for one in actions if one in [*best[: _MAX_BODY_FACTS - len(jumps)], *jumps]]


def _action(statement: Statement) -> str:
    """Describe the action of a statement: a verb in the third person with its object."""
    parsed = statement.parsed
    is_value = parsed.kind is Kind.OTHER and CODE["literal"].match(parsed.text)
    default = sentences.phrase(parsed.kind, "action", "runs {code}")
    form = "value" if is_value else _form(statement)
    template = sentences.phrase(parsed.kind, f"action {form}", default)
    name, code = quote(parsed.name), quote(parsed.text)
    value, verb = sentences.quoted_value(parsed), f"{parsed.operator}s"
    return template.format(name=name, code=code, value=value, verb=verb)


def _one_sided_fact(
    nested: _NestedEdit, actions: Sequence[_NestedEdit], *, in_tests: bool
) -> Fact | None:
    """Return a fact about an added or removed statement, with the main actions inside it."""
    if _is_ignored(nested):
        return None
    statement, is_added = nested.statement, nested.edit.new is not None
    parsed = statement.parsed
    kept = [one for one in nested.kept if one.parsed.text not in WORDS["ignored"]]
    kept = [one for one in kept if one.kind is not Kind.CASE] or kept
    form = "then" if actions else "kept" if kept else _form(statement)
    forms = [form, ""] if is_added else [f"{form} removed", "removed", form, ""]
    if nested.edit.is_repeated and form != "kept":
        forms = ["then again"] * bool(actions) + ["again", *forms]
    templates = sentences.SENTENCES[parsed.kind]
    template, rank = next((templates[form] for form in forms if form in templates), ("", 0))
    if not template:
        return None
    outer = sentences.condition_clause(statement)
    if parsed.text in WORDS["jumps"] and not outer:
        rank = Rank.LAYOUT
    marks = [one.statement.parsed.text for one in (nested, *nested.inside)]
    is_test = in_tests and bool(CODE["test_name"].match(parsed.name))
    is_test |= any(map(CODE["test_mark"].match, marks))
    joint = " and " if is_added or "{now}" not in template else " or "  # no longer does
    return fact_about(
        template.replace("{there}", "{to_place}{if_condition}" if is_added else "{from_place}"),
        rank,
        statement,
        added="added" if is_added else "removed",
        now="now" if is_added else "no longer",
        noun="test" if is_test else "function",
        outer=f"{outer.strip()} and" if outer.startswith(" if") else f"{outer}, if".strip(" ,"),
        then=joint.join(_action(action.statement) for action in actions),
        kept=enumerate_items([quote(inner.parsed.text, 90) for inner in kept], 2),
        run="run" if len(kept) > 1 else "runs",
        depend="depend" if len(kept) > 1 else "depends",
    )


def _is_ignored(nested: _NestedEdit) -> bool:
    """Return True if a statement says nothing by itself."""
    parsed = nested.statement.parsed
    is_opening = parsed.keyword == "namespace" or parsed.value == "…"
    if nested.is_contained or is_opening or parsed.text in WORDS["ignored"]:
        return True
    return parsed.kind is Kind.SECTION and bool(nested.inside) and " " not in parsed.name


def _form(statement: Statement) -> str:
    """Return the form of the sentence about a statement without contents."""
    parsed = statement.parsed
    is_attribute = parsed.text[:1] in {"#", "@", "["}
    if sentences.is_field(statement) and parsed.operator in {"", "="} and not is_attribute:
        return "field"
    is_set = parsed.operator in {"=", ":="} and parsed.value
    if statement.kind is Kind.RETURN and not parsed.value and parsed.operator != "yield":
        return "early"
    is_bare = parsed.is_declared and not parsed.value  # a variable without a value
    if is_set or is_bare or not sentences.condition_clause(statement):
        use = rf"(?<![\w.\"'<:]){re.escape(parsed.name)}(?![\w(:\"'])"  # of an older variable
        is_new = parsed.is_declared and not ("." in parsed.name or re.search(use, parsed.value))
        return "" if not is_set else "declared" if is_new else "="
    is_value = statement.kind is Kind.OTHER and CODE["literal"].match(parsed.text)
    return "value" if is_value else "conditional"
