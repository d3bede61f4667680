"""A statement's syntax in the few shapes that all languages share."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["ALIAS", "Kind", "Term"]

ALIAS = "type alias"
"""The type of a declaration that gives a type a name."""


class Kind(StrEnum):
    """What a term is, and what its `parts` are."""

    NAME = "name"
    SELF = "self"
    TYPE = "type"
    NUMBER = "number"
    TEXT = "text"
    """With interpolated values: the pieces in order."""
    BINARY = "binary"
    """Left and right; the operator is `text`."""
    UNARY = "unary"
    """The operand; the operator is `text`."""
    CALL = "call"
    """What is called, then the arguments."""
    NEW = "new"
    """The type, then the arguments."""
    MEMBER = "member"
    """What `text` is a member of."""
    SUBSCRIPT = "subscript"
    """What is looked into, then the keys."""
    CHOICE = "choice"
    """Condition, the value where it holds, the value otherwise."""
    FUNCTION = "function"
    """The parameters, as one tuple, and the value where it is one expression."""
    LIST = "list"
    MAP = "map"
    TUPLE = "tuple"
    PAIR = "pair"
    SPREAD = "spread"
    CAST = "cast"
    """The value; the type is `text`."""
    EACH = "each"
    """A comprehension: the value, what stands for an element, the elements."""
    ELEMENT = "element"
    """Of markup: the attributes; its name is `text`."""
    ASSIGN = "assign"
    """Target and value; the operator is `text`."""
    DECLARE = "declare"
    """Name and, if given, value; the type is `text`."""
    RETURN = "return"
    THROW = "throw"
    ASSERT = "assert"
    DELETE = "delete"
    PRINT = "print"
    YIELD = "yield"
    START = "start"
    """A call made at another time; `text` is the keyword."""
    IF = "if"
    """The condition, after what is done before it is tested."""
    WHILE = "while"
    OVER = "over"
    """What a loop runs over."""
    COUNT = "count"
    """Of a loop with three parts: those that are there, in order; `text` marks which."""
    MODIFIED = "modified"
    """A statement and the condition after it; `text` is the keyword."""
    USE = "use"
    """What is held while a block runs."""
    JUMP = "jump"
    UNKNOWN = "unknown"
    """No shape is known for it: `text` is its code."""


@dataclass(frozen=True, slots=True)
class Term:
    """A piece of syntax; `text` is its name, operator, content or code, as its kind says."""

    kind: Kind
    text: str = ""
    parts: tuple["Term", ...] = ()
