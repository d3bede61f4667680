"""How a run is scored: what the command's options say, and what Ray's workers receive."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from analyzers import ANALYZERS
from crscore_core.claims import DEFAULT_CLAIMS, ClaimOptions, claim_generator
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.scoring.pipeline import Tools
from crscore_eval.run.scoring import make_tools

if TYPE_CHECKING:
    import pandas as pd

Frames = tuple["pd.DataFrame", "pd.DataFrame"]
"""Changes and their reviews."""


class Settings(NamedTuple):
    """How a run is scored: what the command's options say, and what Ray's workers receive.

    `tau` is a number, a preset's name, or None for the preset of encoder and claims. `columns`
    names the column of some fields (see `decide_columns`). `name` is for people, by default the
    file's.
    """

    claims: str = DEFAULT_CLAIMS
    claim_options: ClaimOptions = ClaimOptions()
    encoder: str = DEFAULT_ENCODER
    tau: float | str | None = None
    analyzers: bool = True
    columns: Mapping[str, str] = {}
    name: str = ""

    def tools(self) -> Tools:
        """Load what scores are made with.

        Raises:
            InputError: something is unavailable, or there is no preset of tau.
        """
        generator = claim_generator(self.claims, self.claim_options)
        analyzers = ANALYZERS if self.analyzers else {}
        return make_tools(generator, self.encoder, self.tau, analyzers)
