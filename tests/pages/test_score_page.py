"""The form of the Score page without a browser: success, empty, error; claims edited, reset."""

import json
import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from crscore_core.change import parse_change
from crscore_core.claims import claim_backend
from crscore_core.rendered import render_review
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.scoring.pooled_encoder import PooledEncoder
from crscore_eval.run.folder import open_run
from crscore_eval.table import run_signature
from pages.components.text import escape_markdown
from tests.crscore_core.changes import JAVA_HUNK, PYTHON
from tests.pages.app_page import REVIEW, AppPage, fill, open_form, opened, shown_claims, sources
from tests.word_encoder import WordEncoder

HOSTILE = "**bold** <b>html</b> :material/check: $x^2$ ![y](http://127.0.0.1/z) [l](x) `c`"
CLAIMS = [claim.text for claim in claim_backend().generate(parse_change(PYTHON)).claims]
MORE = [{"claim": "one more", "kind": "claim"}]


def edit(form: AppPage, **edits: Any) -> None:  # noqa: ANN401 - anything the table accepts
    key = form.data_editor[0].key
    assert key is not None
    state: dict[str, Any] = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    form.session_state[key] = state | edits
    form.run()


def test_a_reload_keeps_the_form_only_for_this_browser(cookies: dict[str, str]) -> None:
    cookies["crscore_browser"] = "of this test"
    fill(open_form(), PYTHON, REVIEW, "Thanks!").put(name_2="Ann", language="python")
    reloaded = open_form()
    fields = [reloaded.text_area(key=key).value for key in ("diff", "review_1", "review_2")]
    assert fields == [PYTHON, REVIEW, "Thanks!"]
    assert reloaded.text_input(key="name_2").value == "Ann"
    assert reloaded.selectbox(key="language").value == "python"
    assert len(reloaded.press("Score").scores()) == 2
    cookies["crscore_browser"] = "of another"
    assert open_form().text_area(key="diff").value == ""


def test_claims_that_are_left_out_are_listed(form: AppPage) -> None:
    names = [f"value_{number}" for number in range(30)]
    rows = "".join(f"-{name} = 1\n+{name} = compute({name!r})\n" for name in names)
    diff = f"--- a/a.py\n+++ b/a.py\n@@ -1,30 +1,30 @@\n{rows}"
    fill(form, diff, "Why?").press("Score")
    left_out = form.text_table("claim")["claim"]
    assert f"Claims left out as minor: {len(left_out)}" in form.texts().replace("\\", "")
    assert not {*left_out} & {*form.text_table("pseudo-reference")["pseudo-reference"]}


def test_scores_are_saved_as_a_run_whose_change_fills_the_form(form: AppPage, runs: Path) -> None:
    scores = fill(form, PYTHON, REVIEW, "Thanks!").press("Score").scores()
    shown = form.text_table("pseudo-reference")
    form.press("Save as a run")
    assert REVIEW in form.markup()  # on the Heatmap page
    key = form.query_params["data"]
    run = open_run(runs / key)
    assert run.reviews["system"].tolist() == ["Review 1", "Review 2"]
    saved = run.reviews[["relevance", "conciseness", "comprehensiveness"]]
    assert saved.map("{:.2f}".format).to_dict("records") == scores
    texts = [one["text"].replace("`", "") for one in run.changes["references"][0]]
    assert texts == shown["pseudo-reference"].tolist()
    assert run_signature(run.settings).claims == "symbolic"
    assert form.box("Reviews shown").options[-1].startswith("Own change: ")
    assert form.box("Reviews shown").value == key
    assert set(run.changes["language"]) == set(run.reviews["language"]) == {"python"}
    offer = escape_markdown(f"Edit the change of {run.settings['name']}")
    assert offer not in form.visit("score").labels()  # the form has it
    page = opened("", {"data": key}).press(offer)
    assert page.query_params["view"] == "own"
    assert page.press("Score").scores() == scores
    page.press("Clear")
    assert page.press(offer).text_area(key="diff").value == PYTHON


def downloaded(page: AppPage) -> dict[str, str]:
    """The reviews in the document that Download JSON offers, with their relevance."""
    with patch("pages.components.score_result.offer_file") as offer:
        page.run()
    document = json.loads(offer.call_args.args[1]())
    return {one["review"]: f"{one['relevance']:.2f}" for one in document["reviews"]}


def edit_review(page: AppPage, text: str) -> None:
    next(field for field in page.text_area if field.label.startswith("Edit")).set_value(text).run()


def test_an_edited_review_is_shown_saved_and_downloaded(form: AppPage, runs: Path) -> None:
    first, _ = fill(form, PYTHON, "Thanks!", "Thanks!").press("Score").scores()
    expected = fill(open_form(), PYTHON, REVIEW, "Thanks!").press("Score")
    edit_review(form, REVIEW)
    assert form.scores() == [first, *expected.scores()]
    assert form.code[-1].value == expected.code[-1].value  # the signature
    assert form.text_table("analyzer").equals(expected.text_table("analyzer"))
    assert form.text_area(key="review_1").value == REVIEW  # which a reload keeps
    texts = ["Review 1: Thanks!", f"Review 1 (edited): {REVIEW}", "Review 2: Thanks!"]
    assert form.text_table("review")["review"].tolist() == texts
    assert form.put(shown="2").text_table("review")["review"].tolist() == texts
    assert form.visit("guide").visit("score").text_table("review")["review"].tolist() == texts
    _, *shown = [row["relevance"] for row in form.put(tau=0.3).scores()]
    assert downloaded(form) == dict(zip([REVIEW, "Thanks!"], shown, strict=True))
    run = open_run(runs / form.press("Save as a run").query_params["data"])
    assert form.query_params["review"] == "3"  # the one in detail
    saved = zip(run.reviews["system"], run.reviews["review"], strict=True)
    assert [": ".join(pair) for pair in saved] == texts
    assert [f"{score:.2f}" for score in run.reviews["relevance"][1:]] == shown


def test_a_hunk_has_warnings_that_an_edited_review_keeps(form: AppPage) -> None:
    fill(form, "@@ -1,9 +1,9 @@\n-import os\n+import sys\n x = 1\n").press("Score")
    assert "*Language*" in form.texts()  # its file has no name
    (warning,) = form.warning
    edit_review(form, "Why is sys imported?")
    assert [one.value for one in form.warning] == [warning.value]
    assert "*Language*" not in form.put(language="python").press("Score").texts()


def test_a_run_of_many_changes_is_shown_on_other_pages_only(rated: Path) -> None:
    page = opened(run=rated)
    assert page.box("Reviews on other pages").value
    assert not any(label.startswith("Edit the change") for label in page.labels())
    assert page.visit("heatmap").box("Reviews shown").value


def test_a_diff_and_a_review_give_scores_and_reasons_at_every_tau(form: AppPage) -> None:
    fill(form).press("Score")
    (row,) = form.scores()
    _, references, sentences, analyzers = form.text_tables()
    assert "\n".join(sentences["sentence"]) == re.sub(r"[.?] ", "\n", REVIEW[:-1])
    con = list(sentences["match"]).count("✓ matches") / 3
    comp = list(references["coverage"]).count("✓ covered") / len(references)
    assert 0 < con < 1
    expected = 2 * con * comp / (con + comp), con, comp
    assert list(row.values()) == [f"{score:.2f}" for score in expected]
    assert references["origin"].str.startswith("smell, ruff").any()
    assert set(analyzers["status"]) == {"fragment"}
    assert not form.lacks("Code smells may be missing. Analysed only as hunks\\: 1 file")
    assert len(form.chart()["layout"]["yaxis"]["ticktext"]) == len(references) + 1
    with patch.object(PooledEncoder, "encode", side_effect=AssertionError):  # of the slider
        assert form.put(tau=0.0).scores() == [dict.fromkeys(row, "1.00")]
        assert form.put(tau=1.0).scores() == [dict.fromkeys(row, "0.00")]


@pytest.mark.parametrize(("diff", "review", "message"), [
    ("", REVIEW, "Enter a diff"), ("just some prose", REVIEW, "no diff found"),
    (PYTHON, " \n", "Enter a review"), ("", "", "Enter a diff and a review"),
])  # fmt: skip
def test_bad_input_keeps_the_form(form: AppPage, diff: str, review: str, message: str) -> None:
    fill(form, diff, review, review).put(name_1=HOSTILE)
    form.press("Score")
    assert message in form.error[0].value.replace("\\", "")
    assert "![" not in form.error[0].value
    assert not form.scores()
    assert [form.text_area(key=key).value for key in ("diff", "review_1")] == [diff, review]
    assert [field.value for field in form.press("Clear").text_area] == ["", ""]


def test_several_reviews_are_scored_side_by_side(form: AppPage) -> None:
    fill(form, PYTHON, REVIEW, "of a review that is removed")
    form.press("Remove the last", "Add a review")
    assert form.text_area(key="review_2").value == ""
    assert len(form.press("Score").scores()) == 1
    assert "because empty: 1 review" in form.texts()
    form.put(name_2="Ann [x](x)", review_2="Thanks!")
    first, second = form.press("Score").scores()
    assert "because empty" not in form.texts()
    assert float(first["relevance"]) > 0
    assert second == dict.fromkeys(first, "0.00")
    overview, sentences = form.text_table("review"), form.text_table("sentence")
    assert [text.split(": ")[0] for text in overview["review"]] == ["Review 1", "Ann [x](x)"]
    assert len(sentences) == 3
    assert len(form.put(shown="2").text_table("sentence")) == 1
    assert form.scores() == [first, second]


def test_an_error_replaces_the_scores_and_the_url_has_the_encoder() -> None:
    encoder = "mixedbread-ai/mxbai-embed-large-v1"
    form = open_form(encoder=encoder, tau="0.7")
    assert form.selectbox(key="encoder").value == encoder
    fill(form.put(encoder=DEFAULT_ENCODER)).press("Score")
    assert form.scores()
    form.selectbox(key="encoder").options.append("../x")  # is typed
    form.selectbox(key="encoder").set_value("../x")
    assert form.press("Score").error
    assert not form.scores()


@pytest.mark.usefixtures("runs")
def test_the_form_asks_for_a_tau_where_there_is_no_preset(form: AppPage) -> None:
    encoder = WordEncoder()
    encoder.name = "mixedbread-ai/mxbai-embed-large-v1"
    fill(form)
    assert "own_tau" not in [field.key for field in form.number_input]
    with patch("crscore_core.scoring.scorer.load_encoder", return_value=encoder):
        form.put(encoder=encoder.name).press("Score")
        assert "crscore validity" in form.error[0].value
        form.put(own_tau=0.25).press("Score")
    assert not form.error
    assert form.slider(key="tau").value == 0.25
    assert form.scores()
    assert form.press("Save as a run").title[0].value == "Heatmap"  # despite the encoder in the URL


def test_text_of_users_is_never_markup(form: AppPage) -> None:
    diff = f"--- a/{HOSTILE}\n+++ b/{HOSTILE}\n@@ -1 +1 @@\n-{HOSTILE}\n+x = {HOSTILE}\n"
    fill(form, diff, HOSTILE).press("Score")
    form.assert_only_text()
    visible = " ".join(render_review(HOSTILE).split()).replace("`", "")
    assert visible in form.text_table("sentence").to_numpy()


def test_complete_files_are_analysed(form: AppPage) -> None:
    code = "export function price(item) {\n    const spare = 1;\n}\n"
    before, new, after = code.splitlines()
    diff = f"--- a/src/shop.js\n+++ b/src/shop.js\n@@ -1,2 +1,3 @@\n {before}\n+{new}\n {after}\n"
    fill(form, diff)
    form.file_uploader(key="new_files").set_value([("shop.js", code.encode(), "text/plain")])
    assert form.press("Score").scores()
    assert {"analysed"} == {*form.text_table("analyzer")["status"]}


def test_claims_are_edited_added_removed_and_reset(form: AppPage) -> None:
    before = fill(form).press("Score").scores()
    assert shown_claims(form) == CLAIMS
    first, others = {0: {"claim": "  the first is another "}}, list(range(1, len(CLAIMS)))
    edit(form, edited_rows=first, added_rows=MORE, deleted_rows=others)
    assert f"{len(CLAIMS)} claims, edited." in form.texts()
    form.press("Score")
    edited = {text for text, source in sources(form).items() if source == "edited"}
    assert edited == {"the first is another", "one more"}
    assert not set(CLAIMS) & set(sources(form))
    assert "claims:given#" in form.code[-1].value
    assert shown_claims(form.press("Reset")) == CLAIMS
    assert form.press("Score").scores() == before
    edit(form, deleted_rows=list(range(len(CLAIMS))))
    assert form.press("Score").error
    assert not form.scores()


@pytest.mark.parametrize("n_removed", [1, len(CLAIMS)])
def test_a_new_claim_is_not_mistaken_for_a_removed_one(form: AppPage, n_removed: int) -> None:
    kept = CLAIMS[:-n_removed]
    fill(form).press("Generate claims")
    edit(form, deleted_rows=list(range(len(kept), len(CLAIMS))), added_rows=MORE)
    form.press("Score")
    *old, new = form.session_state["outcome"].claims
    assert [claim.text for claim in old] == kept
    assert (new.text, new.source) == ("one more", "edited")
    # Shown again after another page, the table still has it and can be edited further.
    assert not form.visit("guide").data_editor
    assert shown_claims(form.visit("score")) == [*kept, "one more"]


def test_scores_of_an_older_form_are_marked_until_it_is_scored(form: AppPage) -> None:
    scores = fill(form).press("Score").scores()
    *_, edited = form.put(review_1="Another review.").scores()
    assert not form.warning  # scores follow the text of a review
    assert form.press("Score").scores() == [edited] != scores
    form.put(diff=JAVA_HUNK)
    assert len(form.warning) == 1
    assert form.scores() == [edited]
    assert not form.put(diff=PYTHON).warning
    edit(form, deleted_rows=[0])
    assert len(form.warning) == 1


def test_claims_are_never_used_for_another_diff(form: AppPage) -> None:
    edit(fill(form).press("Generate claims"), added_rows=MORE)
    assert not form.put(diff=JAVA_HUNK).data_editor
    form.press("Score")
    assert not {"one more", *CLAIMS} & set(sources(form))
    assert "edited" not in form.code[-1].value
