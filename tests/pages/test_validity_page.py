import re
from pathlib import Path

import pytest

from crscore_eval.data import shipped_pairs, shipped_run, shipped_study
from crscore_eval.validity import table_info, validity_tables
from pages.components.validity_tables import latex_of
from tests.pages.app_page import opened
from tests.pages.small_run import rated, unrated

__all__ = ["rated", "unrated"]


def test_study_stands_next_to_the_paper() -> None:
    page = opened("validity", {"tau": "0.328"})
    values = [float(value) for value in page.metrics().values()]
    assert values == pytest.approx([0.551, 0.579, 0.933], abs=0.002)
    titles = " ".join(expander.label for expander in page.expander)
    assert table_info("review_level").title in titles
    assert any("paper" in table.value for table in page.dataframe)
    assert len(page.get("plotly_chart")) == 1


def test_a_rated_run_has_figures_and_no_paper(rated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRSCORE_RUN", str(rated))
    page = opened("validity")
    assert page.metrics()
    assert not any("paper" in table.value for table in page.dataframe)
    page.put(validity_label="conciseness")
    assert "conciseness" in page.alt()


def test_without_ratings_there_is_nothing_to_agree_with(
    unrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_RUN", str(unrated))
    page = opened("validity")
    assert page.info
    assert not page.metrics()


def test_latex_has_every_table_and_its_figures() -> None:
    tables = validity_tables(shipped_run(), None, shipped_study(), shipped_pairs(), n_resamples=100)
    latex = latex_of(tables)
    assert latex.count(r"\begin{table}") == tables["table"].nunique()
    assert latex.count(r"\bottomrule") == tables["table"].nunique()
    assert "0.5508 (0.50" in latex
    assert not re.search(r"[^\\][_%&]\w", re.sub(r"\\label{.*}|^%.*", "", latex))
    assert "nan" not in latex.lower().replace("finan", "")
