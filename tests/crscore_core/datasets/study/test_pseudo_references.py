"""Where the pseudo-references of the study's changes come from."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from crscore_core.claims import Answer, ClaimOptions, Progress, silent
from crscore_core.claims.llm.claims import LanguageModelClaims
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import GPT_4O_CLAIMS
from crscore_core.datasets.study.model import HumanStudy
from crscore_core.datasets.study.pseudo_references import GPT_4O, STUDY_CLAIMS, study_references
from crscore_core.errors import ClaimsError, StudyError
from tests.crscore_core.claims.llm.told_model import ToldModel
from tests.crscore_core.datasets.study.small_release import phase1, phase2, small_release

SMELLY = "@@ -1 +1,2 @@\n-old\n+import os, sys\n+x = lambda: eval('1')"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A release with a change that has smells, and another whose reviews nobody rated."""
    release = small_release()
    release.set((*phase1("py"), *phase2("py")), 2, diff=SMELLY)
    for row in range(12, 22):  # the second change
        blank = {"Con (P)": "", "Comp (R)": "", "Rel (F)": ""}
        release.set(phase2("java"), row, **blank)
    return release.write(tmp_path / "study")


@pytest.fixture
def study(folder: Path) -> HumanStudy:
    return load_study(folder)


def write_claims(path: Path, study: HumanStudy, positions: list[int]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "code_change": study.changes[position].diff.replace("\n", " \n"),
            "response": f"1. About {position}.\n\nImplications:\n1. After {position}.",
        }
        for position in positions
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def test_those_of_the_study_are_the_necessary_ones(study: HumanStudy) -> None:
    references = study_references(study)
    rated = [change for change in study.changes if change.is_rated]
    assert references.claims == STUDY_CLAIMS
    assert list(references.changes) == rated
    assert len(rated) == len(study.changes) - 1
    assert list(references.texts) == [(f"Reference 1 of {change.index}.",) for change in rated]


def test_a_change_of_the_study_may_be_left_with_none(tmp_path: Path) -> None:
    release = small_release()
    release.set(phase2("py"), 2, **{"necessary?": "0"})
    references = study_references(load_study(release.write(tmp_path)))
    assert references.texts[0] == ()
    assert references.texts[1] != ()


def test_a_backend_gives_claims_and_our_smells_are_added(study: HumanStudy) -> None:
    references = study_references(study, "symbolic")
    assert references.claims.startswith("symbolic")
    assert len(references.texts) == len(references.changes) == len(study.changes) - 1
    assert references.changes[0].diff == SMELLY
    texts = " ".join(references.texts[0])
    assert "eval" in texts
    assert "lambda" in texts
    without = study_references(study, STUDY_CLAIMS)
    assert set(references.texts[0]).isdisjoint(without.texts[0])


def test_smells_are_those_of_the_change_itself(study: HumanStudy, tmp_path: Path) -> None:
    path = write_claims(tmp_path / "mine.jsonl", study, list(range(len(study.changes))))
    references = study_references(study, str(path))
    first, *others = references.texts
    assert first[:2] == ("About 0.", "After 0.")
    assert len(first) > 2
    assert any("eval" in text for text in first[2:])
    assert not any("eval" in text for texts in others for text in texts)


def test_those_of_gpt_4o_come_with_the_study(study: HumanStudy, folder: Path) -> None:
    with pytest.raises(ClaimsError, match="name its folder"):
        study_references(study, GPT_4O)
    with pytest.raises(ClaimsError, match="cannot be read"):
        study_references(study, GPT_4O, folder)
    with pytest.raises(StudyError, match="no folder human_study"):
        study_references(study, GPT_4O, folder / "nowhere")
    write_claims(folder / GPT_4O_CLAIMS, study, [0, 1])
    references = study_references(study, GPT_4O, folder)
    assert references.claims == GPT_4O
    assert references.texts[1][:2] == ("About 1.", "After 1.")
    assert not any("About" in text for texts in references.texts[2:] for text in texts)


def test_those_of_a_file_are_found_by_their_diffs(study: HumanStudy, tmp_path: Path) -> None:
    last = len(study.changes) - 1
    path = write_claims(tmp_path / "mine.jsonl", study, [last, 1])
    references = study_references(study, str(path))
    assert references.claims == "mine.jsonl"
    assert references.texts[1][:2] == ("About 1.", "After 1.")
    assert references.texts[-1][:2] == (f"About {last}.", f"After {last}.")
    known = [position for position, texts in enumerate(references.texts) if "About" in str(texts)]
    assert known == [1, len(references.texts) - 1]


@pytest.mark.parametrize(
    "content",
    ["", '{"diff": "other", "claims": ["one"]}', '{"diff": "other", "response": "1. one"}'],
)
def test_a_file_that_knows_no_change_is_refused(
    study: HumanStudy, tmp_path: Path, content: str
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(
        ClaimsError, match=r"other\.jsonl' has none for any of the study's 11 chang"
    ):
        study_references(study, str(path))


@pytest.mark.parametrize("name", ["nobody", "", "a\0b", "x" * 5000, "STUDY", "/"])
def test_a_name_that_nothing_has_is_refused(study: HumanStudy, name: str) -> None:
    with pytest.raises(ClaimsError, match="no claims or file called"):
        study_references(study, name)


def test_a_backend_is_found_beside_a_file_of_its_name(
    study: HumanStudy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    for name in ("symbolic", "study"):
        (place / name).write_text("no claims", encoding="utf-8")
        assert study_references(study, name).claims.startswith(name)


def test_a_diff_that_cannot_be_read_leaves_out_its_change_alone(tmp_path: Path) -> None:
    release = small_release(2)
    for file in (*phase1("py"), *phase2("py")):
        for row in release.files[file]:
            if row["index"] == "100":
                row["diff"] = "@@ -1,9 +1,9 @@\n-cut"
    study = load_study(release.write(tmp_path))
    found = study_references(study, "symbolic")
    (warning,) = found.warnings
    assert warning.startswith("python change 100 is left out: diff, line 2")
    by_index = {one.index: texts for one, texts in zip(found.changes, found.texts, strict=True)}
    assert by_index.pop("100") == ()
    assert all(by_index.values())
    assert study_references(study, "study").warnings == ()


def test_a_backend_may_be_given_as_it_is(study: HumanStudy) -> None:
    model = ToldModel()
    references = study_references(study, LanguageModelClaims(model, source="told"))
    assert references.claims == "told@1 prompt-1"
    assert all(texts[:2] == ("A check is added.", "Fewer crashes.") for texts in references.texts)
    assert len(model.asked) == 1


def test_options_that_the_claims_do_not_take_are_refused(study: HumanStudy) -> None:
    for claims in ("symbolic", STUDY_CLAIMS, GPT_4O):
        with pytest.raises(ClaimsError, match=f"'{claims}' take no device"):
            study_references(study, claims, options=ClaimOptions(device="cpu"))


class Refusing(ToldModel):
    """Refuses all but the last `n` prompts."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self._n = n

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | ClaimsError]]:
        refused = len(prompts) - self._n
        yield from ((index, ClaimsError("it is too long")) for index in range(refused))
        for index, answer in super().answers(prompts[refused:], progress):
            yield index + refused, answer


def test_a_change_that_a_model_refuses_is_left_out_and_not_without_claims(
    study: HumanStudy,
) -> None:
    n = len(study_references(study).changes)
    references = study_references(study, LanguageModelClaims(Refusing(n - 1), source="told"))
    assert references.texts[0] == ()
    assert all(references.texts[1:])
    (warning,) = references.warnings
    assert warning.startswith(f"1 of {n} changes are left out: the model gave no answer about")
    assert warning.endswith("because it is too long")


def test_a_model_that_refuses_every_change_is_an_error(study: HumanStudy) -> None:
    with pytest.raises(ClaimsError, match="it is too long"):
        study_references(study, LanguageModelClaims(Refusing(0), source="told"))
