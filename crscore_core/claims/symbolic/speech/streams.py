"""Streams of C++ and Ruby, which are read and written with the operators of shifts."""

from crscore_core.claims.symbolic.speech.terms import Kind, Term
from crscore_core.claims.symbolic.speech.words import named

_STREAMS = frozenset(
    """
    cin cout cerr clog in out is os iss oss ss fin fout ifs ofs stream stringstream istream ostream
    input output file infile outfile
    """.split()
)
"""Last words of the names of streams."""

_MANIPULATORS = frozenset({"endl", "flush", "ends"})
MAX_MOVED = 6
"""Values that one statement reads or writes and that are told."""


def source(term: Term) -> Term:
    """Return what a row of `<<` or of `>>` starts with."""
    first = term
    for _ in range(MAX_MOVED):
        if first.kind is not Kind.BINARY or first.text != term.text or not first.parts:
            break
        first = first.parts[0]
    return first


def is_of_a_stream(term: Term) -> bool:
    """Whether `term` is a stream, or what is read from or written to one."""
    first = source(term) if term.kind is Kind.BINARY and term.text in {"<<", ">>"} else term
    return first.kind in {Kind.NAME, Kind.MEMBER} and (
        named(first.text).rpartition(" ")[2] in _STREAMS
    )


def moved(term: Term) -> list[Term]:
    """Return what a row of `<<` writes or a row of `>>` reads, without manipulators."""
    found: list[Term] = []
    at = term
    while at.kind is Kind.BINARY and at.text == term.text and len(found) < MAX_MOVED:
        found.insert(0, at.parts[1])
        at = at.parts[0]
    return [t for t in found if named(t.text) not in _MANIPULATORS or t.kind is not Kind.NAME]
