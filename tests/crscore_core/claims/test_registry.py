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


def test_every_option_is_a_value_and_every_value_an_option() -> None:
    options = {option.name for backend in CLAIM_BACKENDS.values() for option in backend.options}
    assert options | {"use_cache"} == {field.name for field in fields(ClaimOptions)}


def test_language_models_are_created_without_loading() -> None:
    address = ClaimOptions(base_url="http://127.0.0.1:9/v1", model="m", api_key=KEY)
    for name, options in (("magicoder", ClaimOptions(device="cpu")), ("endpoint", address)):
        generator = claim_generator(name, options)
        assert isinstance(generator, LanguageModelClaims)
        assert KEY not in repr(generator) + repr(options) + repr(vars(generator))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("symbolic", ClaimOptions(model="m"), "model; it is for magicoder and endpoint"),
        ("symbolic", ClaimOptions(base_url="http://h"), "base URL; it is for endpoint"),
        ("symbolic", ClaimOptions(device="cpu"), "device; it is for magicoder"),
        ("magicoder", ClaimOptions(base_url="http://h"), "base URL; it is for endpoint"),
        ("magicoder", ClaimOptions(api_key=KEY), "API key; it is for endpoint"),
        ("endpoint", ClaimOptions(revision="r"), "revision; it is for magicoder"),
        ("endpoint", ClaimOptions(device="cuda"), "device; it is for magicoder"),
        ("symbolic", ClaimOptions(max_tokens=5), "max tokens; it is for magicoder and endpoint"),
        ("a file", ClaimOptions(model="m"), "model; it is for magicoder and endpoint"),
    ],
)
def test_an_unsupported_option_is_rejected(name: str, options: ClaimOptions, message: str) -> None:
    with pytest.raises(
        InputError, match=f"claims '{name}' do not accept the option {message}"
    ) as raised:
        check_claim_options(name, options)
    assert KEY not in str(raised.value)
    if name != "a file":
        with pytest.raises(InputError, match=message):
            claim_generator(name, options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *(
            (ClaimOptions(max_tokens=tokens), "max tokens must be from 1 to 100,000, not ")
            for tokens in (0, -1, 100_001)
        ),
        (ClaimOptions(device="tpu"), "device must be cuda or cpu, not 'tpu'"),
    ],
)
def test_an_invalid_value_is_rejected(options: ClaimOptions, message: str) -> None:
    with pytest.raises(InputError, match=message):
        claim_generator("magicoder", options)
