"""What a person may choose about the backends of claims."""

from dataclasses import dataclass, field

__all__ = ["ClaimOptions"]


@dataclass(frozen=True, slots=True)
class ClaimOptions:
    """Choices for the backends that run a language model; None leaves each to its default.

    Args:
        model: name or folder for `magicoder`, name for `endpoint`.
        revision: commit, branch or tag of a model of the hub.
        device: `cuda` or `cpu`, for `magicoder`; it never falls back from one to the other.
        base_url: address of an OpenAI-compatible server, for `endpoint`.
        api_key: for `endpoint`; shown and stored nowhere.
        max_tokens: how long an answer may get, reasoning included where a model reasons.
        use_cache: whether answers that are known already are taken from disk, and new ones kept.
    """

    model: str | None = None
    revision: str | None = None
    device: str | None = None
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    use_cache: bool = True
    max_tokens: int | None = None
