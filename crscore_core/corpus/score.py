"""A corpus in memory -> its scored reviews, part by part."""

import hashlib
import json
from collections.abc import Sequence

from crscore_core.claims import ClaimGenerator
from crscore_core.corpus.model import Corpus, CorpusChange
from crscore_core.corpus.part import parts_of, score_part
from crscore_core.corpus.progress import CorpusProgress, CorpusStage, Note, silent_note
from crscore_core.corpus.reviews import Reviews
from crscore_core.scoring import Encoder, usual_tau
from crscore_core.scoring.pipeline import Tools
from crscore_core.scoring.signature import package_version


def score_corpus(
    corpus: Corpus,
    generator: ClaimGenerator | None,
    encoder: Encoder,
    note: Note = silent_note,
) -> Reviews:
    """Make pseudo-references of every change and compare its reviews with them.

    A diff that cannot be read, or a change that the backend has no claims about, is left out. The
    result names the source of the claims: as the corpus does, else the backend, claims that came
    with the changes (as `given-` and the beginning of their digest), or both. `note` is told of
    progress, and ends the work by raising `CancelledError`.

    Raises:
        InputError: the claims backend cannot be had, or fails; see `claim_changes`.
        UnavailableError: the encoder cannot be loaded.
    """
    claims = corpus.claims or _claims_name(corpus.changes, generator)
    tools = Tools(generator, encoder, usual_tau(encoder.name, claims))
    reviews = [review for change in corpus.changes for review in change.reviews]
    labels = tuple(dict.fromkeys(name for review in reviews for name in review.labels))
    scored, done, total = [], 0, len(reviews)
    for part in parts_of(corpus):

        def note_share(share: float, done: int = done, n: int = part.reviews) -> None:
            note(CorpusProgress(CorpusStage.SCORES, done + int(share * n), total))

        note_share(0)
        scored.append(score_part(part, tools, labels, note_share))
        done += part.reviews
    note(CorpusProgress(CorpusStage.SCORES, total, total))
    settings = {
        "encoder": encoder.name,
        "precision": "float32",
        "claims": claims,
        "analyzers": True,
        "tau": tools.tau,
        "version": package_version(),
    }
    changes, tables = [part.changes for part in scored], [part.reviews for part in scored]
    return Reviews.of_tables(settings, changes, tables, labels, corpus.remarks)


def _claims_name(changes: Sequence[CorpusChange], generator: ClaimGenerator | None) -> str:
    """Name the source of the claims, so that other given claims have another name."""
    backend = "given" if generator is None else generator.name
    given = [change.claims for change in changes if change.claims is not None]
    if not given:
        return backend
    texts = json.dumps(
        [[(claim.kind, claim.text, *claim.wordings) for claim in claims] for claims in given]
    )
    name = f"given-{hashlib.sha256(texts.encode()).hexdigest()[:12]}"
    return name if len(given) == len(changes) else f"{name} and {backend}"
