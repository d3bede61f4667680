"""Backends by name, and the options that each accepts."""

from pathlib import Path

import pytest

from crscore_core.claims import (
    CLAIM_BACKENDS,
    DEFAULT_CLAIMS,
    ClaimOptions,
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
    assert CLAIM_BACKENDS["symbolic"].check(ClaimOptions())
    assert all(backend.needs for backend in CLAIM_BACKENDS.values())


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
        ("symbolic", ClaimOptions(base_url="http://h"), "base_url"),
        ("magicoder", ClaimOptions(api_key=KEY), "api_key"),
        ("endpoint", ClaimOptions(device="cuda"), "device"),
    ],
)
def test_an_unsupported_option_is_rejected(name: str, options: ClaimOptions, label: str) -> None:
    with pytest.raises(InputError, match=label) as raised:
        claim_generator(name, options)
    assert KEY not in str(raised.value)


def test_only_some_backends_have_a_language_model() -> None:
    assert language_model("endpoint", ClaimOptions(base_url="http://h", model="m")).can_sample
    assert not language_model("magicoder").can_sample
    for name in ("symbolic", "nothing"):
        with pytest.raises(InputError, match="magicoder or endpoint"):
            language_model(name)
