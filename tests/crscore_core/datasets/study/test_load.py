"""Loading the study: what the cells mean, and that nothing damaged is loaded."""

from collections.abc import Callable
from pathlib import Path

import pytest

from crscore_core.corpus.model import Ratings
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import CONTEXT_FOLDER, double_rating_files
from crscore_core.datasets.study.model import (
    SYSTEMS,
    ClaimCode,
    CodedClaim,
    HumanStudy,
    StudyChange,
    StudyReference,
)
from crscore_core.errors import StudyError
from crscore_core.scoring.references import ReferenceKind
from tests.crscore_core.datasets.study.small_release import (
    CODE,
    Release,
    phase1,
    phase2,
    small_release,
)

MARCUS, ATHARVA = 0, 1
PY1, PY2, JS2 = phase1("py"), phase2("py"), phase2("js")
DOUBLE = tuple(double_rating_files().values())


@pytest.fixture
def release() -> Release:
    return small_release()


def change_of(study: HumanStudy, index: str) -> StudyChange:
    (found,) = [change for change in study.changes if change.index == index]
    return found


def error_of(folder: Path) -> str:
    with pytest.raises(StudyError) as raised:
        load_study(folder)
    message = str(raised.value)
    assert message.isprintable(), message
    return message


def test_a_change_is_loaded_as_it_stands(release: Release, tmp_path: Path) -> None:
    change = load_study(release.write(tmp_path)).changes[0]
    assert (change.index, change.language) == ("100", "py")
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


def test_changes_come_in_the_order_of_the_files(release: Release, tmp_path: Path) -> None:
    study = load_study(release.write(tmp_path))
    assert [(change.language, change.index) for change in study.changes] == [
        ("py", "100"), ("py", "125"), ("py", "101"), ("py", "102"),
        ("java", "200"), ("java", "3740"), ("java", "201"), ("java", "202"),
        ("js", "300"), ("js", "1668"), ("js", "6873"), ("js", "301"),
    ]  # fmt: skip
    assert study.missing == ()


def test_human_study_itself_is_a_folder_to_load_too(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = load_study(release.write(tmp_path))
    assert load_study(tmp_path / "human_study") == whole
    monkeypatch.chdir(tmp_path / "human_study")
    assert load_study(Path()) == whole


@pytest.mark.parametrize(
    ("cell", "addressed"),
    [
        ("", ()),
        ("-", ()),
        ("1.2", ()),
        ("2, 1", (2, 1)),
        ("1,1,-", (1, 1)),
        ("9", (9,)),  # beyond the last reference: kept as it is
        ("0", ()),  # references count from 1
        ("²,٣", ()),  # digits, but not ASCII ones
        ("9" * 5000, ()),
    ],
)
def test_addressed_references(
    release: Release, tmp_path: Path, cell: str, addressed: tuple[int, ...]
) -> None:
    release.row(PY2[MARCUS], 3)["claims addressed"] = cell
    review = load_study(release.write(tmp_path)).changes[0].reviews[1]
    assert review.addressed == addressed


def test_a_reference_without_kind_is_a_necessary_claim(release: Release, tmp_path: Path) -> None:
    release.set(PY2, 2, type="")
    reference = load_study(release.write(tmp_path)).changes[0].references[0]
    assert (reference.kind, reference.is_necessary) == (ReferenceKind.CLAIM, True)


# Rows of the first phase start at 2, 5, 8, 11; of the second at 2, 12, 22, 32.


@pytest.mark.parametrize(("index", "counts"), [("100", MARCUS), ("125", ATHARVA), ("101", ATHARVA)])
def test_marcus_counts_before_the_switch_and_atharva_from_it_on(
    release: Release, tmp_path: Path, index: str, counts: int
) -> None:
    """Both filled in everything; the one who counts rated 5, 5, 5 and coded "ambiguous"."""
    for person in (MARCUS, ATHARVA):
        of_first_phase, of_second_phase = release.files[PY1[person]], release.files[PY2[person]]
        for row in of_first_phase:
            row[CODE] = "2" if person == counts else "0"
        for row in of_second_phase:
            rating = "5" if person == counts else "1"
            row.update(dict.fromkeys(("Con (P)", "Comp (R)", "Rel (F)"), rating))
    change = change_of(load_study(release.write(tmp_path)), index)
    assert {claim.code for claim in change.coded_claims} == {ClaimCode.AMBIGUOUS}
    assert {review.rating for review in change.reviews} == {Ratings(5, 5, 5)}


def test_in_javascript_the_phases_switch_at_different_changes(
    release: Release, tmp_path: Path
) -> None:
    """At 1668 Atharva's codes count already, but still Marcus's ratings."""
    release.row(phase1("js")[ATHARVA], 5)[CODE] = "-1"
    release.row(JS2[MARCUS], 12)["Con (P)"] = "3"
    change = change_of(load_study(release.write(tmp_path)), "1668")
    assert change.coded_claims[0].code is ClaimCode.UNVERIFIABLE
    assert change.reviews[0].rating == Ratings(3, 1, 1)


def without(release: Release, *indices: str) -> Release:
    """Take changes out of all files."""
    for rows in release.files.values():
        kept, keep = [], True
        for row in rows:
            if row["index"]:
                keep = row["index"] not in indices
            if keep:
                kept.append(row)
        rows[:] = kept
    return release


def test_a_part_without_the_switch_takes_who_filled_it_in(release: Release, tmp_path: Path) -> None:
    whole = load_study(release.write(tmp_path))
    switches = ("125", "3740", "1668", "6873")
    part = load_study(without(release, *switches).write(tmp_path))
    assert part.changes == tuple(one for one in whole.changes if one.index not in switches)
    assert len(part.changes) == 8


def test_without_the_switch_whoever_rated_a_change_coded_it(
    release: Release, tmp_path: Path
) -> None:
    without(release, "125")
    for row in release.files[PY1[MARCUS]]:
        row[CODE] = "0"
    for row in release.files[PY1[ATHARVA]]:
        row[CODE] = "2"
    study = load_study(release.write(tmp_path))
    assert change_of(study, "100").coded_claims[0].code is ClaimCode.INCORRECT  # Marcus rated it
    assert change_of(study, "101").coded_claims[0].code is ClaimCode.AMBIGUOUS  # Atharva did


def unrated(release: Release, index: str, language: str = "py") -> None:
    """Take the ratings of a change away."""
    for file in phase2(language):
        starts = [at for at, row in enumerate(release.files[file]) if row["index"] == index]
        for row in release.files[file][starts[0] : starts[0] + 10]:
            row.update(dict.fromkeys(("Con (P)", "Comp (R)", "Rel (F)"), ""))


def test_without_the_switch_the_order_tells_who_coded_what_nobody_rated(
    release: Release, tmp_path: Path
) -> None:
    """Atharva rated 101 and coded 102, which comes later: what Marcus wrote there is extra."""
    without(release, "125")
    unrated(release, "102")
    release.row(PY1[MARCUS], 8)[CODE] = "0"
    change = change_of(load_study(release.write(tmp_path)), "102")
    assert change.coded_claims[0].code is ClaimCode.CORRECT


def test_without_the_switch_and_without_ratings_two_codes_are_in_doubt(
    release: Release, tmp_path: Path
) -> None:
    without(release, "125")
    for index in ("101", "102"):
        unrated(release, index)
    release.row(PY1[MARCUS], 8)[CODE] = "0"
    message = error_of(release.write(tmp_path))
    assert message.startswith(f"{PY1[MARCUS]}, row 8: both people filled in this change")


def test_in_javascript_ratings_do_not_tell_who_coded(release: Release, tmp_path: Path) -> None:
    """300 was rated by Marcus, and so was 1668, which Atharva coded."""
    without(release, "1668", "6873")
    release.row(phase1("js")[ATHARVA], 2)[CODE] = "0"
    message = error_of(release.write(tmp_path))
    assert message.startswith(f"{phase1('js')[MARCUS]}, row 2: both people filled in this change")


def test_without_the_switch_two_ratings_of_a_change_are_in_doubt(
    release: Release, tmp_path: Path
) -> None:
    without(release, "125")
    release.row(PY2[ATHARVA], 3).update({"Con (P)": "1", "Comp (R)": "1", "Rel (F)": "1"})
    message = error_of(release.write(tmp_path))
    assert message.startswith(f"{PY2[MARCUS]}, row 2: both people filled in this change")
    assert "125" in message


def test_what_only_one_phase_knows_is_kept(release: Release, tmp_path: Path) -> None:
    for file in PY1:
        del release.files[file][0:3]  # the change 100
    for file in PY2:
        del release.files[file][10:20]  # the change 125
    study = load_study(release.write(tmp_path))
    first, second = change_of(study, "100"), change_of(study, "125")
    assert (first.coded_claims, first.added_claims) == ((), ())
    assert (len(first.references), len(first.reviews)) == (2, 10)
    assert (len(second.coded_claims), second.references, second.reviews) == (3, (), ())
    assert first.is_rated
    assert not second.is_rated
    assert second.diff.endswith("new, 125")


def test_a_diff_keeps_its_tabs_where_one_spreadsheet_lost_them(
    release: Release, tmp_path: Path
) -> None:
    diff = release.row(PY1[MARCUS], 2)["diff"]
    release.row(PY1[MARCUS], 2)["diff"] = diff.replace("\t", " " * 8)
    assert load_study(release.write(tmp_path)).changes[0].diff == diff


def test_missing_context_files_are_named(release: Release, tmp_path: Path) -> None:
    del release.context["test100_old.py"]
    study = load_study(release.write(tmp_path))
    assert study.missing == (f"{CONTEXT_FOLDER}/test100_old.py",)
    assert study.changes[0].old_file is None
    assert study.changes[0].new_file is not None


def test_context_files_may_be_missing_altogether(release: Release, tmp_path: Path) -> None:
    release.context.clear()
    study = load_study(release.write(tmp_path))
    assert len(study.missing) == 2 * 12
    assert {change.new_file for change in study.changes} == {None}


def test_a_change_may_name_no_context_files(release: Release, tmp_path: Path) -> None:
    release.set((*PY1, *PY2), 2, old_file="", new_file="")
    study = load_study(release.write(tmp_path))
    assert study.changes[0].old_file is None
    assert study.missing == ()


def test_double_ratings_are_those_of_the_hundred_rows_that_both_rated(
    release: Release, tmp_path: Path
) -> None:
    release.row(DOUBLE[0], 802)["Rel (F)"] = "5"
    study = load_study(release.write(tmp_path))
    assert len(study.double_ratings) == 11
    assert study.double_ratings[0].first == Ratings(3, 2, 5)
    assert study.double_ratings[0].second == Ratings(3, 2, 2)
    # Row 800 starts the 81st change, of ten reviews, and row 810 the next.
    assert [one.change for one in study.double_ratings] == [0] * 10 + [1]


def test_double_ratings_are_numbered_by_changes_that_have_some(
    release: Release, tmp_path: Path
) -> None:
    for row in release.files[DOUBLE[0]][800:810]:
        row.update({"Con (P)": "", "Comp (R)": "", "Rel (F)": ""})
    for file in DOUBLE:
        for position in (810, 820, 829):
            ratings = {"Con (P)": "4", "Comp (R)": "4", "Rel (F)": "4"}
            release.files[file][position].update(ratings)
    study = load_study(release.write(tmp_path))
    assert [one.change for one in study.double_ratings] == [0, 1, 1]


@pytest.mark.parametrize(
    "name", ["../../secret", "/etc/passwd", "a\\b.py", "..", ".", "C:x", "a\x1bb"]
)
def test_a_context_file_is_no_path(release: Release, tmp_path: Path, name: str) -> None:
    release.set((*PY1, *PY2), 2, old_file=name)
    message = error_of(release.write(tmp_path))
    assert message.startswith(f"{PY1[MARCUS]}, row 2: old_file is {name!r}")


@pytest.mark.parametrize("file", [*PY1, *phase1("js"), *PY2, *JS2, *DOUBLE])
def test_every_spreadsheet_must_be_there(release: Release, tmp_path: Path, file: str) -> None:
    release.write(tmp_path)
    (tmp_path / file).unlink()
    message = error_of(tmp_path)
    assert message.startswith(f"{file}: there is no such file")
    assert "crscore study fetch" in message


def test_a_folder_without_the_study(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        assert error_of(folder).startswith(f"{folder}: there is no folder human_study")


def test_a_study_without_rows_is_none(release: Release, tmp_path: Path) -> None:
    for rows in release.files.values():
        rows.clear()
    assert "no rows" in error_of(release.write(tmp_path))


DAMAGE = [
    # which files, row, column, new content, what the error says of the first of the files
    (PY2[:1], 3, "Con (P)", "6", "row 3: Con (P) is '6'; it must be a whole number from 1 to 5"),
    (PY2[:1], 3, "Comp (R)", "0", "row 3: Comp (R) is '0'"),
    (PY2[:1], 3, "Rel (F)", "4.5", "row 3: Rel (F) is '4.5'"),
    (PY2[:1], 3, "Rel (F)", "４", "row 3: Rel (F) is '４'"),
    (
        PY2[:1],
        3,
        "Rel (F)",
        "\x1b[2J" + "x" * 99,
        r"row 3: Rel (F) is '\x1b[2J" + "x" * 36 + "...'",
    ),
    (PY2[:1], 3, "Rel (F)", " ", "row 3: Rel (F) is empty, but Con (P) is not"),
    (PY2[:1], 3, "Con (P)", "", "row 3: Con (P) is empty, but Comp (R) is not"),
    # the ratings of who does not count are on the scale too
    (PY2[1:], 3, "Comp (R)", "7", "row 3: Comp (R) is '7'"),
    (PY2, 3, "system", "lstm2_pred", "row 3: system is 'lstm2_pred'; it must be one of knn_pred"),
    (PY2, 3, "system", "knn_pred", "row 3: this change has a review of knn already"),
    (PY2, 3, "system", "", "row 3: it has a review but no system"),
    (
        PY2[::-1],
        13,
        "system",
        "",
        "row 13: it has a review but no system",
    ),  # by Atharva
    (PY2, 12, "index", "100", "row 12: the change with the index 100 is there already"),
    (PY2, 12, "index", "12.0", "row 12: index is '12.0'; it must be a whole number"),
    (PY2, 12, "diff", "", "row 12: the change with the index 125 has no diff"),
    (PY2, 12, "index", "", "row 12: it has a diff but no index"),
    (PY2, 2, "index", " ", "row 2: there is no index in or above this row"),
    (PY2[:1], 12, "index", "126", f"row 12: index is not that of {PY2[1]}, row 12"),
    (PY2[:1], 3, "system", "msg", f"row 3: system is not that of {PY2[1]}, row 3"),
    (PY1, 5, "index", "100", "row 5: the change with the index 100 is there already"),
    (PY1, 2, "index", "", "row 2: there is no index in or above this row"),
    (DOUBLE[:1], 802, "Con (P)", "9", "row 802: Con (P) is '9'"),
    (DOUBLE[:1], 802, "Con (P)", "", "row 802: Con (P) is empty"),
    (DOUBLE[:1], 802, "index", "1", f"row 802: index is not that of {DOUBLE[1]}, row 802"),
]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage[-1][:60])
def test_a_damaged_cell_is_named(
    release: Release, tmp_path: Path, damage: tuple[tuple[str, ...], int, str, str, str]
) -> None:
    files, number, column, cell, message = damage
    for file in files:
        release.row(file, number)[column] = cell
    assert error_of(release.write(tmp_path)).startswith(f"{files[0]}, {message}")


def test_one_change_is_of_one_language(release: Release, tmp_path: Path) -> None:
    release.set((*phase1("java"), *phase2("java")), 2, index="125")
    message = error_of(release.write(tmp_path))
    assert message.startswith(f"{phase1('java')[0]}, row 2: the change with the index 125 is among")
    assert "py" in message


@pytest.mark.parametrize("shorter", [MARCUS, ATHARVA])
def test_a_file_that_ends_early_is_found(release: Release, tmp_path: Path, shorter: int) -> None:
    del release.files[PY2[shorter]][-1]
    message = error_of(release.write(tmp_path))
    assert message.startswith(f"{PY2[1 - shorter]}, row 41: {PY2[shorter]} ends before this row")


@pytest.mark.parametrize(
    ("file", "column", "name"),
    [
        (PY1[0], CODE, "Correctness"),
        (PY1[1], "additional claims", "additional claims"),
        (PY2[0], "necessary?", "necessary?"),
        (PY2[1], "index", "index"),
        (DOUBLE[0], "Rel (F)", "Rel (F)"),
    ],
)
def test_columns_must_be_there_once(
    release: Release, tmp_path: Path, file: str, column: str, name: str
) -> None:
    header = release.headers[file]
    header.append(column)
    message = error_of(release.write(tmp_path))
    assert message.startswith(f"{file}, row 1: the column {name!r} is there 2 times")
    header[:] = [one for one in header if one != column]
    message = error_of(release.write(tmp_path))
    assert message.startswith(f"{file}, row 1: there is no column {name!r}")


def test_the_order_of_columns_and_further_ones_mean_nothing(
    release: Release, tmp_path: Path
) -> None:
    whole = load_study(release.write(tmp_path))
    for file in (*PY1, *PY2):
        release.headers[file].reverse()
        release.headers[file] += ["error type", "error type"]
        for row in release.files[file]:
            row["error type"] = "?"
    assert load_study(release.write(tmp_path)) == whole


BYTES = [
    pytest.param(
        lambda data: data.replace(b"in two lines.", b"in two \xe9 lines.", 1),
        "row 3: not UTF-8", id="latin-1",
    ),
    pytest.param(
        lambda data: data.replace(b"in two lines.", b"in two\0lines.", 1),
        "row 3: a cell holds a NUL character", id="NUL",
    ),
    pytest.param(lambda data: data + b"one,two\n", "row 42: it has 2 cells", id="too few cells"),
    pytest.param(
        lambda data: data + b"," * 99 + b"\n", "row 42: it has 100 cells", id="too many cells"
    ),
    pytest.param(lambda data: data + b'"open', "row 42: not CSV", id="an open quote"),
    pytest.param(lambda data: data[: data.rindex(b'"')], "row 41: not CSV", id="cut off"),
    pytest.param(lambda _: b"", "row 1: there is no column 'index'", id="empty"),
    pytest.param(lambda data: data.decode().encode("utf-16"), "row 1: not UTF-8", id="UTF-16"),
]  # fmt: skip


@pytest.mark.parametrize(("damage", "message"), BYTES)
def test_damaged_bytes_are_named(
    release: Release, tmp_path: Path, damage: Callable[[bytes], bytes], message: str
) -> None:
    path = release.write(tmp_path) / PY2[MARCUS]
    path.write_bytes(damage(path.read_bytes()))
    assert error_of(tmp_path).startswith(f"{PY2[MARCUS]}, {message}")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda data: b"\xef\xbb\xbf" + data, id="byte order mark"),
        pytest.param(lambda data: data + b"\n\n", id="empty lines at the end"),
        pytest.param(lambda data: data.rstrip(b"\n"), id="no newline at the end"),
    ],
)
def test_what_spreadsheet_programs_add_is_no_damage(
    release: Release,
    tmp_path: Path,
    change: Callable[[bytes], bytes],
) -> None:
    release.headers[PY2[MARCUS]].remove("id")  # so that the first column is one that matters
    whole = load_study(release.write(tmp_path))
    path = tmp_path / PY2[MARCUS]
    path.write_bytes(change(path.read_bytes()))
    assert load_study(tmp_path) == whole


def test_a_folder_in_place_of_a_file_is_an_error(release: Release, tmp_path: Path) -> None:
    path = release.write(tmp_path) / PY2[MARCUS]
    path.unlink()
    path.mkdir()
    assert error_of(tmp_path).startswith(f"{PY2[MARCUS]}: there is no such file")


@pytest.mark.parametrize("column", ["diff", "claim", "review", "type", "new_file", "Con (P)"])
def test_what_the_other_person_s_program_changed_is_not_taken(
    release: Release, tmp_path: Path, column: str
) -> None:
    """Spreadsheet programs turn tabs into spaces, and text that begins with "=" into an error."""
    whole = load_study(release.write(tmp_path))
    release.row(PY2[ATHARVA], 2)[column] = "" if column == "Con (P)" else "#NAME?"
    assert load_study(release.write(tmp_path)) == whole


@pytest.mark.parametrize(
    ("where", "cells", "oddity"),
    [
        ((PY1[0], 3), {CODE: "3"}, "Correctness is '3', not one of 2, 1, 0, -1, -2"),
        ((PY1[0], 3), {"claim": " "}, "it has a code but no claim"),
        ((PY2[0], 3), {"necessary?": "no"}, "necessary? is 'no', not 0 or 1"),
        ((PY2[0], 3), {"type": "smell"}, "type is 'smell', not claim or issue"),
        (
            (PY2[0], 3),
            {"claims addressed": "1;2"},
            "claims addressed is '1;2', not numbers with commas between them",
        ),
        ((PY2[0], 4), {"system": "", "review": ""}, "it has a rating but no review"),
    ],
)
def test_what_people_wrote_by_mistake_is_left_out_and_said(
    release: Release, tmp_path: Path, where: tuple[str, int], cells: dict[str, str], oddity: str
) -> None:
    file, number = where
    for person in (PY1 if file in PY1 else PY2) if "system" in cells else (file,):
        release.row(person, number).update(cells)
    study = load_study(release.write(tmp_path))
    assert study.oddities == (f"{file}, row {number}: {oddity}",)
    for column in cells.keys() & {CODE, "necessary?", "type", "claims addressed"}:
        release.row(file, number)[column] = ""
    if "system" in cells:
        release.row(file, number).update(dict.fromkeys(("Con (P)", "Comp (R)", "Rel (F)"), ""))
    if "claim" in cells:
        release.row(file, number)[CODE] = ""
    as_if_empty = load_study(release.write(tmp_path))
    assert (as_if_empty.changes, as_if_empty.oddities) == (study.changes, ())


def test_who_does_not_count_may_write_what_they_like(release: Release, tmp_path: Path) -> None:
    release.row(PY1[ATHARVA], 3)[CODE] = "yes"
    release.row(PY2[ATHARVA], 3)["necessary?"] = "no"
    assert load_study(release.write(tmp_path)).oddities == ()


def test_whole_numbers_may_have_a_point_and_a_zero(release: Release, tmp_path: Path) -> None:
    """Spreadsheet programs write them so where a column has empty cells."""
    whole = load_study(release.write(tmp_path))
    for file in (*PY1, *PY2):
        for row in release.files[file]:
            for column in (CODE, "necessary?", "Con (P)", "Comp (R)", "Rel (F)"):
                if row.get(column, "").strip():
                    row[column] += ".0"
    assert load_study(release.write(tmp_path)) == whole
