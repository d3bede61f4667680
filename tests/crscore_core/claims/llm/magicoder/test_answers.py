"""Answers of 4-bit models on the CPU: single, batched, streamed, stopped."""

import re
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from crscore_core.claims import Answer
from crscore_core.claims.llm.magicoder import (
    Magicoder,
    Precision,
    affordable_tokens,
    held_model,
    token_bytes,
)
from crscore_core.claims.llm.weights import find_weights
from crscore_core.errors import InputError, ModelError
from tests.crscore_core.claims.llm.magicoder.conftest import SAYS, magicoder

if TYPE_CHECKING:
    import torch

PROMPTS = ["Write claims about this change.", "x", "What does it remove?" * 6, "+ null", "日本"]
NO_ROOM = "DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"


def in_float32(folder: Path, max_tokens: int = 24, batch_tokens: int | None = None) -> Magicoder:
    return magicoder(folder, max_tokens, batch_tokens, Precision.FLOAT32)


def answers(model: Magicoder, prompts: list[str]) -> list[Answer]:
    found = dict(model.answers(prompts))
    assert sorted(found) == list(range(len(prompts)))
    return [answer for _, answer in sorted(found.items()) if isinstance(answer, Answer)]


@pytest.mark.parametrize("precision", list(Precision))
def test_it_answers_each_prompt_until_the_model_ends(
    taught_llama: Path, precision: Precision
) -> None:
    model = magicoder(taught_llama, 24, precision=precision)
    assert answers(model, PROMPTS) == [Answer(SAYS, is_complete=True)] * len(PROMPTS)


def test_weights_are_held_in_4_bits(random_llama: Path) -> None:
    weights = find_weights(str(random_llama), None, "cpu", threading.Event())
    with held_model(weights, "cpu", Precision.NF4) as model:
        state = model.get_submodule("model.layers.0.mlp.up_proj").weight.quant_state
    assert (state.quant_type, state.nested) == ("nf4", True)


def test_a_character_cut_at_the_limit_is_reported_as_decoded(
    taught_llama: Path,
) -> None:
    told: list[str] = []
    # N a ï (2 bytes) v e — (3 bytes) and the first byte of 日
    model = in_float32(taught_llama, 10)
    ((_, answer),) = model.answers(["x"], lambda _, text: told.append(text))
    assert answer == Answer("Naïve—\ufffd", is_complete=False)
    assert told == ["N", "a", "ï", "v", "e", "—", "\ufffd"]


@pytest.mark.parametrize("batch_tokens", [1, 150, 100_000])
def test_a_batch_gives_the_same_answers_as_single_prompts(
    random_llama: Path, batch_tokens: int
) -> None:
    """Random bytes are the hardest case for decoding piece by piece."""
    alone = in_float32(random_llama, 40, 1)
    expected = [answers(alone, [prompt])[0] for prompt in PROMPTS]
    assert len({answer.text for answer in expected}) > 1
    told: dict[int, list[str]] = {index: [] for index in range(len(PROMPTS))}
    together = in_float32(random_llama, 40, batch_tokens)
    found = dict(together.answers(PROMPTS, lambda index, text: told[index].append(text)))
    assert found == dict(enumerate(expected))
    assert ["".join(parts) for parts in told.values()] == [answer.text for answer in expected]
    assert min(len(parts) for parts in told.values()) > 10


@pytest.mark.parametrize("kind", [LookupError, MemoryError, RuntimeError, KeyboardInterrupt])
def test_an_exception_from_the_callback_ends_the_run(
    random_llama: Path, kind: type[BaseException]
) -> None:
    told: list[str] = []

    def stop(_: int, text: str) -> None:
        told.append(text)
        if len(told) == 3:
            raise kind("out of memory, says the callback")

    model = in_float32(random_llama)
    with pytest.raises(kind, match="says the callback"):
        list(model.answers(["one", "two"], stop))
    assert len(told) == 3
    assert len(answers(model, ["and on it goes"])) == 1


def test_a_batch_that_does_not_fit_is_halved(
    random_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = in_float32(random_llama)
    expected = answers(model, ["one", "two", "six", "ten", "red"])
    _fail_where_more_than(2, monkeypatch, in_float32(random_llama))
    found = dict(model.answers(["one", "two", "six", "ten", "red"]))
    assert [found[index] for index in range(5)] == expected


@pytest.mark.parametrize(
    ("failure", "kind", "message"),
    [
        (NO_ROOM, ModelError, r"a prompt of \d+ tokens does not fit in memory"),
        (
            "device-side assert triggered\nmore",
            InputError,
            r"failed: device-side assert trigg\w+$",
        ),
    ],
)
def test_a_failing_prompt_is_one_clear_error(
    random_llama: Path,
    monkeypatch: pytest.MonkeyPatch,
    failure: str,
    kind: type[InputError],
    message: str,
) -> None:
    model = in_float32(random_llama)
    _fail_where_more_than(0, monkeypatch, model, failure)
    with pytest.raises(kind, match=message):
        list(model.answers(["one", "two"]))


def _fail_where_more_than(
    rows: int,
    monkeypatch: pytest.MonkeyPatch,
    model: Magicoder,
    message: str = NO_ROOM,
) -> None:
    """Let a layer of every Llama fail for larger batches, some tokens into the answer."""
    from transformers.models.llama.modeling_llama import LlamaMLP

    forward = LlamaMLP.forward
    calls = [0]

    def failing(self: LlamaMLP, x: "torch.Tensor") -> object:
        calls[0] += 1
        if x.shape[0] > rows and calls[0] % 12 == 0:
            raise RuntimeError(message)
        return forward(self, x)  # type: ignore[no-untyped-call]

    assert list(model.answers(["loaded before"]))
    monkeypatch.setattr(LlamaMLP, "forward", failing)


def test_a_prompt_that_is_too_long_does_not_affect_others(taught_llama: Path) -> None:
    model = in_float32(taught_llama, 3980)
    found = dict(model.answers(["fits", "+" * 300]))
    assert found[0] == Answer(SAYS)
    assert isinstance(found[1], InputError)
    assert re.search(r"the prompt has \d+ tokens.*limit of 4096", str(found[1]))


def test_threads_share_one_model_and_get_the_same_answers(
    random_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import AutoModelForCausalLM

    loads: list[object] = []
    load = AutoModelForCausalLM.from_pretrained

    def counted(*args: object, **kwargs: object) -> object:
        loads.append(args)
        return load(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(AutoModelForCausalLM, "from_pretrained", counted)
    prompts = [f"{number} caches" for number in range(3)]

    def work(_: int) -> list[Answer]:
        return answers(magicoder(random_llama, 8, 1), prompts)

    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(work, range(4))
    assert others == [first] * 3
    assert len(loads) <= 1


def test_only_one_model_is_loaded_at_a_time(random_llama: Path, taught_llama: Path) -> None:
    unfinished = in_float32(random_llama, 4, 1).answers(["one", "two"])
    next(unfinished)
    weights = find_weights(str(random_llama), None, "cpu", threading.Event())
    with held_model(weights, "cpu", Precision.FLOAT32) as model:
        first = weakref.ref(model)
    del model
    answers(in_float32(taught_llama), ["x"])
    assert first() is None
    assert len(list(unfinished)) == 1


def test_sampling_settings_of_a_model_are_ignored(own_llama: Path, random_llama: Path) -> None:
    (own_llama / "generation_config.json").write_text(
        '{"do_sample": true, "temperature": 1.5, "top_k": 3, "repetition_penalty": 9.0}'
    )
    sampling = in_float32(own_llama)
    plain = in_float32(random_llama)
    assert answers(sampling, PROMPTS) == answers(plain, PROMPTS)


def test_a_batch_has_prompts_of_similar_length_and_is_yielded_before_the_next(
    random_llama: Path,
) -> None:
    told: list[int] = []
    model = in_float32(random_llama, 8, 100_000)
    run = model.answers(["a", "b", "c", "long " * 200], lambda index, _: told.append(index))
    assert next(run)[0] == 3
    assert set(told) == {3}
    assert len(list(run)) == 3
    assert set(told[told.index(0) : told.index(0) + 3]) == {0, 1, 2}


def test_half_of_the_gpus_free_memory_is_for_keys_and_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import torch

    shape = {"num_hidden_layers": 32, "num_attention_heads": 32, "hidden_size": 4096}
    model = SimpleNamespace(
        config=SimpleNamespace(**shape), dtype=torch.bfloat16, device=torch.device("cuda")
    )
    # keys and values x 32 layers x 4096 numbers x 2 bytes
    assert token_bytes(model) == 2 * 32 * 4096 * 2 == 512 * 1024
    monkeypatch.setattr("torch.cuda.mem_get_info", lambda: (7 * 2**30, 16 * 2**30))
    monkeypatch.setattr("torch.cuda.memory_reserved", lambda: 5 * 2**30)
    monkeypatch.setattr("torch.cuda.memory_allocated", lambda: 4 * 2**30)
    # (7 GiB free and 1 GiB kept for reuse) / 2 / 512 KiB
    assert affordable_tokens(model) == 8192
