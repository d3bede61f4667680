"""Errors: fields, and one line of text."""

import pickle

import pytest

from crscore_core.errors import InputError, ModelError, UnavailableError


@pytest.mark.parametrize(("fields", "line"), [
    (("it is empty",), "it is empty"),
    (("it is empty", "give a text"), "it is empty; give a text"),
    (("it is empty", "", "file 'a', line 3"), "file 'a', line 3: it is empty"),
    (("it is empty", "give a text", "file 'a'"), "file 'a': it is empty; give a text"),
    (("two\nlines\r\n", "a\nb"), "two lines; a b"),
])  # fmt: skip
@pytest.mark.parametrize("kind", [InputError, UnavailableError, ModelError])
def test_an_error_is_one_line(kind: type[InputError], fields: tuple[str, ...], line: str) -> None:
    for error in (kind(*fields), pickle.loads(pickle.dumps(kind(*fields)))):  # noqa: S301 - ours
        assert (type(error), str(error)) == (kind, line)
        assert (error.problem, error.advice, error.place)[: len(fields)] == fields
    wider = kind(*fields).within("run 'b'")
    assert type(wider) is kind
    assert wider.place == ", ".join(filter(None, ("run 'b'", kind(*fields).place)))
