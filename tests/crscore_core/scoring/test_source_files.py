"""The limit on smells, and the whole files that belong to a change."""

import pytest

from crscore_core.analyzers import AnalyzerResult, Smell, SourceFile, Status
from crscore_core.change import parse_change
from crscore_core.claims import ClaimSet
from crscore_core.errors import InputError
from crscore_core.scoring.references import MAX_SMELLS, combine_references
from crscore_core.scoring.source_files import source_files

EDIT = "@@ -1 +1 @@\n-old\n+new\n"
ONE = f"--- a/src/store.py\n+++ b/src/shop.py\n{EDIT}"
TWO = f"{ONE}--- a/tests/shop.py\n+++ b/tests/shop.py\n{EDIT}"
ADDED = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+one\n+two\n"
SIDES = (("new\n", "old\n"),)


def test_the_first_of_many_smells_are_kept() -> None:
    found = [Smell(f"Smell {i}.", "rule", "a", "x", i + 1) for i in range(2_000)]
    result = AnalyzerResult("a", "1", "x", Status.ANALYSED, None, tuple(found))
    references = combine_references("given", ClaimSet(()), [result])
    assert references.pseudo_references[-1].text == f"Smell {MAX_SMELLS - 1}."
    assert len(references.pseudo_references) == MAX_SMELLS
    assert references.warnings == ("smells left out: 1,500 (the limit is 500)",)


@pytest.mark.parametrize(("diff", "given", "expected"), [
    (ONE, {"src/shop.py": "new\n"}, [SIDES]),
    (ONE, {"shop.py": "new\n"}, [SIDES]),
    (TWO, {"tests/shop.py": "new\n"}, [(), SIDES]),
    (TWO, {"src/shop.py": "new\n", "tests/shop.py": "new\n"}, [SIDES, SIDES]),
    (EDIT, {"whatever": "new\n"}, [SIDES]),
    (ONE, {}, [()]),
    (ADDED, {}, [(("one\ntwo", ""),)]),
    (ADDED, {"new.py": "one\ntwo\n"}, [(("one\ntwo\n", ""),)]),
])  # fmt: skip
def test_given_text_is_the_new_side_of_its_file(
    diff: str, given: dict[str, str], expected: list[tuple[tuple[str, str], ...]]
) -> None:
    def sides(file: SourceFile) -> tuple[tuple[str, str], ...]:
        old = "".join(fragment.text for fragment in file.old_fragments)
        return ((file.fragments[0].text, old),) if file.is_whole else ()

    files, warnings = source_files(parse_change(diff), given)
    assert ([sides(file) for file in files], warnings) == (expected, [])


@pytest.mark.parametrize(("diff", "paths", "message"), [
    (ONE, ["other.py"], "no changed file is called 'other.py'; .* has: src/shop.py"),
    (ONE, ["op.py"], "no changed file is called 'op.py'"),
    (ONE, ["src/store.py"], "no changed file is called 'src/store.py'"),
    (EDIT + ONE, ["x"], "no changed file is called 'x'; the change has: src/shop.py"),
    (TWO, ["shop.py"], "more than one changed file ends in 'shop.py'; .* has: src/shop.py"),
    (ONE, ["src/shop.py", "shop.py"], "several texts .*: src/shop.py, shop.py"),
])  # fmt: skip
def test_rejects_text_of_no_single_changed_file(diff: str, paths: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        source_files(parse_change(diff), dict.fromkeys(paths, "new\n"))
