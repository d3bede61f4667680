"""`crscore rank` on runs made by hand and on the shipped study."""

from collections.abc import Callable

import pytest

from crscore_eval.table import Run
from tests.crscore_cli.conftest import Command, Ended
from tests.crscore_eval.ranking.runs_of_rows import run_of_rows, run_of_systems

THREE = {"alpha": 0.6, "bravo": 0.4, "charlie": 0.2}
RATINGS = {"alpha": 3.0, "bravo": 4.0, "charlie": 1.0}
Rank = Callable[..., Ended]


@pytest.fixture
def rank(monkeypatch: pytest.MonkeyPatch, crscore: Command) -> Rank:
    """Rank the systems of a run."""

    def of_run(run: Run, options: str = "") -> Ended:
        monkeypatch.setattr("crscore_eval.data.sources.open_data", lambda *_: run)
        return crscore(f"rank made {options}")

    return of_run


def test_json_is_highest_first_with_the_contract_s_keys(rank: Rank) -> None:
    ended = rank(run_of_systems(THREE, 12), "--json")
    document = ended.json
    assert ended.status == 0
    assert {"verdict", "measure", "systems", "pairs"} <= document.keys()
    assert document["measure"] == "relevance"
    assert [each["system"] for each in document["systems"]] == ["alpha", "bravo", "charlie"]
    assert {"system", "n", "mean", "ci", "rank"} <= document["systems"][0].keys()
    assert {"higher", "lower", "difference", "ci", "probability"} <= document["pairs"][0].keys()


def test_by_and_tau_choose_the_measure_and_the_threshold(rank: Rank) -> None:
    run = run_of_systems(THREE, 30, RATINGS)
    options = ("--json", "--json --by relevance", "--json --tau 0.95 --by relevance")
    orders = [rank(run, each).json for each in options]
    assert [each["measure"] for each in orders] == ["people", "relevance", "relevance"]
    firsts = [each["systems"][0] for each in orders]
    assert [first["system"] for first in firsts[:2]] == ["bravo", "alpha"]
    assert [first["mean"] for first in firsts] == [4, pytest.approx(0.6), 0]
    assert orders[2]["tau"] == 0.95


def test_tables_fit_80_columns_and_have_both_orders(rank: Rank) -> None:
    names = {f"system-{number:03}": 0.2 + 0.05 * number for number in range(9)}
    ratings = {name: 1 + 0.4 * number for number, name in enumerate(names)}
    out = rank(run_of_systems(names, 12, ratings)).output
    tables = [line for line in out.splitlines() if not line.strip().endswith(".")]
    assert max(map(len, tables)) <= 80
    assert all(name in out for name in names)
    assert "people's" in out


def test_figures_over_fewer_reviews_state_their_number(rank: Rank) -> None:
    systems = ("careful", 0.9, 4.5, range(14)), ("lazy", 0.1, 2.0, range(6, 20))
    rows = [
        {"system": name, "change": number // 2, "score": score}
        | ({"rating": rating} if number in rated else {})
        for name, score, rating, rated in systems
        for number in range(20)
    ]
    out = rank(run_of_rows(rows), "--by relevance").output
    for words in ("rank", ", n = 14", "over n of these reviews"):
        assert words in out


@pytest.mark.parametrize("by", "relevance people no_threshold".split())
def test_a_signature_has_tau_if_a_figure_depends_on_it(by: str, rank: Rank) -> None:
    status, out, _ = rank(run_of_systems(THREE, 30, RATINGS), f"--by {by} --tau 0.25")
    (line,) = (line for line in out.splitlines() if line.startswith("signature "))
    assert (status, "|tau:0.25" in line) == (0, by != "no_threshold"), out
    assert ("at tau 0.25" in out) is (by == "people")  # relevance is next to people's ratings


def test_names_cannot_steer_the_terminal(rank: Rank) -> None:
    out = "".join(map(str, rank(run_of_systems({"[red]\x1b[31mbot": 0.6, "b": 0.4}, 8))))
    assert "\x1b" not in out
    assert "[red]" in out


def test_a_stored_metric_is_named_without_its_prefix(crscore: Command) -> None:
    assert crscore("rank study --by words --json").json["measure"] == "metric_words"


def test_orders_of_the_study_by_people_and_by_relevance_are_reproduced(crscore: Command) -> None:
    people, relevance = (crscore(f"rank study --json --by {by}").json
                         for by in ("people", "relevance"))  # fmt: skip
    first, pair = people["systems"][0], relevance["pairs"][0]
    assert {first["system"], relevance["systems"][0]["system"], pair["higher"]} == {"gpt3.5"}
    assert pair["lower"] == "magicoder"
    figures = [first["mean"], *first["ci"], people["agreements"]["people"][0]["value"],
               relevance["systems"][0]["mean"], pair["difference"], *pair["ci"],
               pair["probability"]]  # fmt: skip
    assert figures == pytest.approx([
        2.907103825136612, 2.7438129170805188, 3.0716454053274256, 0.5474983309,
        0.7065971235, 0.0723115719, 0.0168912334, 0.1277319104, 0.9945824099,
    ], abs=1e-6)  # fmt: skip
