"""The signature of a score: settings, versions and the analyzers that ran, as one line."""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from crscore_core.analyzers import AnalyzerUse
from crscore_core.claims import DEFAULT_CLAIMS, GIVEN
from crscore_core.version import CLAIMS_VERSION, SCORING_VERSION, __version__


@dataclass(frozen=True, slots=True)
class Signature:
    """Everything that a score depends on besides the change and the review.

    Equal signatures mean equal scores of a review up to rounding, unless a Hub model was revised.

    analyzers: the analyzers of the change or the run, sorted by name.
    claims_version: None for claims that are not symbolic.
    references_digest: see the function with this name; None if it is not known.
    version: the version of the package, which does not affect scores.
    """

    encoder: str
    claims: str
    analyzers: tuple[AnalyzerUse, ...]
    tau: float
    scoring_version: int = SCORING_VERSION
    claims_version: int | None = None
    references_digest: str | None = None
    version: str = __version__

    def __str__(self) -> str:
        rules = "" if self.claims_version is None else f"|rules:{self.claims_version}"
        digest = f"#{self.references_digest}" if self.references_digest else ""
        return (
            f"crscore:{self.version}|scoring:{self.scoring_version}|encoder:{self.encoder}"
            f"|claims:{self.claims}{digest}{rules}|{self._analyzers()}|tau:{float(self.tau)!r}"
        )

    def document(self) -> dict[str, Any]:
        """Return the signature as a JSON object; `text` is its one-line form."""
        ran = {use.name: use.version for use in self.ran}
        return {"text": str(self), **asdict(self), "analyzers": ran}

    @property
    def ran(self) -> tuple[AnalyzerUse, ...]:
        """The analyzers that analysed at least one file."""
        return tuple(use for use in self.analyzers if use.files)

    def _analyzers(self) -> str:
        if not self.ran:
            return "analyzers:none"
        n_files = sum(use.files for use in self.ran)
        n_complete = sum(use.complete for use in self.ran)
        share = f"[{n_complete}/{n_files}]" if n_complete < n_files else ""
        code = f"files{share}" if n_complete else "hunks"
        return f"analyzers:{','.join(map(str, self.ran))}|code:{code}"


def references_digest(texts: Iterable[Iterable[str]]) -> str:
    """Return a digest of the texts and wordings of pseudo-references.

    Whatever changes them, such as a language or a complete file, also changes the digest.
    """
    rows = "\n".join("\t".join(wordings) for wordings in texts)
    return hashlib.sha256(rows.encode("utf-8", "replace")).hexdigest()[:12]


def claims_version(claims: str) -> int | None:
    """Return the version of the rules that made claims; None if no rules did."""
    return CLAIMS_VERSION if claims in {DEFAULT_CLAIMS, f"{DEFAULT_CLAIMS}+{GIVEN}"} else None
