"""Simple metrics: counts of words and identifiers, by hand."""

import pytest

from crscore_eval.metrics.text_metrics import identifiers, shared_identifiers, words


@pytest.mark.parametrize(("review", "n_words", "names"), [
    ("", 0, ""),
    ("Please rename it. See section 2", 6, ""),
    ("use `x` or ``y[0].z``, not maxCount", 8, "x y z maxCount"),
    ("is snake_case ok? _private, MAX_SIZE", 5, "snake_case _private MAX_SIZE"),
    ("os.path.join and close() of std::vector", 8, "os path join close std vector"),
    ("i.e. the end.Then e.g. HTTP, Java", 9, "end Then"),
    ("größeMax `名前`", 2, "größeMax 名前"),
])  # fmt: skip
def test_finds_identifiers_and_counts_words(review: str, n_words: int, names: str) -> None:
    assert identifiers(review) == {*names.split()}
    assert words([review]).tolist() == [n_words]


def test_shared_identifiers_are_those_in_the_code() -> None:
    diff = "@@ -1 +1 @@\n-    return foo(maxCount)\n+    return foo(max_count)\n"
    reviews = ["`foo` with maxCount", "`foo` or bar()", "rename it", "fooBar()", "max_count " * 3]
    assert shared_identifiers(reviews, [diff] * 5).tolist() == [1, 0.5, 0, 0, 1]
