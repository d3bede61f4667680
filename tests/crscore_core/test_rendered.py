"""The text a reader of a review sees; nothing else earns a score."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core import CRScorer
from crscore_core.rendered import render_review
from crscore_core.scoring import read_review
from tests.cases import cases


@pytest.mark.parametrize(
    ("review", "expected"), [case[1:] for case in cases(Path(__file__).with_name("rendered.txt"))]
)
def test_only_visible_text_is_left(review: str, expected: str) -> None:
    seen = [line.rstrip().replace("\xa0", " ") for line in render_review(review).splitlines()]
    assert seen == expected.splitlines()


def test_line_ends_and_invisible_characters() -> None:
    assert render_review("a\r\nb\rc") == "a\nb\nc"
    assert render_review("re\u200btry\u202e now\u2028here\0 \U000e0041") == "retry now here"


@given(st.text(st.sampled_from("ab `~<!->[]()\n'\"=/|*_#1.&;?")))
def test_rendering_adds_no_text(review: str) -> None:
    letters = iter([character for character in review if character in "ab"])
    assert all(character in letters for character in render_review(review) if character in "ab")


ONE, TWO = "If the page count is zero, this returns one", "The last page may be empty"
BARE = f"{ONE}. {TWO}."
WRAPPERS = {
    "bullets": f"- {ONE}.\n- {TWO}.",
    "numbers": f"1. {ONE}.\n2. {TWO}.\n",
    "details": f"<details>\n<summary>{ONE}.</summary>\n\n{TWO}.\n\n</details>",
    "badges": f"![high](https://img.example/high.svg) [![x](b.svg)](https://bot.example)\n\n{BARE}",
    "fingerprint": f"<!-- bot: finding 12 of 30 -->\n{BARE}\n\n---\n<!-- end of finding -->",
    "suggestion": f"{ONE}.\n\n```suggestion\n{TWO}.\n```\n",
    "table": f"| | |\n|---|---|\n| ⚠️ | {ONE}. |\n| 🛠️ | {TWO}. |\n",
    "html table": f"<table>\n<tr><td>&nbsp;</td><td>{ONE}.</td></tr>\n"
    f"<tr><td>🔴</td><td>{TWO}.</td></tr>\n</table>",
    "alert": f"> [!WARNING]\n> **{ONE}.**\n>\n> _{TWO}._\n",
    "tasks": f"### {ONE}\n\n- [ ] {TWO} [&#8203;](https://bot.example/apply 'do it')\n\n* * *",
    "paragraphs": f"<p>{ONE}.</p>\n<p align='center'><sub>{TWO}.</sub></p>\n<br>\n<hr/>\n&nbsp;\n",
}


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_wrappers_of_reviewers_add_no_sentence(wrapper: str) -> None:
    found = read_review(WRAPPERS[wrapper]).sentences
    assert [sentence.removesuffix(".") for sentence in found] == [ONE, TWO]


def test_wrappers_do_not_change_the_score() -> None:
    diff = (
        "--- a/paging.py\n+++ b/paging.py\n@@ -1,2 +1,2 @@\n def pages(items, size):\n"
        "-    return len(items) // size + 1\n+    return -(-len(items) // size)\n"
    )
    scorer = CRScorer()
    bare, *wrapped = scorer.score_many(diff, [BARE, *WRAPPERS.values()])
    assert bare.no_threshold is not None
    for name, score in zip(WRAPPERS, wrapped, strict=True):
        assert score.no_threshold is not None
        assert score.relevance == bare.relevance, name
        assert score.no_threshold == pytest.approx(bare.no_threshold, abs=0.02)


def test_hidden_text_earns_no_score() -> None:
    diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-retries = 3\n+retries = 5\n"
    honest, padded, linked = CRScorer().score_many(
        diff,
        [
            "Thanks.",
            "Thanks. <!-- retries is 5 now instead of 3 -->",
            "Thanks. [l](https://x.example/?q=retries-is-5-now-instead-of-3)",
        ],
    )
    assert padded.comprehensiveness == honest.comprehensiveness == linked.comprehensiveness
