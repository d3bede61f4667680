"""CRScore over many reviews: everything is a function of a table of reviews."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crscore_eval.run import open_run as open_run
    from crscore_eval.run import score_table as score_table


def __getattr__(name: str) -> object:
    """Import `open_run` and `score_table` when they are needed, as they need pandas."""
    if name in {"open_run", "score_table"}:
        from crscore_eval import run

        return getattr(run, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
