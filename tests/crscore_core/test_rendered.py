"""Text that is hidden in a rendered review."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core import CRScorer
from crscore_core.rendered import rendered

HIDDEN = {
    "a comment": ("Fine. <!-- `x` is 5 now -->", "Fine.  ", ("<!-- `x` is 5 now -->",)),
    "an open comment at the start of a line": (
        "Fine.\n <!-- x is\n5", "Fine.\n  ", ("<!-- x is\n5",),
    ),
    "an open comment within a line": ("a <!-- b", "a <!-- b", ()),
    "a comment in a code span": ("`<!-- x -->` is odd", "`<!-- x -->` is odd", ()),
    "a comment after a longer code span": (
        "`` a ` b `` <!-- no -->", "`` a ` b ``  ", ("<!-- no -->",),
    ),
    "a comment in fenced code, and one behind it": (
        "```\n<!-- x -->\n```\n<!-- no -->", "```\n<!-- x -->\n```\n ", ("<!-- no -->",),
    ),
    "the definition of a link": ("[//]: # (x is 5)\nFine", " Fine", ("[//]: # (x is 5)\n",)),
    "the text behind an image": ("![x is 5](a.png)", " ", ("![x is 5](a.png)",)),
    "the title of a link": ("[see](a.b 'x is 5')", "[see](a.b)", ("(a.b 'x is 5')",)),
    "a title in brackets": ("[see](a.b (x is 5))", "[see](a.b)", ("(a.b (x is 5))",)),
    "a target with blanks": ("[see](<x is 5>)", "[see] ", ("(<x is 5>)",)),
    "a plain link": ("[see](http://a.b/c_(d))", "[see](http://a.b/c_(d))", ()),
    "a note that looks like a definition": (
        "[nit]: please rename this", "[nit]: please rename this", (),
    ),
    "a footnote": ("[^9]: x", "[^9]: x", ()),
    "a definition within a paragraph": ("Fine\n[//]: # (x)", "Fine\n[//]: # (x)", ()),
    "a definition with its title below": (
        "[a]: b\n 'x is 5'\nFine", " Fine", ("[a]: b\n 'x is 5'\n",),
    ),
    "a quoted definition": ("> [//]: # (x is 5)", " ", ("> [//]: # (x is 5)",)),
    "a long text behind an image": (
        f"![{'x is 5 ' * 99}\nnow](a.png)", " ", (f"![{'x is 5 ' * 99}\nnow](a.png)",),
    ),
    "brackets in the text behind an image": ("![x[0] is 5](a.png)", " ", ("![x[0] is 5](a.png)",)),
    "an exclamation before a bracket": ("look![x]", "look![x]", ()),
    "the words behind the language of code": (
        "```python x is 5\na\n```", "```python\na\n```", ("x is 5",),
    ),
    "declarations": ("<!X x is 5><?x is 5?>ok", "  ok", ("<!X x is 5>", "<?x is 5?>")),
    "a bare attribute": ("<img alt=x hidden>ok", " ok", ("<img alt=x hidden>",)),
    "an attribute of a known tag": ("<span hidden>ok", " ok", ("<span hidden>",)),
    "a bracket in a value": ("<b title='x > 5'>ok", " ok", ("<b title='x > 5'>",)),
    "an attribute": ("<b title='x is 5'>Fine</b>", " Fine</b>", ("<b title='x is 5'>",)),
    "characters without a shape": ("n\u200bull \U000e0041", "null ", ()),
    "types and comparisons": (
        "List<String> a<b, T <U extends V>", "List<String> a<b, T <U extends V>", (),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("review", "text", "hidden"), HIDDEN.values(), ids=HIDDEN)
def test_hidden_text_is_removed(review: str, text: str, hidden: tuple[str, ...]) -> None:
    found = rendered(review)
    assert (found.text, found.hidden) == (text, hidden)


@given(st.text(st.sampled_from("ab `~<!->[]()\n'\"=/")))
def test_rendering_adds_no_text(review: str) -> None:
    found = rendered(review)
    letters = [character for character in review if character in "ab"]
    left = iter(letters)
    assert all(character in left for character in found.text if character in "ab")
    assert all(passage in review for passage in found.hidden)


def test_hidden_text_earns_no_score_and_is_reported() -> None:
    diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-retries = 3\n+retries = 5\n"
    honest, padded = CRScorer().score_many(
        diff, ["Thanks.", "Thanks. <!-- retries is 5 now instead of 3 -->"]
    )
    assert padded.comprehensiveness == honest.comprehensiveness
    assert any("hidden" in warning and "retries" in warning for warning in padded.warnings)
    assert not any("hidden" in warning for warning in honest.warnings)
