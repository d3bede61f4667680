"""How code is quoted in the sentence of a smell."""

__all__ = ["quoted"]

_MAX_LENGTH = 60


def quoted(code: str) -> str:
    """`code` between backticks, on one line, shortened, without what could not be shown."""
    visible = "".join(char if char.isprintable() else " " for char in code)
    shown = " ".join(visible.replace("`", "'").split())
    if len(shown) > _MAX_LENGTH:
        shown = shown[: _MAX_LENGTH - 1].rstrip() + "…"
    return f"`{shown}`"
