"""Headings of members that are told by their text: constructors, accessors, generic methods."""

import re

from crscore_core.claims.symbolic.speech.words import named

_LANGUAGES = frozenset({"java", "javascript", "typescript", "c", "cpp", "csharp"})
_HEADING = re.compile(
    r"(?P<modifiers>(?:(?:public|private|protected|internal|static|async|explicit|inline|constexpr"
    r"|override|abstract|virtual|readonly)\s+)*)"
    r"(?P<accessor>get\s+|set\s+)?"
    r"(?:(?P<owner>\w+)(?:<[^<>()]*>)?::)?(?P<name>~?[A-Za-z_#$][\w$]*)"
    r"(?:<[^()]*>)?\s*\((?P<parameters>[^()]*)\)\s*(?P<rest>[:{=].*)?",
    re.DOTALL,
)
_SHOWN = ("public", "private", "protected", "internal", "static", "async", "abstract")
_KEYWORDS = frozenset(
    """
    if for while switch catch return new throw function super this using lock do else synchronized
    fixed checked unchecked
    """.split()
)


def member(text: str, language: str | None) -> str:
    """Return what the heading of a member defines, or nothing where `text` is surely none."""
    if language not in _LANGUAGES:
        return ""
    text = text[:500]
    found = _HEADING.fullmatch(text)
    if found is None or found["name"] in _KEYWORDS or found["rest"] is None:
        return ""
    words = [m for m in found["modifiers"].split() if m in _SHOWN]
    name = found["name"]
    if found["accessor"]:
        noun = f"{found['accessor'].strip()}ter of {named(name)}"
    elif name.startswith("~"):
        noun = f"destructor of {named(name)}"
    elif name == found["owner"] or (name[:1].isupper() and language in {"java", "csharp", "cpp"}):
        noun = f"constructor of {named(name)}"
    elif found["rest"].startswith("=") or language in {"c", "cpp"}:
        return ""
    else:
        noun = f"method {named(name)}"
    return " ".join(["defines the", *words, noun])
