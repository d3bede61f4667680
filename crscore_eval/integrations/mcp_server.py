"""A Model Context Protocol server: `python -m crscore_eval.integrations.mcp_server`."""

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from crscore_core.errors import InputError
from crscore_core.scoring.references import reference_document
from crscore_eval.integrations.scoring import make_pseudo_references, score_output

server = MCPServer("crscore", instructions="Measures how much of a change its reviews cover.")


@server.tool()
def score_review(diff: str, review: str) -> dict[str, Any]:
    """Score a code review of a unified diff: scores from 0 to 1, and what the review misses.

    The scores say whether the review is about the change and how much of the change it covers, not
    whether it is right or worth saying. `relevance` is the harmonic mean of conciseness and
    comprehensiveness; `no_threshold` is relevance without a similarity threshold.
    """
    scored = score_output(diff, review)
    if not scored.scores:
        raise ToolError(scored.explanation)
    return {"scores": scored.scores, "explanation": scored.explanation}


@server.tool()
def review_topics(diff: str) -> list[dict[str, Any]]:
    """List what a good review of a unified diff could address: claims, implications and smells."""
    try:
        return [reference_document(reference) for reference in make_pseudo_references(diff)]
    except InputError as error:
        raise ToolError(str(error)) from error


if __name__ == "__main__":
    server.run()
