"""What scored a review: settings, versions and the analyzers that ran, as one line."""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from crscore_core.analyzers import AnalyzerResult, Status
from crscore_core.change import CodeChange
from crscore_core.claims import DEFAULT_CLAIMS, GIVEN
from crscore_core.scoring.smells import shown_whole
from crscore_core.version import CLAIMS_VERSION, SCORING_VERSION, __version__

_COUNTS = ("changes", "files", "complete", "not_analysed")
_UNRECORDED = "unrecorded"


@dataclass(frozen=True, slots=True)
class AnalyzerUse:
    """What one version of an analyzer did for some changes.

    version: None if the analyzer has none, or did not run.
    changes, files: number of files that it analysed, and of the changes that they belong to.
    complete: number of these files whose complete text was given; of the others it saw the hunks.
    not_analysed: number of files in its language that it did not analyse.
    """

    name: str
    version: str | None
    changes: int = 0
    files: int = 0
    complete: int = 0
    not_analysed: int = 0

    def __str__(self) -> str:
        """Return name and version; with the share of the files, if it did not analyse all."""
        title = f"{self.name}={self.version}" if self.version else self.name
        n_files = self.files + self.not_analysed
        return f"{title}[{self.files}/{n_files}]" if self.not_analysed else title


@dataclass(frozen=True, slots=True)
class Signature:
    """Everything that a score depends on besides the change and the review.

    Equal signatures of the same review and change mean equal scores. The change is its diff, its
    complete files and, of a hunk without a file name, its language.

    analyzers: of the change or the run, sorted by name; None if an older run did not record them.
    claims_version: None for claims that are not symbolic.
    claims_digest: of the pseudo-references, see `references_digest`; None if rules made all claims.
    claims_version, scoring_version: also None if an older run did not record them.
    version: of the package; it does not affect scores.
    """

    encoder: str
    claims: str
    analyzers: tuple[AnalyzerUse, ...] | None
    tau: float
    scoring_version: int | None = SCORING_VERSION
    claims_version: int | None = None
    claims_digest: str | None = None
    version: str = __version__

    def __str__(self) -> str:
        scoring = _UNRECORDED if self.scoring_version is None else self.scoring_version
        rules = "" if self.claims_version is None else f"|rules:{self.claims_version}"
        digest = f"#{self.claims_digest}" if self.claims_digest else ""
        return (
            f"crscore:{self.version}|scoring:{scoring}|encoder:{self.encoder}"
            f"|claims:{self.claims}{digest}{rules}|{self._analyzers()}|tau:{float(self.tau)!r}"
        )

    def document(self) -> dict[str, Any]:
        """Return the signature as a JSON object; `text` is its line."""
        ran = None if self.analyzers is None else {use.name: use.version for use in self.ran}
        return {"text": str(self), **asdict(self), "analyzers": ran}

    @property
    def ran(self) -> tuple[AnalyzerUse, ...]:
        """The analyzers that analysed at least one file."""
        return tuple(use for use in self.analyzers or () if use.files)

    def _analyzers(self) -> str:
        if self.analyzers is None:
            return f"analyzers:{_UNRECORDED}"
        if not self.ran:
            return "analyzers:none"
        n_files = sum(use.files for use in self.ran)
        n_complete = sum(use.complete for use in self.ran)
        share = f"[{n_complete}/{n_files}]" if n_complete < n_files else ""
        code = f"files{share}" if n_complete else "hunks"
        return f"analyzers:{','.join(map(str, self.ran))}|code:{code}"


def references_digest(texts: Iterable[Iterable[str]], claims: str) -> str | None:
    """Return a digest of the texts and wordings of pseudo-references; None if rules made `claims`.

    Rules give the same claims again; what a model or a person wrote is known by its digest.
    """
    if claims == DEFAULT_CLAIMS:
        return None
    rows = "\n".join("\t".join(wordings) for wordings in texts)
    return hashlib.sha256(rows.encode("utf-8", "replace")).hexdigest()[:12]


def claims_version(claims: str) -> int | None:
    """Return the version of the rules that made claims; None if no rules did."""
    return CLAIMS_VERSION if claims in {DEFAULT_CLAIMS, f"{DEFAULT_CLAIMS}+{GIVEN}"} else None


def analyzer_uses(change: CodeChange, results: Iterable[AnalyzerResult]) -> tuple[AnalyzerUse, ...]:
    """Return what each analyzer did for one change."""
    shown = {file.path for file in change.files if shown_whole(file) is not None}
    uses = [
        AnalyzerUse(
            result.name,
            result.version,
            files=int(result.status is not Status.NOT_ANALYSED),
            complete=int(result.status is Status.ANALYSED and result.path not in shown),
            not_analysed=int(result.status is Status.NOT_ANALYSED),
        )
        for result in results
        if result.name != "none"
    ]
    return tuple(replace(use, changes=int(use.files > 0)) for use in sum_uses(uses))


def sum_uses(uses: Iterable[AnalyzerUse]) -> tuple[AnalyzerUse, ...]:
    """Add up what each version of each analyzer did for distinct changes or files."""
    totals: dict[tuple[str, str | None], AnalyzerUse] = {}
    for use in uses:
        key = use.name, use.version
        total = totals.get(key, AnalyzerUse(*key))
        counts = {name: getattr(total, name) + getattr(use, name) for name in _COUNTS}
        totals[key] = replace(total, **counts)
    return tuple(sorted(totals.values(), key=lambda use: (use.name, use.version or "")))
