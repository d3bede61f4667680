"""Operators and well-known functions in words; `{0}` and `{1}` are what they stand between."""

JOINED = {"&&": "and", "and": "and", "||": "or", "or": "or"}
"""What joins conditions."""

COMPARED = {
    "==": "{0} is {1}", "===": "{0} is {1}", "is": "{0} is {1}", "eq": "{0} is {1}",
    "!=": "{0} is not {1}", "!==": "{0} is not {1}", "<>": "{0} is not {1}",
    "is not": "{0} is not {1}",
    "<": "{0} is less than {1}", ">": "{0} is greater than {1}",
    "<=": "{0} is at most {1}", ">=": "{0} is at least {1}",
    "in": "{0} is in {1}", "not in": "{0} is not in {1}",
    "instanceof": "{0} is an instance of {1}", "not instanceof": "{0} is not an instance of {1}",
    "=~": "{0} matches {1}", "!~": "{0} does not match {1}",
}  # fmt: skip
"""What a comparison says."""

DENIED = {
    "==": "!=", "===": "!=", "is": "is not", "!=": "==", "!==": "==", "is not": "is",
    "<": ">=", ">": "<=", "<=": ">", ">=": "<", "in": "not in", "not in": "in",
    "=~": "!~", "!~": "=~", "eq": "!=", "<>": "==", "instanceof": "not instanceof",
    "not instanceof": "instanceof",
}  # fmt: skip
"""The comparison that holds where another does not."""

COMPUTED = {
    "+": "{0} plus {1}", "-": "{0} minus {1}", "*": "{0} times {1}", "/": "{0} divided by {1}",
    "//": "{0} divided by {1}", "%": "{0} modulo {1}", "**": "{0} to the power of {1}",
    "@": "{0} times {1}", "&": "{0} masked with {1}", "|": "{0} combined with {1}",
    "^": "{0} xor {1}", "<<": "{0} shifted left by {1}", ">>": "{0} shifted right by {1}",
    ">>>": "{0} shifted right by {1}", "??": "{0} or else {1}", "?:": "{0} or else {1}",
    ".": "{0} joined with {1}", "<=>": "{0} compared with {1}", "..": "{0} to {1}",
    "...": "{0} to {1}", "&^": "{0} without {1}",
}  # fmt: skip
"""The value of an operator."""

PREFIXED = {
    "-": "minus {0}", "+": "{0}", "~": "the complement of {0}", "&": "{0}", "*": "the value at {0}",
    "await": "the awaited {0}", "co_await": "the awaited {0}", "typeof": "the type of {0}",
    "sizeof": "the size of {0}", "void": "nothing from {0}", "<-": "what {0} receives",
    "++": "{0} incremented", "--": "{0} decremented",
    "++ after": "{0} before it is incremented", "-- after": "{0} before it is decremented",
    "@": "{0}", "clone": "a copy of {0}",
    "^": "{0} from the end", "yield": "{0}", "defined?": "whether {0} is defined",
}  # fmt: skip
"""The value of an operator before or after its only operand."""

EMPTY = frozenset({"null", "None", "nil", "undefined", "NULL", "nullptr"})
"""Names of what is no value."""

MEASURED = {
    "len": "length", "length": "length", "size": "size", "count": "count", "strlen": "length",
    "sizeof": "size", "typeof": "type", "type": "type", "Length": "length", "Count": "count",
    "cap": "capacity", "keys": "keys", "values": "values", "sum": "sum", "max": "maximum",
    "min": "minimum", "abs": "absolute value", "nameof": "name", "hash": "hash",
}  # fmt: skip
"""Functions of one argument that give a property of it."""

SHAPED = {
    "lower": "{0} in lower case", "toLowerCase": "{0} in lower case",
    "ToLower": "{0} in lower case", "downcase": "{0} in lower case",
    "upper": "{0} in upper case", "toUpperCase": "{0} in upper case",
    "ToUpper": "{0} in upper case", "upcase": "{0} in upper case",
    "strip": "{0} stripped of blanks", "trim": "{0} stripped of blanks",
    "Trim": "{0} stripped of blanks", "copy": "a copy of {0}", "clone": "a copy of {0}",
    "dup": "a copy of {0}", "toString": "{0} as a string", "to_s": "{0} as a string",
    "ToString": "{0} as a string", "to_string": "{0} as a string", "to_i": "{0} as a number",
    "toList": "{0} as a list", "ToList": "{0} as a list", "toArray": "{0} as an array",
    "ToArray": "{0} as an array", "to_a": "{0} as an array", "to_sym": "{0} as a symbol",
    "to_h": "{0} as a hash", "pop": "the last item of {0}", "next": "the next item of {0}",
}  # fmt: skip
"""Methods without arguments that give another form of what they are called on."""

QUESTIONS = ("is ", "has ", "can ", "should ", "was ", "are ", "does ", "needs ", "supports ")
"""How the words of a name begin that asks something."""

TESTED = {
    "isinstance": "{0} is {not}an instance of {1}", "is_a?": "{0} is {not}an instance of {1}",
    "kind_of?": "{0} is {not}an instance of {1}", "issubclass": "{0} is {not}a subclass of {1}",
    "hasattr": "{0} {has}{1}", "in_array": "{0} is {not}in {1}",
    "array_key_exists": "{0} is {not}a key of {1}", "key?": "{0} {has}the key {1}",
    "has_key?": "{0} {has}the key {1}", "containsKey": "{0} {has}the key {1}",
    "ContainsKey": "{0} {has}the key {1}", "hasOwnProperty": "{0} {has}the property {1}",
    "respond_to?": "{0} {s:respond} to {1}", "equals": "{0} {s:equal} {1}",
    "Equals": "{0} {s:equal} {1}", "equalsIgnoreCase": "{0} {s:equal} {1} in any case",
    "contains": "{0} {s:contain} {1}", "Contains": "{0} {s:contain} {1}",
    "includes": "{0} {s:include} {1}", "include?": "{0} {s:include} {1}",
    "startsWith": "{0} {s:start} with {1}", "StartsWith": "{0} {s:start} with {1}",
    "startswith": "{0} {s:start} with {1}", "start_with?": "{0} {s:start} with {1}",
    "HasPrefix": "{0} {s:start} with {1}", "HasSuffix": "{0} {s:end} with {1}",
    "endsWith": "{0} {s:end} with {1}", "EndsWith": "{0} {s:end} with {1}",
    "endswith": "{0} {s:end} with {1}", "end_with?": "{0} {s:end} with {1}",
    "matches": "{0} {s:match} {1}", "match?": "{0} {s:match} {1}",
}  # fmt: skip
"""Functions of two values, the first of which may be what they are called on."""

TESTED_ALONE = {
    "isset": "{0} is {not}set", "empty": "{0} is {not}empty", "empty?": "{0} is {not}empty",
    "isEmpty": "{0} is {not}empty", "nil?": "{0} is {not}nil", "blank?": "{0} is {not}blank",
    "present?": "{0} is {not}present", "any?": "{0} {has}any", "exists?": "{0} {s:exist}",
    "callable": "{0} is {not}callable", "isPresent": "{0} is {not}present",
    "defined": "{0} is {not}defined", "is_null": "{0} is {not}null", "exists": "{0} {s:exist}",
    "IsNullOrEmpty": "{0} is {not}null or empty", "file_exists": "{0} {s:exist}",
    "IsNullOrWhiteSpace": "{0} is {not}null or blank", "isNull": "{0} is {not}null",
    "nonNull": "{0} is {nan}null", "hasNext": "{0} {has}a next element",
    "isNaN": "{0} is {nan}a number", "isnan": "{0} is {nan}a number",
}  # fmt: skip
"""Functions of one value, which may be what they are called on; `{nan}` says the reverse."""

PREPOSITIONS = frozenset("of from with by to on for at in as after before than within off".split())
"""Words that make no sense after "calls" or before "of"."""

CLIENTS = frozenset(
    "requests http https axios client session router app api server fetch rest agent".split()
)
"""Names of what `get` and `put` send a request with, rather than look something up in."""

STORED = frozenset(
    {"put", "set", "setItem", "setAttribute", "setProperty", "setParameter", "setdefault"}
)
"""Methods that keep their second argument under the first."""

ACTORS = frozenset(
    """
    os fs path shutil file router history navigator navigation location git docker np numpy Object
    object promise parser builder
    """.split()
)
"""Last words of names of what does something with an argument, rather than holds it."""

HOLDERS = frozenset(
    """
    list set map dict cache queue stack collection array repository repo store table registry
    hash index vector group pool db database storage buffer context classlist
    """.split()
)
"""Last words of names of what things are taken out of."""

TAKEN_OUT = frozenset({"remove", "Remove", "discard", "delete"})
"""Methods that take their argument out, or do something else to it."""

DONE = {
    "append": "appends {1} to {0}", "add": "adds {1} to {0}", "push": "adds {1} to {0}",
    "Add": "adds {1} to {0}", "addAll": "adds {1} to {0}", "AddRange": "adds {1} to {0}",
    "push_back": "adds {1} to {0}", "emplace_back": "adds {1} to {0}", "extend": "adds {1} to {0}",
    "remove": "removes {1} from {0}", "Remove": "removes {1} from {0}",
    "discard": "removes {1} from {0}", "delete": "deletes {1} from {0}",
}  # fmt: skip
"""Methods of one argument that change what they are called on."""
