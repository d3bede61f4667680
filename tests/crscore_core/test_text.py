"""Damaged or invisible text, encodings and languages."""

import pytest

from crscore_core.errors import InputError
from crscore_core.text import escape_invisible, is_english, replace_surrogates, text_of_file


def test_invisible_characters_are_named() -> None:
    assert escape_invisible("a\x1b[2J\u202eb\nc\ufffe") == "aU+001B[2JU+202EbU+000AcU+FFFE"
    assert escape_invisible("a\u202eb\tc\n", keeps_lines=True) == "aU+202Eb\tc\n"
    assert replace_surrogates("a\ud800b") == "a\ufffdb"


def test_files_are_read_in_utf_8_and_marked_utf_16() -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert text_of_file("Größe".encode(encoding), "file 'x'") == "Größe"
    with pytest.raises(InputError, match=r"^file 'x', line 2: not valid UTF-8$"):
        text_of_file(b"a\ncaf\xe9", "file 'x'")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Please add a test for the empty list, and say why it may be None here.", True),
        ("LGTM", True),
        ("", True),
        ("```java\nfinal List<String> names = new ArrayList<>();\n```", True),
        ("Fix `prüfeDieListe` and `größe` please", True),
        ("Diese Methode sollte den Fehler abfangen, wenn die Datei nicht gefunden wird.", False),
        ("Cette méthode devrait gérer le cas où la liste est vide.", False),
        ("¿Por qué se devuelve None aquí y no una lista vacía?", False),
        ("Пожалуйста, добавьте тест для `load`", False),
        ("请为空列表添加一个测试 `paginate(items)`", False),
    ],
)
def test_a_text_in_another_language_is_recognized(text: str, expected: bool) -> None:
    assert is_english(text) is expected
