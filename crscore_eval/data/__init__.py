"""Data: the human study, six kinds of reviews, examples, and people's ratings."""

from crscore_eval.data.examples import load_examples as load_examples
from crscore_eval.data.ratings import Ratings as Ratings
from crscore_eval.data.shipped import shipped_pairs as shipped_pairs
from crscore_eval.data.shipped import shipped_run as shipped_run
from crscore_eval.data.shipped import shipped_study as shipped_study
from crscore_eval.data.sources import open_data as open_data
from crscore_eval.data.sources import with_titles as with_titles
from crscore_eval.data.study import LANGUAGE_OF_SUFFIX as LANGUAGE_OF_SUFFIX
from crscore_eval.data.study import SYSTEM_TITLES as SYSTEM_TITLES
from crscore_eval.data.study import Study as Study
from crscore_eval.data.study import read_study as read_study
