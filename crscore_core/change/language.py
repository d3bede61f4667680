"""Which language a file is written in."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from crscore_core.change.language_signs import SIGNS
from crscore_core.errors import LanguageError

__all__ = ["LANGUAGES", "guess_language", "language_of_name", "normalise_language"]

LANGUAGES: dict[str, str] = {
    "python": "Python",
    "java": "Java",
    "javascript": "JavaScript",
    "typescript": "TypeScript",
    "c": "C",
    "cpp": "C++",
    "csharp": "C#",
    "go": "Go",
    "php": "PHP",
    "ruby": "Ruby",
}
"""The languages of CodeReviewer, by the name used everywhere here, with the name to show."""

_ALIASES = {
    "py": "python", "python3": "python",
    "js": "javascript", "node": "javascript", "jsx": "javascript",
    "ts": "typescript", "tsx": "typescript",
    "c++": "cpp", "cc": "cpp", "cxx": "cpp",
    "c#": "csharp", "cs": "csharp",
    "golang": "go",
    "rb": "ruby",
}  # fmt: skip

_EXTENSIONS = {
    "py": "python", "pyi": "python", "pyw": "python",
    "java": "java",
    "js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript",
    "ts": "typescript", "tsx": "typescript", "mts": "typescript", "cts": "typescript",
    "c": "c", "h": "c",
    "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "hh": "cpp", "hpp": "cpp", "hxx": "cpp",
    "cs": "csharp",
    "go": "go",
    "php": "php", "phtml": "php",
    "rb": "ruby", "rake": "ruby", "gemspec": "ruby",
    "kt": "kotlin", "kts": "kotlin", "scala": "scala", "groovy": "groovy", "gradle": "groovy",
    "rs": "rust", "swift": "swift", "m": "objective-c", "dart": "dart", "lua": "lua", "r": "r",
    "pl": "perl", "pm": "perl", "ex": "elixir", "exs": "elixir", "vue": "vue",
    "sh": "shell", "bash": "shell", "ps1": "powershell", "sql": "sql",
    "html": "html", "htm": "html", "xml": "xml", "css": "css", "scss": "css", "less": "css",
    "json": "json", "yaml": "yaml", "yml": "yaml", "toml": "toml", "ini": "ini", "cfg": "ini",
    "properties": "properties", "md": "markdown", "rst": "restructuredtext", "txt": "text",
}  # fmt: skip

_NAMES = {
    "makefile": "make", "dockerfile": "docker", "rakefile": "ruby", "gemfile": "ruby",
    "jenkinsfile": "groovy",
}  # fmt: skip

_COMPILED = {
    language: [(re.compile(pattern), weight) for pattern, weight in signs]
    for language, signs in SIGNS.items()
}
_GUESS_LINES = 400
_GUESS_WIDTH = 300


def normalise_language(language: str) -> str:
    """The name used here for a language in any of its usual spellings (`js`, `.cs`, `C++`).

    Raises:
        LanguageError: the language is not known.
    """
    key = language.strip().lower().removeprefix(".")
    key = _ALIASES.get(key, key)
    if key not in LANGUAGES:
        raise LanguageError(
            f"unknown language {language[:40]!r}; one of {', '.join(LANGUAGES)}, "
            "or none to tell by file name"
        )
    return key


def language_of_name(path: str) -> str | None:
    """Language by file name, None where the name does not tell."""
    name = PurePosixPath(path.replace("\\", "/")).name.lower()
    _, dot, extension = name.rpartition(".")
    return _NAMES.get(name) or (_EXTENSIONS.get(extension) if dot else None)


def guess_language(lines: Iterable[str]) -> str | None:
    """Guess the language of code lines from signs of each language.

    Every sign of a language found in a line gives it the weight of that sign; None where no
    language has a sign. A guess only: tell the person that it is one.
    """
    scores = dict.fromkeys(_COMPILED, 0)
    for _, line in zip(range(_GUESS_LINES), lines, strict=False):
        for language, signs in _COMPILED.items():
            code = line[:_GUESS_WIDTH]
            scores[language] += sum(weight for pattern, weight in signs if pattern.search(code))
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] > 0 else None
