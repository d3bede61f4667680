"""The study as a corpus: whose claims its changes bring, and the scores of every rated review."""

import codecs
import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from crscore_core.change import CodeChange
from crscore_core.claims import Claim, ClaimKind, ClaimSet
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.reviews import Reviews
from crscore_core.datasets.study.corpus import (
    GPT_4O,
    STUDY_CLAIMS,
    StudyCorpus,
    read_claims_of_changes,
    squeezed,
    study_corpus,
)
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import GPT_4O_CLAIMS
from crscore_core.datasets.study.model import STUDY_LANGUAGES, HumanStudy
from crscore_core.errors import InputError
from crscore_core.validity.study_validity import StudyValidity
from tests.crscore_core.corpus.corpora import FixedClaims
from tests.crscore_core.datasets.study.small_release import (
    UNRATED,
    phase1,
    phase2,
    small_release,
)
from tests.word_encoder import WordEncoder

SMELLY = "@@ -1 +1,2 @@\n-old\n+import os, sys\n+x = lambda: eval('1')"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with a change that has smells, and another whose reviews nobody rated."""
    release = small_release()
    release.set((*phase1("py"), *phase2("py")), 2, diff=SMELLY)
    for row in range(12, 22):  # the second change
        release.set(phase2("java"), row, **UNRATED)
    return release.write(tmp_path_factory.mktemp("release") / "study")


@pytest.fixture(scope="module")
def study(folder: Path) -> HumanStudy:
    return load_study(folder)


def scored(corpus: StudyCorpus) -> Reviews:
    return corpus.score(WordEncoder())


def texts_of(reviews: Reviews) -> dict[str, list[str]]:
    return {change.id: [one.text for one in change.references] for change in reviews.changes}


def write_claims(path: Path, study: HumanStudy, positions: list[int]) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "code_change": study.changes[position].diff.replace("\n", " \n"),
            "response": f"1. About {position}.\n\nImplications:\n1. After {position}.",
        }
        for position in positions
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(path)


def test_references_of_the_study_are_the_necessary_ones(study: HumanStudy) -> None:
    reviews = scored(study_corpus(study))
    rated = [change for change in study.changes if change.is_rated]
    assert reviews.claims == STUDY_CLAIMS
    assert len(rated) == len(study.changes) - 1
    assert texts_of(reviews) == {one.index: [f"Reference 1 of {one.index}."] for one in rated}


def test_a_backend_gives_claims_and_our_smells_are_added(study: HumanStudy) -> None:
    reviews = scored(study_corpus(study, "symbolic"))
    assert reviews.claims.startswith("symbolic")
    assert reviews.changes[0].diff == SMELLY
    first, *others = texts_of(reviews).values()
    assert len(others) == 10
    assert "eval" in " ".join(first)
    assert "`x" in " ".join(first)  # a claim about the function that the lambda makes
    assert not any(text.startswith("Reference") for text in first)


def test_claims_of_a_file_are_found_by_their_diffs(study: HumanStudy, tmp_path: Path) -> None:
    last = len(study.changes) - 1
    path = write_claims(tmp_path / "my.jsonl", study, [last, 1, 0])
    reviews = scored(study_corpus(study, path))
    assert reviews.claims == "my.jsonl"
    first, second, third = texts_of(reviews).values()
    assert first[:2] == ["About 0.", "After 0."]
    assert any("eval" in text for text in first[2:])  # a smell of this change and no other
    assert second == ["About 1.", "After 1."]
    assert third == [f"About {last}.", f"After {last}."]
    (warning,) = reviews.warnings
    assert warning == "8 of 11 changes are left out: my.jsonl has no claims about them"


def test_claims_of_gpt_4o_come_with_the_study(study: HumanStudy, folder: Path) -> None:
    for place, message in (
        (None, "name its folder"),
        (folder, "cannot be read"),
    ):
        with pytest.raises(InputError, match=message):
            study_corpus(study, GPT_4O, place)
    with pytest.raises(InputError, match="no folder human_study"):
        study_corpus(study, GPT_4O, folder / "nowhere")
    write_claims(folder / GPT_4O_CLAIMS, study, [0, 1])
    reviews = scored(study_corpus(study, GPT_4O, folder))
    assert reviews.claims == GPT_4O
    assert [*texts_of(reviews).values()][1] == ["About 1.", "After 1."]


def test_a_name_or_file_without_claims_about_the_study_is_refused(
    study: HumanStudy, tmp_path: Path
) -> None:
    path = tmp_path / "other.jsonl"
    for content in ("", '{"diff": "other", "claims": ["one"]}'):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match=r"other\.jsonl' has none for any of the study's 11 "):
            study_corpus(study, str(path))
    for name in ("nobody", "", "a\0b", "x" * 5000, "STUDY", "/"):
        with pytest.raises(InputError, match="no claims or file called"):
            study_corpus(study, name)


def test_a_backend_comes_before_a_file_of_its_name(
    study: HumanStudy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("symbolic", "study"):
        (tmp_path / name).write_text("no claims", encoding="utf-8")
        assert scored(study_corpus(study, name)).claims.startswith(name)


def test_a_diff_that_cannot_be_read_leaves_out_its_change_alone(study: HumanStudy) -> None:
    first, *others = (change for change in study.changes if change.is_rated)
    damaged = dataclasses.replace(first, diff="@@ -1,9 +1,9 @@\n-cut")
    part = dataclasses.replace(study, changes=(damaged, *others))
    reviews = scored(study_corpus(part, "symbolic"))
    (left_out,) = reviews.left_out
    assert left_out.id == "100"
    assert left_out.reason.startswith("diff, line 2")
    assert len(reviews.changes) == len(others)
    (warning,) = StudyValidity.of(part, study_corpus(part, "symbolic"), WordEncoder(), 50).warnings
    assert warning == f"1 change: left out, {left_out.reason}"
    assert scored(study_corpus(part)).left_out == ()


class Refusing(FixedClaims):
    """Refuses all but the last `n` changes."""

    def __init__(self, n: int) -> None:
        super().__init__("A check is added.")
        self._n = n

    def generate_each(self, changes: Sequence[CodeChange]) -> list[ClaimSet | InputError]:
        refused = len(changes) - self._n
        return [InputError("it is too long")] * refused + super().generate_each(changes[refused:])


def test_a_change_that_a_model_refuses_is_left_out_and_not_without_claims(
    study: HumanStudy,
) -> None:
    reviews = scored(study_corpus(study, Refusing(10)))
    assert reviews.claims == "fixed"
    assert [one.reason for one in reviews.left_out] == ["it is too long"]
    assert {texts[0] for texts in texts_of(reviews).values()} == {"A check is added."}
    with pytest.raises(InputError, match="it is too long"):
        scored(study_corpus(study, Refusing(0)))


@pytest.fixture(scope="module")
def uneven(tmp_path_factory: pytest.TempPathFactory) -> HumanStudy:
    """The first change of Python has no reference; of Java's first, one review is empty, another
    unrated, and a third repeats the reference."""
    release = small_release()
    release.set(phase2("py"), 2, **{"necessary?": "0"})
    release.set(phase2("java"), 3, review="")
    release.set(phase2("java"), 4, **UNRATED)
    release.set(phase2("java"), 5, review="Reference 1 of 200.")
    return load_study(release.write(tmp_path_factory.mktemp("release")))


def test_every_rated_review_is_compared_in_order(
    uneven: HumanStudy,
) -> None:
    comparison = scored(study_corpus(uneven))
    assert (comparison.encoder, comparison.claims) == ("words", "study")
    assert [change.id for change in comparison.left_out] == [uneven.changes[0].index]
    assert [(change.id, change.language, change.diff) for change in comparison.changes] == [
        (change.index, STUDY_LANGUAGES[change.language], change.diff)
        for change in uneven.changes[1:]
    ]
    compared = [
        (review.change, review.system, review.text, review.ratings) for review in comparison
    ]
    assert len(compared) == 11 * 10 - 1
    assert compared == [
        (position, review.system, review.text, review.rating)
        for position, change in enumerate(uneven.changes[1:])
        for review in change.reviews
        if review.rating
    ]
    for review in comparison:
        assert review.references == (f"Reference 1 of {comparison.changes[review.change].id}.",)
    scores = comparison.scores([0.99])[:, 0].T.tolist()
    empty = [score for score, review in zip(scores, compared, strict=True) if not review[2]]
    assert empty == [[0, 0, 0]] * (1 + 11)  # one emptied, and the first of each change's ten
    repeated = [review[2] for review in compared].index("Reference 1 of 200.")
    assert scores[repeated] == [1, 1, 1]


def test_nothing_to_compare_is_refused(uneven: HumanStudy) -> None:
    bare, change, *_ = uneven.changes
    truth = [review for review in change.reviews if review.system == GROUND_TRUTH]
    alone = dataclasses.replace(change, reviews=tuple(truth))
    for changes, message in (
        ((bare,), "no rated change of the study has pseudo-references"),
        ((alone,), "no review of the study but the ground truth"),
    ):
        with pytest.raises(InputError, match=message):
            scored(study_corpus(dataclasses.replace(uneven, changes=changes)))


DIFF = "@@ -1 +1 @@\n-old\n+\tnew, it"
CLAIM, IMPLICATION = ClaimKind.CLAIM, ClaimKind.IMPLICATION


def read_claims(folder: Path, content: bytes | str) -> dict[str, ClaimSet]:
    path = folder / "my.claims.jsonl"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_claims_of_changes(path)


def claims_line(**fields: object) -> str:
    return json.dumps({"diff": DIFF, "claims": ["one"], **fields})


def claims(known: dict[str, ClaimSet], diff: str = DIFF) -> tuple[Claim, ...]:
    claim_set = known.get(squeezed(diff))
    return claim_set.claims if claim_set else ()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"patch": DIFF, "claims": ["one", {"text": "two ", "kind": "implication", "line": 3}]},
            (Claim("one", CLAIM, "given"), Claim("two", IMPLICATION, "given", None, 3)),
        ),
        *(
            (
                {"code_change": DIFF, key: "1. one\n\nImplications:\n1. two"},
                (Claim("one", CLAIM, "my.claims"), Claim("two", IMPLICATION, "my.claims")),
            )
            for key in ("response", "change_summary")
        ),
    ],
)
def test_claims_are_a_list_or_an_answer(
    tmp_path: Path, fields: dict[str, object], expected: tuple[Claim, ...]
) -> None:
    known = read_claims(tmp_path, json.dumps(fields))
    assert claims(known) == expected
    for blanks in (DIFF.replace("\t", "    "), DIFF.replace("\n", "\r\n") + "\n"):
        assert claims(known, blanks) == expected
    assert claims(known, DIFF.replace("new", "other")) == claims(known, "") == ()


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (claims_line() + "\n", ["one"]),
        (claims_line() + "\r\n\r\n  \t\r\n", ["one"]),
        ("\n\n" + claims_line(), ["one"]),
        (codecs.BOM_UTF8 + claims_line().encode(), ["one"]),
        (codecs.BOM_UTF16_LE + (claims_line() + "\n").encode("utf-16-le"), ["one"]),
        (claims_line() + "\n" + claims_line(diff=" " + DIFF, claims=["not the first"]), ["one"]),
        (claims_line(claims=["one"], response="1. not this"), ["one"]),
        (claims_line(id=5, claims=["one"], warnings=None, code_change=3, x=float("nan")), ["one"]),
        (claims_line(claims=["a\u2028b"]).replace("\\u2028", "\u2028"), ["a\u2028b"]),
        (claims_line(claims=["half \ud800 a pair"]), ["half \ufffd a pair"]),
        (claims_line(claims=None, response="1. half \ud800 a pair"), ["half \ufffd a pair"]),
        *((empty, []) for empty in ("", "\n\n", codecs.BOM_UTF8, claims_line(claims=[]))),
        *((claims_line(claims=None, response=response), []) for response in ("no list", None)),
    ],
)
def test_lines_in_many_forms(tmp_path: Path, content: bytes | str, texts: list[str]) -> None:
    assert [claim.text for claim in claims(read_claims(tmp_path, content))] == texts


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("prose", "it is no valid JSON; a file"),
        ("[" * 200_000, "it is no valid JSON"),
        ('{"diff": ' + "9" * 5000 + "}", "it is no valid JSON"),
        (claims_line()[:-1], "it is no valid JSON"),
        ("[]", "it is no JSON object"),
        ("null", "it is no JSON object"),
        ("{}", "it has no text under diff or code_change or patch"),
        (claims_line(diff=5), "it has no text under diff"),
        (json.dumps({"diff": DIFF}), "no list under claims, and no text under response"),
        (claims_line(claims="one"), "no list under claims"),
        (claims_line(claims={"text": "one"}), "no list under claims"),
        (claims_line(claims=None, response=["one"]), "no list under claims"),
        (claims_line(claims=["one", 5]), "given claim 2 is neither"),
        (claims_line(claims=[{"text": "x", "kind": "smell"}]), "given claim 1 has a kind"),
    ],
)
def test_a_bad_line_is_named_by_file_and_number(tmp_path: Path, bad: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_claims(tmp_path, f"{claims_line()}\n\n{bad}\n{claims_line()}")
    assert str(caught.value).startswith(
        f"claims file {str(tmp_path / 'my.claims.jsonl')!r}, line 3: {message}"
    )
    assert len(str(caught.value)) < 400


def test_a_file_that_cannot_be_read_is_one_error(tmp_path: Path) -> None:
    for content in (b"\xff\xfe\xff", b"{\x80}", claims_line().encode("utf-16-le")[:-1]):
        with pytest.raises(InputError, match=r"my\.claims\.jsonl', line 1: "):
            read_claims(tmp_path, content)
    for path in (tmp_path / "missing", tmp_path, tmp_path / ("x" * 300)):
        with pytest.raises(InputError, match="cannot be read"):
            read_claims_of_changes(path)
