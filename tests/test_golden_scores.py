"""Claims and scores of a dozen changes move only when their version is raised.

`python -m tests.test_golden_scores` writes the file again. It refuses if claims or scores moved and
neither `CLAIMS_VERSION` nor `SCORING_VERSION` of `crscore_core/version.py` was raised.

Claims are the symbolic ones. Scores are of the reviews in `sample_data`, with the added lines of
the diff as claims, so that they move only if review reading, smells or similarities do; PMD and
JSHint, which may be missing, are left out.
"""

import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crscore_core import CRScorer
from crscore_core.analyzers import ANALYZERS
from crscore_core.change import parse_change
from crscore_core.claims import GivenClaims, claim_backend, claims_from_items
from crscore_core.version import CLAIMS_VERSION, SCORING_VERSION

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = Path(__file__).with_name("golden_scores.json")
COMMAND = "python -m tests.test_golden_scores"
TOLERANCE = 0.002  # processors differ in the fifth digit
PER_LANGUAGE = 4
WITHOUT = {"pmd", "jshint"}


def computed() -> dict[str, Any]:
    """The versions, claims and scores of this checkout, for the first samples of each language."""
    analyzers = {
        language: [one for one in ones if one.name not in WITHOUT]
        for language, ones in ANALYZERS.items()
    }
    claims, scores, tools = {}, {}, set[str]()
    for language in ("python", "java", "javascript"):
        for path in sorted(ROOT.glob(f"sample_data/{language}/*.diff"))[:PER_LANGUAGE]:
            reviews = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["reviews"]
            diff = path.read_text(encoding="utf-8")
            made = claim_backend("symbolic").generate(parse_change(diff)).claims
            texts = "\n".join("\t".join((one.kind, one.text, *one.wordings)) for one in made)
            claims[path.stem] = hashlib.sha256(texts.encode()).hexdigest()[:16]
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
    versions = {"claims_version": CLAIMS_VERSION, "scoring_version": SCORING_VERSION}
    return {**versions, "tools": sorted(tools), "claims": claims, "scores": scores}


def not_raised(golden: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return what moved with no raised version; another version of a tool also moves scores."""
    return [
        f"raise {version.upper()} of crscore_core, then run {COMMAND}: {part} moved"
        for version, part in (("claims_version", "claims"), ("scoring_version", "scores"))
        if not _is_same(golden[part], now[part]) and now[version] <= golden[version]
        if version == "claims_version" or now["tools"] == golden["tools"]
    ]


def _is_same(one: Any, other: Any) -> bool:  # noqa: ANN401 - JSON
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= TOLERANCE
    return bool(one == other)


def main() -> None:
    """Write the golden file, unless a version was not raised."""
    now = computed()
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    if problems := not_raised(golden, now):
        sys.exit("\n".join(problems))
    GOLDEN.write_text(f"{json.dumps(now, separators=(',', ':'))}\n", encoding="utf-8")


def test_claims_and_scores_move_only_with_their_versions() -> None:
    golden, now = json.loads(GOLDEN.read_text(encoding="utf-8")), computed()
    assert not_raised(golden, now) == []
    assert _is_same(golden, now), f"the versions were raised: run {COMMAND}"


if __name__ == "__main__":
    main()
