"""Warnings are `kind: details`, or a kind alone, which has no numbers and no names."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from crscore_core import ChangeInput, CRScorer
from crscore_core.change import parse_change
from crscore_core.claims import Answer, parse_response
from crscore_core.claims.llm.language_model import LanguageModelClaims
from crscore_core.errors import InputError
from crscore_core.scoring import read_review
from tests.cases import cases
from tests.crscore_core.changes import BINARY, PYTHON
from tests.crscore_core.claims.llm.scripted_model import ANSWER, ScriptedModel
from tests.word_encoder import WordEncoder

FOLDER = Path(__file__).parent
MANY = "--- a/9.kt\n+++ b/9.kt\n@@ -0,0 +1,3000 @@\n" + "".join(
    f"+x{number} = f({number})\n" for number in range(3000)
)
LONG = f"{PYTHON.replace('items', 'x' * 3000)}\n{MANY}"
CHANGES = [
    ChangeInput(PYTHON, ["Why 1?", "", "word. " * 30_000, "x\n" * 2000], new_file="other"),
    ChangeInput("@@ -1 +1 @@\n a\n", ["Why 2?"], language="klingon 3"),
    ChangeInput("no diff 4", ["Why 5?"]),
    ChangeInput(MANY + BINARY, ["Why 6?"]),
]
LISTS = "\n".join(f"{number}. Point {number} is added." for number in range(40))


def warnings() -> Iterator[str]:
    for _, diff, _ in cases(FOLDER / "change/hazards.txt"):
        with suppress(InputError):
            yield from parse_change(diff).warnings
    for name in ("review_text.txt", "wrapped.txt"):
        for _, review, _ in cases(FOLDER / "scoring" / name):
            yield from read_review(review).warnings
    for _, response, _ in cases(FOLDER / "claims/responses.txt"):
        yield from parse_response(response, "a model").warnings
    scorer = CRScorer(encoder=WordEncoder(longest=5), tau=0.5)
    for scores in scorer.score_changes(CHANGES):
        for score in scores:
            yield from (*score.warnings, *score.not_analysed)
    for text in (ANSWER, LISTS):
        model = ScriptedModel(lambda _, text=text: Answer(text, "limit 7"))  # type: ignore[misc]
        yield from LanguageModelClaims(model, "model 8").generate(parse_change(LONG)).warnings


def test_a_kind_has_no_numbers_and_no_names() -> None:
    found = list(warnings())
    kinds = {warning.partition(": ")[0] for warning in found}
    assert 25 < len(kinds) < len({*found}) / 2
    assert [
        kind for kind in kinds if re.search(r"\d|\"|/|\.\w|klingon|\(by|ruff|kotlin", kind)
    ] == []
