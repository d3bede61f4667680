"""What hangs on tau, computed once for each source."""

from dataclasses import dataclass

import streamlit as st

from crscore_core.scoring.metric import TAUS
from crscore_core.validity.addressed import MatchingRow
from crscore_core.validity.thresholds_presets import ProcedureTaus, procedure_taus
from crscore_core.validity.thresholds_sweep import ThresholdSweep, sweep_thresholds
from pages.components.source.kept_beside import KeptBeside
from pages.components.source.model import Source

__all__ = ["Curves", "curves_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """The sweep, where the procedure puts tau, and the encoder's matching, of the study alone."""

    sweep: ThresholdSweep
    presets: ProcedureTaus
    matching: tuple[MatchingRow, ...]


_KNOWN: KeptBeside[Curves] = KeptBeside()


def curves_of(source: Source) -> Curves:
    """The curves of a source; only the first time takes long."""
    return _KNOWN.get(source, lambda: _curves(source))


def _curves(source: Source) -> Curves:
    with st.spinner("Trying every tau, once"):
        return Curves(
            sweep_thresholds(source.comparison.rated_maxima, TAUS),
            procedure_taus(source.comparison, source.bootstrap),
            () if source.study is None else source.study.matching(TAUS.tolist()),
        )
