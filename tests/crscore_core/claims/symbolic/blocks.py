"""Blocks of changed statements, from a few lines of a diff."""

from crscore_core.change import parse_change
from crscore_core.claims.symbolic.pairing import Block, blocks_of

__all__ = ["blocks"]


def blocks(name: str, body: str) -> list[Block]:
    """The blocks of one hunk at line 1 of the file `name`."""
    lines = body.split("\n")
    old = sum(not line.startswith("+") for line in lines)
    new = sum(not line.startswith("-") for line in lines)
    head = f"--- a/{name}\n+++ b/{name}\n@@ -1,{old} +1,{new} @@\n"
    file = parse_change(head + body + "\n").files[0]
    return [block for hunk in file.hunks for block in blocks_of(hunk, file.language)]
