"""The form of the Score page without a browser: success, empty, error; claims edited, reset."""

from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from crscore_core.change import parse_change
from crscore_core.claims import claim_generator
from crscore_core.rendered import rendered
from crscore_core.scoring import DEFAULT_ENCODER
from tests.crscore_core.changes import JAVA_HUNK, PYTHON
from tests.pages.app_page import AppPage, own_form

REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks!"
HOSTILE = "**bold** <b>html</b> :material/check: $x^2$ ![y](http://127.0.0.1/z) [l](x) `c`"
CLAIMS = [claim.text for claim in claim_generator().generate(parse_change(PYTHON)).claims]
MORE = [{"claim": "one more", "kind": "claim"}]


@pytest.fixture
def page() -> AppPage:
    return own_form()


def fill(page: AppPage, diff: str = PYTHON, review: str = REVIEW) -> AppPage:
    page.text_area(key="diff").set_value(diff)
    page.text_area(key="review_1").set_value(review)
    return page


def made(page: AppPage) -> AppPage:
    return fill(page).press("Make claims")


def edit(page: AppPage, **edits: Any) -> None:  # noqa: ANN401 - what the table takes
    key = page.data_editor[0].key
    assert key is not None
    state: dict[str, Any] = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    page.session_state[key] = state | edits
    page.run()


def shown_claims(page: AppPage) -> list[str]:
    return list(page.data_editor[0].value["claim"])


def counts(edited: int, added: int, removed: int) -> str:
    return f"{edited} of {len(CLAIMS)} claims edited, {added} added, {removed} removed."


def sources(page: AppPage) -> dict[str, str]:
    """Source of each pseudo-reference by its text."""
    table = page.typed_tables()[2]
    texts = [text.split("\nmatched as: ")[0] for text in table["pseudo-reference"]]
    origins = [", ".join(origin.split(", ")[:2]) for origin in table["origin"]]
    return {text: origin.split(", ")[1] for text, origin in zip(texts, origins, strict=True)}


def signature(page: AppPage) -> str:
    return str(page.code[-1].value)


def test_a_diff_and_a_review_give_scores_and_reasons_at_every_tau(
    page: AppPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Paste a diff and a review" in page.info[0].value
    assert "Press Score" in page.put(diff=PYTHON).info[0].value
    fill(page).press("Score")
    (row,) = page.scores()
    assert list(row) == ["relevance", "conciseness", "comprehensiveness"]
    _, sentences, references, analyzers = page.typed_tables()
    assert list(sentences["sentence"]) == [
        "The bare except hides every error", "Why is an empty list returned", "Thanks!",
    ]  # fmt: skip
    on_topic = list(sentences["match"]).count("✓ matches")
    covered = list(references["coverage"]).count("✓ covered")
    n_points = len(references)
    assert 0 < on_topic < 3
    con, comp = on_topic / 3, covered / n_points
    expected = 2 * con * comp / (con + comp), con, comp
    assert list(row.values()) == [f"{score:.3f}" for score in expected]
    assert "smell, ruff" in {", ".join(origin.split(", ")[:2]) for origin in references["origin"]}
    assert set(analyzers["status"]) == {"fragment"}
    assert "saw only the hunks of app/store" in page.said()
    assert page.chart()["data"][0]["type"] == "heatmap"
    assert len(page.chart()["layout"]["yaxis"]["ticktext"]) == n_points + 1
    words = "**About the change: {} of 3 sentences. Covers {} of {} points.**"
    assert words.format(on_topic, covered, n_points) in page.said()

    refusal = Mock(side_effect=AssertionError("the slider must not embed anything"))
    monkeypatch.setattr("crscore_core.scoring.pipeline.embed", refusal)
    for tau, share, topic, coverage in (
        (0.0, 1, "✓ matches", "✓ covered"),
        (1.0, 0, "✗ no match", "✗ missed"),
    ):
        page.put(tau=tau)
        assert words.format(share * 3, share * n_points, n_points) in page.said()
        assert page.scores() == [dict.fromkeys(row, f"{share:.3f}")]
        _, sentences, references, *_ = page.typed_tables()
        assert (set(sentences["match"]), set(references["coverage"])) == ({topic}, {coverage})


@pytest.mark.parametrize(
    ("diff", "review", "message"),
    [
        ("", REVIEW, "it is empty"),
        ("just some prose", REVIEW, "no diff found"),
        ("@@ -1,9 +1,9 @@\n x\n", REVIEW, "line 2"),
        (PYTHON, "", " is empty"),
        (PYTHON, " \n", " is empty"),
    ],
)
def test_bad_input_is_a_message_in_place_and_the_form_is_kept(
    page: AppPage, diff: str, review: str, message: str
) -> None:
    fill(page.press("Add a review").put(name_1=HOSTILE, review_2=REVIEW), diff, review)
    for button in ("Score",) if diff == PYTHON else ("Make claims", "Score"):
        page.press(button)
        assert message in page.error[0].value.replace("\\", "")
        assert "![" not in page.error[0].value
        assert not page.scores()
        assert not page.data_editor
        assert [page.text_area(key=key).value for key in ("diff", "review_1")] == [diff, review]


def test_several_reviews_are_scored_side_by_side_and_one_is_shown_in_detail(page: AppPage) -> None:
    page.press("Add a review").put(review_2="of a review that is removed")
    page.press("Remove the last", "Add a review")
    assert page.text_area(key="review_2").value == ""
    page.put(name_2="Ann [x](x)", review_2="Thanks!")
    first, second = fill(page).press("Score").scores()
    assert float(first["relevance"]) > 0
    assert second == dict.fromkeys(first, "0.000")
    overview, sentences, *_ = page.typed_tables()
    assert [text.split(": ")[0] for text in overview["review"]] == ["Review 1", "Ann [x](x)"]
    assert len(sentences) == 3
    assert "0 of 1 sentence." in page.put(shown_of_2=1).said()
    assert len(page.typed_tables()[1]) == 1
    assert page.scores() == [first, second]


def test_a_changed_form_is_pointed_out_beside_the_scores_and_an_error_replaces_them() -> None:
    encoder = "mixedbread-ai/mxbai-embed-large-v1"
    page = own_form({"encoder": encoder, "tau": "0.7"})
    assert page.selectbox(key="encoder").value == encoder
    before = fill(page.put(encoder=DEFAULT_ENCODER)).press("Score").scores()
    assert page.slider(key="tau").value == 0.7
    page.put(encoder=encoder)
    assert "The form has changed" in page.said()
    assert page.scores() == before
    page.selectbox(key="encoder").options.append("../x")  # is typed
    page.selectbox(key="encoder").set_value("../x")
    page.press("Score")
    assert "neither a folder nor the name of a model" in page.error[0].value
    assert not page.slider  # no score depends on it
    assert "preset" not in page.said()


def test_text_of_people_is_never_markup(page: AppPage) -> None:
    diff = f"--- a/{HOSTILE}\n+++ b/{HOSTILE}\n@@ -1 +1 @@\n-{HOSTILE}\n+x = {HOSTILE}\n"
    fill(page, diff, HOSTILE).press("Score")
    for part in ("![", "](", "<b>", ":material/", ":\\/"):
        assert part not in page.said().replace(":material/check_circle:", "")
    assert rendered(HOSTILE).text.strip() in page.typed_tables()[1].to_numpy()
    assert "<b>" not in page.markup()


def test_an_uploaded_diff_fills_the_field_and_new_files_are_analysed(page: AppPage) -> None:
    code = "export function price(item) {\n    const spare = 1;\n}\n"
    diff = "--- a/src/shop.js\n+++ b/src/shop.js\n@@ -1,2 +1,3 @@\n" + "".join(
        f"{mark}{line}\n" for mark, line in zip(" + ", code.splitlines(), strict=True)
    )
    page.upload("diff_upload", "bad.diff", "ü".encode("latin-1"))
    assert "not valid UTF\\-8" in page.error[0].value
    page.put(diff="typed before").upload("diff_upload", "a.diff", diff.encode("utf-16"))
    assert page.text_area(key="diff").value == diff
    page.file_uploader(key="new_files").set_value([("shop.js", code.encode(), "text/plain")])
    fill(page, f"{diff} ", "The variable spare is never used.").press("Score")
    assert page.text_area(key="diff").value == f"{diff} "  # can be edited
    references = page.typed_tables()[2]
    smells = references["pseudo-reference"][references["origin"].str.startswith("smell, ")]
    assert smells.str.contains("spare").any()
    assert "only the hunks" not in page.said()


def test_very_many_sentences_do_not_overwhelm_the_page(page: AppPage) -> None:
    fill(page, review="word. " * 3000).press("Score")
    assert page.lacks("too many to draw", "repeat") == []


def test_a_guessed_language_and_a_missing_tool_are_named_on_the_page(
    page: AppPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    fill(page, JAVA_HUNK, "Why is items null here?").press("Score")
    assert "is a guess" in page.said()
    (text,) = [info.value for info in page.info if "Not analysed" in info.value]
    assert "by pmd" in text
    assert "install a Java runtime" in text
    assert "is a guess" not in page.put(language="java").press("Score").said()


def test_claims_are_made_shown_and_score_as_without_a_look_at_them(page: AppPage) -> None:
    made(page)
    assert list(page.data_editor[0].value.columns) == ["claim", "kind", "file", "line"]
    assert f"{len(CLAIMS)} claims, as they were made." in page.said()
    assert not page.scores()
    assert "Make claims" not in page.labels()
    page.press("Score")
    assert "symbolic" in sources(page).values()
    assert "|claims:symbolic|" in signature(page)
    in_one_click = fill(own_form()).press("Score")
    assert shown_claims(in_one_click) == shown_claims(page) == CLAIMS
    assert not in_one_click.warning
    assert in_one_click.scores() == page.scores()


def test_edited_added_and_removed_claims_are_scored_marked_and_reset(page: AppPage) -> None:
    before = made(page).press("Score").scores()
    edit(
        page,
        edited_rows={0: {"claim": "the first is another", "kind": "implication"}},
        added_rows=[{"claim": "  one more ", "kind": "claim"}, {"kind": "claim"}],
        deleted_rows=list(range(1, len(CLAIMS))),
    )
    assert page.lacks(counts(1, 1, len(CLAIMS) - 1), "The form has changed") == []
    page.press("Score")
    assert not page.warning
    edited = {text for text, source in sources(page).items() if source == "edited"}
    assert edited == {"the first is another", "one more"}
    assert not set(CLAIMS) & set(sources(page))
    assert "+edited-" in signature(page)
    assert page.scores() != before
    assert shown_claims(page.press("Reset")) == CLAIMS
    assert page.press("Score").scores() == before
    assert "edited" not in signature(page)
    edit(page, deleted_rows=list(range(len(CLAIMS))))
    assert not page.press("Score").scores()
    assert "all claims were removed" in page.error[0].value


@pytest.mark.parametrize("n_removed", [1, 2, len(CLAIMS)])
def test_a_new_claim_is_not_taken_for_a_removed_one(page: AppPage, n_removed: int) -> None:
    kept = CLAIMS[:-n_removed]
    edit(made(page), deleted_rows=list(range(len(kept), len(CLAIMS))), added_rows=MORE)
    page.press("Score")
    *old, new = page.session_state["outcome"].rows
    assert [row.original.text for row in old] == kept
    assert (new.text, new.original) == ("one more", None)
    # The table that is shown anew after another page knows it still, and can be edited on.
    assert not page.visit("guide").data_editor
    assert shown_claims(page.visit("score")) == [*kept, "one more"]
    edit(page, edited_rows={len(kept): {"claim": "two more"}})
    assert counts(0, 1, n_removed) in page.said()


def test_what_a_client_sends_beyond_the_table_is_harmless(page: AppPage) -> None:
    added = {"claim": HOSTILE, "kind": None, "_index": 0, "line": 7, "file": "/x"}
    edit(
        made(page),
        edited_rows={0: {"kind": "no such kind", "claim": None}},
        added_rows=[added],
    )
    assert page.press("Score").scores()
    assert not page.error
    assert counts(0, 1, 1) in page.said()
    assert HOSTILE in sources(page)  # as typed, in a table that holds no other element


def test_claims_are_never_applied_to_another_diff_and_edits_wait_for_theirs(page: AppPage) -> None:
    edit(made(page), added_rows=MORE)
    assert not page.put(diff=JAVA_HUNK).data_editor
    page.press("Score")
    assert not {"one more", *CLAIMS} & set(sources(page))
    assert "edited" not in signature(page)
    assert counts(0, 1, 0) in page.put(diff=PYTHON).said()
    assert sources(page.press("Score"))["one more"] == "edited"
