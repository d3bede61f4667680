"""A review is what its author states: no quotation, template or reasoning earns a score."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core import CRScorer
from crscore_core.scoring import read_review
from tests.cases import cases

FOLDER = Path(__file__).parent
WRAPPERS = {
    "bullets": "- {0}.\n- {1}.",
    "bold numbers": "**1. {0}**\n\n**2. {1}**",
    "headings": "## Review\n\n### 1. {0}\n\n### 2) {1}\n\n### Files reviewed (1)\n\n- `src/a.py`",
    "leads": "**Issue:** {0}.\n**Severity:** High\n\n**Suggestion:** {1}.\n**Category:** Style",
    "details": "<details>\n<summary>{0}.</summary>\n\n{1}.\n\n</details>",
    "badges": "![high](https://img.example/h.svg) [![x](b.svg)](https://bot.example)\n\n{0}. {1}.",
    "fingerprint": "<!-- bot: finding 12 of 30 -->\n{0}. {1}.\n\n---\n<!-- end of finding -->",
    "suggestion": "{0}.\n\n```suggestion\n    return 1\n```\n\n{1}.\n",
    "table": "| | |\n|---|---|\n| ⚠️ | {0}. |\n| 🛠️ | {1}. |\n",
    "wide table": "| # | Severity | File | Finding |\n|---|---|---|---|\n| 1 | High | "
    "`src/a.py:3` | {0}. |\n| 2 | 🟡 Minor | src/a.py | {1}. |\n",
    "alert": "> [!WARNING]\n> **{0}.**\n>\n> _{1}._\n",
    "tasks": "### {0}\n\n- [ ] {1} [&#8203;](https://bot.example/apply 'do it')\n\n* * *",
    "paragraphs": "<p>{0}.</p>\n<p align='center'><sub>{1}.</sub></p>\n<br>\n<hr/>\n&nbsp;\n",
    "bot": "_⚠️ Bug_ | _🟠 Major_ | _⚡ Quick win_\n\n**issue (bug_risk):** {0}.\n\nP2: {1}.\n\n"
    "https://a.b/c#L3\n\nAlso applies to: 2-4\n\nBot can make mistakes, so check it.\n\n<details>"
    "\n<summary>🤖 Prompt for agents</summary>\n\n```\nIn src/a.py around line 3, verify it.\n```"
    "\n\n</details>\n\n<details><summary>Log</summary>\n\nIt ran `grep -n size`.\n\n</details>"
    "\n\n<sub>Was this helpful? React with 👍 or 👎. Reply with @bot ignore to hide it.</sub>",
    "report": "## 🔍 Code Review Summary\n\n### 🔴 Critical Issues (1)\n\n#### Issue 1: {0}\n\n"
    "**Location:** `src/a.py:12`\n\n### Suggestions\n\n#### Issue 2: {1}\n\n**Confidence:** 80%"
    "\n\n---\n\n🤖 Generated with [Bot](https://bot.example) · [Configure](https://bot.example/c)",
    "nitpicks": "**Actionable comments posted: 0**\n\n<details>\n<summary>🧹 Nitpicks "
    "(2)</summary><blockquote>\n\n`3-5`: **{0}.**\n\n{1}.\n\n</blockquote></details>\n\n<details>"
    "\n<summary>📜 Review details</summary>\n\n**Plan**: Pro\n\n<details>\n<summary>📥 "
    "Commits</summary>\n\nReviewing files that changed from the base of the PR and between "
    "1a2b3c4 and 2b3c4d5.\n\n</details>\n</details>",
    "P1": "**<sub>![P1 Badge](https://a.b/P1)</sub>  {0}**\n\n{1}.\n\nUseful? React with 👍 / 👎."
    "\n\n<details><summary>ℹ️ About Codex in GitHub</summary>\n\nIt reviews drafts.\n\n</details>",
    "severity": "### {0}\n\n**High Severity**\n\n{1}.\n\n<details>\n<summary>Additional Locations"
    " (1)</summary>\n\n- [`src/b.py#L3`](https://a.b)\n\n</details>\n\n<sup>Reviewed by [Cursor "
    "Bugbot](https://a.b) for commit [93bad84](https://a.b). Configure [here](https://a.b).</sup>",
    "logic": "**logic:** {0}.\n\n**todo (blocking):** {1}.\n\n<details><summary>Prompt To Fix "
    "With AI</summary>\n\nFix it.\n\n</details>\n\n<sub>Reviews (3): Last reviewed commit: "
    "[x](https://a.b)</sub>",
    "feedback": "Hey - I've found 2 issues:\n\n- {0}.\n- {1}.\n\n- 🟢 **Security**: all looks good"
    "\n\n<sub>Help me be more useful! Please click 👍 or 👎 on each comment.</sub>",
    "importance": "Explore these optional code suggestions:\n\n<table><tr><td>Possible "
    "issue</td><td>\n\n<details><summary>{0}</summary>\n\n**{1}.**\n\n"
    "<details><summary>Suggestion importance[1-10]: 8</summary>\n\nWhy: It is right.\n\n"
    "</details></details></td></tr></table>",
    "description": "`🐞 Bugs (1)` `📘 Rule violations (0)`\n\n<details>\n<summary>1. {0}</summary>"
    "\n\n> <details open>\n><summary>Description</summary>\n>\n><pre>\n>{1}.\n></pre>\n> "
    "</details>\n\n> <details>\n><summary>Agent prompt</summary>\n>\n>Fix it.\n> </details>\n\n"
    "</details>",
    "overview": "## Copilot review overview\n\n### 🔵 Needs a closer look\n\n{0}. {1}.\n\n"
    "**Findings:** None\n\nCopilot uses AI. Check for mistakes.",
    "guide": "## PR Reviewer Guide\n\nHere are some key observations to aid the review process:"
    "\n\n<table><tr><td>⏱️&nbsp;<b>Estimated effort to review</b>: 2 🔵🔵⚪⚪⚪</td></tr>\n<tr><td>"
    "\n\n<details><summary>{0}</summary></details>\n"
    "<details><summary>{1}</summary></details></td></tr></table>\n\n- [ ] More",
    "mail": "From: Ann Lee <ann@mail.example>\nDate: Mon, 3 Jun 2024 10:12\n\nOn Mon, 3 Jun 2024 "
    "at 10:12, Bob <b@mail.example> wrote:\n> +    return 1\n\n{0}.\n\n> > Please review.\n\n{1}."
    "\n\nReviewed-by: Ann Lee <ann@mail.example>\n\nThanks,\nAnn\n\n> +y\n",
    "notification": "@ann commented on this pull request.\n\n{0}.\n\n{1}.\n\ncc @bob\n\n—\nReply "
    "to this email directly.\nYou are receiving this because you commented.",
    "reasoning": "<think>\nThe diff returns 1 now. Is it rounded?\n</think>\n\n{0}. {1}.",
    "thoughts": "<details><summary>💭 Thinking</summary>\n\nIs it rounded?\n\n</details>\n\n{0}. "
    "{1}.",
}
CHANGES = {
    name: (diff, findings.split("\n")) for name, diff, findings in cases(FOLDER / "wrapped.txt")
}


@pytest.mark.parametrize(
    ("review", "expected"), [case[1:] for case in cases(FOLDER / "review_text.txt")]
)
def test_sentences_are_what_the_author_states(review: str, expected: str) -> None:
    found = read_review(review)
    notes = [warning for warning in found.warnings if re.match(r"left out|.* has only", warning)]
    counted = [f"({note.partition(': ')[2] or note})" for note in notes]
    assert [*found.sentences, *counted] == expected.splitlines()


def test_wrappers_of_reviewers_add_no_sentence_and_do_not_change_the_score() -> None:
    scorer = CRScorer()
    for diff, findings in CHANGES.values():
        wrapped = [form.format(*findings) for form in WRAPPERS.values()]
        bare, *scores = scorer.score_many(diff, [f"{findings[0]}. {findings[1]}.", *wrapped])
        assert bare.relevance
        for name, score in zip(WRAPPERS, scores, strict=True):
            assert [*score.sentence_texts] == findings, name
            assert score.relevance == pytest.approx(bare.relevance, abs=0.05), name
            assert score.no_threshold == pytest.approx(bare.no_threshold, abs=0.02)


@given(st.permutations(["Why 1000?", 'It guards "*?*".', "Is it `a?`?", "See (a).", "x = 1."]))
def test_sentences_are_the_same_in_any_order(sentences: list[str]) -> None:
    found = read_review(" ".join(sentences)).sentences
    assert sorted(found) == ["Is it `a?`", 'It guards "*?*"', "See (a)", "Why 1000", "x = 1"]


@given(st.text(st.sampled_from("ab `~<!->[]()\n'\"=/|*_#1.&;?:\x01\x05👍"), max_size=60))
def test_every_word_is_in_a_sentence_or_counted(review: str) -> None:
    found = read_review(review)
    assert "\x01" not in "".join(found.sentences)
    is_empty = any(text.startswith("the review states nothing") for text in found.warnings)
    assert bool(found.sentences) is not is_empty


@pytest.mark.parametrize("piece", [
    "> ", "<details>", "<blockquote>", "<td>", "<tr>", "**", "<pre>", "On 3:15 @b 2024:\n> ",
])  # fmt: skip
def test_deep_nesting_is_read(piece: str) -> None:
    assert len(read_review(f"{piece * 5_000}a").sentences) < 5_000


@pytest.mark.parametrize(("review", "warns"), [
    *((review, True) for review in (
        "这里没有检查空指针。", "Bitte einen Test ergänzen.", "Esta variable no se utiliza.",
        "Il faut ajouter un test.", "Waarom is dit niet getest?")),
    ("Was `caso` meant to be `nombre`?", False),
    ("Missing null check before dereferencing `buffer` in the loop below.", False),
    ("naïve café 👍", False),
    ("Replaces math.log(self.max / self.low, self.exp_base); math.log(self.max, self.exp).", False),
    ("Ensure input validation. Ensure backwards compatibility. Ensure test coverage.", False),
])  # fmt: skip
def test_a_review_in_another_language_has_a_warning(review: str, warns: bool) -> None:
    found = any("English" in warning for warning in read_review(review).warnings)
    assert found is warns
