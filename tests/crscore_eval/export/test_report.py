"""The report: its contents, and that it is safe and contacts no host."""

import re
from html.parser import HTMLParser

import pytest

from crscore_eval.export.report import report
from crscore_eval.table import Run
from tests.crscore_eval.ranking.runs_of_rows import run_of_systems

THREE = {"alpha": 0.6, "bravo": 0.4, "charlie": 0.2}
HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>\u202e${7*7}{{7*7}}"


class _Page(HTMLParser):
    """Table cells keyed by table id, addresses, and text outside scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.addresses: list[str] = []
        self.tags = [""]
        self.text = ""
        self._rows: list[list[str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.addresses += [given[name] or "" for name in ("src", "href", "action") if name in given]
        if tag == "table":
            self._rows = self.tables.setdefault(given.get("id") or "", [])
        elif tag == "tr":
            self._rows.append([])
        elif tag in {"td", "th"}:
            self._rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.tags[-1] in {"td", "th"} and self._rows and self._rows[-1]:
            self._rows[-1][-1] += data.strip()
        if self.tags[-1] not in {"script", "style"}:
            self.text += data


def rated() -> Run:
    run = run_of_systems(THREE, 30, {"alpha": 3, "bravo": 4, "charlie": 1})
    ann = run.reviews["human_relevance"]
    raters = {"label_relevance:Ann": ann, "label_relevance:Bob": ann.round()}
    return run._replace(reviews=run.reviews.assign(**raters))


def test_systems_are_in_people_s_order_with_the_measure_s_rank() -> None:
    page = _Page(report(rated()))
    head, *rows = page.tables["systems"]
    assert [(row[0], row[1], row[4]) for row in rows] == [  # the last is the rank by relevance
        ("1", "bravo", "2"), ("2", "alpha", "1"), ("3", "charlie", "3")
    ]  # fmt: skip
    assert rows[0][2].startswith("4.000 (")
    assert len(head) == 8
    assert len(page.tables["pairs"]) == 4
    for part in ("t-test", "Holm", "over 90 reviews", "Test", "alpha above bravo", ", change ",
                 "raters of relevance: Ann (90) and Bob (90); Krippendorff's alpha on the 90",
                 "worth saying"):  # fmt: skip
        assert part in page.text
    for columns, *cells in page.tables.values():
        assert {len(row) for row in cells} == {len(columns)}


def test_without_ratings_systems_are_in_the_order_of_the_measure() -> None:
    page = _Page(report(run_of_systems(THREE, 8)))
    head, *rows = page.tables["systems"]
    assert [row[1] for row in rows] == ["alpha", "bravo", "charlie"]
    assert len(head) == 6
    assert "no review has a rating" in page.text
    assert "worth saying" in page.text


def test_failures_are_shown_with_the_first_lines_of_their_diff() -> None:
    run = run_of_systems({"alpha": 0.6, "bravo": 0.2}, 30, {"alpha": 1.5, "bravo": 4})
    lines = [f"+line_{number} {HOSTILE}" for number in range(30)]
    run.changes["diff"] = "\n".join(
        ["--- a/src/one.py", "+++ b/src/one.py", "@@ -0,0 +1,30 @@", *lines]
    )
    run.changes["title"] = ""
    parsed = _Page(report(run))
    review = run.reviews["review"][0]
    for part in ("overestimated", "underestimated", review, "one.py", "+line_20 ", "9 more lines"):
        assert part in parsed.text
    assert "+line_21 " not in parsed.text
    assert {"img", "script"}.isdisjoint(parsed.tags)
    assert "of relevance disagree widely on 60 of the 60 reviews that have both" in parsed.text
    assert "The widest gaps of each kind are shown, 20 in all." in parsed.text
    agreed = run_of_systems(THREE, 30, {"alpha": 4, "bravo": 3, "charlie": 1})
    parsed = _Page(report(agreed))
    assert "disagree widely on none of the 90" in parsed.text
    assert "article" not in parsed.tags
    worth = run_of_systems({"alpha": 0.6, "bravo": 0.2}, 30, label_worth={"alpha": 1, "bravo": 4})
    assert "Relevance and people's ratings of worth disagree widely on" in _Page(report(worth)).text


def test_bars_are_drawn_on_the_axis_of_the_measure() -> None:
    run = run_of_systems({"alpha": 0.6, "bravo": 0.4}, 8)
    means = re.findall(r'<path d="M([\d.]+) 1V9"', report(run))
    assert [*map(float, means)] == pytest.approx([0.6, 0.4])


def test_texts_are_escaped_and_invisible_characters_are_shown() -> None:
    run = run_of_systems({HOSTILE: 0.6, "bravo": 0.4}, 8, {HOSTILE: 1, "bravo": 5})
    run = run._replace(
        reviews=run.reviews.assign(review=HOSTILE),
        changes=run.changes.assign(title=HOSTILE),
        settings={**run.settings, "name": HOSTILE, "encoder": HOSTILE, "claims": HOSTILE},
    )
    page = report(run)
    assert "onerror=alert" not in re.sub(r"&lt;img src=x onerror=alert", "", page)
    assert "<script>alert(2)" not in page
    assert "\u202e" not in page
    parsed = _Page(page)
    assert "49" not in parsed.text.replace("{{7*7}}", "")
    assert "img" not in parsed.tags
    assert page.count(HOSTILE) == 0


def test_a_report_asks_no_host_for_anything() -> None:
    page = report(rated())
    parsed = _Page(page)
    assert parsed.addresses == []
    assert "default-src 'none'" in page
    assert "script" not in parsed.tags
    assert "script-src" not in page
    assert len(page) < 50_000
