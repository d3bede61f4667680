"""Claims and scores of a dozen changes, rules and the prompt change only with their version.

`python -m tests.test_golden_scores` writes the file again. It refuses if something changed and its
version (`CLAIMS_VERSION`, `SCORING_VERSION` or `PROMPT_VERSION`) was not raised.

Claims are symbolic. The reviews in `sample_data` are scored with the added lines of the diff as
claims, so that scores change only if review reading, smells or similarities change. PMD and JSHint,
which may be missing, are left out. The rules of all analyzers and the prompts for language models
about the same changes are stored as hashes.
"""

import hashlib
import json
import sys
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from crscore_core import CRScorer
from crscore_core.analyzers import ANALYZERS
from crscore_core.change import parse_change
from crscore_core.claims import GivenClaims, claim_backend, claims_from_items
from crscore_core.claims.llm.prompt import build_prompt, shown_change
from crscore_core.version import CLAIMS_VERSION, PROMPT_VERSION, SCORING_VERSION
from crscore_eval.data.shipped import shipped_study
from crscore_eval.data.sources import KINDS

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = Path(__file__).with_name("golden_scores.json")
COMMAND = "python -m tests.test_golden_scores"
TOLERANCE = 0.0002  # scores are rounded to four digits; processors differ in the fifth
PER_LANGUAGE = 4
WITHOUT = {"pmd", "jshint"}
RULES = [f"analyzers/{name}" for name in "*.txt */*.txt */rules.xml */configuration.json".split()]
PARTS = {"claims": "claims_version", "prompt": "prompt_version",
         "scores": "scoring_version", "rules": "scoring_version"}  # fmt: skip
"""The version to raise when a part changes."""


def digest(text: str) -> str:
    """The beginning of a text's hash."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def hashes(*patterns: str) -> dict[str, str]:
    """The hash of each file in this checkout that matches a pattern."""
    paths = sorted(chain.from_iterable(map(ROOT.glob, patterns)))
    return {path.relative_to(ROOT).as_posix(): digest(path.read_text("utf-8")) for path in paths}


def computed() -> dict[str, Any]:
    """The versions, claims and scores of this checkout, for the first samples of each language."""
    claims, prompts, scores, tools = {}, {}, {}, set[str]()
    for language in ("python", "java", "javascript"):
        analyzers = {language: [one for one in ANALYZERS[language] if one.name not in WITHOUT]}
        for path in sorted(ROOT.glob(f"sample_data/{language}/*.diff"))[:PER_LANGUAGE]:
            reviews = json.loads(path.with_suffix(".json").read_text("utf-8"))["reviews"]
            diff = path.read_text("utf-8")
            made = claim_backend("symbolic").generate(parse_change(diff)).claims
            wordings = ("\t".join((one.kind, one.text, *one.wordings)) for one in made)
            claims[path.stem] = digest("\n".join(wordings))
            prompts[path.stem] = digest(build_prompt(shown_change(parse_change(diff), len)[0]))
            added = [line[1:].strip() for line in diff.splitlines() if line[:1] == "+"]
            given = GivenClaims(claims_from_items([line for line in added if line]))
            scored = CRScorer(claims=given, tau=0.3, analyzers=analyzers).score_many(diff, reviews)
            tools |= {f"{use.name} {use.version}" for use in scored[0].signature.ran}
            scores[path.stem] = [
                [len(score.sentences), len(score.pseudo_references), round(one.conciseness, 4),
                 round(one.comprehensiveness, 4)]
                for score in scored if (one := score.without_threshold)
            ]  # fmt: skip
    tools = {tool for tool in tools if not tool.startswith("python-structure")}  # it names Python
    kinds = map(json.loads, KINDS.read_text("utf-8").splitlines())
    diffs = [*shipped_study().changes["diff"], *(row["diff"] for row in kinds)]
    changes = map(parse_change, dict.fromkeys(diffs))
    shipped = chain.from_iterable(claim_backend("symbolic").generate(one).claims for one in changes)
    claims["all shipped"] = digest("\n".join(claim.text for claim in shipped))
    return {
        "claims_version": CLAIMS_VERSION, "scoring_version": SCORING_VERSION,
        "prompt_version": PROMPT_VERSION, "tools": sorted(tools),
        "rules": hashes(*RULES), "prompt": prompts,
        "claims": claims, "scores": scores,
    }  # fmt: skip


def not_raised(golden: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return what changed without a raised version, except scores that a tool's version changed."""
    return [
        f"raise {version.upper()} of crscore_core, then run {COMMAND}: {part} moved"
        for part, version in PARTS.items()
        if not _is_same(golden[part], now[part]) and now[version] <= golden[version]
        if part != "scores" or now["tools"] == golden["tools"]
    ]


def _is_same(one: Any, other: Any) -> bool:  # noqa: ANN401 - JSON
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return bool(one == (pytest.approx(other, abs=TOLERANCE) if type(other) is float else other))


def main() -> None:
    """Write the golden file, unless a version was not raised."""
    now = computed()
    if problems := not_raised(json.loads(GOLDEN.read_text("utf-8")), now):
        sys.exit("\n".join(problems))
    GOLDEN.write_text(f"{json.dumps(now, separators=(',', ':'))}\n", encoding="utf-8")


def test_claims_and_scores_change_only_with_their_versions() -> None:
    golden, now = json.loads(GOLDEN.read_text("utf-8")), computed()
    assert not_raised(golden, now) == []
    assert _is_same(golden, now), f"the versions were raised: run {COMMAND}"


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_changes_needs_a_raised_version(part: str) -> None:
    golden = json.loads(GOLDEN.read_text("utf-8"))
    moved = {**golden, part: {**golden[part], next(iter(golden[part])): "another"}}
    assert len(not_raised(golden, moved)) == 1
    assert not_raised(golden, {**moved, PARTS[part]: golden[PARTS[part]] + 1}) == []


if __name__ == "__main__":
    main()
