import pytest

from crscore_core.change import parse_change
from crscore_core.errors import WholeFileError
from crscore_core.scoring.smells import WholeFile, patched_files, whole_files

EDIT = "@@ -1 +1 @@\n-old\n+new\n"
ONE = f"--- a/src/store.py\n+++ b/src/shop.py\n{EDIT}"
TWO = f"{ONE}--- a/tests/shop.py\n+++ b/tests/shop.py\n{EDIT}"
ADDED = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+one\n+two\n"
SIDES = WholeFile("new\n", "old\n")


@pytest.mark.parametrize(
    ("diff", "given", "expected"),
    [
        (ONE, {"src/shop.py": "new\n"}, {0: SIDES}),
        (ONE, {"shop.py": "new\n"}, {0: SIDES}),
        (TWO, {"tests/shop.py": "new\n"}, {1: SIDES}),
        (TWO, {"src/shop.py": "new\n", "tests/shop.py": "new\n"}, {0: SIDES, 1: SIDES}),
        (EDIT, {"whatever": "new\n"}, {0: SIDES}),
        (ONE, {}, {}),
        (ADDED, {}, {0: WholeFile("one\ntwo", "")}),
        (ADDED, {"new.py": "one\ntwo\n"}, {0: WholeFile("one\ntwo\n", "")}),
    ],
)
def test_a_text_is_the_new_side_of_its_file(
    diff: str, given: dict[str, str], expected: dict[int, WholeFile]
) -> None:
    assert whole_files(parse_change(diff), given) == expected


@pytest.mark.parametrize(
    ("diff", "path", "message"),
    [
        (ONE, "other.py", "no changed file is called 'other.py'; the change has: src/shop.py"),
        (ONE, "op.py", "no changed file is called 'op.py'"),
        (ONE, "src/store.py", "no changed file is called 'src/store.py'"),
        (TWO, "shop.py", "more than one changed file ends in 'shop.py'; the change has: src/shop"),
        (ONE, "", "no changed file is called ''"),
        (EDIT * 1 + ONE, "x", "the change has: src/shop.py"),
    ],
)
def test_a_text_of_no_file_is_refused(diff: str, path: str, message: str) -> None:
    with pytest.raises(WholeFileError) as error:
        whole_files(parse_change(diff), {path: "new\n"})
    assert message in str(error.value)


def test_old_files_are_patched() -> None:
    change = parse_change(TWO)
    assert patched_files(change, {"store.py": "old\nx\n"}) == {"src/shop.py": "new\nx\n"}
    assert patched_files(parse_change(EDIT), {"any": "old\n"}) == {"any": "new\n"}
    with pytest.raises(WholeFileError, match="line 1 of the old file"):
        patched_files(change, {"store.py": "new\n"})
