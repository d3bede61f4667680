"""The reviews of a source at one tau, with what fails among them."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from crscore_core.validity.failure_cases import case_rows, score_of
from crscore_core.validity.failures import Failures, find_failures
from pages.components.failures_page.rule import ChosenRule
from pages.components.source.model import Source

__all__ = ["Cases"]


@dataclass(frozen=True)
class Cases:
    """What every part of the page reads; `chosen` is None where nobody rated."""

    source: Source
    tau: float
    chosen: ChosenRule | None

    @cached_property
    def bare_rows(self) -> pd.DataFrame:
        """All reviews as rows at tau."""
        return self.source.table.at(self.tau)

    @cached_property
    def failures(self) -> Failures | None:
        """What fails."""
        if self.chosen is None:
            return None
        compared = score_of(self.bare_rows, self.chosen.score)
        return find_failures(self.source.comparison, self.tau, self.chosen.rule, compared)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """All reviews as rows, with the failures and gaps where people rated."""
        return self.bare_rows if self.failures is None else case_rows(self.bare_rows, self.failures)
