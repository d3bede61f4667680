"""Predicates of whatever a diff may hold: they end, are short, clean and always the same."""

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.claims.symbolic.logical import LogicalLine
from crscore_core.claims.symbolic.recognition import recognise
from crscore_core.claims.symbolic.speech import predicate
from crscore_core.claims.symbolic.speech.words import MAX_WORDS
from crscore_core.claims.symbolic.statement import Sort, Statement

LANGUAGES = [
    "python", "java", "javascript", "typescript", "c", "cpp", "csharp", "go", "php", "ruby",
    "sql", "yaml", "html", "markdown", None,
]  # fmt: skip


def line(text: str) -> LogicalLine:
    return LogicalLine(text, (0,), (0,), 1, 0, prose=False)


def said(text: str, language: str | None) -> str:
    return predicate(recognise(line(text), language), language)


def check(words: str) -> None:
    assert len(words) <= MAX_WORDS
    assert not [c for c in words if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
    assert "`" not in words
    assert words == " ".join(words.split())
    if words:
        assert words.split(maxsplit=1)[0].rstrip(":").endswith("s")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "code",
    [
        "x = " + "(" * 300,
        "x = " + "(" * 300 + "1" + ")" * 290,
        "x = " + "[" * 5000,
        "return " + "!" * 500 + "done;",
        "return " + "-" * 500 + "1",
        "x = " + "a." * 200 + "b",
        "x = " + "f(" * 55 + ")" * 55,
        "x = " + "a + " * 140 + "b",
        "if (" + "a && " * 100 + "b) {",
        "x = " + "y ? 1 : " * 60 + "2",
        "List" + "<List" * 100 + ">" * 100 + " x;",
        "except `\x80:",
        "[]" * 250 + "int x;",
        "x = " + "a" * 1_000_000,
        "# " + "a" * 1_000_000,
        "x = 'unbalanced",
        'return "half and `other \\',
        "x = 'a\u202eb\x07\x1b[31m'",
        "x = '\ud800'",
        "\x00 = \x00",
        "rocket🚀 = '🚀' + \u200bname",
        "größe = länge * 2",
        "`rm -rf` = `x`",
        ")]}",
        "}{][)(",
        "import",
        "from import",
        "case :",
        "else",
        "catch (",
        "@",
        "raise",
        "throw",
        "panic()",
        "for",
        "assert",
        "print()",
        "::new",
        "_ = _",
    ],
)
def test_hostile_code_ends_in_a_short_clean_predicate(code: str, language: str | None) -> None:
    check(said(code, language))


_PIECES = st.sampled_from(
    (
        "if for while return throw raise new await yield not in is null None nil && || ! == != < > "
        "( ) [ ] { } . , ; : :: -> => ?. ?? ? = += ++ -- & * << >> + - 'a' \"b\" `c` ${d} #{e} "
        "f(x) user.name items[0] 42 0x1F # // /* */ @it $x class def function func const let var "
        "int String List<int> case switch match with import from end do |x| lambda ... \\ \n"
    ).split(" ")
)
_CODE = st.lists(_PIECES, max_size=25).map(" ".join) | st.text(max_size=120)


@given(code=_CODE, language=st.sampled_from(LANGUAGES))
def test_any_code_has_a_short_clean_predicate_that_stays_the_same(
    code: str, language: str | None
) -> None:
    words = said(code, language)
    check(words)
    assert said(code, language) == words


@given(
    code=_CODE,
    sort=st.sampled_from(list(Sort)),
    subject=_CODE,
    detail=_CODE,
    language=st.sampled_from(LANGUAGES),
)
def test_any_statement_has_a_short_clean_predicate(
    code: str, sort: Sort, subject: str, detail: str, language: str | None
) -> None:
    read = recognise(line(code), language)
    check(predicate(Statement(sort, read.source, read.tokens, subject, detail), language))


def test_threads_say_the_same() -> None:
    codes = [
        (f"total{i} = price.get('a{i}') + {i}" + ";" * (language != "python"), language)
        for i in range(40)
        for language in LANGUAGES
    ]
    alone = [said(*code) for code in codes]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            assert list(pool.map(lambda code: said(*code), codes)) == alone
