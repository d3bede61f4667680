"""How long, wide, branched, deep and complex a function is: each number is the worse the higher.

What inner functions and classes hold counts for those. Whatever a hunk hides of a function
could only add to its numbers.
"""

import ast

from analyzers.python.scopes import Function, FunctionScope

__all__ = ["branches", "complexity", "nesting", "parameters", "statements"]

_Branching = ast.If | ast.For | ast.AsyncFor | ast.While | ast.Try | ast.TryStar | ast.Match


def statements(function: FunctionScope) -> int:
    """Statements at every depth; one with a block is one besides those in the block."""
    return sum(isinstance(node, ast.stmt) for node in function.nodes)


def parameters(function: FunctionScope) -> int:
    """Parameters that take one argument each: with `self`, without `*args` and `**kwargs`."""
    arguments = function.node.args
    return len([*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs])


def branches(function: FunctionScope) -> int:
    """Ways through `if`, loops, `try` and `match`: one for each clause of theirs."""
    return sum(_clauses(node) for node in function.nodes)


def _clauses(node: ast.AST) -> int:
    match node:
        case ast.If(orelse=[ast.If()]):
            return 1  # an `elif` counts for itself
        case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
            return 1 + bool(node.orelse)
        case ast.Try() | ast.TryStar():
            return 1 + len(node.handlers) + bool(node.orelse) + bool(node.finalbody)
        case ast.Match():
            return len(node.cases)
        case _:
            return 0


def nesting(function: FunctionScope) -> int:
    """The most `if`, loops, `try` and `match` around one place; `elif` and `with` add none."""
    deepest = 0
    waiting: list[tuple[ast.AST, int]] = [(node, 0) for node in function.node.body]
    while waiting:
        node, outer = waiting.pop()
        if not isinstance(node, Function | ast.ClassDef | ast.expr):
            depth = outer + isinstance(node, _Branching)
            deepest = max(deepest, depth)
            children = ast.iter_child_nodes(node)
            waiting += [(c, outer if _is_elif(c, node) else depth) for c in children]
    return deepest


def _is_elif(node: ast.AST, parent: ast.AST) -> bool:
    """An `elif` stands below its `if`; one in an `else` block stands further in."""
    return (
        isinstance(parent, ast.If)
        and isinstance(node, ast.If)
        and parent.orelse == [node]
        and parent.col_offset == node.col_offset
    )


def complexity(function: FunctionScope) -> int:
    """McCabe's number, with boolean operators and comprehensions counted as decisions."""
    return 1 + sum(_decisions(node) for node in function.nodes)


def _decisions(node: ast.AST) -> int:
    match node:
        case ast.If() | ast.IfExp() | ast.Assert() | ast.ExceptHandler():
            return 1
        case ast.For() | ast.AsyncFor() | ast.While():
            return 1 + bool(node.orelse)
        case ast.Try() | ast.TryStar():
            return int(bool(node.orelse))
        case ast.BoolOp() | ast.Match():
            return _alternatives(node)
        case ast.comprehension():
            return 1 + len(node.ifs)
        case _:
            return 0


def _alternatives(node: ast.BoolOp | ast.Match) -> int:
    """Operators between operands; cases that the value has to match, so not `case _`."""
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    patterns = [case.pattern for case in node.cases]
    return sum(not isinstance(p, ast.MatchAs) or p.name is not None for p in patterns)
