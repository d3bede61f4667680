"""Which texts go through a model together."""

from collections.abc import Iterator, Sequence

__all__ = ["batches_by_length", "padded_length"]

_STEP = 4
_WIDE_STEP = 16
_NARROW = 64


def padded_length(tokens: int, most: int) -> int:
    """The length to which a text of so many tokens is padded, whatever texts are with it.

    So its numbers come out the same to the last bit: it is a multiple of 4, because a matrix
    library takes rows in fours and what is left of them another way, rounded otherwise where
    there are few. Steps are narrow where texts are short, so that little is padding.
    """
    step = _STEP if tokens <= _NARROW else _WIDE_STEP
    return min(-(-tokens // step) * step, max(tokens, most))


def batches_by_length(lengths: Sequence[int], most_tokens: int) -> Iterator[tuple[int, list[int]]]:
    """Rows of one padded length each, the shortest first: that length, and which rows.

    `lengths` are padded already. A batch has at most `most_tokens` tokens, or one row.
    """
    order = sorted(range(len(lengths)), key=lambda row: (lengths[row], row))
    at = 0
    while at < len(order):
        length = lengths[order[at]]
        end = at + max(1, most_tokens // max(1, length))
        rows = [row for row in order[at:end] if lengths[row] == length]
        yield length, rows
        at += len(rows)
