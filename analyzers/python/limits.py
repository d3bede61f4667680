"""The smells of the paper's Table 14: what is measured, and how much of it is still fine.

The numbers are those of PyScent, the tool that the paper names there; it has most of them from
pylint, as has the depth of nesting, which is half of what the table calls "long branch".
"""

from analyzers.limit import COMPLEXITY, PARAMETERS, Limit
from analyzers.python.class_measures import (
    cohesion_in_words,
    instance_attributes,
    lack_of_cohesion,
    public_methods,
)
from analyzers.python.coupling_measures import outside_calls
from analyzers.python.expression_measures import (
    Expression,
    lambda_length,
    list_comprehension_length,
)
from analyzers.python.function_measures import (
    branches,
    complexity,
    nesting,
    parameters,
    statements,
)
from analyzers.python.scopes import ClassScope, FunctionScope
from analyzers.rule import Sight

__all__ = ["CLASSES", "EXPRESSIONS", "FUNCTIONS"]

FUNCTIONS: dict[str, Limit[FunctionScope]] = {
    "long-method": Limit(
        statements,
        50,
        "The function {0} is too long: it has {measure} statements, more than {most}.",
    ),
    "long-parameter-list": Limit(parameters, *PARAMETERS),
    "long-branch": Limit(
        branches,
        12,
        "The function {0} has too many branches: {measure}, more than {most}.",
    ),
    "deep-nesting": Limit(
        nesting,
        5,
        "The code of {0} is nested too deeply: {measure} levels, more than {most}.",
    ),
    "shotgun-surgery": Limit(
        outside_calls,
        5,
        "The method {0} depends on too many functions outside of its class: "
        "{measure}, more than {most}.",
    ),
    "cyclomatic-complexity": Limit(complexity, *COMPLEXITY),
}

CLASSES: dict[str, Limit[ClassScope]] = {
    "many-attributes": Limit(
        instance_attributes,
        7,
        "The class {0} has too many attributes: {measure}, more than {most}.",
    ),
    "many-methods": Limit(
        public_methods,
        20,
        "The class {0} has too many public methods: {measure}, more than {most}.",
    ),
    "class-cohesion": Limit(
        lack_of_cohesion,
        70,  # a cohesion of less than 30 per cent
        "The class {0} has low cohesion: on average, its methods use {message}",
        Sight.BLOCK,
        cohesion_in_words,
    ),
}

EXPRESSIONS: dict[str, Limit[Expression]] = {
    "long-lambda": Limit(
        lambda_length,
        60,
        "This lambda is {measure} characters long; a named function is easier to read.",
    ),
    "long-list-comprehension": Limit(
        list_comprehension_length,
        72,
        "This list comprehension is {measure} characters long; a loop is easier to read.",
    ),
}
