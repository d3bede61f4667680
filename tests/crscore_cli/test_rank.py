"""`crscore rank` on runs made by hand and on the shipped study."""

import json
from collections.abc import Callable

import pytest

from crscore_eval.table import Run
from tests.crscore_cli.conftest import Command
from tests.crscore_eval.ranking.runs_of_rows import run_of_rows, run_of_systems

THREE = {"alpha": 0.6, "bravo": 0.4, "charlie": 0.2}
RATINGS = {"alpha": 3.0, "bravo": 4.0, "charlie": 1.0}
Rank = Callable[..., tuple[int, str]]


@pytest.fixture
def rank(monkeypatch: pytest.MonkeyPatch, crscore: Command) -> Rank:
    """Rank the systems of a run; return the exit status and what is printed."""

    def of_run(run: Run, *options: str) -> tuple[int, str]:
        monkeypatch.setattr("crscore_eval.data.sources.open_data", lambda *_: run)
        monkeypatch.setenv("COLUMNS", "80")
        ended = crscore("rank", "made", *options)
        return ended.status, ended.output + ended.errors

    return of_run


def test_json_is_highest_first_with_the_contract_s_keys(rank: Rank) -> None:
    status, out = rank(run_of_systems(THREE, 12), "--json")
    document = json.loads(out)
    assert status == 0
    assert {"verdict", "measure", "systems", "pairs"} <= document.keys()
    assert document["measure"] == "relevance"
    assert [each["system"] for each in document["systems"]] == ["alpha", "bravo", "charlie"]
    assert {"system", "n", "mean", "ci", "rank"} <= document["systems"][0].keys()
    assert {"higher", "lower", "difference", "ci", "probability"} <= document["pairs"][0].keys()


def test_by_and_tau_choose_the_measure_and_the_threshold(rank: Rank) -> None:
    run = run_of_systems(THREE, 30, RATINGS)
    orders = {
        option: json.loads(rank(run, *option, "--json")[1])
        for option in [(), ("--by", "relevance"), ("--tau", "0.95", "--by", "relevance")]
    }
    assert [each["measure"] for each in orders.values()] == ["people", "relevance", "relevance"]
    firsts = [each["systems"][0] for each in orders.values()]
    assert [first["system"] for first in firsts[:2]] == ["bravo", "alpha"]
    assert [first["mean"] for first in firsts] == [4, pytest.approx(0.6), 0]
    assert orders["--tau", "0.95", "--by", "relevance"]["tau"] == 0.95


def test_tables_fit_80_columns_and_have_both_orders(rank: Rank) -> None:
    names = {f"system-{number:03}": 0.2 + 0.05 * number for number in range(9)}
    ratings = {name: 1 + 0.4 * number for number, name in enumerate(names)}
    _, out = rank(run_of_systems(names, 12, ratings))
    tables = [line for line in out.splitlines() if not line.strip().endswith(".")]
    assert max(map(len, tables)) <= 80
    assert all(name in out for name in names)
    assert "rank" in out
    assert "people's" in out


def test_figures_of_other_reviews_than_those_counted_have_their_number(rank: Rank) -> None:
    rows = [
        {"system": name, "change": number // 2, "score": score, **({"rating": rating} if n else {})}
        for name, score, rating, rated in (
            ("careful", 0.9, 4.5, range(14)), ("lazy", 0.1, 2.0, range(6, 20)),
        )
        for number in range(20)
        for n in (number in rated,)
    ]  # fmt: skip
    out = rank(run_of_rows(rows), "--by", "relevance")[1]
    for words in ("rank", ", n = 14", "n of these reviews; systems share 4 changes"):
        assert words in out


@pytest.mark.parametrize(
    ("by", "has_tau"), [("relevance", True), ("people", False), ("no_threshold", False),
                        ("words", False), ("shared_identifiers", False)]
)  # fmt: skip
def test_a_signature_has_tau_only_if_the_order_depends_on_it(
    by: str, has_tau: bool, rank: Rank
) -> None:
    run = run_of_systems(THREE, 30, RATINGS)
    status, out = rank(run, "--by", by, "--tau", "0.25")
    (line,) = (line for line in out.splitlines() if line.startswith("signature "))
    assert (status, "|tau:0.25" in line) == (0, has_tau), out
    assert ("at tau 0.25" in out) is (by == "people")  # relevance is next to people's ratings


def test_names_cannot_steer_the_terminal(rank: Rank) -> None:
    name = "[red]\x1b[31mbot"
    _, out = rank(run_of_systems({name: 0.6, "b": 0.4}, 8))
    assert "\x1b" not in out
    assert "[red]" in out


def test_a_stored_metric_is_named_without_its_prefix(crscore: Command) -> None:
    ended = crscore("rank", "study", "--by", "words", "--json")
    assert json.loads(ended.output)["measure"] == "metric_words"


def test_orders_of_the_study_by_people_and_by_relevance_are_reproduced(crscore: Command) -> None:
    found = {
        by: json.loads(crscore("rank", "study", "--by", by, "--json").output)
        for by in ("people", "relevance")
    }
    first = {by: document["systems"][0] for by, document in found.items()}
    assert [each["system"] for each in first.values()] == ["gpt3.5", "gpt3.5"]
    assert first["people"]["mean"] == pytest.approx(2.907103825136612, abs=1e-6)
    assert first["people"]["ci"] == pytest.approx([2.742634270853305, 3.0715733794199194], abs=1e-6)
    assert first["relevance"]["mean"] == pytest.approx(0.7047970592, abs=1e-6)
    pair = found["relevance"]["pairs"][0]
    assert (pair["higher"], pair["lower"], pair["probability"]) == (
        "gpt3.5",
        "magicoder",
        pytest.approx(0.9945504694),
    )
    assert pair["difference"] == pytest.approx(0.0724310817, abs=1e-6)
    assert pair["ci"] == pytest.approx([0.0168736165, 0.1279885469], abs=1e-6)
    assert found["people"]["agreement"][0]["spearman"] == pytest.approx(0.5465460204, abs=1e-6)
