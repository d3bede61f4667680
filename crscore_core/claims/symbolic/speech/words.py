"""Names, types and texts of a program, as English words."""

import re
from functools import lru_cache

from crscore_core.claims.symbolic.candidate import cleaned, spoken

MAX_WORDS = 160
"""Characters of one predicate."""

_MAX_CONTENT = 80
_MAX_LISTED = 5
_MAX_NAME = 200
_MAX_TYPE = 120

_ANGLES = re.compile(r"<.*>", re.DOTALL)
_SCOPE = re.compile(r"^(?:::|\\|std::)+")


@lru_cache(maxsize=4096)
def named(name: str) -> str:
    """Return the words of an identifier, a path of them included: "max retries"."""
    made = name.endswith("::new")
    name = _SCOPE.sub("", name[:_MAX_NAME].removesuffix("::new"))
    name = _ANGLES.sub("", name).partition("<")[0]
    said = spoken(name) if name.isascii() else cleaned(name.replace("`", " ").strip("$@:&*_"))[:60]
    if not said:
        return _ALONE.get(name, "")
    return with_article(f"new {said}") if made else said


_ALONE = {"_": "nothing", "*": "everything"}

_GENERIC = re.compile(r"[<\[](.*)[>\]]", re.DOTALL)
_QUALIFIERS = re.compile(
    r"\b(?:const|struct|final|readonly|volatile|var|auto|let|class|enum|public|private|protected|virtual)\b"
)


@lru_cache(maxsize=1024)
def typed(code: str) -> str:
    """Return the words of a type: `List<String>` as "list of string"."""
    code = _QUALIFIERS.sub(" ", code[:_MAX_TYPE]).strip(" :&*?^!")
    if code.startswith("(") and code.endswith(")"):
        return listed([typed(part) for part in code[1:-1].split(",")])
    if "|" in code and "<" not in code:
        return listed([typed(part) for part in code.split("|")], "or")
    return _generic(code)


def _generic(code: str) -> str:
    """The words of a type that may have others in brackets."""
    held = _GENERIC.search(code)
    if held is None:
        return named(code)
    if code.startswith("["):
        return f"list of {typed(code.partition(']')[2])}".removesuffix(" of ")
    base = named(code[: held.start()])
    inside = " to ".join(w for p in held[1].split(",")[:2] if (w := typed(p)))
    if not inside:
        return f"{base} array" if "[" in held[0] else base
    return f"{base} of {inside}" if base else inside


_MARKS = {
    "": "an empty string", " ": "a space", ",": "a comma", ".": "a dot", ":": "a colon",
    ";": "a semicolon", "/": "a slash", "\\": "a backslash", "-": "a dash", "_": "an underscore",
    "|": "a bar", "&": "an ampersand", "#": "a hash", "=": "an equals sign", "+": "a plus sign",
    "*": "an asterisk", "%": "a percent sign", "?": "a question mark", "(": "a parenthesis",
    ")": "a parenthesis", "\n": "a line break", "@": "an at sign", "'": "a quote", '"': "a quote",
    ", ": "a comma", ": ": "a colon", "\t": "a tab", "\r": "a carriage return",
    "\0": "a null character",
}  # fmt: skip


def content(text: str) -> str:
    """Return what a string says, a lone mark as its name."""
    if text in _MARKS:
        return _MARKS[text]
    said = cleaned(text[: 2 * _MAX_CONTENT]).replace("`", "'")
    if not said:
        return "a space"
    return _cut(said, _MAX_CONTENT)


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    short = text[: limit - 1]
    if " " in short[limit // 2 :]:
        short = short.rpartition(" ")[0]
    return short.rstrip(" ,;:") + "…"


def bounded(text: str) -> str:
    """Return `text` cleaned, cut at a word after `MAX_WORDS` characters."""
    return _cut(cleaned(text), MAX_WORDS)


def listed(items: list[str], joining: str = "and") -> str:
    """Return an enumeration of `items`, of which a long one shows the first."""
    shown = [item for item in items if item]
    if len(shown) > _MAX_LISTED:
        shown = [*shown[: _MAX_LISTED - 1], "more"]
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} {joining} {shown[-1]}"


def with_article(noun: str) -> str:
    """Return `noun` with "a" or "an"."""
    if not noun:
        return ""
    first = noun.split(maxsplit=1)[0]
    spelt = len(first) == 1 or first.isupper() or _VOWELS.isdisjoint(first.lower())
    if spelt:  # letter by letter: "an X", "an http error", "a key"
        vowel = first[0].upper() in "AEFHILMNORSX"
    else:
        vowel = first[0] in "aeioAEIO" or (first[0] in "uU" and first[:3].lower() not in _YOU)
        vowel = vowel and first[:3].lower() != "one"
    return f"{'an' if vowel else 'a'} {noun}"


_VOWELS = frozenset("aeiouy")
_YOU = frozenset({"uni", "use", "usa", "uti", "uri", "url"})
"""How words begin with a "u" that is spoken as "you"."""
