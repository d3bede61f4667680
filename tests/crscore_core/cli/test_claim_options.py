"""Choice of the claims on the command line."""

import dataclasses
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from crscore_core.claims import (
    CLAIM_BACKENDS,
    Answer,
    ClaimGenerator,
    ClaimOptions,
    Progress,
    silent,
)
from crscore_core.claims.llm.cache import AnswerCache
from crscore_core.claims.llm.claims import LanguageModelClaims
from crscore_core.errors import InputError
from tests.crscore_core.changes import PYTHON
from tests.crscore_core.claims.llm.told_model import ANSWER, ToldModel
from tests.crscore_core.cli.conftest import Crscore
from tests.crscore_core.datasets.study.small_release import small_release

KEY = "sk-a-secret-key"


@pytest.fixture(autouse=True)
def _own_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "CRSCORE_CLAIMS_MODEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def diff(tmp_path: Path) -> str:
    path = tmp_path / "change.diff"
    path.write_text(PYTHON, encoding="utf-8")
    return str(path)


@pytest.fixture
def study(tmp_path: Path) -> str:
    return str(small_release().write(tmp_path / "study"))


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[ClaimOptions]:
    """The options that reach the endpoint, at whose place a told model stands."""
    return put_in_place(monkeypatch, ToldModel())


def put_in_place(monkeypatch: pytest.MonkeyPatch, model: ToldModel) -> list[ClaimOptions]:
    given: list[ClaimOptions] = []

    def make(options: ClaimOptions, progress: Progress) -> ClaimGenerator:
        given.append(options)
        cache = AnswerCache() if options.use_cache else None
        return LanguageModelClaims(model, cache, progress, source="endpoint")

    backend = dataclasses.replace(CLAIM_BACKENDS["endpoint"], make=make)
    monkeypatch.setitem(CLAIM_BACKENDS, "endpoint", backend)
    return given


def test_options_reach_the_backend(diff: str, given: list[ClaimOptions], crscore: Crscore) -> None:
    chosen = ["--claims", "endpoint", "--model", "m", "--base-url", "http://h/v1", "--api-key", KEY]
    done = crscore("claims", "--diff", diff, *chosen, "--no-cache", "--max-tokens", "900", "--json")
    assert given == [ClaimOptions("m", None, None, "http://h/v1", KEY, False, 900)]
    claims = done.document["claims"]
    assert [(claim["text"], claim["kind"], claim["source"]) for claim in claims] == [
        ("A check is added.", "claim", "endpoint"),
        ("Fewer crashes.", "implication", "endpoint"),
    ]
    score = crscore("score", "--diff", diff, "--review", "A check.", *chosen, "--json")
    assert score.document["signature"]["claims"] == "told@1 prompt-1"
    assert given[1].use_cache
    assert KEY not in done.out + done.err + score.out + score.err


def test_a_whole_study_is_asked_about_at_once(
    study: str, monkeypatch: pytest.MonkeyPatch, crscore: Crscore
) -> None:
    model = ToldModel()
    put_in_place(monkeypatch, model)
    arguments = ["validity", "--study", study, "--claims", "endpoint", "--resamples", "60"]
    done = crscore(*arguments, "--json")
    assert (done.document["claims"], done.err) == ("told@1 prompt-1", "")
    assert [len(asked) for asked in model.asked] == [12]
    assert "claims told@1 prompt-1" in crscore(*arguments).out
    assert len(model.asked) == 1
    put_in_place(monkeypatch, ToldModel(lambda _: Answer("1. It grows. It", is_complete=False)))
    err = crscore(*arguments, "--json", "--no-cache").err
    assert "12 changes: the model's answer was cut off" in err


def test_who_watches_sees_a_count(
    diff: str, given: list[ClaimOptions], crscore: Crscore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    done = crscore("claims", "--diff", diff, "--claims", "endpoint", "--json")
    assert len(given) == len(done.document["claims"]) - 1
    characters = len(" ".join(ANSWER.split())) + 1
    assert done.err.endswith(f"the model writes about change 1: {characters} characters so far\n")


@pytest.mark.parametrize(
    ("stop", "status"), [(KeyboardInterrupt, 130), (BrokenPipeError, 0), (OSError, 1)]
)
def test_a_run_can_be_stopped(
    diff: str,
    monkeypatch: pytest.MonkeyPatch,
    crscore: Crscore,
    stop: Callable[[], BaseException],
    status: int,
) -> None:
    class Stopping(ToldModel):
        def answers(
            self, prompts: Sequence[str], progress: Progress = silent
        ) -> Iterator[tuple[int, Answer | InputError]]:
            progress(len(prompts) - 1, "1. It")
            raise stop()

    put_in_place(monkeypatch, Stopping())
    assert crscore("claims", "--diff", diff, "--claims", "endpoint").status == status


@pytest.mark.parametrize("command", ["claims", "score", "validity"])
def test_help_names_backends_and_the_safer_place_of_a_key(crscore: Crscore, command: str) -> None:
    words = " ".join(crscore(command, "--help").out.split())
    for word in ("symbolic", "magicoder", "endpoint", "--no-cache", "OPENAI_API_KEY", "is safer"):
        assert word in words
