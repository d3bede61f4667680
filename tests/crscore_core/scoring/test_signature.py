"""What a score says that it was made with."""

import dataclasses

from crscore_core.scoring.signature import Signature

SIGNATURE = Signature("words", "symbolic", (("ruff", "0.17"), ("pmd", "7")), 0.25, "1.0")


def test_a_signature_reads_as_one_line() -> None:
    expected = "crscore:1.0|encoder:words|claims:symbolic|analyzers:ruff=0.17,pmd=7|tau:0.25"
    assert str(SIGNATURE) == expected
    assert SIGNATURE.precision == "float32"
    assert "|analyzers:none|" in str(dataclasses.replace(SIGNATURE, analyzers=()))


def test_another_precision_than_float32_is_shown() -> None:
    other = dataclasses.replace(SIGNATURE, precision="bfloat16")
    assert str(other) == str(SIGNATURE).replace("words", "words|precision:bfloat16")
