"""Numbers of things in words."""

__all__ = ["counted"]


def counted(number: int, thing: str) -> str:
    """Such as `1 review` or `2,000 reviews`."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
