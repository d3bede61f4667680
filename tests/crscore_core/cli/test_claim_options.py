"""Who makes the claims, as a person says it on the command line."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from crscore_core.claims import (
    CLAIM_BACKENDS,
    Answer,
    Availability,
    ClaimBackend,
    ClaimGenerator,
    ClaimOptions,
    Progress,
    silent,
)
from crscore_core.claims.llm.cache import AnswerCache
from crscore_core.claims.llm.claims import LanguageModelClaims
from crscore_core.cli.main import main
from crscore_core.errors import ClaimsError
from tests.crscore_core.changes import PYTHON
from tests.crscore_core.claims.llm.told_model import ANSWER, ToldModel
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

    def availability(_options: ClaimOptions) -> Availability:
        return Availability(is_available=True, reason="It is a test's.")

    options = CLAIM_BACKENDS["endpoint"].options
    backend = ClaimBackend(make, "nothing", availability, options)
    monkeypatch.setitem(CLAIM_BACKENDS, "endpoint", backend)
    return given


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    captured = capsys.readouterr()
    return int(stopped.value.code or 0), captured.out, captured.err


def test_options_reach_the_backend(
    diff: str, given: list[ClaimOptions], capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ["--claims", "endpoint", "--model", "m", "--base-url", "http://h/v1", "--api-key", KEY]
    more = ["--no-cache", "--max-tokens", "900", "--json"]
    status, out, err = run(capsys, "claims", "--diff", diff, *chosen, *more)
    assert (status, err) == (0, "")
    assert given == [ClaimOptions("m", None, None, "http://h/v1", KEY, False, 900)]
    assert [(one["text"], one["kind"], one["source"]) for one in json.loads(out)["claims"]] == [
        ("A check is added.", "claim", "endpoint"),
        ("Fewer crashes.", "implication", "endpoint"),
    ]
    assert KEY not in out


def test_a_score_says_which_model_made_its_claims(
    diff: str, given: list[ClaimOptions], capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ["--claims", "endpoint", "--api-key", KEY, "--json"]
    status, out, err = run(capsys, "score", "--diff", diff, "--review", "A check.", *chosen)
    assert (status, err) == (0, "")
    assert json.loads(out)["signature"]["claims"] == "told@1 prompt-1"
    assert given[0].use_cache
    assert KEY not in out


def test_answers_are_kept_unless_told_not_to(
    diff: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = ToldModel()
    put_in_place(monkeypatch, model)
    arguments = ["claims", "--diff", diff, "--claims", "endpoint"]
    for asked, more in ((1, ()), (1, ()), (2, ("--no-cache",)), (2, ())):
        assert run(capsys, *arguments, *more)[0] == 0
        assert len(model.asked) == asked


@pytest.mark.parametrize("command", ["claims", "score", "validity"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--claims", "symbolic", "--base-url", "http://h"], "'symbolic' take no base URL"),
        (["--claims", "symbolic", "--api-key", KEY], "'symbolic' take no API key"),
        (["--claims", "magicoder", "--base-url", "http://h"], "'magicoder' take no base URL"),
        (["--claims", "endpoint", "--device", "cpu"], "'endpoint' take no device"),
        (["--claims", "symbolic", "--max-tokens", "9"], "'symbolic' take no max tokens"),
        (["--claims", "endpoint", "--max-tokens", "0"], "0 is not in the range"),
        (["--claims", "-", "--model", "m"], "'-' take no model"),
        (["--claims", "endpoint", "--device", "tpu"], "'tpu' is not one of"),
    ],
)
def test_what_a_backend_does_not_take_is_bad_usage(
    *,
    diff: str,
    study: str,
    capsys: pytest.CaptureFixture[str],
    command: str,
    options: list[str],
    message: str,
) -> None:
    needed = {
        "claims": ["--diff", diff],
        "score": ["--diff", diff, "--review", "A check."],
        "validity": ["--study", study],
    }
    status, out, err = run(capsys, command, *needed[command], *options)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert KEY not in err


def test_a_server_that_is_not_there_is_one_line_without_the_key(
    diff: str, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ["--claims", "endpoint", "--model", "m", "--api-key", KEY]
    status, out, err = run(capsys, "claims", "--diff", diff, *chosen)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "OPENAI_BASE_URL" in err
    assert KEY not in err


def test_a_whole_study_is_asked_about_at_once(
    study: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = ToldModel()
    put_in_place(monkeypatch, model)
    arguments = ["validity", "--study", study, "--claims", "endpoint", "--resamples", "60"]
    status, out, err = run(capsys, *arguments, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["claims"] == "told@1 prompt-1"
    assert [len(asked) for asked in model.asked] == [12]
    assert "claims told@1 prompt-1" in run(capsys, *arguments)[1]
    assert len(model.asked) == 1


def test_warnings_about_a_study_are_told_together(
    study: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_in_place(monkeypatch, ToldModel(lambda _: Answer("1. It grows. It", is_complete=False)))
    arguments = ["validity", "--study", study, "--claims", "endpoint", "--resamples", "60"]
    status, _, err = run(capsys, *arguments, "--json")
    assert status == 0
    assert "claims about 12 of 12 changes come with a warning, the first: the model's answer" in err


def test_who_watches_sees_a_count(
    diff: str,
    given: list[ClaimOptions],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    status, out, err = run(capsys, "claims", "--diff", diff, "--claims", "endpoint", "--json")
    assert status == 0
    assert len(given) == len(json.loads(out)["claims"]) - 1
    characters = len(" ".join(ANSWER.split())) + 1
    assert err.endswith(f"the model writes about change 1: {characters} characters so far\n")


@pytest.mark.parametrize(
    ("stop", "status"), [(KeyboardInterrupt, 130), (BrokenPipeError, 0), (OSError, 1)]
)
def test_a_run_can_be_stopped(
    diff: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    stop: Callable[[], BaseException],
    status: int,
) -> None:
    class Stopping(ToldModel):
        def answers(
            self, prompts: Sequence[str], progress: Progress = silent
        ) -> Iterator[tuple[int, Answer | ClaimsError]]:
            progress(len(prompts) - 1, "1. It")
            raise stop()

    put_in_place(monkeypatch, Stopping())
    assert run(capsys, "claims", "--diff", diff, "--claims", "endpoint")[0] == status


@pytest.mark.parametrize("command", ["claims", "score", "validity"])
def test_help_names_backends_and_the_safer_place_of_a_key(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    status, out, _ = run(capsys, command, "--help")
    words = " ".join(out.split())
    assert status == 0
    for word in ("symbolic", "magicoder", "endpoint", "--no-cache", "OPENAI_API_KEY", "is safer"):
        assert word in words
