"""Headings of functions and types, in the notations of many languages."""

import re
from dataclasses import dataclass, replace

from crscore_core.claims.symbolic.lexing import Token, TokenKind, split_top


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter as written; `default` is empty where there is none.

    `optional` says that a call may leave it out, `how` in which way it is passed where the
    language sets that: "by keyword" or "by position".
    """

    name: str
    text: str
    default: str = ""
    optional: bool = False
    how: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """What the first line of a definition says.

    `noun` is the word for what is defined (`method`, `class`, ...), `result` the return type
    of a function, `bases` the types that a type extends, `throws` the declared exceptions.
    """

    noun: str
    name: str
    modifiers: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    result: str = ""
    bases: tuple[str, ...] = ()
    throws: tuple[str, ...] = ()


_MODIFIERS = frozenset(
    "public private protected internal static final abstract async virtual override sealed "
    "export default inline constexpr extern synchronized native open partial readonly unsafe "
    "pub const explicit friend fileprivate suspend".split()
)
_DEFINERS = frozenset({"def", "function", "func", "fn", "fun", "sub", "defp"})
_NOT_RESULT = frozenset(
    "return new throw else await yield case goto delete typeof in is and or not assert raise "
    "import package using if while for switch echo print when unless elif do require from "
    "include puts extends implements defer go".split()
)
_NOT_NAME = frozenset(
    "if for while switch catch return function with synchronized lock using foreach elif elsif "
    "unless until sizeof typeof super this self when assert require match func fn fun "
    "def lambda".split()
)
_RECEIVER = re.compile(r"^\s*(?:self|cls|this|&self|&mut self|mut self)\s*$")
_BODIED = frozenset({"java", "csharp", "php", "c", "cpp", "typescript", "kotlin", "dart"})


def function_heading(code: tuple[Token, ...], text: str, language: str | None) -> Heading | None:
    """Return the heading of a function that `code` starts, or None."""
    at, modifiers = _skip_annotations_and_modifiers(code)
    if at >= len(code):
        return None
    if code[at].text in _DEFINERS:
        return _defined(code, text, at, modifiers, language)
    return _assigned(code, text, language) or _bodied(code, text, at, modifiers, language)


def _skip_annotations_and_modifiers(code: tuple[Token, ...]) -> tuple[int, tuple[str, ...]]:
    at = 0
    modifiers: list[str] = []
    while at < len(code):
        if code[at].text == "@" and at + 1 < len(code) and code[at + 1].text != "interface":
            at += 2
            if at < len(code) and code[at].text == "(":
                close = _close(code, at)
                if close is None:
                    return len(code), ()
                at = close + 1
        elif code[at].text in _MODIFIERS and at + 1 < len(code) and code[at + 1].text not in "=(.":
            modifiers.append(code[at].text)
            at += 1
        else:
            break
    return at, tuple(modifiers)


def _defined(
    code: tuple[Token, ...],
    text: str,
    at: int,
    modifiers: tuple[str, ...],
    language: str | None,
) -> Heading | None:
    """`def name(...)`, `function name(...)`, Go's `func (r *T) name(...)`."""
    at += 1
    noun = "function"
    if at < len(code) and code[at].text == "(" and code[at - 1].text == "func":
        close = _close(code, at)
        if close is None:
            return None
        at, noun = close + 1, "method"
    while at < len(code) and code[at].text in {"*", "&"}:
        at += 1
    if at >= len(code) or code[at].kind is not TokenKind.NAME:
        return None
    if at + 2 < len(code) and code[at + 1].text == "." and code[at].text == "self":
        at += 2
    name = code[at].text
    opening = next((i for i in range(at + 1, len(code)) if code[i].text == "("), None)
    if opening is None:
        return Heading("method", name, modifiers)
    parameters, close, receiver = _parameters(code, text, opening, language)
    result = ""
    if close is not None and close + 1 < len(code):
        end = _end_of_result(code, close + 1, language)
        tail = text[code[close].end : end].strip()
        result = tail.rstrip("{:; ").removeprefix("->").removeprefix(":").strip()
    noun = "method" if receiver else noun
    return Heading(noun, name, modifiers, parameters, result[:60])


def _assigned(code: tuple[Token, ...], text: str, language: str | None) -> Heading | None:
    """`name = function(...)`, `const name = (...) =>`, `name: function(...)`."""
    mark = next((i for i, t in enumerate(code[:8]) if t.text in {"=", ":"}), None)
    if not mark or mark + 1 >= len(code) or code[mark - 1].kind is not TokenKind.NAME:
        return None
    if any(t.text == "type" for t in code[: mark - 1]):
        return None
    at = mark + 1
    if code[mark].text == ":" and code[0].text in {"const", "let", "var", "export"}:
        at = next((i for i, t in enumerate(code[:24]) if t.text == "="), mark) + 1
    is_async = code[at].text == "async"
    at += is_async
    if at >= len(code):
        return None
    if code[at].text == "function":
        at += 1
        if at < len(code) and code[at].kind is TokenKind.NAME:
            at += 1
    if at >= len(code) or code[at].text != "(":
        return None
    opening = at
    parameters, close, _ = _parameters(code, text, at, language)
    arrow = close is not None and close + 1 < len(code) and code[close + 1].text == "=>"
    if not arrow and "function" not in (code[opening - 1].text, code[opening - 2].text):
        return None
    name = code[mark - 1].text
    return Heading("function", name, ("async",) if is_async else (), parameters)


def _bodied(
    code: tuple[Token, ...],
    text: str,
    at: int,
    modifiers: tuple[str, ...],
    language: str | None,
) -> Heading | None:
    """`int name(...) {`, `public void name(...) throws E`, `name(...) {`."""
    opening = next((i for i in range(at, min(len(code), at + 24)) if code[i].text == "("), None)
    if opening is None or opening == at or code[opening - 1].kind is not TokenKind.NAME:
        return None
    name = code[opening - 1].text
    before = code[at : opening - 1]
    if name in _NOT_NAME or not _is_result(before):
        return None
    parameters, close, _ = _parameters(code, text, opening, language)
    if close is None:
        return None
    after = [t.text for t in code[close + 1 :]]
    special = language == "cpp" and after[-1:] == [";"] and after[-3:-1] in _SPECIAL
    if special:
        after = after[:-3]
    if before and before[-1].text == "~":
        before, name = before[:-1], f"~{name}"
    if after and "{" in (after[-1], after[0] if after[-1] == "}" else "") and "=>" not in after[:2]:
        whole = after[-1] == "}"
        if after[0] not in _BEFORE_BODY or (whole and language not in _BODIED_AT_ONCE):
            return None
    elif not (
        language in _BODIED
        and (before or special or "abstract" in modifiers)
        and _is_declared(
            parameters, after, sure=special or bool(modifiers) or language not in {"c", "cpp"}
        )
    ):
        return None
    if language == "cpp" and "override" in after:
        modifiers = (*modifiers, "override")
    result = text[before[0].start : before[-1].end] if before else ""
    if "::" in result.split("<")[0] and before[-1].text == "::":
        result = result.rsplit(" ", 1)[0] if " " in result else ""
    noun = "method" if language in {"java", "csharp", "php", "javascript", "typescript"} else (
        "function"
    )  # fmt: skip
    if not before and modifiers and language in {"java", "csharp", "cpp"}:
        noun = "destructor" if name.startswith("~") else "constructor"
    return Heading(
        noun, name, modifiers, parameters, result, throws=_thrown(code[close + 1 :], text)
    )


_SPECIAL = (["=", "0"], ["=", "default"], ["=", "delete"])
"""What C++ gives a function instead of a body."""

_BODIED_AT_ONCE = frozenset({*"java csharp php c cpp javascript typescript dart".split()})
"""Languages in which braces after parentheses on the same line hold the body of a function."""

_IN_RESULT = frozenset({"<", ">", ",", "[", "]", "*", "&", "::", "?", ".", "~"})
_BEFORE_BODY = frozenset({"{", "throws", "const", "override", "noexcept", ":", "->", "where"})


def _end_of_result(code: tuple[Token, ...], start: int, language: str | None) -> int:
    """Where the declared result ends that begins at token `start`: where a body follows it."""
    depth = 0
    for at in range(start, len(code)):
        mark = code[at].text
        depth += (mark in {"(", "[", "<"}) - (mark in {")", "]", ">"})
        is_body = mark == "=" or (mark == ":" and language == "python")
        if is_body and depth <= 0:
            return code[at].start
    return code[-1].end


def _is_result(before: tuple[Token, ...]) -> bool:
    """Whether the tokens before a name can be its type, or its class in C++."""
    if before and before[-1].text in {".", "?."}:
        return False
    return all(
        t.text in _IN_RESULT if t.kind is TokenKind.MARK else t.text not in _NOT_RESULT
        for t in before
    )


def _is_declared(parameters: tuple[Parameter, ...], after: list[str], *, sure: bool) -> bool:
    """Whether a heading without a body is a declaration, and not a call or a variable."""
    if not parameters and after == [";"] and not sure:
        return False
    ends = after in ([], [";"]) or (after[0] in {"throws", "const"} and "=" not in after)
    return ends and _plausible(parameters)


def _plausible(parameters: tuple[Parameter, ...]) -> bool:
    """Whether each looks like a declaration, not like an argument."""
    return all(
        " " in p.text and not p.text.startswith(("'", '"', "new ")) and "(" not in p.text
        for p in parameters
    )


def _close(code: tuple[Token, ...], opening: int) -> int | None:
    depth = 0
    for index in range(opening, len(code)):
        if code[index].kind is TokenKind.MARK:
            depth += (code[index].text in "([{") - (code[index].text in ")]}")
            if depth == 0:
                return index
    return None


def _thrown(tail: tuple[Token, ...], text: str) -> tuple[str, ...]:
    """The exceptions after `throws`."""
    at = next((i for i, t in enumerate(tail) if t.text == "throws"), None)
    if at is None:
        return ()
    end = next((i for i, t in enumerate(tail) if t.text in {"{", ";"}), len(tail))
    return split_top(tail[at + 1 : end], text)


def _parameters(
    code: tuple[Token, ...], text: str, opening: int, language: str | None
) -> tuple[tuple[Parameter, ...], int | None, bool]:
    """Parameters from the bracket at `opening`, its close, and whether there is a receiver."""
    close = _close(code, opening)
    parts = split_top(code[opening + 1 : close], text, angles=True)
    receiver = any(_RECEIVER.match(part) for part in parts[:1])
    kept = parts[1:] if receiver else parts
    if language in {"c", "cpp"} and kept == ("void",):
        kept = ()
    if language == "go":
        return _go_parameters(kept), close, receiver
    return _python_marks([_parameter(part, language) for part in kept]), close, receiver


def _python_marks(parameters: list[Parameter]) -> tuple[Parameter, ...]:
    """Take out Python's `*` and `/`, and say of the others how they are passed."""
    texts = [p.text for p in parameters]
    if "/" in texts:
        at = texts.index("/")
        parameters[:at] = [replace(p, how="by position") for p in parameters[:at]]
    star = next((i for i, t in enumerate(texts) if t == "*"), None)
    if star is not None:
        parameters[star:] = [replace(p, how="by keyword") for p in parameters[star:]]
    return tuple(p for p in parameters if p.text not in {"*", "/"})


def _go_parameters(parts: tuple[str, ...]) -> tuple[Parameter, ...]:
    """Names come first, and those without a type have that of the next; or types stand alone."""
    if not any(" " in part for part in parts):
        return tuple(Parameter(part, part) for part in parts)
    found: list[Parameter] = []
    kind = ""
    for part in reversed(parts):
        name, _, own = part.partition(" ")
        kind = own.strip() or kind
        found.append(Parameter(name, f"{name} {kind}", optional=kind.startswith("...")))
    return tuple(reversed(found))


_WORD = re.compile(r"[^\W\d][\w$]*")
_POINTER = re.compile(r"\(\s*[*^&]\s*([^\W\d]\w*)")
_ATTRIBUTES = re.compile(r"^(?:@\w[\w.]*(?:\([^()]*\))?\s+)+")
_ANY_NUMBER = re.compile(r"^(?:\*|\.\.\.)|\.\.\.(?:\s|$)|\w\.\.\.|\.\.\.\$|^params\s|^&\w+$")


def _parameter(text: str, language: str | None) -> Parameter:
    declared, _, default = text.partition("=")
    if default.startswith(">"):
        declared, default = text, ""
    declared = _ATTRIBUTES.sub("", declared)
    before_type, colon, after = (
        declared.partition(":") if "::" not in declared else (declared, "", "")
    )
    if language == "ruby" and colon and not default:
        default = after
    pointer = _POINTER.search(before_type)
    words = _WORD.findall(before_type)
    name = words[-1] if words else before_type.strip()
    if pointer:
        name = pointer.group(1)
    if text.startswith(("{", "[")):
        name = declared.strip()
    starred = language in {"python", "ruby", None} and text.startswith("*")
    optional = bool(default.strip()) or before_type.rstrip().endswith("?")
    if starred or (not text.startswith("*") and _ANY_NUMBER.search(text)):
        optional = text not in {"*", "/"}
    return Parameter(name or text, text, default.strip(), optional=optional)


_TYPE_NOUNS = frozenset(
    "class interface struct enum trait record namespace module protocol object union".split()
)
_BASES = frozenset({"extends", "implements", ":", "<", "(", "with"})


def type_heading(code: tuple[Token, ...], text: str, language: str | None) -> Heading | None:
    """Return the heading of a class, interface or other type that `code` starts, or None."""
    at, modifiers = _skip_annotations_and_modifiers(code)
    if at + 2 < len(code) and code[at].text == "type" and code[at + 2].text in {
        "struct", "interface",
    }:  # fmt: skip
        return Heading(code[at + 2].text, code[at + 1].text, modifiers)
    while at < len(code) and code[at].text in {"data", "case", "static", "@", "typedef"}:
        at += 1
    if at + 1 >= len(code) or code[at].text not in _TYPE_NOUNS:
        return None
    noun = code[at].text
    if noun == "enum" and code[at + 1].text in {"class", "struct"} and at + 2 < len(code):
        at += 1
    if code[at + 1].kind is not TokenKind.NAME:
        return None
    following = code[at + 2].text if at + 2 < len(code) else "{"
    if following not in _BASES | {"{", ":", ";"} or (following == ";" and len(code) > at + 3):
        return None
    bases = _bases(code[at + 2 :], text, language)
    return Heading(noun, code[at + 1].text, modifiers, bases=bases)


_BEFORE_BASE = frozenset({"extends", "implements", "with", ":", ",", "<"})
_ACCESS = re.compile(r"^(?:(?:public|private|protected|virtual)\s+)+")


def _bases(tail: tuple[Token, ...], text: str, language: str | None) -> tuple[str, ...]:
    """The types that the rest of a heading says a type extends, without type parameters."""
    end = next((i for i, t in enumerate(tail) if t.text in {"{", ";", "where", "permits"}), None)
    tail = tail[:end]
    if tail and tail[0].text == "<":
        close = _close_angle(tail)
        tail = tail if close is None else tail[close + 1 :]
    if tail and tail[0].text == "(":
        close = _close(tail, 0)
        if language in {"python", None}:
            arguments = split_top(tail[1:close], text)
            return tuple(p for p in arguments if not re.match(r"\w+\s*=", p))
        tail = () if close is None else tail[close + 1 :]
    found: list[tuple[int, int]] = []
    depth, start = 0, 0
    for index, token in enumerate(tail):
        if depth == 0 and token.text in _BEFORE_BASE and (token.text != "<" or index == 0):
            found.append((start, index))
            start = index + 1
        else:
            depth += (token.text in "([<") - (token.text in ")]>")
    found.append((start, len(tail)))
    parts = (text[tail[a].start : tail[b - 1].end] for a, b in found if b > a)
    return tuple(_ACCESS.sub("", part) for part in parts)


def _close_angle(tail: tuple[Token, ...]) -> int | None:
    depth = 0
    for index, token in enumerate(tail):
        depth += (token.text == "<") - (token.text == ">")
        if depth == 0:
            return index
    return None
