"""Loading the study: what the cells mean, and that nothing damaged is loaded."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from crscore_core.corpus.model import Ratings
from crscore_core.datasets.study import load as loading
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import (
    CONTEXT_FOLDER,
    PHASE_1,
    PHASE_2,
    check_folder,
    default_study_folder,
    double_rating_files,
)
from crscore_core.datasets.study.model import (
    SYSTEMS,
    ClaimCode,
    CodedClaim,
    HumanStudy,
    LanguageContents,
    StudyChange,
    StudyContents,
    StudyReference,
    study_contents,
)
from crscore_core.errors import InputError
from crscore_core.scoring.references import ReferenceKind
from tests.crscore_core.datasets.study.small_release import (
    CODE,
    UNRATED,
    Release,
    phase1,
    phase2,
    small_release,
)

MARCUS, ATHARVA = 0, 1
CODES = "Correctness\n0 - incorrect\n1 - correct\n-1 - unverifiable\n-2 - incomplete"
PY1, PY2, JS1, JS2 = phase1("py"), phase2("py"), phase1("js"), phase2("js")
DOUBLE = tuple(double_rating_files().values())
# Rows of the first phase start at 2, 5, 8, 11; of the second at 2, 12, 22, 32.


@pytest.fixture
def release() -> Release:
    return small_release()


@pytest.fixture
def load(release: Release, tmp_path: Path) -> Callable[[], HumanStudy]:
    return lambda: load_study(release.write(tmp_path))


@pytest.fixture
def error(release: Release, tmp_path: Path) -> Callable[[], str]:
    return lambda: error_of(release.write(tmp_path))


def error_of(folder: Path) -> str:
    with pytest.raises(InputError) as raised:
        load_study(folder)
    message = str(raised.value)
    assert message.isprintable(), message
    return message


Load = Callable[[], HumanStudy]
Error = Callable[[], str]


def change_of(study: HumanStudy, index: str) -> StudyChange:
    return next(change for change in study.changes if change.index == index)


def test_the_small_release_is_loaded_as_it_stands(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = load()
    assert [(change.language, change.index) for change in study.changes] == [
        ("py", "100"), ("py", "125"), ("py", "101"), ("py", "102"),
        ("java", "200"), ("java", "3740"), ("java", "201"), ("java", "202"),
        ("js", "300"), ("js", "1668"), ("js", "6873"), ("js", "301"),
    ]  # fmt: skip
    assert (study.missing, study.oddities) == ((), ())
    change = study.changes[0]
    assert change.diff == "@@ -1 +1 @@\n-old 100\n+\tnew, 100"
    assert change.coded_claims == (
        CodedClaim("Claim 1 of 100.", ClaimCode.CORRECT),
        CodedClaim("Claim 2 of 100.", ClaimCode.INCOMPLETE),
        CodedClaim("Claim 3 of 100.", None),
    )
    assert change.added_claims == ("Added to 100.",)
    assert change.references == (
        StudyReference("Reference 1 of 100.", ReferenceKind.CLAIM, is_necessary=True),
        StudyReference("Reference 2 of 100.", ReferenceKind.SMELL, is_necessary=False),
    )
    assert [review.system for review in change.reviews] == list(SYSTEMS)
    assert change.reviews[0].text == ""
    assert change.reviews[1].text == "Review 2 of 100,\nin two lines."
    assert change.reviews[1].rating == Ratings(5, 3, 4)
    assert [review.addressed for review in change.reviews[:3]] == [(), (1, 2), (1,)]
    assert change.old_file == tmp_path / CONTEXT_FOLDER / "test100_old.py"
    assert change.new_file == tmp_path / CONTEXT_FOLDER / "test100_new.py"
    assert load_study(tmp_path / "human_study") == study
    monkeypatch.chdir(tmp_path / "human_study")
    assert load_study(Path()) == study


def test_a_study_is_counted(release: Release, load: Load) -> None:
    for row in range(2, 12):  # the first change
        release.row(PY2[MARCUS], row).update(UNRATED)
    del release.context["test100_old.py"]
    # Of each change 2 of 3 claims are coded, and of the others all 10 reviews are rated, one of
    # them ground truth. Two references a change: "1,2" addresses both, "1" one and not the other;
    # "2" is noted for the ground truth, which makes no pairs, and "-" makes none.
    languages = {name: LanguageContents(4, 4, 8) for name in ("java", "js")}
    assert study_contents(load()) == StudyContents(
        languages={"py": LanguageContents(4, 3, 8), **languages},
        ratings=11 * 10,
        ratings_without_ground_truth=11 * 9,
        pairs={"addressed": 11 * 3, "not_addressed": 11},
        double_ratings=11,
        context_files={"present": 12 * 2 - 1, "missing": 1},
    )


@pytest.mark.parametrize(
    ("cell", "addressed", "more_pairs"),
    [
        *((cell, (), (0, 0)) for cell in ("", "-", "1.2", "0", "²,٣", "9" * 5000)),
        ("2, 1", (2, 1), (2, 0)),
        ("2,2,-", (2, 2), (1, 1)),
        ("2,9", (2, 9), (1, 1)),  # there is no ninth reference
        ("9", (9,), (0, 2)),
    ],
)
def test_addressed_references(
    release: Release, load: Load, cell: str, addressed: tuple[int, ...], more_pairs: tuple[int, int]
) -> None:
    release.row(PY2[MARCUS], 3)["claims addressed"] = cell
    study = load()
    assert study.changes[0].reviews[1].addressed == addressed
    assert tuple(study_contents(study).pairs.values()) == (
        12 * 3 - 2 + more_pairs[0],
        12 + more_pairs[1],
    )


@pytest.mark.parametrize(
    ("language", "index", "counts"),
    [
        ("py", "100", (MARCUS, MARCUS)),
        ("py", "125", (ATHARVA, ATHARVA)),
        ("py", "101", (ATHARVA, ATHARVA)),
        ("java", "200", (MARCUS, MARCUS)),
        ("java", "3740", (ATHARVA, ATHARVA)),
        ("java", "202", (ATHARVA, ATHARVA)),
        ("js", "300", (MARCUS, MARCUS)),
        ("js", "1668", (ATHARVA, MARCUS)),
        ("js", "6873", (ATHARVA, ATHARVA)),
    ],
)
def test_marcus_counts_before_the_switch_and_atharva_from_it_on(
    release: Release, load: Load, language: str, index: str, counts: tuple[int, int]
) -> None:
    """`counts` are coder and rater: Marcus coded "ambiguous" and rated 5, Atharva not and 1."""
    for person, code, rating in ((MARCUS, "2", "5"), (ATHARVA, "0", "1")):
        for row in release.files[phase1(language)[person]]:
            row[CODE] = code
        for row in release.files[phase2(language)[person]]:
            row.update(dict.fromkeys(UNRATED, rating))
    change = change_of(load(), index)
    codes = {MARCUS: ClaimCode.AMBIGUOUS, ATHARVA: ClaimCode.INCORRECT}
    ratings = {MARCUS: Ratings(5, 5, 5), ATHARVA: Ratings(1, 1, 1)}
    assert {claim.code for claim in change.coded_claims} == {codes[counts[0]]}
    assert {review.rating for review in change.reviews} == {ratings[counts[1]]}


def without(release: Release, *indices: str) -> None:
    """Take changes out of all files."""
    for rows in release.files.values():
        kept, keep = [], True
        for row in rows:
            if row["index"]:
                keep = row["index"] not in indices
            if keep:
                kept.append(row)
        rows[:] = kept


def test_a_part_without_the_switch_takes_who_filled_it_in(release: Release, load: Load) -> None:
    whole = load()
    switches = ("125", "3740", "1668", "6873")
    without(release, *switches)
    part = load()
    assert part.changes == tuple(one for one in whole.changes if one.index not in switches)
    assert len(part.changes) == 8


def test_without_the_switch_who_rated_tells_who_coded(
    release: Release, load: Load, error: Error
) -> None:
    without(release, "125")
    for person, code in ((MARCUS, "0"), (ATHARVA, "2")):
        for row in release.files[PY1[person]]:
            row[CODE] = code

    def code_of(index: str) -> ClaimCode | None:
        return change_of(load(), index).coded_claims[0].code

    assert code_of("100") is ClaimCode.INCORRECT  # Marcus rated it
    assert code_of("101") is ClaimCode.AMBIGUOUS  # Atharva did
    for number in range(22, 32):
        release.set(PY2, number, **UNRATED)
    assert code_of("102") is ClaimCode.AMBIGUOUS  # it comes after one that Atharva rated
    for number in range(12, 22):
        release.set(PY2, number, **UNRATED)  # now nobody rated after Marcus
    assert error().startswith(f"{PY1[MARCUS]}, row 5: both people filled in this change")


def test_without_the_switch_two_entries_for_a_change_are_in_doubt(
    release: Release, error: Error
) -> None:
    without(release, "125", "1668", "6873")
    # In JavaScript ratings do not tell: 300 was rated by Marcus, and so was 1668, which Atharva
    # coded.
    release.row(JS1[ATHARVA], 2)[CODE] = "0"
    assert error().startswith(f"{JS1[MARCUS]}, row 2: both people filled in this change")
    release.row(PY2[ATHARVA], 3).update(dict.fromkeys(UNRATED, "1"))
    message = error()
    assert message.startswith(f"{PY2[MARCUS]}, row 2: both people filled in this change")
    assert "125" in message


def test_a_change_of_one_phase_is_kept(release: Release, load: Load) -> None:
    for file in PY1:
        del release.files[file][0:3]  # the change 100
    for file in PY2:
        del release.files[file][10:20]  # the change 125
    study = load()
    rated, coded = change_of(study, "100"), change_of(study, "125")
    assert (rated.coded_claims, rated.added_claims) == ((), ())
    assert (len(rated.references), len(rated.reviews)) == (2, 10)
    assert (len(coded.coded_claims), coded.references, coded.reviews) == (3, (), ())
    assert (rated.is_rated, coded.is_rated) == (True, False)
    assert coded.diff.endswith("new, 125")


def test_context_files_may_be_missing_or_unnamed(release: Release, load: Load) -> None:
    del release.context["test100_old.py"]
    study = load()
    assert study.missing == (f"{CONTEXT_FOLDER}/test100_old.py",)
    assert study.changes[0].old_file is None
    assert study.changes[0].new_file is not None
    release.context.clear()
    release.set((*PY1, *PY2), 2, old_file="", new_file="")
    study = load()
    assert len(study.missing) == 2 * 11
    assert {change.new_file for change in study.changes} == {None}


def test_double_ratings_are_those_of_the_hundred_rows_that_both_rated(
    release: Release, load: Load
) -> None:
    release.row(DOUBLE[0], 802)["Rel (F)"] = "5"
    ratings = load().double_ratings
    assert len(ratings) == 11
    assert ratings[0].ratings == (Ratings(3, 2, 5), Ratings(3, 2, 2))
    # Row 800 starts the 81st change, of ten reviews, and row 810 the next.
    assert [rating.change for rating in ratings] == [0] * 10 + [1]
    for row in release.files[DOUBLE[0]][800:809]:
        row.update(UNRATED)
    release.files[DOUBLE[1]][809].update(UNRATED)
    for file in DOUBLE:
        for position in (810, 820, 829):
            release.files[file][position].update(dict.fromkeys(UNRATED, "4"))
    assert [rating.change for rating in load().double_ratings] == [0, 1, 1]


@pytest.mark.parametrize("file", [*PY1, *JS1, *PY2, *JS2, *DOUBLE])
def test_every_spreadsheet_must_be_there(release: Release, tmp_path: Path, file: str) -> None:
    path = release.write(tmp_path) / file
    path.unlink()
    message = error_of(tmp_path)
    assert message.startswith(f"{file}: there is no such file")
    assert "crscore study fetch" in message
    path.mkdir()
    assert error_of(tmp_path) == message


def test_a_folder_without_a_study(release: Release, error: Error, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        assert error_of(folder).startswith(f"{folder}: there is no folder human_study")
    for rows in release.files.values():
        rows.clear()
    assert "no rows" in error()


DAMAGE = [
    # which files, row, column, new content, what the error says of the first of the files
    (PY2[:1], 3, "Con (P)", "6", "row 3: Con (P) is '6', not a whole number from 1 to 5"),
    (PY2[:1], 3, "Comp (R)", "0", "row 3: Comp (R) is '0'"),
    (PY2[:1], 3, "Rel (F)", "4.5", "row 3: Rel (F) is '4.5'"),
    (PY2[:1], 3, "Rel (F)", "４", "row 3: Rel (F) is '４'"),
    (PY2[:1], 3, "Rel (F)", "\x1b[2J" + "x" * 99,
     r"row 3: Rel (F) is '\x1b[2J" + "x" * 36 + "...'"),
    (PY2[:1], 3, "Rel (F)", " ", "row 3: Rel (F) is empty, but Con (P) is not"),
    (PY2[:1], 3, "Con (P)", "", "row 3: Con (P) is empty, but Comp (R) is not"),
    # the ratings of who does not count are on the scale too
    (PY2[1:], 3, "Comp (R)", "7", "row 3: Comp (R) is '7'"),
    (PY2, 3, "system", "lstm2_pred", "row 3: system is 'lstm2_pred', not one of knn_pred"),
    (PY2, 3, "system", "knn_pred", "row 3: this change has a review of knn already"),
    (PY2, 3, "system", "", "row 3: it has a review but no system"),
    (PY2[::-1], 13, "system", "", "row 13: it has a review but no system"),  # by Atharva
    (PY2, 12, "index", "100", "row 12: the change with the index 100 is there already"),
    (PY2, 12, "index", "12.0", "row 12: index is '12.0', not a whole number"),
    (PY2, 12, "diff", "", "row 12: the change with the index 125 has no diff"),
    (PY2, 12, "index", "", "row 12: it has a diff but no index"),
    (PY2, 2, "index", " ", "row 2: there is no index in or above this row"),
    (PY2[:1], 12, "index", "126", f"row 12: index is not that of {PY2[1]};"),
    (PY2[:1], 3, "system", "msg", f"row 3: system is not that of {PY2[1]};"),
    (PY1, 5, "index", "100", "row 5: the change with the index 100 is there already"),
    (PY1, 2, "index", "", "row 2: there is no index in or above this row"),
    ((phase1("java") + phase2("java")), 2, "index", "125",
     "row 2: the change with the index 125 is among those of py already"),
    (DOUBLE[:1], 802, "Con (P)", "9", "row 802: Con (P) is '9'"),
    (DOUBLE[:1], 802, "Con (P)", "", "row 802: Con (P) is empty"),
    (DOUBLE[:1], 802, "index", "1", f"row 802: index is not that of {DOUBLE[1]};"),
    *(
        (PY1 + PY2, 2, "old_file", name, f"row 2: old_file is {name!r}")
        for name in ("../../secret", "/etc/passwd", "a\\b.py", "..", ".", "C:x", "a\x1bb")
    ),
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage[-1][:60])
def test_a_damaged_cell_is_named(
    release: Release, error: Error, damage: tuple[tuple[str, ...], int, str, str, str]
) -> None:
    files, number, column, cell, message = damage
    for file in files:
        release.row(file, number)[column] = cell
    assert error().startswith(f"{files[0]}, {message}")


@pytest.mark.parametrize("shorter", [MARCUS, ATHARVA])
def test_a_file_that_ends_early_is_found(release: Release, error: Error, shorter: int) -> None:
    del release.files[PY2[shorter]][-1]
    assert error().startswith(f"{PY2[1 - shorter]}, row 41: {PY2[shorter]} ends before this row")


@pytest.mark.parametrize(
    ("file", "column", "name"),
    [(PY1[0], CODE, "Correctness"), (PY2[1], "index", "index"), (DOUBLE[0], "Rel (F)", "Rel (F)")],
)
def test_columns_must_be_there_once(
    release: Release, error: Error, file: str, column: str, name: str
) -> None:
    header = release.headers[file]
    header.append(column)
    assert error().startswith(f"{file}, row 1: the column {name!r} is there 2 times")
    header[:] = [one for one in header if one != column]
    assert error().startswith(f"{file}, row 1: the column {name!r} is missing")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data.replace(b"in two", b"in \xe9 two", 1), ": not UTF-8"),
        (lambda data: data.decode().encode("utf-16"), ": not UTF-8"),
        (lambda data: data.replace(b"two", b"two\0", 1), ": it holds a NUL character"),
        (lambda data: data + b"one,two\n", ", row 42: it has 2 cells"),
        (lambda data: data + b"," * 99 + b"\n", ", row 42: it has 100 cells"),
        (lambda data: data + b'"open', ": not CSV"),
        (lambda data: data[: data.rindex(b'"')], ": not CSV"),
        (lambda _: b"", ", row 1: the column 'index' is missing"),
    ],
)
def test_damaged_bytes_are_named(
    release: Release, tmp_path: Path, damage: Callable[[bytes], bytes], message: str
) -> None:
    path = release.write(tmp_path) / PY2[MARCUS]
    path.write_bytes(damage(path.read_bytes()))
    assert error_of(tmp_path).startswith(f"{PY2[MARCUS]}{message}")


def test_changes_by_spreadsheet_programs_mean_nothing(release: Release, load: Load) -> None:
    whole = load()
    assert release.headers[PY2[MARCUS]] == [
        "index", "system", "diff", "claim", "old_file", "new_file", "review", "type", "necessary?",
        "claims addressed", "Con (P)", "Comp (R)", "Rel (F)",
    ]  # fmt: skip
    for file in PY1:  # the header as published
        release.headers[file] = [name.replace(CODE, CODES) for name in release.headers[file]]
        for row in release.files[file]:
            row[CODES] = f"{row[CODE]}.0" if row[CODE] else ""
    for file in (*PY1, *PY2):
        release.headers[file].reverse()
        release.headers[file] += ["error type", "error type"]
        for row in release.files[file]:
            row["error type"] = "?"
            for column in ("necessary?", *UNRATED):
                if row.get(column, "").strip():
                    row[column] += ".0"
    row = release.row(PY1[MARCUS], 2)
    row["diff"] = row["diff"].replace("\t", " " * 8)
    assert load() == whole


def test_an_apostrophe_before_a_sign_belongs_to_its_author(release: Release, load: Load) -> None:
    for file in PY2:
        release.row(file, 2)["review"] = "'-1' is odd"
    assert "'-1' is odd" in {one.text for change in load().changes for one in change.reviews}


def test_odd_cells_of_who_does_not_count_mean_nothing(release: Release, load: Load) -> None:
    whole = load()
    release.row(PY1[ATHARVA], 3)[CODE] = "yes"
    release.row(PY2[ATHARVA], 3)["necessary?"] = "no"
    for column in ("diff", "claim", "review", "type", "new_file"):
        release.row(PY2[ATHARVA], 2)[column] = "#NAME?"
    assert load() == whole


def test_bytes_that_spreadsheet_programs_add_are_no_damage(load: Load, tmp_path: Path) -> None:
    whole = load()
    path = tmp_path / PY2[MARCUS]
    content = path.read_bytes()
    for changed in (b"\xef\xbb\xbf" + content, content + b"\n\n", content.rstrip(b"\n")):
        path.write_bytes(changed)
        assert load_study(tmp_path) == whole


ODD = [
    # which files, row, cells, cells of the same meaning, what is told of the first of the files
    (PY1[:1], 3, {CODE: "3"}, {CODE: ""}, "Correctness is '3', not one of 2, 1, 0, -1, -2"),
    (PY1[:1], 3, {"claim": " "}, {CODE: ""}, "it has a code but no claim"),
    (PY2[:1], 3, {"necessary?": "no"}, {"necessary?": ""}, "necessary? is 'no', not 0 or 1"),
    (PY2[:1], 3, {"type": "smell"}, {"type": ""}, "type is 'smell', not claim or issue"),
    (PY2[:1], 3, {"claims addressed": "1;2"}, {"claims addressed": ""},
     "claims addressed is '1;2', not numbers with commas between them"),
    (PY2, 4, {"system": "", "review": ""}, UNRATED, "it has a rating but no review"),
]  # fmt: skip


@pytest.mark.parametrize("case", ODD, ids=lambda case: case[-1][:60])
def test_a_cell_without_meaning_is_told_and_read_as_empty(
    release: Release,
    load: Load,
    case: tuple[tuple[str, ...], int, dict[str, str], dict[str, str], str],
) -> None:
    files, number, cells, emptied, oddity = case
    release.set(files, number, **cells)
    study = load()
    assert study.oddities == (f"{files[0]}, row {number}: {oddity}",)
    release.set(files, number, **emptied)
    as_if_empty = load()
    assert (as_if_empty.changes, as_if_empty.oddities) == (study.changes, ())


def test_a_reference_without_a_kind_is_a_necessary_claim(release: Release, load: Load) -> None:
    release.set(PY2, 2, type="")
    reference = load().changes[0].references[0]
    assert (reference.kind, reference.is_necessary) == (ReferenceKind.CLAIM, True)


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CRSCORE_STUDY", "some/where")
    assert default_study_folder() == Path("some/where")
    monkeypatch.setenv("CRSCORE_STUDY", "")
    unnamed = default_study_folder()
    assert unnamed.parts[-2:] == ("crscore", "study")
    monkeypatch.delenv("CRSCORE_STUDY")
    assert default_study_folder() == unnamed
    assert check_folder(Path("~/study")) == tmp_path / "study"
    assert check_folder(Path("nowhere/yet")) == Path("nowhere/yet")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError, match="loop': Too many levels"):
        check_folder(tmp_path / "loop")


def test_what_is_shipped_is_what_the_tables_of_the_release_hold(
    real_study: HumanStudy, study_dir: Path
) -> None:
    loaded = load_study(study_dir)
    assert loaded.changes == real_study.changes
    assert loaded.double_ratings == real_study.double_ratings
    assert len(real_study.double_ratings) == 90
    assert all(change.references for change in real_study.changes if change.is_rated)


@pytest.mark.long
def test_the_shipped_changes_are_those_of_the_released_study(
    real_study: HumanStudy, released_study: Path
) -> None:
    released = {change.index: change for change in load_study(released_study).changes}
    for change in real_study.changes:
        found = replace(released[change.index], old_file=None, new_file=None)
        assert found == change


def test_without_the_switches_what_people_filled_in_tells_whose_entries_count(
    real_study: HumanStudy, study_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, phase in (("PHASE_1", PHASE_1), ("PHASE_2", PHASE_2)):
        unknown = {language: f"no {index}" for language, index in phase.switch.items()}
        monkeypatch.setattr(loading, name, replace(phase, switch=unknown))
    assert load_study(study_dir).changes == real_study.changes
