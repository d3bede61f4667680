"""`CRScorer` from a diff and reviews to scores."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from crscore_core import ChangeInput, ClaimSet, CRScorer, PseudoReference
from crscore_core.analyzers import AnalyzerResult, Smell, Status
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import Claims, GivenClaims, ReferenceKind, claims_from_items
from crscore_core.errors import InputError
from tests.crscore_core.changes import BINARY, JAVA_HUNK, PYTHON
from tests.word_encoder import WordEncoder

CLAIMS = ("load returns the items of the data", "an empty list hides every error")


def scorer(
    encoder: WordEncoder | None = None, tau: float = 0.5, claims: Claims = CLAIMS,
    **more: Any,  # noqa: ANN401 - passed on
) -> CRScorer:  # fmt: skip
    return CRScorer(claims=claims, encoder=encoder or WordEncoder(), tau=tau, **more)


def test_a_review_that_repeats_a_claim_covers_it() -> None:
    score = scorer(tau=0.9).score(PYTHON, "load returns the items of the data. thanks a lot")
    assert score.covered == (0,)
    assert [sentence.on_topic for sentence in score.sentences] == [True, False]
    assert score.sentences[0].best_reference == 0
    assert score.conciseness == 1 / 2
    assert score.comprehensiveness == 1 / len(score.pseudo_references)
    assert score.feedback.missed == score.pseudo_references[1:]
    assert score.feedback.off_topic == ("thanks a lot",)
    assert score.summary.endswith("1 of 2. Pseudo-references covered: 1 of 3.")
    assert score.at(-1).summary.endswith("3 of 3.")  # too few to say which sentence covers them
    several = claims_from_items([f"{CLAIMS[0]} {number}" for number in range(6)])
    many = GivenClaims(several)
    assert scorer(claims=many, analyzers={}).score(PYTHON, f"Thanks. {CLAIMS[0]}").summary == (
        "Sentences that match a pseudo-reference: 1 of 2. Pseudo-references covered: 6 of 6. "
        "S2 alone covers 6."
    )
    again = scorer().score(PYTHON, "an error. an error. an error")
    assert any("repeat" in warning for warning in again.warnings)


def test_pseudo_references_are_claims_then_implications_then_smells() -> None:
    items = [{"text": "it may fail", "kind": "implication"}, "a claim", "A  CLAIM"]
    score = scorer(claims=claims_from_items(items)).score(PYTHON, "text")
    kinds = [reference.kind for reference in score.pseudo_references]
    assert kinds[:2] == [ReferenceKind.CLAIM, ReferenceKind.IMPLICATION]
    assert set(kinds[2:]) == {ReferenceKind.SMELL}
    claim, implication, smell, *_ = score.pseudo_references
    assert (claim.text, implication.text) == ("a claim", "it may fail")
    assert (smell.path, smell.line) == ("app/store.py", 14)


def test_another_tau_embeds_nothing_again() -> None:
    encoder = WordEncoder()
    score = scorer(encoder).score(PYTHON, "load the items of the data. an error")
    calls = len(encoder.calls)
    low, high = score.at(-1.0), score.at(1.0)
    assert len(encoder.calls) == calls
    assert (low.conciseness, low.comprehensiveness) == (1, 1)
    assert (high.relevance, high.tau, high.signature.tau) == (0, 1.0, 1.0)
    assert score.tau == 0.5
    for tau in (1.5, "warm"):
        with pytest.raises(InputError):
            score.at(tau)  # type: ignore[arg-type]


@pytest.mark.parametrize("review", ["", "   \n", "\u200b\ufeff", "\x00"])
def test_an_empty_review_has_no_score_and_says_so(review: str) -> None:
    empty, other = scorer().score_many(PYTHON, [review, "load returns data"])
    assert (empty.conciseness, empty.comprehensiveness, empty.relevance) == (None, None, None)
    assert empty.sentences == ()
    assert any("rankings count it as zero" in warning for warning in empty.warnings)
    assert empty.missed == tuple(range(len(empty.pseudo_references)))
    assert other.relevance is not None
    assert not any("states nothing" in warning for warning in other.warnings)


def test_a_change_without_pseudo_references_has_no_score_and_says_so() -> None:
    score = scorer(claims="symbolic").score("@@ -1,1 +1,1 @@\n same\n", "Why? A review.")
    assert score.relevance is None
    assert "the change has no pseudo-references, so the review cannot be scored" in score.warnings
    assert score.sentences[0].best_reference is None
    assert score.at(0.9).relevance is None
    assert (score.feedback.missed, score.feedback.off_topic) == ((), ())


def test_the_first_of_several_claims_with_one_text_is_kept() -> None:
    def claim(text: str, *wordings: str) -> PseudoReference:
        return PseudoReference(text, ReferenceKind.CLAIM, "given", wordings=wordings)

    given = claim("it is new", "It is NEW", "now there"), claim("It is  new", "now there", "added")
    score = scorer(tau=0.9, claims=given, analyzers={}).score(PYTHON, "now there. nothing")
    assert score.pseudo_references == given[:1]
    assert (score.conciseness, score.comprehensiveness) == (0.5, 1)


@pytest.mark.parametrize("claims", [
    CLAIMS, [CLAIMS[0], {"text": CLAIMS[1]}], claims_from_items(CLAIMS),
    ClaimSet(claims_from_items(CLAIMS)), "claims.txt", Path("claims.txt"),
])  # fmt: skip
def test_claims_may_be_strings(
    claims: Claims, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("claims.txt").write_text("\n".join(CLAIMS), encoding="utf-8")
    expected = scorer(claims=GivenClaims(claims_from_items(CLAIMS))).score(PYTHON, "an error")
    assert scorer(claims=claims).score(PYTHON, "an error").to_dict() == expected.to_dict()


@pytest.mark.parametrize("claims", [7, [], [7], [""], object(), {"a claim"}])
def test_other_claims_are_rejected(claims: Claims) -> None:
    with pytest.raises(InputError, match="claim"):
        scorer(claims=claims)
    with pytest.raises(InputError, match="the change has no claims"):
        CRScorer(claims=None, encoder=WordEncoder(), tau=0.5).score(PYTHON, "an error")


def test_many_changes_are_scored_like_each_alone() -> None:
    encoder = WordEncoder()
    reviews = ["load returns the items of the data", "", "an empty list hides every error"]
    given = ClaimSet(claims_from_items(["a claim of its own"]))
    java = ChangeInput(parse_change(JAVA_HUNK), reviews[:1], claims=given)
    bad: list[Any] = [("not a diff", ["one", "two"]), (7, ["three"])]
    many = scorer(encoder).score_changes([(PYTHON, reviews), *bad, java, (JAVA_HUNK.encode(), [])])
    assert len(encoder.calls) == 1
    assert [len(scores) for scores in many] == [3, 2, 1, 1, 0]
    for score, alone in zip(many[0], scorer().score_many(PYTHON, reviews), strict=True):
        assert score.to_dict() == alone.to_dict()
    for score in (*many[1], *many[2]):
        assert (score.relevance, score.no_threshold, score.without_threshold) == (None, None, None)
        assert score.warnings[0].startswith("the change cannot be scored: diff")
    assert many[3][0].pseudo_references == given.claims
    assert scorer().score_changes([]) == []


@pytest.mark.parametrize(("changes", "problem"), [
    (PYTHON, "change 1: it is neither"),
    ([(PYTHON, ["a"]), (PYTHON,)], "change 2: it is neither"),
    ([(PYTHON, "a review")], "change 1: `reviews` must be a list of strings"),
    ([(PYTHON, [7])], "change 1: `reviews` must be a list of strings"),
    ([ChangeInput(PYTHON, ["a"], claims=cast("Any", [7]))], "change 1: given claim 1"),
    ([ChangeInput(PYTHON, ["a"], new_files=cast("Any", {"a.py": 5}))], "must be strings"),
])  # fmt: skip
def test_changes_in_another_form_are_rejected(changes: Any, problem: str) -> None:  # noqa: ANN401
    with pytest.raises(InputError, match=problem):
        scorer().score_changes(changes)


def test_claims_of_a_bare_hunk_follow_the_declared_language() -> None:
    bare = scorer(claims="symbolic", analyzers={})
    unknown, declared = (bare.score(JAVA_HUNK, "", language=of) for of in (None, "java"))
    assert "isEmpty()` is added to `Cart`" in declared.pseudo_references[0].text
    assert declared.pseudo_references != unknown.pseudo_references != ()


def test_a_change_without_files_is_scored_by_given_claims() -> None:
    assert scorer().score(CodeChange(()), "Why?").relevance == 0


def test_files_that_are_not_analysed_are_listed_by_reason() -> None:
    diff = BINARY + PYTHON.replace("store.py", "Store.kt")
    assert scorer().score(diff, "").not_analysed == (
        "not analysed for code smells, the diff shows no line of the new file: logo.png",
        "not analysed for code smells, no analyzer is used for its language: app/Store.kt",
    )
    assert scorer().score(PYTHON, "").not_analysed == ()
    many = "".join(PYTHON.replace("store.py", f"{number}.kt") for number in range(7))
    (words,) = scorer().score(many, "").not_analysed
    assert words.endswith("4.kt; and 2 more")


def test_the_signature_says_what_was_used() -> None:
    used = "encoder:words|claims:given#.*|analyzers:python-structure=.*,ruff=.*|code:hunks|tau:0.25"
    signature = str(scorer(tau=0.25).score(PYTHON, "text").signature)
    assert re.search(used.replace("|", r"\|"), signature)


def test_truncated_texts_are_reported() -> None:
    reviews = ["load the items. every error", "", f"load. {'all the items of the data ' * 20}"]
    found = scorer(WordEncoder(longest=500)).score_many(PYTHON, iter(reviews))
    cut = [any("truncated" in line for line in score.warnings) for score in found]
    assert cut == [False, False, True]


@pytest.mark.parametrize(("claim", "smell", "words"), [
    *((claim, {}, "claims backend 'mine' failed: ") for claim in (
        5, {"text": 5}, {"path": 5}, {"line": "x"}, {"wordings": None}, {"kind": "praise"})),
    *(({}, smell, "mine failed unexpectedly: ValidationError") for smell in (
        None, {"text": None}, {"line": "x"})),
])  # fmt: skip
def test_invalid_claims_cost_one_change_and_invalid_smells_none(
    claim: Any, smell: dict[str, Any] | None, words: str  # noqa: ANN401 - of a user's code
) -> None:  # fmt: skip
    class Tool:
        name = "mine"

        def generate(self, _: CodeChange) -> ClaimSet:
            return ClaimSet((PseudoReference(**{"text": "it is new", "kind": "claim", **claim}),))

        def analyze(self, files: Any) -> Any:  # noqa: ANN401
            fields = {"text": "Bad.", "rule": "a", "source": "mine", "path": None, "line": 14}
            smells: Any = ("a text",) if smell is None else (Smell(**{**fields, **smell}),)
            return (AnalyzerResult("mine", "1", None, Status.FRAGMENT, "", smells) for _ in files)

    mine = scorer(claims=Tool(), analyzers={"python": [Tool()]})
    ((bad,), (good,)) = mine.score_changes(
        [(PYTHON, ["Why?"]), ChangeInput(BINARY, ["Why?"], claims=["a claim"])]
    )
    assert words in (*bad.warnings, *bad.not_analysed)[0]
    assert (bad.relevance is None) is bool(claim)
    assert good.relevance is not None


def test_rejects_bad_input() -> None:
    nameless = SimpleNamespace(name="", generate=len)
    for parts in ({"encoder": object()}, {"claims": nameless}, {"analyzers": {"c": [len]}}):
        with pytest.raises(InputError, match="needs a name"):
            CRScorer(**({"encoder": WordEncoder(), "tau": 0.5} | cast("Any", parts)))
    for reviews in ((), cast("Any", None)):
        with pytest.raises(InputError, match="list of strings"):
            scorer().score_many(PYTHON, reviews)
    with pytest.raises(InputError, match="empty"):
        scorer().score_many("", ["text"])
    with pytest.raises(InputError, match="no preset"):
        CRScorer(encoder="some/encoder")


def test_a_full_new_file_is_analysed_as_a_whole() -> None:
    hunk = PYTHON.partition("@@ def load(path):\n")[2].splitlines()
    shown = [line[1:] for line in hunk if not line.startswith("-")]
    whole = "\n".join(["import json", "", "", "def load(path):", *[""] * 5, *shown, "    pass"])
    results = scorer().score(PYTHON, "", new_files={"app/store.py": whole}).reference_set.analyzers
    assert {result.status.value for result in results} == {"analysed"}


@pytest.mark.parametrize(("files", "line"), [
    ({"new_files": {"app/store.py": ""}}, "line 10 of the new file"),
    ({"new_file": "something else\n"}, "line 10 of the new file"),
    ({"old_file": "something else\n"}, "line 10 of the old file"),
])  # fmt: skip
def test_a_whole_file_that_disagrees_with_the_diff_gives_a_warning(
    files: dict[str, Any], line: str
) -> None:
    ((score,),) = scorer().score_changes([ChangeInput(PYTHON, ["an error"], **files)])
    hunks = scorer().score(PYTHON, "an error")
    assert score.warnings[0].startswith(f"the whole file is not used: {line}")
    assert (score.warnings[1:], score.relevance) == (hunks.warnings, hunks.relevance)
    assert str(score.signature) == str(hunks.signature)


@pytest.mark.parametrize(
    ("first", "status", "smells"), [(7, "fragment", [9, 9]), (1, "analysed", [2, 3, 3])]
)
def test_a_new_file_is_whole_where_it_is_shown_from_its_start(
    first: int, status: str, smells: list[int]
) -> None:
    head = f"--- /dev/null\n+++ b/a.py\n@@ -0,0 +{first},3 @@\n"
    references = scorer().score(f"{head}+try:\n+    x = y\n+except: pass\n", "").reference_set
    assert {result.status.value for result in references.analyzers} == {status}
    lines = [one.line for one in references.pseudo_references if one.kind == "smell"]
    assert lines == smells
