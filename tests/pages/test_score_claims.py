"""Claims on the Score page without a browser: made, edited, reset, and never for another diff."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from crscore_core.change import parse_change
from crscore_core.claims import claim_generator
from tests.crscore_core.changes import JAVA_HUNK, PYTHON
from tests.pages.test_score_page import HOSTILE, REVIEW, fill, metrics, page, press_score
from tests.pages.typed_tables import typed_tables

__all__ = ["page"]

CLAIMS = [claim.text for claim in claim_generator().generate(parse_change(PYTHON)).claims]


def press(page: AppTest, label: str) -> None:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button if not button.disabled]


def made(page: AppTest) -> AppTest:
    fill(page, PYTHON, REVIEW)
    press(page, "Make claims")
    return page


def edit(page: AppTest, **edits: Any) -> None:  # noqa: ANN401 - what the table takes
    key = page.data_editor[0].key
    assert key is not None
    state: dict[str, Any] = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    page.session_state[key] = state | edits
    page.run()
    assert not page.exception


def captions(page: AppTest) -> list[str]:
    return [caption.value for caption in page.caption]


def references(page: AppTest) -> dict[str, str]:
    """Source of each pseudo-reference by its text."""
    table = typed_tables(page)[2]
    return dict(zip(table["pseudo-reference"], table["source"], strict=True))


def signature(page: AppTest) -> str:
    return str(page.code[-1].value)


def test_claims_are_made_and_shown_without_scoring(page: AppTest) -> None:
    made(page)
    table = page.data_editor[0].value
    assert list(table["claim"]) == CLAIMS
    assert list(table.columns) == ["claim", "kind", "file", "line"]
    assert f"{len(CLAIMS)} claims, as they were made." in captions(page)
    assert not page.metric
    assert "Make claims" not in labels(page)


def test_untouched_claims_score_as_without_a_look_at_them(page: AppTest) -> None:
    press_score(made(page))
    assert set(references(page).values()) >= {"symbolic"}
    assert "|claims:symbolic|" in signature(page)
    assert "edited" not in signature(page)


def test_scoring_in_one_click_shows_the_claims_that_it_made(page: AppTest) -> None:
    press_score(fill(page, PYTHON, REVIEW))
    assert list(page.data_editor[0].value["claim"]) == CLAIMS
    assert not page.warning


def test_edited_added_and_removed_claims_are_scored_and_marked(page: AppTest) -> None:
    made(page)
    edit(
        page,
        edited_rows={0: {"claim": "the first is another", "kind": "implication"}},
        added_rows=[{"claim": "  one more ", "kind": "claim"}, {"kind": "claim"}],
        deleted_rows=[1],
    )
    assert f"1 of {len(CLAIMS)} claims edited, 1 added, 1 removed." in captions(page)
    press_score(page)
    sources = references(page)
    assert sources["the first is another"] == "edited"
    assert sources["one more"] == "edited"
    assert CLAIMS[1] not in sources
    assert "+edited-" in signature(page)


@pytest.mark.parametrize(
    "removed",
    [[len(CLAIMS) - 1], [len(CLAIMS) - 2, len(CLAIMS) - 1], list(range(len(CLAIMS)))],
    ids=["last", "last two", "all"],
)
def test_a_new_claim_is_not_taken_for_a_removed_one(page: AppTest, removed: list[int]) -> None:
    made(page)
    edit(page, deleted_rows=removed, added_rows=[{"claim": "one more", "kind": "claim"}])
    counts = f"0 of {len(CLAIMS)} claims edited, 1 added, {len(removed)} removed."
    assert counts in captions(page)
    *kept, new = page.session_state["claim_table"].rows
    assert [row.original.text for row in kept] == CLAIMS[: -len(removed)]
    assert (new.text, new.original) == ("one more", None)
    # The table that is shown anew after another page knows it still.
    page.switch_page("pages/guide.py").run()
    page.switch_page("pages/score.py").run()
    assert counts in captions(page)


def test_edits_change_what_is_scored_and_can_be_reset(page: AppTest) -> None:
    press_score(made(page))
    before = metrics(page)
    edit(page, deleted_rows=list(range(1, len(CLAIMS))))
    assert any("The form has changed" in warning.value for warning in page.warning)
    press_score(page)
    assert not page.warning
    assert metrics(page) != before
    press(page, "Reset")
    assert list(page.data_editor[0].value["claim"]) == CLAIMS
    press_score(page)
    assert metrics(page) == before
    assert "edited" not in signature(page)


def test_a_table_without_claims_is_an_error_that_says_so(page: AppTest) -> None:
    made(page)
    edit(page, deleted_rows=list(range(len(CLAIMS))))
    press_score(page)
    assert "all claims were removed" in page.error[0].value
    assert not page.metric


def test_what_a_client_sends_beyond_the_table_is_harmless(page: AppTest) -> None:
    made(page)
    edit(
        page,
        edited_rows={0: {"kind": "no such kind", "claim": None}},
        added_rows=[{"claim": HOSTILE, "kind": None, "_index": 0, "line": 7, "file": "/x"}],
    )
    press_score(page)
    assert f"0 of {len(CLAIMS)} claims edited, 1 added, 1 removed." in captions(page)
    assert HOSTILE in references(page)  # as typed, in a table that holds no other element


def test_edits_are_never_applied_to_another_diff(page: AppTest) -> None:
    made(page)
    edit(page, added_rows=[{"claim": "one more", "kind": "claim"}])
    page.text_area(key="diff").set_value(JAVA_HUNK).run()
    assert "belong to another diff" in page.warning[0].value
    assert f"0 of {len(CLAIMS)} claims edited, 1 added, 0 removed." in page.warning[0].value
    assert "Score" not in labels(page)
    page.text_area(key="diff").set_value(PYTHON).run()
    assert f"0 of {len(CLAIMS)} claims edited, 1 added, 0 removed." in captions(page)
    press_score(page)
    assert references(page)["one more"] == "edited"
    page.text_area(key="diff").set_value(JAVA_HUNK).run()
    press(page, "Drop the edited claims")
    press_score(page)
    assert "one more" not in references(page)
    assert "edited" not in signature(page)


def test_claims_that_nobody_edited_are_made_anew_for_another_diff(page: AppTest) -> None:
    made(page)
    page.text_area(key="diff").set_value(JAVA_HUNK).run()
    assert not page.data_editor
    press_score(page)
    assert list(page.data_editor[0].value["claim"]) != CLAIMS
    assert not set(references(page)) & set(CLAIMS)


def test_edits_are_kept_while_another_page_is_read(page: AppTest) -> None:
    made(page)
    edit(page, edited_rows={0: {"claim": "another"}}, added_rows=[{"claim": "new"}])
    page.switch_page("pages/guide.py").run()
    assert not page.data_editor
    page.switch_page("pages/score.py").run()
    assert list(page.data_editor[0].value["claim"]) == ["another", *CLAIMS[1:], "new"]
    assert f"1 of {len(CLAIMS)} claims edited, 1 added, 0 removed." in captions(page)
    edit(page, deleted_rows=[0])
    assert f"0 of {len(CLAIMS)} claims edited, 1 added, 1 removed." in captions(page)


def test_given_claims_are_edited_too(page: AppTest) -> None:
    page.selectbox(key="claims").select("given below").run()
    page.text_area(key="given_claims").set_value("every error is hidden\nload returns a list")
    made(page)
    edit(page, deleted_rows=[1])
    press_score(page)
    assert references(page)["every error is hidden"] == "given"
    assert "+edited-" in signature(page)


@pytest.mark.parametrize(
    ("diff", "message"), [("", "it is empty"), ("just some prose", "no diff found")]
)
def test_no_claims_of_a_bad_diff(page: AppTest, diff: str, message: str) -> None:
    made_of_bad = fill(page, diff, REVIEW)
    press(made_of_bad, "Make claims")
    assert message in page.error[0].value
    assert not page.data_editor
