"""A request that failed, as the rest of this package knows it."""

__all__ = ["RequestFailure"]


class RequestFailure(Exception):  # noqa: N818 - it is no error yet where another try is left
    """A request that failed, said without a key and without the client's own error.

    `is_temporary` where another try could help; `wait` is how long the server asks to be left
    alone before, in seconds. `is_of_prompt` where another prompt could be answered all the same.
    """

    def __init__(
        self,
        reason: str,
        *,
        is_temporary: bool = False,
        wait: float = 0,
        is_of_prompt: bool = False,
    ) -> None:
        self.is_temporary = is_temporary
        self.is_of_prompt = is_of_prompt
        self.wait = wait
        super().__init__(reason)
