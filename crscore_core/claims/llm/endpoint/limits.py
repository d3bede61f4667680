"""How long, how often and how much a server is asked."""

from dataclasses import dataclass, replace

from crscore_core.claims.llm.language_model import MAX_TOKENS

__all__ = ["EndpointLimits"]


@dataclass(frozen=True, slots=True)
class EndpointLimits:
    """Limits of requests to a server; times in seconds.

    Args:
        connect: until a connection stands.
        silence: between two pieces of an answer, and before its first, for which a server may
            first have to load the model.
        total: for one answer, its retries and the pauses between them included.
        tries: how often one answer is asked for.
        pause: before the first retry; it doubles from one to the next.
        longest_pause: whatever the number of retries, and whatever the server asks for.
        at_once: how many requests are under way at a time.
        size: of one response, in bytes as they come, which is many times that of its text.
        tokens: of one answer, reasoning included.
    """

    connect: float = 10
    silence: float = 300
    total: float = 1200
    tries: int = 4
    pause: float = 0.5
    longest_pause: float = 60
    at_once: int = 4
    size: int = 4_000_000
    tokens: int = MAX_TOKENS

    def for_tokens(self, max_tokens: int) -> "EndpointLimits":
        """The same for answers of other lengths, with more time and bytes for longer ones."""
        times = max(1, max_tokens / MAX_TOKENS)
        return replace(
            self, total=self.total * times, size=int(self.size * times), tokens=max_tokens
        )
