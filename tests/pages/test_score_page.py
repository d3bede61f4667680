"""The Score page without a browser: success, empty, error."""

import json
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.crscore_core.changes import JAVA_HUNK, PYTHON
from tests.pages.typed_tables import typed_tables

APP = str(Path(__file__).resolve().parents[2] / "app.py")
REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks!"


@pytest.fixture
def page() -> AppTest:
    return AppTest.from_file(APP, default_timeout=120).run()


def fill(page: AppTest, diff: str, review: str) -> AppTest:
    page.text_area(key="diff").set_value(diff)
    page.text_area(key="review_1").set_value(review)
    return page


def press_score(page: AppTest) -> AppTest:
    button = next(button for button in page.button if button.label == "Score")
    return button.click().run()


def metrics(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in page.metric}


def test_an_empty_page_says_what_to_do(page: AppTest) -> None:
    assert not page.exception
    assert "Paste a diff and a review, or choose an example" in page.info[0].value
    assert not page.metric


def test_a_diff_and_a_review_give_scores_and_reasons(page: AppTest) -> None:
    press_score(fill(page, PYTHON, REVIEW))
    assert not page.exception
    assert set(metrics(page)) == {
        "Conciseness", "Comprehensiveness", "Relevance", "Calibrated relevance",
    }  # fmt: skip
    assert all(0 <= float(value) <= 1 for value in metrics(page).values())
    overview, sentences, references, contributions, analyzers = typed_tables(page)
    assert list(overview["review"]) == ["Review 1"]
    calibrated = float(overview["calibrated relevance"].iloc[0])
    assert metrics(page)["Calibrated relevance"] == f"{calibrated:.3f}"
    assert list(contributions["feature"])[:2] == ["coverage", "focus"]
    assert list(sentences["sentence"]) == [
        "The bare except hides every error", "Why is an empty list returned", "Thanks!",
    ]  # fmt: skip
    assert set(sentences["topic"]) <= {"✓ on topic", "✗ off topic"}
    assert "smell" in set(references["kind"])
    assert set(analyzers["status"]) == {"fragment"}
    heatmap = json.loads(page.get("plotly_chart")[0].proto.spec)
    assert heatmap["data"][0]["type"] == "heatmap"
    assert len(heatmap["layout"]["yaxis"]["ticktext"]) == len(references) + 1


def test_moving_tau_changes_everything_without_scoring_again(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    press_score(fill(page, PYTHON, REVIEW))

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the slider must not embed anything")

    monkeypatch.setattr("crscore_core.scoring.scorer.compare_each", refuse)
    page.slider(key="tau").set_value(0.0).run()
    low = metrics(page)
    page.slider(key="tau").set_value(1.0).run()
    assert not page.exception
    assert low["Conciseness"] == "1.000"
    high = metrics(page)
    assert high.pop("Calibrated relevance") == low["Calibrated relevance"]
    assert set(high.values()) == {"0.000"}
    _, sentences, references, *_ = typed_tables(page)
    assert set(sentences["topic"]) == {"✗ off topic"}
    assert set(references["coverage"]) == {"✗ missed"}


@pytest.mark.parametrize(
    ("diff", "review", "message"),
    [
        ("", REVIEW, "it is empty"),
        ("just some prose", REVIEW, "no diff found"),
        ("@@ -1,9 +1,9 @@\n x\n", REVIEW, "line 2"),
        (PYTHON, "", "Review 1 is empty"),
        (PYTHON, " \n", "Review 1 is empty"),
    ],
)
def test_bad_input_is_a_message_in_place_and_the_form_is_kept(
    page: AppTest, diff: str, review: str, message: str
) -> None:
    press_score(fill(page, diff, review))
    assert not page.exception
    assert message in page.error[0].value.replace("\\", "")
    assert not page.metric
    assert page.text_area(key="diff").value == diff
    assert page.text_area(key="review_1").value == review


def test_an_example_fills_the_form_and_is_scored(page: AppTest) -> None:
    page.selectbox(key="example").select("java/money-equals").run()
    assert "class Money" in str(page.text_area(key="diff").value)
    assert page.text_input(key="name_1").value == "Atlas-Large"
    press_score(page)
    assert not page.exception
    assert len(typed_tables(page)[0]) == 5
    page.selectbox(key="shown").select(3).run()
    assert not page.exception


def test_reviews_are_added_and_removed(page: AppTest) -> None:
    def press(label: str) -> None:
        next(button for button in page.button if button.label == label).click().run()

    press("Add a review")
    press("Add a review")
    page.text_area(key="review_3").set_value("third").run()
    assert [area.key for area in page.text_area if str(area.key).startswith("review_")] == [
        "review_1", "review_2", "review_3",
    ]  # fmt: skip
    press("Remove the last")
    press("Add a review")
    assert page.text_area(key="review_3").value == ""


def test_another_encoder_in_the_form_does_not_touch_the_scores_shown(page: AppTest) -> None:
    press_score(fill(page, PYTHON, REVIEW))
    before = metrics(page)
    page.selectbox(key="encoder").select("mixedbread-ai/mxbai-embed-large-v1").run()
    assert not page.exception
    assert metrics(page) == before
    assert page.slider(key="tau").value == 0.327


def test_given_claims_replace_the_symbolic_ones(page: AppTest) -> None:
    page.selectbox(key="claims").select("given below").run()
    page.text_area(key="given_claims").set_value("every error is hidden")
    press_score(fill(page, PYTHON, REVIEW))
    assert set(typed_tables(page)[2]["source"]) & {"given", "symbolic"} == {"given"}


def test_a_changed_form_is_pointed_out(page: AppTest) -> None:
    press_score(fill(page, PYTHON, REVIEW))
    page.text_area(key="review_1").set_value("Something else.").run()
    assert any("The form has changed" in warning.value for warning in page.warning)
    assert metrics(page)


def test_a_guessed_language_is_reported(page: AppTest) -> None:
    press_score(fill(page, JAVA_HUNK, "Why is items null here?"))
    assert any("is a guess" in warning.value for warning in page.warning)
    page.selectbox(key="language").select("java")
    press_score(page)
    assert not any("is a guess" in warning.value for warning in page.warning)


HOSTILE = "**bold** <b>html</b> :material/check: $x^2$ ![y](http://127.0.0.1/z) [l](x) `c`"


def test_text_of_people_is_never_markup(page: AppTest) -> None:
    diff = f"--- a/{HOSTILE}\n+++ b/{HOSTILE}\n@@ -1 +1 @@\n-{HOSTILE}\n+x = {HOSTILE}\n"
    press_score(fill(page, diff, HOSTILE))
    assert not page.exception
    rendered = [str(part.value) for part in (*page.markdown, *page.warning, *page.caption)]
    for text in rendered:
        assert "![" not in text
        assert "](" not in text
        assert "<b>" not in text
        assert not re.search(r":\\?material", text)
        assert not re.search(r":\\?/", text)
    assert HOSTILE in typed_tables(page)[1].to_numpy()
    bodies = "".join(element.proto.body for element in page.get("html"))
    assert "<b>" not in bodies


def test_a_message_about_hostile_text_is_escaped(page: AppTest) -> None:
    press_score(fill(page, f"@@ -1 +1 @@\n-x\n+y\n--- {HOSTILE}\n", "text"))
    assert not page.exception
    assert "![" not in page.error[0].value


def test_very_many_sentences_do_not_overwhelm_the_page(page: AppTest) -> None:
    press_score(fill(page, PYTHON, "word. " * 3000))
    assert not page.exception
    assert any("too many to draw" in info.value for info in page.info)
    assert any("repeat" in warning.value for warning in page.warning)


def test_the_guide_explains_the_numbers() -> None:
    guide = AppTest.from_file(str(Path(APP).parent / "pages" / "guide.py")).run()
    assert not guide.exception
    text = " ".join(part.value for part in guide.markdown)
    assert all(word in text for word in ("conciseness", "comprehensiveness", "relevance", "tau"))
    assert "fitted to the ratings of the CRScore human study" in text.replace("\n", " ")


JAVA = "--- a/A.java\n+++ b/A.java\n@@ -1 +1 @@\n-class A {}\n+class B {}\n"


def test_a_missing_tool_is_named_on_the_page(
    page: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    press_score(fill(page, JAVA, "Why is A called B now?"))
    assert not page.exception
    (text,) = [info.value for info in page.info if "Not analysed" in info.value]
    assert "by pmd" in text
    assert "install a Java runtime" in text


def test_other_rules_are_chosen_on_the_page(page: AppTest) -> None:
    page.selectbox(key="jshint").set_value("original")
    page.multiselect(key="pmd_rulesets").set_value(["category/java/security.xml"])
    change = "--- a/x.js\n+++ b/x.js\n@@ -1 +1,2 @@\n a();\n+const b = 1;\n"
    press_score(fill(page, change, "Why is b a constant?"))
    assert not page.exception
    assert "jshint=2.13.6 original" in page.code[0].value
