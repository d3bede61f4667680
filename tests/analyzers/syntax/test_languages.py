"""The tables agree with each other and with the parsers."""

import importlib
import re
from itertools import pairwise

import pytest
from tree_sitter import Language, Query

from analyzers.syntax.grammar import Grammar
from analyzers.syntax.languages import GRAMMARS

DIALECTS = [grammar for dialects in GRAMMARS.values() for grammar in dialects]
every_dialect = pytest.mark.parametrize(
    "grammar", DIALECTS, ids=[f"{grammar.name} {grammar.function}" for grammar in DIALECTS]
)


def language(grammar: Grammar) -> Language:
    return Language(getattr(importlib.import_module(grammar.module), grammar.function)())


@every_dialect
def test_the_parser_knows_each_kind_of_block_and_all_that_queries_ask_for(
    grammar: Grammar,
) -> None:
    parser = language(grammar)
    for kind in grammar.blocks:
        assert parser.id_for_node_kind(kind, True) is not None, kind
    for query in (grammar.refused, grammar.unread):
        assert not query or Query(parser, query).pattern_count > 0


@every_dialect
def test_there_are_ways_into_each_place(grammar: Grammar) -> None:
    names = [place.name for place in grammar.places]
    assert len(set(names)) == len(names)
    reached = {names[0]}
    for _ in names:
        reached |= {way.inner for way in grammar.ways if way.outer in reached}
    assert reached == {*names}
    for way in grammar.ways:
        assert {way.outer, way.inner} <= {*names}, way
    for lead in grammar.leads:
        assert lead.places
        assert lead.places <= {*names}, lead


@every_dialect
def test_all_expressions_are_regular(grammar: Grammar) -> None:
    patterns = [
        *(way.if_found for way in grammar.ways),
        *(way.unless_found for way in grammar.ways),
        *(place.likely for place in grammar.places),
        *(place.heading for place in grammar.places),
        *(lead.first for lead in grammar.leads),
        *(closing.head for closing in grammar.closings),
        *(ending.rest for ending in (*grammar.endings, *grammar.list_endings)),
        grammar.markup,
    ]
    assert [re.compile(pattern).pattern for pattern in patterns if pattern is not None]


@every_dialect
def test_every_bracket_can_be_closed_and_every_statement_ended(grammar: Grammar) -> None:
    for bracket in ("(", "[", "{", *grammar.lexis.openers):
        fitting = [closing for closing in grammar.closings if closing.bracket == bracket]
        assert fitting[-1].head == "", bracket
    for table in (grammar.endings, grammar.list_endings):
        assert table[-1].rest == ""
        for one, other in pairwise(table):
            assert one.rest != other.rest, "the first of two alike is the one that counts"


@every_dialect
def test_what_may_be_torn_can_be_completed_at_both_ends(grammar: Grammar) -> None:
    for quote in grammar.lexis.quotes:
        assert bool(quote.leads) == (quote.closing is not None), quote
