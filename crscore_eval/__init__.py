"""CRScore for many reviews: tables of reviews and what they show."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crscore_eval.data.sources import open_data as open_data
    from crscore_eval.export.reviews import to_frame as to_frame
    from crscore_eval.ranking.order import order_systems as order_systems
    from crscore_eval.run.folder import open_run as open_run
    from crscore_eval.run.parts import score_table as score_table
    from crscore_eval.validity.compare import compare_metrics as compare_metrics

_MODULES = {
    "compare_metrics": "validity.compare",
    "open_data": "data.sources",
    "open_run": "run.folder",
    "order_systems": "ranking.order",
    "score_table": "run.parts",
    "to_frame": "export.reviews",
}

__all__ = [*_MODULES]  # noqa: PLE0604 - names


def __getattr__(name: str) -> object:
    """Import a public function on first use, because it needs pandas."""
    if name in _MODULES:
        return getattr(import_module(f"crscore_eval.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
