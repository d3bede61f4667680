"""Damaged or invisible text, and encodings."""

from codecs import BOM_UTF8

import pytest

from crscore_core.errors import InputError
from crscore_core.text import decode_file, escape_invisible, replace_surrogates


def test_invisible_characters_are_named() -> None:
    assert escape_invisible("a\x1b[2J\u202eb\nc\ufffe") == "aU+001B[2JU+202EbU+000AcU+FFFE"
    assert escape_invisible("a\u202eb\tc\n", keeps_lines=True) == "aU+202Eb\tc\n"
    assert replace_surrogates("a\ud800b") == "a\ufffdb"


def test_files_are_read_in_utf_8_and_marked_utf_16() -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert decode_file("Größe".encode(encoding), "file 'x'") == "Größe"
    for mark in (b"", BOM_UTF8):
        with pytest.raises(InputError, match=r"^file 'x', line 2: not valid UTF-8$"):
            decode_file(mark + b"a\n\xe9", "file 'x'")
