"""The form of the Score page without a browser: success, empty, error; claims edited, reset."""

import json
from collections.abc import Mapping
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
    lacks,
    markup,
    own_form,
    press,
    put,
    run,
    said,
    scores,
    typed_tables,
    upload,
    visit,
)

REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks!"
HOSTILE = "**bold** <b>html</b> :material/check: $x^2$ ![y](http://127.0.0.1/z) [l](x) `c`"
CLAIMS = [claim.text for claim in claim_generator().generate(parse_change(PYTHON)).claims]
MORE = [{"claim": "one more", "kind": "claim"}]


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
    run(page)


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


def test_an_empty_form_says_what_to_do(page: AppTest) -> None:
    assert page.text_area(key="diff").value == page.text_area(key="review_1").value == ""
    assert "Paste a diff and a review" in page.info[0].value
    assert not scores(page)
    assert "Press Score" in put(page, diff=PYTHON).info[0].value


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
    assert 0 < on_topic < 3
    con, comp = on_topic / 3, covered / n_points
    expected = 2 * con * comp / (con + comp), con, comp
    assert list(row.values()) == [f"{score:.3f}" for score in expected]
    assert "smell, ruff" in {origin.split("\n")[0] for origin in references["origin"]}
    assert set(analyzers["status"]) == {"fragment"}
    assert "saw only the hunks of app/store" in said(page)
    assert chart(page)["data"][0]["type"] == "heatmap"
    assert len(chart(page)["layout"]["yaxis"]["ticktext"]) == n_points + 1
    words = "**About the change: {} of 3 sentences. Covers {} of {} points.**"
    assert words.format(on_topic, covered, n_points) in said(page)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the slider must not embed anything")

    monkeypatch.setattr("crscore_core.scoring.pipeline.embed", refuse)
    for tau, share, topic, coverage in (
        (0.0, 1, "✓ on topic", "✓ covered"),
        (1.0, 0, "✗ off topic", "✗ missed"),
    ):
        put(page, tau=tau)
        assert words.format(share * 3, share * n_points, n_points) in said(page)
        assert scores(page) == [dict.fromkeys(row, f"{share:.3f}")]
        _, sentences, references, *_ = typed_tables(page)
        assert (set(sentences["topic"]), set(references["coverage"])) == ({topic}, {coverage})


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
    page: AppTest, diff: str, review: str, message: str
) -> None:
    press(page, "Add a review")
    fill(put(page, name_1=HOSTILE, review_2=REVIEW), diff, review)
    for button in ("Score",) if diff == PYTHON else ("Make claims", "Score"):
        press(page, button)
        assert message in page.error[0].value.replace("\\", "")
        assert "![" not in page.error[0].value
        assert not scores(page)
        assert not page.data_editor
        assert page.text_area(key="diff").value == diff
        assert page.text_area(key="review_1").value == review


def test_reviews_are_added_and_removed(page: AppTest) -> None:
    press(press(page, "Add a review"), "Add a review")
    put(page, review_3="third")
    assert [area.key for area in page.text_area if str(area.key).startswith("review_")] == [
        "review_1", "review_2", "review_3",
    ]  # fmt: skip
    press(press(page, "Remove the last"), "Add a review")
    assert page.text_area(key="review_3").value == ""


def test_several_reviews_are_scored_side_by_side_and_one_is_shown_in_detail(page: AppTest) -> None:
    put(press(page, "Add a review"), name_2="Ann [x](x)", review_2="Thanks!")
    press(fill(page), "Score")
    first, second = scores(page)
    assert float(first["relevance"]) > 0
    assert second == dict.fromkeys(first, "0.000")
    overview = typed_tables(page)[0]
    assert [text.split(": ")[0] for text in overview["review"]] == ["Review 1", "Ann [x](x)"]
    assert len(typed_tables(page)[1]) == 3
    put(page, shown_of_2=1)
    assert "**About the change: 0 of 1 sentence." in said(page)
    assert len(typed_tables(page)[1]) == 1
    assert scores(page) == [first, second]


def test_a_changed_form_is_pointed_out_beside_the_scores(page: AppTest) -> None:
    before = scores(press(fill(page), "Score"))
    put(page, encoder="mixedbread-ai/mxbai-embed-large-v1")
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
    upload(page, "diff_upload", "a.diff", diff.encode())
    page.file_uploader(key="new_files_0").set_value([("shop.js", code.encode(), "text/plain")])
    press(fill(page, "", "The variable spare is never used."), "Score")
    references = typed_tables(page)[2]
    smells = references["pseudo-reference"][references["origin"].str.startswith("smell, ")]
    assert smells.str.contains("spare").any()
    assert "only the hunks" not in said(page)


def saved(page: AppTest) -> bytes:
    """The form as its download has it."""
    return form_file(page.session_state["inputs"], page.session_state.get("claim_table", None))


def take(page: AppTest, form: bytes) -> AppTest:
    return upload(page, "form_upload", "form.json", form)


def changed(form: bytes, *path: str, value: object) -> bytes:
    """The form with another value at a path."""
    document = place = json.loads(form)
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return json.dumps(document).encode()


def test_a_form_comes_back_from_its_file_with_its_claims_and_without_uploads(page: AppTest) -> None:
    upload(page, "diff_upload", "a.diff", PYTHON.encode("utf-16"))
    put(press(page, "Add a review"), review_2="Thanks!", language="python")
    press(fill(page, ""), "Make claims")
    edit(page, edited_rows={0: {"claim": "the first is another"}}, deleted_rows=[1])
    press(page, "Score")
    other = upload(own_form(), "diff_upload", "b.diff", b"no diff")
    take(press(fill(other, JAVA_HUNK, "Typed before."), "Score"), saved(page))
    assert other.text_area(key="diff").value == PYTHON
    assert other.selectbox(key="language").value == "python"
    shown = [other.text_area(key=f"review_{number}").value for number in (1, 2)]
    assert shown == [REVIEW, "Thanks!"]
    assert not other.error
    assert not scores(other)
    assert other.selectbox(key="claims").value == "given below"
    assert scores(press(other, "Score")) == scores(page)
    assert "claims:given-" in signature(other)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("claims",), None, "not a form"),
        (("diff",), 1, "not a form"),
        (("reviews",), [], "has 0 reviews"),
        (("reviews",), [{"name": "A", "text": "B"}] * 51, "has 51 reviews"),
        (("language",), "![klingon](x)", "unknown language"),
        (("claims", "backend"), "![x](x)", "unknown claims backend"),
        (("analysis", "jshint"), "no such rules", ""),
        (("analysis", "pmd_rulesets"), ["no such rules"], ""),
        (("diff",), "no diff", ""),
    ],
)
def test_a_file_that_is_no_form_is_refused_and_one_with_other_names_is_read(
    page: AppTest, path: tuple[str, ...], value: object, message: str
) -> None:
    take(page, changed(saved(made(own_form())), *path, value=value))
    assert [message in error.value for error in page.error] == ([True] if message else [])
    assert "![" not in said(page)
    assert bool(page.text_area(key="review_1").value) is not bool(message)
    press(page, "Score")


@pytest.mark.parametrize(("typed_for", "stays"), [("http://127.0.0.1:9/v1", True), ("", False)])
def test_a_form_has_no_key_and_sends_none_to_another_server(typed_for: str, *, stays: bool) -> None:
    def typed(base_url: str) -> AppTest:
        fields = {"base_url": base_url, "api_key": "sk-1", "model": "mine"}
        form = put(own_form(), claims="endpoint")
        return put(form, **{f"claims_endpoint_{name}": text for name, text in fields.items()})

    form = saved(typed("http://127.0.0.1:9/v1"))
    assert b"sk-1" not in form
    page = take(typed(typed_for), changed(form, "claims", "options", "model", value=""))
    options = ("base_url", "api_key", "model")
    assert [page.text_input(key=f"claims_endpoint_{option}").value for option in options] == [
        "http://127.0.0.1:9/v1", "sk-1" * stays, "",
    ]  # fmt: skip


def test_very_many_sentences_do_not_overwhelm_the_page(page: AppTest) -> None:
    press(fill(page, review="word. " * 3000), "Score")
    assert lacks(page, "too many to draw", "repeat") == []


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
    assert "is a guess" not in said(press(put(page, language="java"), "Score"))


def test_other_rules_are_chosen_on_the_page(page: AppTest) -> None:
    put(page, jshint="original", pmd_rulesets=["category/java/security.xml"])
    change = "--- a/x.js\n+++ b/x.js\n@@ -1 +1,2 @@\n a();\n+const b = 1;\n"
    press(fill(page, change, "Why is b a constant?"), "Score")
    assert "jshint=2.13.6 original" in signature(page)


def test_claims_are_made_shown_and_score_as_without_a_look_at_them(page: AppTest) -> None:
    made(page)
    assert list(page.data_editor[0].value.columns) == ["claim", "kind", "file", "line"]
    assert f"{len(CLAIMS)} claims, as they were made." in said(page)
    assert not scores(page)
    assert "Make claims" not in labels(page)
    press(page, "Score")
    assert "symbolic" in sources(page).values()
    assert "|claims:symbolic|" in signature(page)
    in_one_click = press(fill(own_form()), "Score")
    assert shown_claims(in_one_click) == shown_claims(page) == CLAIMS
    assert not in_one_click.warning
    assert scores(in_one_click) == scores(page)


def test_a_given_claim_that_another_wording_matches_is_shown_once(page: AppTest) -> None:
    given = {"text": "The store changes.", "wordings": ["Bananas", f"hides every error {HOSTILE}"]}
    put(put(page, claims="given below"), given_claims=json.dumps([given]))
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
    before = scores(press(made(page), "Score"))
    edit(
        page,
        edited_rows={0: {"claim": "the first is another", "kind": "implication"}},
        added_rows=[{"claim": "  one more ", "kind": "claim"}, {"kind": "claim"}],
        deleted_rows=list(range(1, len(CLAIMS))),
    )
    assert lacks(page, counts(1, 1, len(CLAIMS) - 1), "The form has changed") == []
    press(page, "Score")
    assert not page.warning
    edited = {text for text, source in sources(page).items() if source == "edited"}
    assert edited == {"the first is another", "one more"}
    assert not set(CLAIMS) & set(sources(page))
    assert "+edited-" in signature(page)
    assert scores(page) != before
    assert shown_claims(press(page, "Reset")) == CLAIMS
    assert scores(press(page, "Score")) == before
    assert "edited" not in signature(page)


@pytest.mark.parametrize("n_removed", [1, 2, len(CLAIMS)])
def test_a_new_claim_is_not_taken_for_a_removed_one(page: AppTest, n_removed: int) -> None:
    removed = list(range(len(CLAIMS) - n_removed, len(CLAIMS)))
    edit(made(page), deleted_rows=removed, added_rows=MORE)
    assert counts(0, 1, n_removed) in said(page)
    *kept, new = page.session_state["claim_table"].rows
    assert [row.original.text for row in kept] == CLAIMS[:-n_removed]
    assert (new.text, new.original) == ("one more", None)
    # The table that is shown anew after another page knows it still, and can be edited on.
    assert not visit(page, "guide").data_editor
    assert shown_claims(visit(page, "score")) == [*CLAIMS[:-n_removed], "one more"]
    assert counts(0, 1, n_removed) in said(page)
    edit(page, edited_rows={len(kept): {"claim": "two more"}})
    assert counts(0, 1, n_removed) in said(page)


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ({"deleted_rows": list(range(len(CLAIMS)))}, "all claims were removed"),
        # What a client sends beyond the table is harmless.
        (
            {
                "edited_rows": {0: {"kind": "no such kind", "claim": None}},
                "added_rows": [
                    {"claim": HOSTILE, "kind": None, "_index": 0, "line": 7, "file": "/x"}
                ],
            },
            "",
        ),
    ],
)
def test_any_edits_of_a_client_are_scored_or_an_error(
    page: AppTest, edits: Mapping[str, Any], message: str
) -> None:
    edit(made(page), **edits)
    press(page, "Score")
    assert bool(scores(page)) is not bool(message)
    assert [message in error.value for error in page.error] == ([True] if message else [])
    if not message:
        assert counts(0, 1, 1) in said(page)
        assert HOSTILE in sources(page)  # as typed, in a table that holds no other element


def test_claims_are_never_applied_to_another_diff(page: AppTest) -> None:
    assert not put(made(page), diff=JAVA_HUNK).data_editor  # nobody edited them
    edit(put(page, diff=PYTHON), added_rows=MORE)
    put(page, diff=JAVA_HUNK)
    assert "belong to another diff" in page.warning[0].value
    assert counts(0, 1, 0) in page.warning[0].value
    assert "Score" not in labels(page)
    assert counts(0, 1, 0) in said(put(page, diff=PYTHON))
    press(page, "Score")
    assert sources(page)["one more"] == "edited"
    press(press(put(page, diff=JAVA_HUNK), "Drop the edited claims"), "Score")
    assert not {"one more", *CLAIMS} & set(sources(page))
    assert "edited" not in signature(page)
