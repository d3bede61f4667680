"""The names that the package offers without its modules."""

import pytest

import crscore_eval
from crscore_eval.run import folder, parts
from crscore_eval.table import one_review


def test_runs_are_opened_and_tables_scored_from_the_package() -> None:
    assert (crscore_eval.open_run, crscore_eval.score_table) == (folder.open_run, parts.score_table)
    assert crscore_eval.to_frame is one_review.to_frame
    assert {"open_data", "score_table"} <= {*dir(crscore_eval)}
    with pytest.raises(AttributeError, match="nothing"):
        crscore_eval.nothing  # noqa: B018
