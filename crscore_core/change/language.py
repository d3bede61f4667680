"""Determine the language of a file by name or declaration, or guess it from the code."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from crscore_core.errors import InputError
from crscore_core.text import whole_text

LONGEST_LANGUAGE = 100
"""Limit of a language's name, in characters."""

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
"""Languages that have analyzers: names used in this package, with the names to show."""

_ALIASES = {"python3": "python", "node": "javascript", "c++": "cpp", "c#": "csharp", "golang": "go"}

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

_SIGNS: dict[str, tuple[tuple[str, int], ...]] = {
    "python": (
        (r"^\s*(?:async )?def \w+\(.*", 4),
        (r"^\s*(?:el)?if .*:\s*(?:#.*)?$", 3),
        (r"^\s*(?:else|try|finally):\s*$", 4),
        (r"^\s*except\b.*:", 4),
        (r"^\s*(?:for .+ in .+|while .+|with .+):\s*$", 4),
        (r"^\s*from [\w.]+ import ", 5),
        (r"^\s*import [\w.]+(?: as \w+)?\s*$", 4),
        (r"\bself\.\w", 3),
        (r"^\s*class \w+.*:\s*$", 4),
        ("\"\"\"|\\'\\'\\'", 3),
        (r"\b(?:None|True|False)\b", 2),
        (r"^\s*#(?!include|define|if|end)", 1),
        (r"^\s*@\w+(?:\.\w+)*(?:\(.*)?$", 1),
        (r"\b(?:not in|is not|elif|lambda \w+:|isinstance\()", 3),
        (r"^\s*(?:raise|yield|pass|print)\b[^;{]*$", 2),
        (r"\bf['\"]", 2),
    ),
    "java": (
        (r"^\s*(?:public|private|protected)\s+[\w<>\[\], ?]+\(?", 4),
        (r"^\s*import (?:static )?[\w.]+(?:\.\*)?;", 6),
        (r"^\s*package [\w.]+;", 4),
        (r"\b(?:String|Integer|Boolean|List<|Map<|Set<|Optional<)\w*", 2),
        (r"@Override\b|@Test\b", 4),
        (r"^\s*@[A-Z]\w+(?:\(.*\))?\s*$", 3),
        (r"\bthrows \w+", 4),
        (r"\bnew [A-Z]\w*(?:<.*>)?\(", 1),
        (r"\bfinal \w+", 2),
        (r"\b(?:implements|extends|instanceof) [A-Z]", 2),
        (r";\s*$", 1),
        (r"\b(?:int|long|boolean|double|float) \w+\s*[=;,)]", 2),
        (r"^\s*\*? ?@(?:param|return|throws)\b", 1),
        (r"\bLogger\b|\bLOG(?:GER)?\.", 2),
        (r"\b\w+\.class\b", 3),
        (r"^\s*[A-Z]\w+(?:<[^>]*>)? \w+ (?:=|:) ", 2),
    ),
    "javascript": (
        (r"\b(?:const|let|var) (?:\w+|[{\[].*[}\]]) = ", 4),
        (r"\bfunction\b\s*\w*\(", 3),
        (r"=>", 3),
        (r"\brequire\(['\"]", 5),
        (r"[!=]==", 3),
        (r"\bmodule\.exports\b|\bexports\.\w+", 5),
        (r"^\s*import .* from ['\"]", 5),
        (r"^\s*export (?:default|const|function|class)\b", 5),
        (r"\bundefined\b|\btypeof\b", 3),
        (r"\bconsole\.\w+\(", 4),
        (r"\bthis\.\w+", 1),
        (r";\s*$", 1),
        (r"\b(?:document|window|Promise|JSON|Object)\.\w", 3),
        (r"\$\{|`", 2),
        (r"\}\);?\s*$", 2),
        (r"^\s*(?:describe|it|test|expect)\(", 4),
        (r"^\s*['\"]?\w+['\"]?: .*,\s*$", 1),
        (r"\bprototype\.\w", 4),
        (r"^\s*async \w+\(|\bawait ", 1),
        (r"^\s*</?[A-Za-z]\w*.*>?\s*$", 1),
    ),
    "typescript": (
        (r"^\s*(?:export )?interface \w+.*\{", 5),
        (r"^\s*(?:export )?type \w+.* = ", 5),
        (r"\b(?:const|let) \w+: \w", 6),
        (r"\w\??: (?:string|number|boolean|any|void|unknown)\b", 6),
        (r"\bas (?:any|string|const)\b", 4),
        (r"^\s*(?:public|private|readonly) \w+\??: ", 5),
        (r"^\s*import .* from ['\"]", 3),
        (r"=>", 2),
        (r"[!=]==", 2),
        (r"\b(?:const|let) ", 2),
    ),
    "c": (
        (r"^\s*#\s*(?:include|define|ifdef|ifndef|endif|if)\b", 5),
        (r"\w->\w", 3),
        (r"\bNULL\b", 3),
        (r"\b(?:struct|static|unsigned|size_t|uint\d+_t|char) ?\*?\w", 3),
        (r"\bsizeof\b|\bmalloc\(|\bfree\(", 4),
        (r"^\s*(?:int|void|char|bool) \*?\w+\(.*", 3),
        (r"\bprintf\(|\bmemcpy\(|\bstr\w+\(", 3),
        (r";\s*$", 1),
    ),
    "cpp": (
        (r"\bstd::\w", 6),
        (r"\w::~?\w", 4),
        (r"^\s*#\s*include <\w+>", 4),
        (r"\btemplate ?<", 5),
        (r"\bnullptr\b", 5),
        (r"\b(?:const )?\w+ ?& ?\w+", 2),
        (r"\bnamespace \w+", 3),
        (r"\w->\w", 2),
        (r"^\s*(?:public|private|protected):\s*$", 4),
        (r"\b(?:auto|virtual|constexpr|override)\b", 3),
        (r"^\s*#\s*(?:include|define|ifdef|ifndef|endif)\b", 3),
        (r";\s*$", 1),
    ),
    "csharp": (
        (r"^\s*using [A-Z][\w.]*;", 6),
        (r"^\s*namespace [A-Z][\w.]*", 5),
        (r"\{ get; ?(?:set;)?", 6),
        (
            (
                r"\b(?:public|private|protected|internal) (?:async |override )*"
                r"(?:string|bool|Task|I?[A-Z])"
            ),
            4,
        ),
        (r"\bvar \w+ = ", 2),
        (r"\b(?:string|bool|object)\b", 2),
        (r"\bawait \w+\.\w+Async\(", 4),
        (r"\.(?:Where|Select|FirstOrDefault|ToList|Any)\(", 4),
        (r"^\s*\[\w+(?:\(.*\))?\]\s*$", 3),
        (r"^\s*///", 3),
        (r"\bnameof\(", 5),
        (r";\s*$", 1),
    ),
    "go": (
        (r"^\s*func (?:\(\w+ \*?\w+\) )?\w+\(", 7),
        (r":= ", 5),
        (r"\bif err != nil\b", 7),
        (r"^\s*package \w+\s*$", 6),
        (r"\bnil\b", 3),
        (r"\bfmt\.\w+\(|\berrors\.\w+\(", 4),
        (r"\b(?:chan|defer|go func|map\[\w+\])\b", 4),
        (r"^\s*type \w+ (?:struct|interface) \{", 6),
        (r"^\t+[A-Z]\w+\s+\*?[\w.\[\]]+(?:\s+`.*`)?$", 3),
        (r"^\s*case .*:\s*$", 1),
    ),
    "php": (
        (r"<\?php", 8),
        (r"\$this->", 6),
        (r"\$\w+\s*(?:=|->|\[|;|,|\))", 4),
        (r"^\s*(?:public|private|protected) (?:static )?function \w+\(", 6),
        (r"\barray\(", 3),
        (r"^\s*use [A-Z][\w\\]+;", 6),
        (r"\bfunction \w+\(.*\$", 5),
        (r";\s*$", 1),
    ),
    "ruby": (
        (r"^\s*end\s*$", 5),
        (r"^\s*def (?:self\.)?\w+[?!]?(?:\(.*\))?\s*$", 5),
        (r"\bdo \|.*\|\s*$", 6),
        (r"^\s*require(?:_relative)? ['\"]", 5),
        (r"(?:^|\s)@\w+ (?:=|\|\|=) ", 4),
        (r"\bnil\?|\.nil\b|\bunless\b", 4),
        (r"^\s*(?:attr_\w+|has_many|belongs_to|validates|let\(:)", 6),
        (r":\w+ =>", 4),
        (r"\bputs\b", 3),
        (r"^\s*(?:context|describe|it) ['\"].*do\s*$", 6),
        (r"^\s*elsif\b", 5),
    ),
}
"""Patterns to search for in each line, with their weights, by language.

A weight is about 1 for a pattern shared by many languages, 4 or more for a distinctive one.
"""

_COMPILED = {
    language: [(re.compile(pattern), weight) for pattern, weight in signs]
    for language, signs in _SIGNS.items()
}
_GUESS_LINES = 400
_GUESS_WIDTH = 300


def normalise_language(language: str) -> str:
    """Return one name for all usual spellings of a language (`js`, `.cs`, `C++`).

    A name that is not in `LANGUAGES` is kept, in lower case and on one line; it may contain any
    character, so it must not become a path.

    Raises:
        InputError: the name is blank or longer than `LONGEST_LANGUAGE`.
    """
    key = " ".join(whole_text(language).replace("\0", "\ufffd").lower().split())
    key = key.lstrip(". ")
    if not key:
        raise InputError("the language is blank; leave it out to have the file name tell it")
    if len(key) > LONGEST_LANGUAGE:
        raise InputError(
            f"the language {key[:40]!r}... is longer than {LONGEST_LANGUAGE} characters"
        )
    return _ALIASES.get(key) or _EXTENSIONS.get(key, key)


def language_of_name(path: str) -> str | None:
    """Return the language of a file by its name, or None if the name does not determine it."""
    name = PurePosixPath(path.replace("\\", "/")).name.lower()
    _, dot, extension = name.rpartition(".")
    return _NAMES.get(name) or (_EXTENSIONS.get(extension) if dot else None)


def guess_language(lines: Iterable[str]) -> str | None:
    """Guess the language of code lines from patterns typical of each language.

    Every pattern found in a line adds its weight to its language; None if no pattern is found.
    Callers must present the result as a guess.
    """
    scores = dict.fromkeys(_COMPILED, 0)
    for _, line in zip(range(_GUESS_LINES), lines, strict=False):
        for language, signs in _COMPILED.items():
            code = line[:_GUESS_WIDTH]
            scores[language] += sum(weight for pattern, weight in signs if pattern.search(code))
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] > 0 else None
