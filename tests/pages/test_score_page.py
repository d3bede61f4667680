"""The form of the Score page without a browser: success, empty, error; claims edited, reset."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from crscore_core.change import parse_change
from crscore_core.claims import claim_generator
from crscore_core.rendered import rendered
from pages.components.score_file import form_file
from tests.crscore_core.changes import JAVA_HUNK, PYTHON
from tests.pages.app_page import (
    chart,
    labels,
    markup,
    own_form,
    press,
    said,
    scores,
    typed_tables,
)

REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks!"
HOSTILE = "**bold** <b>html</b> :material/check: $x^2$ ![y](http://127.0.0.1/z) [l](x) `c`"
CLAIMS = [claim.text for claim in claim_generator().generate(parse_change(PYTHON)).claims]


@pytest.fixture
def page() -> AppTest:
    return own_form()


def fill(page: AppTest, diff: str = PYTHON, review: str = REVIEW) -> AppTest:
    page.text_area(key="diff").set_value(diff)
    page.text_area(key="review_1").set_value(review)
    return page


def made(page: AppTest) -> AppTest:
    return press(fill(page), "Make claims")


def edit(page: AppTest, **edits: Any) -> None:  # noqa: ANN401 - what the table takes
    key = page.data_editor[0].key
    assert key is not None
    state: dict[str, Any] = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    page.session_state[key] = state | edits
    page.run()
    assert not page.exception


def shown_claims(page: AppTest) -> list[str]:
    return list(page.data_editor[0].value["claim"])


def counts(edited: int, added: int, removed: int) -> str:
    return f"{edited} of {len(CLAIMS)} claims edited, {added} added, {removed} removed."


def sources(page: AppTest) -> dict[str, str]:
    """Source of each pseudo-reference by its text."""
    table = typed_tables(page)[2]
    texts = [text.split("\nmatched as: ")[0] for text in table["pseudo-reference"]]
    origins = [origin.split("\n")[0] for origin in table["origin"]]
    return {text: origin.split(", ")[1] for text, origin in zip(texts, origins, strict=True)}


def signature(page: AppTest) -> str:
    return str(page.code[-1].value)


def leave_and_come_back(page: AppTest) -> None:
    page.switch_page("pages/guide.py").run()
    assert not page.data_editor
    page.switch_page("pages/score.py").run()


def test_an_empty_form_says_what_to_do(page: AppTest) -> None:
    assert page.text_area(key="diff").value == page.text_area(key="review_1").value == ""
    assert "Paste a diff and a review" in page.info[0].value
    assert not scores(page)
    page.text_area(key="diff").set_value(PYTHON).run()
    assert "Press Score" in page.info[0].value


def test_a_diff_and_a_review_give_scores_and_reasons_at_every_tau(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(fill(page), "Score")
    (row,) = scores(page)
    assert list(row) == ["relevance", "conciseness", "comprehensiveness"]
    assert not page.metric  # no predicted rating
    _, sentences, references, analyzers = typed_tables(page)
    assert list(sentences["sentence"]) == [
        "The bare except hides every error", "Why is an empty list returned", "Thanks!",
    ]  # fmt: skip
    on_topic = list(sentences["topic"]).count("✓ on topic")
    covered = list(references["coverage"]).count("✓ covered")
    n_points = len(references)
    assert set(sentences["topic"]) == {"✓ on topic", "✗ off topic"}
    assert f"About the change: {on_topic} of 3 sentences." in said(page)
    assert f"Covers {covered} of {n_points} points." in said(page)
    assert row["conciseness"] == f"{on_topic / 3:.3f}"
    assert row["comprehensiveness"] == f"{covered / n_points:.3f}"
    assert "smell, ruff" in {origin.split("\n")[0] for origin in references["origin"]}
    assert set(analyzers["status"]) == {"fragment"}
    assert "saw only the hunks of app/store" in said(page)
    heatmap = chart(page)
    assert heatmap["data"][0]["type"] == "heatmap"
    assert len(heatmap["layout"]["yaxis"]["ticktext"]) == len(references) + 1

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the slider must not embed anything")

    monkeypatch.setattr("crscore_core.scoring.scorer.embed", refuse)
    page.slider(key="tau").set_value(0.0).run()
    assert f"**About the change: 3 of 3 sentences. Covers {n_points} of {n_points} points.**" in (
        said(page)
    )
    assert scores(page) == [dict.fromkeys(row, "1.000")]
    page.slider(key="tau").set_value(1.0).run()
    assert not page.exception
    assert f"**About the change: 0 of 3 sentences. Covers 0 of {n_points} points.**" in said(page)
    assert scores(page) == [dict.fromkeys(row, "0.000")]
    _, sentences, references, *_ = typed_tables(page)
    assert set(sentences["topic"]) == {"✗ off topic"}
    assert set(references["coverage"]) == {"✗ missed"}


@pytest.mark.parametrize(
    ("diff", "review", "message"),
    [
        ("", REVIEW, "it is empty"),
        ("just some prose", REVIEW, "no diff found"),
        ("@@ -1,9 +1,9 @@\n x\n", REVIEW, "line 2"),
        (f"@@ -1 +1 @@\n-x\n+y\n--- {HOSTILE}\n", REVIEW, "line"),
        (PYTHON, "", "Review 1 is empty"),
        (PYTHON, " \n", "Review 1 is empty"),
    ],
)
def test_bad_input_is_a_message_in_place_and_the_form_is_kept(
    page: AppTest, diff: str, review: str, message: str
) -> None:
    fill(page, diff, review)
    for button in ("Score",) if diff == PYTHON else ("Make claims", "Score"):
        press(page, button)
        assert message in page.error[0].value.replace("\\", "")
        assert "![" not in page.error[0].value
        assert not scores(page)
        assert not page.data_editor
        assert page.text_area(key="diff").value == diff
        assert page.text_area(key="review_1").value == review


def test_reviews_are_added_and_removed(page: AppTest) -> None:
    press(page, "Add a review")
    press(page, "Add a review")
    page.text_area(key="review_3").set_value("third").run()
    assert [area.key for area in page.text_area if str(area.key).startswith("review_")] == [
        "review_1", "review_2", "review_3",
    ]  # fmt: skip
    press(page, "Remove the last")
    press(page, "Add a review")
    assert page.text_area(key="review_3").value == ""


def test_several_reviews_are_scored_side_by_side_and_one_is_shown_in_detail(page: AppTest) -> None:
    press(page, "Add a review")
    page.text_input(key="name_2").set_value("Ann [x](x)")
    page.text_area(key="review_2").set_value("Thanks!")
    press(fill(page), "Score")
    first, second = scores(page)
    assert float(first["relevance"]) > 0
    assert second == dict.fromkeys(first, "0.000")
    overview = typed_tables(page)[0]
    assert [text.split(": ")[0] for text in overview["review"]] == ["Review 1", "Ann [x](x)"]
    assert len(typed_tables(page)[1]) == 3
    page.segmented_control(key="shown_of_2").set_value(1).run()
    assert "**About the change: 0 of 1 sentence." in said(page)
    assert len(typed_tables(page)[1]) == 1
    assert scores(page) == [first, second]


def test_a_changed_form_is_pointed_out_beside_the_scores(page: AppTest) -> None:
    press(fill(page), "Score")
    before = scores(page)
    page.selectbox(key="encoder").select("mixedbread-ai/mxbai-embed-large-v1").run()
    assert "The form has changed" in said(page)
    assert scores(page) == before
    assert page.slider(key="tau").value == 0.31


def test_text_of_people_is_never_markup(page: AppTest) -> None:
    diff = f"--- a/{HOSTILE}\n+++ b/{HOSTILE}\n@@ -1 +1 @@\n-{HOSTILE}\n+x = {HOSTILE}\n"
    press(fill(page, diff, HOSTILE), "Score")
    for part in ("![", "](", "<b>", ":material/", ":\\/"):
        assert part not in said(page).replace(":material/check_circle:", "")
    assert rendered(HOSTILE).text.strip() in typed_tables(page)[1].to_numpy()
    assert "<b>" not in markup(page)


def test_uploads_count(page: AppTest) -> None:
    code = "export function price(item) {\n    const spare = 1;\n}\n"
    diff = "--- a/src/shop.js\n+++ b/src/shop.js\n@@ -1,2 +1,3 @@\n" + "".join(
        f"{mark}{line}\n" for mark, line in zip(" + ", code.splitlines(), strict=True)
    )
    page.file_uploader(key="diff_upload_0").set_value(("a.diff", diff.encode(), "text/plain"))
    page.file_uploader(key="new_files_0").set_value([("shop.js", code.encode(), "text/plain")])
    press(fill(page, "", "The variable spare is never used."), "Score")
    references = typed_tables(page)[2]
    smells = references["pseudo-reference"][references["origin"].str.startswith("smell, ")]
    assert smells.str.contains("spare").any()
    assert "only the hunks" not in said(page)


def saved(page: AppTest) -> bytes:
    """The form as its download has it."""
    return form_file(page.session_state["inputs"], page.session_state.get("claim_table", None))


def upload(page: AppTest, content: bytes) -> AppTest:
    (field,) = (field for field in page.file_uploader if "form_upload" in str(field.key))
    field.set_value(("form.json", content, "application/json")).run()
    assert not page.exception
    return page


def changed(form: bytes, *path: str, value: object) -> bytes:
    """The form with another value at a path."""
    document = place = json.loads(form)
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return json.dumps(document).encode()


def test_a_form_comes_back_from_its_file_with_its_claims_and_without_uploads(page: AppTest) -> None:
    page.file_uploader(key="diff_upload_0").set_value(
        ("a.diff", PYTHON.encode("utf-16"), "text/plain")
    )
    press(page, "Add a review")
    page.text_area(key="review_2").set_value("Thanks!")
    page.selectbox(key="language").select("python")
    press(fill(page, ""), "Make claims")
    edit(page, edited_rows={0: {"claim": "the first is another"}}, deleted_rows=[1])
    press(page, "Score")
    other = fill(own_form(), JAVA_HUNK, "Typed before.")
    other.file_uploader(key="diff_upload_0").set_value(("b.diff", b"no diff", "text/plain"))
    upload(press(other, "Score"), saved(page))
    assert other.text_area(key="diff").value == PYTHON
    assert other.selectbox(key="language").value == "python"
    assert [other.text_area(key=f"review_{number}").value for number in (1, 2)] == [
        REVIEW, "Thanks!",
    ]  # fmt: skip
    assert not other.error
    assert not scores(other)
    assert counts(1, 0, 1) in said(other)
    assert scores(press(other, "Score")) == scores(page)
    assert signature(other) == signature(page)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("inputs",), None, "not a form"),
        (("inputs", "diff"), 1, "not a form"),
        (("inputs", "reviews"), [], "has no review"),
        (("inputs", "language"), "![klingon](x)", "unknown language"),
        (("inputs", "claims", "backend"), "![x](x)", "unknown claims backend"),
        (("inputs", "analysis", "jshint"), "no such rules", ""),
        (("inputs", "analysis", "pmd_rulesets"), ["no such rules"], ""),
        (("inputs", "diff"), "no diff", ""),
    ],
)
def test_a_file_that_is_no_form_is_refused_and_one_with_other_names_is_read(
    page: AppTest, path: tuple[str, ...], value: object, message: str
) -> None:
    upload(page, changed(saved(made(own_form())), *path, value=value))
    assert [message in error.value for error in page.error] == ([True] if message else [])
    assert "![" not in said(page)
    assert bool(page.text_area(key="review_1").value) is not bool(message)
    press(page, "Score")
    assert not page.exception


@pytest.mark.parametrize(("typed_for", "stays"), [("http://127.0.0.1:9/v1", True), ("", False)])
def test_a_form_has_no_key_and_sends_none_to_another_server(
    page: AppTest, typed_for: str, *, stays: bool
) -> None:
    def typed(base_url: str) -> AppTest:
        form = own_form()
        form.selectbox(key="claims").set_value("endpoint").run()
        for option, value in {"base_url": base_url, "api_key": "sk-1", "model": "mine"}.items():
            form.text_input(key=f"claims_endpoint_{option}").set_value(value)
        return form.run()

    form = saved(typed("http://127.0.0.1:9/v1"))
    assert b"sk-1" not in form
    page = upload(typed(typed_for), changed(form, "inputs", "claims", "options", "model", value=""))
    now = {
        option: page.text_input(key=f"claims_endpoint_{option}").value
        for option in ("base_url", "api_key", "model")
    }
    assert now == {
        "base_url": "http://127.0.0.1:9/v1", "api_key": "sk-1" * stays, "model": "",
    }  # fmt: skip


def test_very_many_sentences_do_not_overwhelm_the_page(page: AppTest) -> None:
    press(fill(page, review="word. " * 3000), "Score")
    assert "too many to draw" in said(page)
    assert "repeat" in said(page)


def test_a_guessed_language_and_a_missing_tool_are_named_on_the_page(
    page: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    # Analyzers remember what they saw, and other tests have shown them the hunk as it is.
    unseen = JAVA_HUNK.replace("isEmpty", "hasNothing")
    press(fill(page, unseen, "Why is items null here?"), "Score")
    assert "is a guess" in said(page)
    (text,) = [info.value for info in page.info if "Not analysed" in info.value]
    assert "by pmd" in text
    assert "install a Java runtime" in text
    page.selectbox(key="language").select("java")
    press(page, "Score")
    assert "is a guess" not in said(page)


def test_other_rules_are_chosen_on_the_page(page: AppTest) -> None:
    page.selectbox(key="jshint").set_value("original")
    page.multiselect(key="pmd_rulesets").set_value(["category/java/security.xml"])
    change = "--- a/x.js\n+++ b/x.js\n@@ -1 +1,2 @@\n a();\n+const b = 1;\n"
    press(fill(page, change, "Why is b a constant?"), "Score")
    assert "jshint=2.13.6 original" in signature(page)


def test_claims_are_made_shown_and_score_as_without_a_look_at_them(page: AppTest) -> None:
    made(page)
    assert shown_claims(page) == CLAIMS
    assert list(page.data_editor[0].value.columns) == ["claim", "kind", "file", "line"]
    assert f"{len(CLAIMS)} claims, as they were made." in said(page)
    assert not scores(page)
    assert "Make claims" not in labels(page)
    press(page, "Score")
    assert "symbolic" in sources(page).values()
    assert "|claims:symbolic|" in signature(page)
    in_one_click = press(fill(own_form()), "Score")
    assert shown_claims(in_one_click) == CLAIMS
    assert not in_one_click.warning
    assert scores(in_one_click) == scores(page)


def test_a_given_claim_that_another_wording_matches_is_shown_once(page: AppTest) -> None:
    page.selectbox(key="claims").set_value("given below").run()
    given = {"text": "The store changes.", "wordings": ["Bananas", f"hides every error {HOSTILE}"]}
    page.text_area(key="given_claims").set_value(json.dumps([given]))
    press(fill(page), "Score")
    assert shown_claims(page) == ["The store changes."]
    first, *others = typed_tables(page)[2]["pseudo-reference"]
    assert first == f"The store changes.\nmatched as: {given['wordings'][1]}"
    assert others
    assert not any("matched as" in text for text in others)
    edit(page, edited_rows={0: {"claim": "The store is new."}})
    press(page, "Score")
    assert not typed_tables(page)[2]["pseudo-reference"].str.contains("matched as").any()


def test_edited_added_and_removed_claims_are_scored_marked_and_reset(page: AppTest) -> None:
    press(made(page), "Score")
    before = scores(page)
    edit(
        page,
        edited_rows={0: {"claim": "the first is another", "kind": "implication"}},
        added_rows=[{"claim": "  one more ", "kind": "claim"}, {"kind": "claim"}],
        deleted_rows=list(range(1, len(CLAIMS))),
    )
    assert counts(1, 1, len(CLAIMS) - 1) in said(page)
    assert "The form has changed" in said(page)
    press(page, "Score")
    assert not page.warning
    edited = {text for text, source in sources(page).items() if source == "edited"}
    assert edited == {"the first is another", "one more"}
    assert not set(CLAIMS) & set(sources(page))
    assert "+edited-" in signature(page)
    assert scores(page) != before
    press(page, "Reset")
    assert shown_claims(page) == CLAIMS
    press(page, "Score")
    assert scores(page) == before
    assert "edited" not in signature(page)


@pytest.mark.parametrize("n_removed", [1, 2, len(CLAIMS)])
def test_a_new_claim_is_not_taken_for_a_removed_one(page: AppTest, n_removed: int) -> None:
    made(page)
    removed = list(range(len(CLAIMS) - n_removed, len(CLAIMS)))
    edit(page, deleted_rows=removed, added_rows=[{"claim": "one more", "kind": "claim"}])
    assert counts(0, 1, n_removed) in said(page)
    *kept, new = page.session_state["claim_table"].rows
    assert [row.original.text for row in kept] == CLAIMS[:-n_removed]
    assert (new.text, new.original) == ("one more", None)
    # The table that is shown anew after another page knows it still, and can be edited on.
    leave_and_come_back(page)
    assert shown_claims(page) == [*CLAIMS[:-n_removed], "one more"]
    assert counts(0, 1, n_removed) in said(page)
    edit(page, edited_rows={len(kept): {"claim": "two more"}})
    assert counts(0, 1, n_removed) in said(page)


def test_a_table_without_claims_is_an_error_that_says_so(page: AppTest) -> None:
    edit(made(page), deleted_rows=list(range(len(CLAIMS))))
    press(page, "Score")
    assert "all claims were removed" in page.error[0].value
    assert not scores(page)


def test_what_a_client_sends_beyond_the_table_is_harmless(page: AppTest) -> None:
    edit(
        made(page),
        edited_rows={0: {"kind": "no such kind", "claim": None}},
        added_rows=[{"claim": HOSTILE, "kind": None, "_index": 0, "line": 7, "file": "/x"}],
    )
    press(page, "Score")
    assert counts(0, 1, 1) in said(page)
    assert HOSTILE in sources(page)  # as typed, in a table that holds no other element


def test_claims_are_never_applied_to_another_diff(page: AppTest) -> None:
    made(page)
    page.text_area(key="diff").set_value(JAVA_HUNK).run()
    assert not page.data_editor  # nobody edited them
    page.text_area(key="diff").set_value(PYTHON).run()
    edit(page, added_rows=[{"claim": "one more", "kind": "claim"}])
    page.text_area(key="diff").set_value(JAVA_HUNK).run()
    assert "belong to another diff" in page.warning[0].value
    assert counts(0, 1, 0) in page.warning[0].value
    assert "Score" not in labels(page)
    page.text_area(key="diff").set_value(PYTHON).run()
    assert counts(0, 1, 0) in said(page)
    press(page, "Score")
    assert sources(page)["one more"] == "edited"
    page.text_area(key="diff").set_value(JAVA_HUNK).run()
    press(page, "Drop the edited claims")
    press(page, "Score")
    assert not {"one more", *CLAIMS} & set(sources(page))
    assert "edited" not in signature(page)
