"""The rules of ruff that a reviewer would raise, and the sentence for each."""

from dataclasses import dataclass
from enum import IntEnum

__all__ = ["RULES", "Rule", "Sight"]


class Sight(IntEnum):
    """How much of a file has to be in sight before a finding can be believed."""

    LINE = 1
    BLOCK = 2  # the `if`, loop, handler or function around it, to its end
    FUNCTION = 3  # the function around it, from its header to its end
    FILE = 4


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence with places for what a finding names.

    `{0}` is the first name that ruff's message quotes, `{code}` the code it points at,
    `{line}` the line that this is on, `{where}` " in `function`" where that is known, else
    nothing. What is wrong with a function or class `of_definition` counts when a changed
    line lies anywhere in it.
    """

    sentence: str
    sight: Sight = Sight.LINE
    of_definition: bool = False


RULES: dict[str, Rule] = {
    # Names: unused, undefined, shadowed
    "F401": Rule("The import {0} is never used.", Sight.FILE),
    "F402": Rule("The loop variable {0} shadows an import of the same name."),
    "F403": Rule("The star import {0} hides where the names in this module come from."),
    "F811": Rule("{0} is defined again here although the earlier definition was never used."),
    "F821": Rule("The name {0} is not defined.", Sight.FILE),
    "F822": Rule("`__all__` exports {0}, which is not defined.", Sight.FILE),
    "F823": Rule("The local variable {0} is used before it is assigned.", Sight.FUNCTION),
    "F841": Rule("The variable {0} is assigned but never used.", Sight.FUNCTION),
    "F842": Rule("The variable {0} is annotated but never used.", Sight.FUNCTION),
    "A001": Rule("The variable {0} shadows a Python builtin.", Sight.FUNCTION),
    "A002": Rule("The parameter {0} shadows a Python builtin."),
    "ARG001": Rule("The parameter {0} is never used{where}.", Sight.FUNCTION),
    "B007": Rule("The loop variable {0} is not used in the loop body.", Sight.FUNCTION),
    "E741": Rule("The variable name {0} is easily mistaken for a digit.", Sight.FUNCTION),
    "PIE794": Rule("The class field {0} is defined more than once."),
    "PLR1704": Rule("The parameter {0} is overwritten by a local variable of the same name."),
    "PLW0127": Rule("The variable {0} is assigned to itself.", Sight.FUNCTION),
    "PLW0128": Rule("The variable {0} is assigned twice in one statement."),
    "PLW0602": Rule("{0} is declared global but never assigned{where}.", Sight.FUNCTION),
    "PLW0603": Rule("The function changes the global variable {0}; avoid global state."),
    "PLW2901": Rule("The loop variable {code} is overwritten inside the loop."),
    "RUF059": Rule("The unpacked variable {0} is never used.", Sight.FUNCTION),
    # Defaults and class attributes
    "B006": Rule("The mutable default argument {code}{where} is shared between all calls."),
    "B008": Rule("The call {code} in an argument default runs only once, at definition."),
    "B039": Rule("The mutable default of the context variable {line} is shared."),
    "PLW1508": Rule("The default {code} of this environment variable should be a string."),
    "PLW1641": Rule(
        "The class {code} defines equality but no hash, so it is not hashable.",
        Sight.BLOCK,
        of_definition=True,
    ),
    "RUF012": Rule("The mutable class attribute {line} is shared between all instances."),
    "RUF013": Rule("The type {code} of this parameter should allow the default None."),
    # Exceptions
    "B012": Rule("{0} inside `finally` swallows exceptions."),
    "B014": Rule("The exception handler {code} names an exception that another one includes."),
    "B016": Rule("Raising the literal {code} fails; raise an exception."),
    "B017": Rule("The test expects any {0}; it should expect a specific exception."),
    "B025": Rule("The exception {0} is caught twice in the same `try`."),
    "B029": Rule("This `except ()` catches nothing."),
    "B030": Rule("The handler {code} does not name an exception class."),
    "B904": Rule("The new exception should be raised `from` the one being handled{where}."),
    "BLE001": Rule("Catching {0} is too broad; catch the specific exceptions.", Sight.BLOCK),
    "E722": Rule("The bare `except` catches everything{where}; name the exceptions."),
    "F707": Rule("The bare `except` has to be the last handler."),
    "F901": Rule("`raise NotImplemented` should be `raise NotImplementedError`."),
    "PLE0704": Rule("The bare `raise` is not inside an exception handler.", Sight.FUNCTION),
    "PLW0133": Rule("The exception {code} is created but not raised."),
    "PLW0711": Rule("The handler {code} catches only one of these exceptions; use a tuple."),
    "S110": Rule("The exception is silently ignored{where}; log it or handle it."),
    "S112": Rule("The exception is skipped with `continue`; log it or handle it.", Sight.BLOCK),
    "TRY002": Rule("Raise a specific exception instead of the generic {code}."),
    "TRY201": Rule("Re-raise with a plain `raise` instead of naming the exception {code}."),
    "TRY203": Rule(
        "The exception handler is useless: it only raises the error again.", Sight.BLOCK
    ),
    "TRY400": Rule("Log with `logging.exception` so that the traceback is kept{where}."),
    # Comparisons and conditions
    "B015": Rule("The comparison {code} has no effect.", Sight.FUNCTION),
    "B018": Rule("The expression {code} has no effect.", Sight.FUNCTION),
    "E711": Rule("Compare to None with `is` or `is not` instead of an equality operator{where}."),
    "E712": Rule("The comparison {code} to a boolean is redundant; use the value itself."),
    "E713": Rule("The membership test {code} should be written with `not in`."),
    "E714": Rule("The identity test {code} should be written with `is not`."),
    "E721": Rule("The types in {code} should be compared with `isinstance` or `is`."),
    "F631": Rule("The assertion {code} tests a tuple and is therefore always true."),
    "F632": Rule("{code} compares a literal by identity; use an equality operator."),
    "F634": Rule("The condition {code} is a tuple and therefore always true."),
    "PLR0124": Rule("The comparison {0} compares a name with itself."),
    "PLR0133": Rule("The comparison {0} of two constants always has the same result."),
    "PLR1714": Rule("The repeated comparisons {code} could be one membership test."),
    "PLW0129": Rule("The assertion on the string {code} checks nothing."),
    "PLW0177": Rule("Comparing with {code} never finds NaN; use `math.isnan`."),
    "RUF034": Rule("Both branches of {code} give the same value."),
    "SIM102": Rule("The nested `if` statements could be one condition.", Sight.BLOCK),
    "SIM103": Rule("Return the condition itself instead of True and False.", Sight.FUNCTION),
    "SIM118": Rule("The call of `keys()` in {code} is not needed."),
    "SIM201": Rule("The negated comparison {code} is clearer as an inequality."),
    "SIM202": Rule("The negated inequality {code} is clearer as an equality."),
    "SIM208": Rule("The double negation {code} is confusing."),
    "SIM210": Rule("The conditional expression {code} is just a boolean; simplify it."),
    "SIM211": Rule("The conditional expression {code} is just a negation; simplify it."),
    "SIM222": Rule("The condition {code} is always true."),
    "SIM223": Rule("The condition {code} is always false."),
    # Control flow
    "B020": Rule("The loop variable {0} overwrites the collection that it iterates over."),
    "B023": Rule("The inner function uses the loop variable {0}, which changes before it runs."),
    "B031": Rule("The groups from `groupby` can be iterated over only once."),
    "F404": Rule("The import from `__future__` has to come first in the file.", Sight.FILE),
    "PLE0101": Rule("`__init__` must not return a value."),
    "PLR0911": Rule("There are too many `return` statements{where}.", of_definition=True),
    "PLR1711": Rule("The `return` at the end of the function is useless.", Sight.FUNCTION),
    "PLR5501": Rule("The `if` nested in `else` should be an `elif`.", Sight.BLOCK),
    "PLW0120": Rule("The `else` of this loop always runs, as there is no `break`.", Sight.BLOCK),
    "RET503": Rule("Some paths return a value and others end without one{where}.", Sight.FUNCTION),
    "RET505": Rule("The {0} after `return` is unnecessary{where}."),
    # Calls and literals
    "B002": Rule("Python has no increment or decrement operator: {code} changes nothing."),
    "B003": Rule("Assigning to `os.environ` does not change the environment of the process."),
    "B004": Rule("Use `callable` instead of {code} to test whether it can be called."),
    "B005": Rule("{code} strips any of these characters, not the whole string."),
    "B009": Rule("{code} should be a plain attribute access."),
    "B011": Rule("The assertion `assert False` is removed by `python -O`; raise an exception."),
    "B019": Rule("Caching a method keeps every instance alive and leaks memory{where}."),
    "B026": Rule("The unpacked argument {code} comes after a keyword argument."),
    "B032": Rule("{code} is an annotation; an assignment was probably meant."),
    "B033": Rule("The set contains the item {0} more than once."),
    "B035": Rule("The dictionary comprehension always uses the same key {code}."),
    "C416": Rule("The comprehension {code} only copies its input."),
    "C419": Rule("The list comprehension {code} could be a generator expression."),
    "E731": Rule("The lambda assigned in {code} should be a function.", Sight.FUNCTION),
    "F601": Rule("The dictionary key {code} is repeated."),
    "F602": Rule("The dictionary key {code} is repeated."),
    "LOG015": Rule("The call {code} logs to the root logger; use a logger of this module."),
    "PERF102": Rule("The loop over {code} uses only keys or only values of the dictionary."),
    "PLC0206": Rule("Iterate over `items()` instead of looking up each key of the dictionary."),
    "PLE0241": Rule("The base class {0} is listed twice."),
    "PLE0302": Rule("The special method {0} takes the wrong number of parameters."),
    "PLE1205": Rule("The logging call passes more arguments than its format string takes."),
    "PLE1206": Rule("The logging call passes fewer arguments than its format string takes."),
    "PLE1507": Rule("The name of an environment variable has to be a string, not {code}."),
    "PLW0245": Rule("{code} lacks the parentheses of the call."),
    "PLW1501": Rule("{code} is not a valid mode for opening a file."),
    "PLW1509": Rule("The argument `preexec_fn` is unsafe in a program with threads."),
    "PLW1510": Rule("The result of `subprocess.run` is not checked; pass `check`."),
    "PLW2101": Rule("The lock created in this `with` statement protects nothing."),
    "PT011": Rule("{0} is too broad; match the message or a more specific exception."),
    "PT015": Rule("The assertion {code} always fails."),
    "RUF006": Rule("The task from {code} may be garbage collected; keep a reference to it."),
    "RUF015": Rule("{code} builds a whole list to take its first element; use `next`."),
    "SIM115": Rule("The file opened by {code} may never be closed; use a context manager."),
    # Strings
    "F501": Rule("The format string in {code} is not valid."),
    "F502": Rule("The format string in {code} needs a mapping."),
    "F503": Rule("The format string in {code} needs a sequence."),
    "F504": Rule("The format string in {code} does not use all of its named arguments."),
    "F505": Rule("The format string in {code} has a placeholder without an argument."),
    "F506": Rule("The format string in {code} mixes positional and named placeholders."),
    "F507": Rule("The format string in {code} does not fit the number of its arguments."),
    "F509": Rule("The format string in {code} has an unsupported format character."),
    "F521": Rule("The format string in {code} is not valid."),
    "F522": Rule("The format string in {code} does not use all of its named arguments."),
    "F523": Rule("The format string in {code} does not use all of its arguments."),
    "F524": Rule("The format string in {code} has a placeholder without an argument."),
    "F525": Rule("The format string in {code} mixes automatic and manual numbering."),
    "F541": Rule("The f-string {code} has no placeholders."),
    "PLE2502": Rule("Invisible characters here make the code read differently than it runs."),
    "W605": Rule("The escape sequence {0} is not valid; use a raw string."),
    # Security
    "S102": Rule("The use of `exec` can run arbitrary code{where}."),
    "S103": Rule("The file permissions {code} are too permissive."),
    "S104": Rule("Binding to all network interfaces with {code} may expose the service."),
    "S105": Rule("The password or secret {0} is hardcoded."),
    "S106": Rule("The password or secret {0} is hardcoded in this call."),
    "S107": Rule("The parameter {0} has a hardcoded password as its default."),
    "S108": Rule("The fixed temporary path {code} is insecure; use `tempfile`."),
    "S113": Rule("The request {code} has no timeout and may hang forever."),
    "S201": Rule("Flask runs in debug mode, which lets anyone run code."),
    "S202": Rule("Extracting an archive with {code} can write outside the target folder."),
    "S301": Rule("Unpickling untrusted data with {code} can run arbitrary code."),
    "S302": Rule("Loading untrusted data with {code} is dangerous."),
    "S306": Rule("The use of `mktemp` is insecure; use `mkstemp`."),
    "S307": Rule("Evaluating {code} can run arbitrary code; use `ast.literal_eval`."),
    "S308": Rule("Marking {code} as safe can allow cross-site scripting."),
    "S323": Rule("The unverified context {code} does not check certificates."),
    "S324": Rule("The hash function in {code} is insecure."),
    "S501": Rule("The certificate check is disabled by `verify=False`."),
    "S502": Rule("The SSL protocol {0} is insecure."),
    "S506": Rule("Loading YAML with {code} can run arbitrary code; use `yaml.safe_load`."),
    "S507": Rule("Unknown SSH host keys are accepted without a check."),
    "S602": Rule("Running a command through the shell allows shell injection{where}."),
    "S604": Rule("Passing `shell=True` to this call allows shell injection."),
    "S605": Rule("Starting a process through the shell with {code} allows shell injection."),
    "S608": Rule("The SQL query is built from strings, which allows SQL injection{where}."),
    "S701": Rule("The template environment does not escape HTML, which allows scripting."),
    # Waiting and time
    "ASYNC251": Rule("`time.sleep` blocks the event loop; use the asynchronous sleep{where}."),
    "DTZ005": Rule("The call {code} gives a time without a time zone."),
}
