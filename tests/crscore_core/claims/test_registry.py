"""Backends by name, and the options that each accepts."""

import pytest

from crscore_core.claims import ModelOptions, claim_backend, language_model
from crscore_core.claims.llm.language_model import LanguageModelClaims
from crscore_core.errors import InputError

KEY = "sk-a-secret-key"


def test_language_models_are_created_without_loading() -> None:
    address = ModelOptions(base_url="http://127.0.0.1:9/v1", model="m", api_key=KEY)
    for name, options in (("magicoder", ModelOptions(device="cpu")), ("endpoint", address)):
        generator = claim_backend(name, options)
        assert isinstance(generator, LanguageModelClaims)
        assert KEY not in repr(generator) + repr(options) + repr(vars(generator))


@pytest.mark.parametrize(
    ("name", "options", "label"),
    [
        ("symbolic", ModelOptions(model="m"), "model"),
        ("symbolic", ModelOptions(base_url="http://h"), "base-url"),
        ("magicoder", ModelOptions(api_key=KEY), "api-key"),
        ("endpoint", ModelOptions(device="cuda"), "device"),
    ],
)
def test_an_unsupported_option_is_rejected(name: str, options: ModelOptions, label: str) -> None:
    with pytest.raises(InputError, match=label) as raised:
        claim_backend(name, options)
    assert KEY not in str(raised.value)


def test_only_some_backends_have_a_language_model() -> None:
    assert "m" in language_model("endpoint", ModelOptions(base_url="http://h", model="m")).name
    for name in ("symbolic", "nothing"):
        with pytest.raises(InputError, match="magicoder or endpoint"):
            language_model(name)
