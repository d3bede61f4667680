"""One batch of prompts through a model."""

from collections.abc import Collection, Sequence

from crscore_core.claims.llm.magicoder.loaded import LoadedModel
from crscore_core.claims.llm.magicoder.memory import is_out_of_memory
from crscore_core.claims.llm.magicoder.streamer import BatchStreamer
from crscore_core.errors import ClaimsError

__all__ = ["affordable_tokens", "generate", "token_bytes"]

_TOKENS_ON_CPU = 16_384


def affordable_tokens(loaded: LoadedModel) -> int:
    """How many tokens of a batch half of the GPU's free memory remembers; for a CPU a constant.

    The other half is for what is computed on the way.
    """
    import torch

    if loaded.model.device.type != "cuda":
        return _TOKENS_ON_CPU
    cached = torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
    free, _ = torch.cuda.mem_get_info()
    return (free + cached) // 2 // token_bytes(loaded)


def token_bytes(loaded: LoadedModel) -> int:
    """Memory of a token's keys and values: 512 KiB in Magicoder.

    They are 2 x layers x heads of keys x width of a head numbers.
    """
    config = loaded.model.config
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    size: int = 2 * config.num_hidden_layers * heads * width * loaded.model.dtype.itemsize
    return size


def generate(
    loaded: LoadedModel,
    prompts: Sequence[Sequence[int]],
    stops: Collection[int],
    new_tokens: int,
    streamer: BatchStreamer,
) -> bool:
    """Continue prompts greedily, together, into `streamer`; say whether memory sufficed.

    The shorter ones are padded on the left, where the mask hides it. What the streamer raises
    ends it.

    Raises:
        ClaimsError: the model failed in another way.
    """
    import torch

    width = max(len(ids) for ids in prompts)
    padding = min(stops, default=0)
    rows = [[padding] * (width - len(ids)) + [*ids] for ids in prompts]
    mask = [[0] * (width - len(ids)) + [1] * len(ids) for ids in prompts]
    try:
        with torch.inference_mode():
            loaded.model.generate(
                input_ids=torch.tensor(rows, device=loaded.model.device),
                attention_mask=torch.tensor(mask, device=loaded.model.device),
                max_new_tokens=new_tokens,
                do_sample=False,
                eos_token_id=sorted(stops) or None,
                pad_token_id=padding,
                streamer=streamer,
            )
    except Exception as error:
        if streamer.raised is not None:
            raise
        if is_out_of_memory(error):
            return False
        if not isinstance(error, RuntimeError):
            raise
        reason = str(error).strip().partition("\n")[0][:200]
        raise ClaimsError(f"the language model failed: {reason}") from error
    return True
