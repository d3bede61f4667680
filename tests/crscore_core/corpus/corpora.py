"""Small corpora that several tests score."""

from collections.abc import Sequence
from concurrent.futures import CancelledError

from crscore_core.change import CodeChange
from crscore_core.claims import Claim, ClaimKind, ClaimSet
from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview
from crscore_core.corpus.progress import CorpusProgress
from crscore_core.errors import ClaimsError

__all__ = ["FixedClaims", "Notes", "change", "corpus", "diff"]


def diff(name: str, line: str = "x = 2") -> str:
    return (
        f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-x = 1\n+{line}\n"
    )


def change(number: int, *texts: str, **more: object) -> CorpusChange:
    reviews = tuple(
        CorpusReview(f"{number}/{at}", f"system {at}", text) for at, text in enumerate(texts)
    )
    made = CorpusChange(str(number), None, diff(f"file{number}.py"), reviews)
    return _replaced(made, more)


def _replaced(made: CorpusChange, more: dict[str, object]) -> CorpusChange:
    fields = {name: getattr(made, name) for name in CorpusChange.__slots__} | more
    return CorpusChange(**fields)


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
        return self._of(change)

    def generate_each(self, changes: Sequence[CodeChange]) -> list[ClaimSet | ClaimsError]:
        return [self._of_one(one) for one in changes]

    def _of_one(self, change: CodeChange) -> ClaimSet | ClaimsError:
        try:
            return self._of(change)
        except ClaimsError as error:
            return error

    def _of(self, change: CodeChange) -> ClaimSet:
        path = change.files[0].path
        self.asked.append(path)
        if path in self._without:
            raise ClaimsError(f"no claims about {path}")
        return ClaimSet(self._claims)


class Notes:
    """What was told of progress; it ends the work at the note with number `stop`."""

    def __init__(self, stop: int | None = None) -> None:
        self.told: list[CorpusProgress] = []
        self._stop = stop

    def __call__(self, progress: CorpusProgress) -> None:
        self.told.append(progress)
        if len(self.told) == self._stop:
            raise CancelledError
