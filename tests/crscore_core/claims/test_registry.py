"""Backends by name, and the options that each accepts."""

from dataclasses import fields
from pathlib import Path

import pytest

from crscore_core.claims import (
    CLAIM_BACKENDS,
    DEFAULT_CLAIMS,
    ClaimOptions,
    check_claim_options,
    claim_generator,
    language_model,
)
from crscore_core.claims.llm.claims import LanguageModelClaims
from crscore_core.errors import InputError

KEY = "sk-a-secret-key"


@pytest.fixture(autouse=True)
def _own_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_the_backends() -> None:
    assert {"symbolic", "magicoder", "endpoint"} <= CLAIM_BACKENDS.keys()
    assert DEFAULT_CLAIMS == "symbolic"
    for backend in CLAIM_BACKENDS.values():
        assert backend.needs
        assert backend.availability(ClaimOptions()).reason
    assert CLAIM_BACKENDS["symbolic"].availability(ClaimOptions()).is_available


def test_options_are_fields_of_values() -> None:
    options = {option.name for backend in CLAIM_BACKENDS.values() for option in backend.options}
    assert options <= {field.name for field in fields(ClaimOptions)}


def test_language_models_are_created_without_loading() -> None:
    address = ClaimOptions(base_url="http://127.0.0.1:9/v1", model="m", api_key=KEY)
    for name, options in (("magicoder", ClaimOptions(device="cpu")), ("endpoint", address)):
        generator = claim_generator(name, options)
        assert isinstance(generator, LanguageModelClaims)
        assert KEY not in repr(generator) + repr(options) + repr(vars(generator))


@pytest.mark.parametrize(
    ("name", "options", "label"),
    [
        ("symbolic", ClaimOptions(model="m"), "model"),
        ("symbolic", ClaimOptions(base_url="http://h"), "base URL"),
        ("magicoder", ClaimOptions(api_key=KEY), "API key"),
        ("magicoder", ClaimOptions(device="tpu"), "device"),
        ("endpoint", ClaimOptions(revision="r"), "revision"),
        ("endpoint", ClaimOptions(device="cuda"), "device"),
        ("a file", ClaimOptions(model="m"), "model"),
    ],
)
def test_an_unsupported_option_is_rejected(name: str, options: ClaimOptions, label: str) -> None:
    with pytest.raises(InputError, match=label) as raised:
        check_claim_options(name, options)
    assert KEY not in str(raised.value)
    if name != "a file":
        with pytest.raises(InputError, match=label):
            claim_generator(name, options)


def test_only_some_backends_have_a_language_model() -> None:
    assert language_model("endpoint", ClaimOptions(base_url="http://h", model="m")).can_sample
    assert not language_model("magicoder").can_sample
    for name in ("symbolic", "nothing"):
        with pytest.raises(InputError, match="magicoder or endpoint"):
            language_model(name)
