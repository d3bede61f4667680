"""What hangs on tau, computed once for each source."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import streamlit as st

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.thresholds_presets import ProcedureTaus, procedure_taus
from crscore_core.corpus.thresholds_sweep import ThresholdSweep, sweep_thresholds
from crscore_core.study.validity.addressed import MatchingRow
from pages.components.source.model import Source

__all__ = ["Curves", "curves_of"]

_TAUS = tuple(np.linspace(0, 1, 101).round(2).tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """The sweep, where the procedure puts tau, and the encoder's matching, of the study alone."""

    sweep: ThresholdSweep
    presets: ProcedureTaus
    matching: tuple[MatchingRow, ...]


# A source that nobody has any more takes its curves with it, so an imported file leaves nothing.
_KNOWN: WeakKeyDictionary[CorpusComparison, Curves] = WeakKeyDictionary()


def curves_of(source: Source) -> Curves:
    """The curves of a source; only the first time takes long."""
    known = _KNOWN.get(source.comparison)
    if known is None:
        with st.spinner("Trying every tau, once"):
            known = Curves(
                sweep_thresholds(source.comparison, _TAUS),
                procedure_taus(source.comparison, source.bootstrap),
                () if source.study is None else source.study.matching(_TAUS),
            )
        _KNOWN[source.comparison] = known
    return known
