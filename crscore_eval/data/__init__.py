"""Data that the product knows by name: the human study, six kinds of reviews, examples, ratings."""

from crscore_eval.data.examples import Example, load_examples
from crscore_eval.data.ratings import Ratings, with_ratings
from crscore_eval.data.shipped import shipped_pairs, shipped_run, shipped_study
from crscore_eval.data.sources import NAMES, open_data
from crscore_eval.data.study import GROUND_TRUTH, LANGUAGES, SYSTEM_TITLES, Study, read_study

__all__ = [
    "GROUND_TRUTH",
    "LANGUAGES",
    "NAMES",
    "SYSTEM_TITLES",
    "Example",
    "Ratings",
    "Study",
    "load_examples",
    "open_data",
    "read_study",
    "shipped_pairs",
    "shipped_run",
    "shipped_study",
    "with_ratings",
]
