"""Small corpora that several tests score."""

from collections.abc import Sequence
from concurrent.futures import CancelledError
from dataclasses import replace
from typing import Any

from crscore_core.change import CodeChange
from crscore_core.claims import Claim, ClaimKind, ClaimSet
from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview
from crscore_core.corpus.progress import CorpusProgress
from crscore_core.errors import InputError


def diff(name: str, line: str = "x = 2") -> str:
    return (
        f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-x = 1\n+{line}\n"
    )


def change(number: int, *texts: str, **more: Any) -> CorpusChange:  # noqa: ANN401 - its fields
    reviews = tuple(
        CorpusReview(f"{number}/{at}", f"system {at}", text) for at, text in enumerate(texts)
    )
    made = CorpusChange(str(number), None, diff(f"file{number}.py"), reviews)
    return replace(made, **more)


def corpus(*changes: CorpusChange) -> Corpus:
    return Corpus("made up", changes)


class FixedClaims:
    """A backend that claims the same of every change but those that it cannot make claims of."""

    name = "fixed"

    def __init__(self, *texts: str, without: Sequence[str] = ()) -> None:
        self.asked: list[str | None] = []
        self._claims = tuple(Claim(text, ClaimKind.CLAIM, self.name) for text in texts)
        self._without = without

    def generate(self, change: CodeChange) -> ClaimSet:
        path = change.files[0].path
        self.asked.append(path)
        if path in self._without:
            raise InputError(f"no claims about {path}")
        return ClaimSet(self._claims)

    def generate_each(self, changes: Sequence[CodeChange]) -> list[ClaimSet | InputError]:
        made: list[ClaimSet | InputError] = []
        for change in changes:
            try:
                made.append(self.generate(change))
            except InputError as error:
                made.append(error)
        return made


class Notes:
    """Notes of progress so far; the note with number `stop` ends the work."""

    def __init__(self, stop: int | None = None) -> None:
        self.told: list[CorpusProgress] = []
        self._stop = stop

    def __call__(self, progress: CorpusProgress) -> None:
        self.told.append(progress)
        if len(self.told) == self._stop:
            raise CancelledError
