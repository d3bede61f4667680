"""A Model Context Protocol server: `python -m crscore_eval.integrations.mcp_server`."""

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from crscore_core.errors import InputError
from crscore_core.scoring.references import statement_document
from crscore_eval.integrations.measures import measure, topics

server = MCPServer("crscore", instructions="Measures how much of a change its reviews cover.")


@server.tool()
def score_review(diff: str, review: str) -> dict[str, Any]:
    """Score a code review of a unified diff: measures from 0 to 1, and what it misses.

    They say whether the review is about the change and how much of the change it covers, not
    whether it is right or worth saying. `relevance` is the harmonic mean of conciseness and
    comprehensiveness; `no_threshold` is the same without a similarity threshold.
    """
    measured = measure(diff, review)
    if not measured.values:
        raise ToolError(measured.explanation)
    return {"measures": measured.values, "explanation": measured.explanation}


@server.tool()
def review_topics(diff: str) -> list[dict[str, Any]]:
    """List what a good review of a unified diff could address: claims, implications and smells."""
    try:
        return [statement_document(reference) for reference in topics(diff)]
    except InputError as error:
        raise ToolError(str(error)) from error


if __name__ == "__main__":
    server.run()
