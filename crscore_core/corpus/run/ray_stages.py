"""What Ray's workers do: one stage of a run, a unit at a time, between rows of one column.

Errors of ours are handed on to the driver as what they are, in place of a result.
"""

import pickle
from collections.abc import Callable
from contextlib import closing
from functools import cached_property
from pathlib import Path
from socket import gethostname
from typing import Any

from crscore_core.claims import ClaimGenerator
from crscore_core.corpus.run.engine import scored_part
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.corpus.run.stages import (
    ClaimedBlock,
    EmbeddedPart,
    add_references,
    claim_block,
    embed_part,
    score_part,
)
from crscore_core.corpus.run.units import Block, Part, ScoredPart
from crscore_core.corpus.run.work import Work
from crscore_core.errors import CRScoreError, EncoderError
from crscore_core.scoring import CachedEncoder
from crscore_core.scoring.registry import encoder_digest

__all__ = [
    "ClaimBlock",
    "EmbedPart",
    "Row",
    "make_references",
    "make_scores",
    "packed",
    "read_block",
    "read_part",
    "unpacked",
]

Row = dict[str, Any]

_CONTENT = "content"


def packed(content: object) -> Row:
    """A row that holds `content`."""
    return {_CONTENT: pickle.dumps(content)}


def unpacked(row: Row) -> Any:  # noqa: ANN401 - each stage knows what it is handed
    """What a row holds.

    Raises:
        CRScoreError: the one that it holds.
    """
    content = pickle.loads(row[_CONTENT])  # noqa: S301 - packed by ourselves
    if isinstance(content, CRScoreError):
        raise content
    return content


def read_block(row: Row, work: Path) -> Row:
    """The number of a block -> the block; `work` is on this machine."""
    return _handed_on(lambda number: _read(work, Work.block, number), row)


def read_part(row: Row, work: Path) -> Row:
    """The number of a part -> the part; `work` is on this machine."""
    return _handed_on(lambda number: _read(work, Work.part, number), row)


class ClaimBlock:
    """A block -> the same with claims. The backend is made once."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe

    @cached_property
    def _generator(self) -> ClaimGenerator:
        return self._recipe.claim_generator()

    def __call__(self, row: Row) -> Row:
        """See `claim_block`."""
        return _handed_on(self._claimed, row)

    def _claimed(self, block: Block) -> ClaimedBlock:
        return claim_block(block, self._generator)


def make_references(row: Row, recipe: Recipe) -> Row:
    """A block with claims -> the pseudo-references; see `add_references`."""
    return _handed_on(lambda block: add_references(block, recipe.chosen_analyzers()), row)


class EmbedPart:
    """A part -> the same with the vectors of its texts. The encoder is loaded once.

    `digest` is the encoder's where the run was begun: another machine may have another.
    """

    def __init__(self, recipe: Recipe, digest: str) -> None:
        self._recipe = recipe
        self._digest = digest

    @cached_property
    def _encoder(self) -> CachedEncoder:
        name = self._recipe.encoder
        if encoder_digest(name) != self._digest:
            raise EncoderError(
                f"encoder {name[:80]!r} is another on {gethostname()} than where the run was "
                "begun; put the same files on every machine of the cluster"
            )
        return self._recipe.cached_encoder()

    def __call__(self, row: Row) -> Row:
        """See `embed_part`."""
        return _handed_on(self._embedded, row)

    def _embedded(self, part: Part) -> EmbeddedPart:
        return embed_part(part, self._encoder)


def make_scores(row: Row, recipe: Recipe) -> Row:
    """A part with vectors -> its scores; see `score_part`."""
    return _handed_on(lambda embedded: _scored(embedded, recipe), row)


def _scored(embedded: EmbeddedPart, recipe: Recipe) -> ScoredPart:
    return scored_part(embedded.part.number, score_part(embedded, recipe.tau), recipe.tau)


def _read(path: Path, read: Callable[[Work, int], Block | Part], number: int) -> Block | Part:
    with closing(Work(path)) as work:
        return read(work, number)


def _handed_on(step: Callable[[Any], object], row: Row) -> Row:
    """A row with what `step` makes of what `row` holds; an error passes every step."""
    try:
        return packed(step(unpacked(row)))
    except CRScoreError as error:
        return packed(error)
