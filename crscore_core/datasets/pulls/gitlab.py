"""Read a merge request of GitLab."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from urllib.parse import quote

from crscore_core.datasets.pulls.client import Api, Json, NotThereError
from crscore_core.datasets.pulls.reference import PullReference
from crscore_core.datasets.pulls.threads import ChangedFile, PullRequest, Thread, file_diff, login

_MOVED = "changed this line in"
"""Start of the note that GitLab adds if a push changes commented lines."""

_AWARDS = """
query($path: ID!, $number: String!, $after: String) {
  project(fullPath: $path) {
    mergeRequest(iid: $number) {
      notes(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id awardEmoji { nodes { name } } }
      }
    }
  }
}
"""


def read_gitlab(api: Api, reference: PullReference) -> PullRequest:
    """Read the discussions of lines, with their changes.

    Raises:
        PullRequestError, CancelledError: those of `Api.get`.
        AttributeError, KeyError, TypeError, ValueError: an answer is damaged.
    """
    project = f"/projects/{quote(reference.project, safe='')}"
    path = f"{project}/merge_requests/{reference.number}"
    request = api.get(path)
    web_url, newest = request["web_url"], request.get("diff_refs") or {}
    # By number, since a list that grows while it is read shows some discussions twice.
    discussions = {one["id"]: one["notes"] for one in api.items(f"{path}/discussions")}
    threads = [notes for notes in discussions.values() if _spoken(notes)[0].get("position")]
    awards = _awards(api, reference) if threads else {}
    positions = [_spoken(notes)[0]["position"] for notes in threads]
    spans = {(one["base_sha"], one["head_sha"]) for one in positions}
    if spans and newest.get("base_sha") and newest.get("head_sha"):
        spans.add((newest["base_sha"], newest["head_sha"]))
    changes: dict[str, dict[str, ChangedFile]] = {}
    for base, head in sorted(spans):
        query = f"from={quote(base, safe='')}&to={quote(head, safe='')}"
        with suppress(NotThereError):
            answer = api.get(f"{project}/repository/compare", query, is_fixed=True)
            changes.setdefault(head, {}).update(_files(answer["diffs"]))
    return PullRequest(
        name=reference.name,
        author=login(request.get("author")),
        head=newest.get("head_sha") or "",
        threads=tuple(_thread(notes, awards, web_url) for notes in threads),
        changes=changes,
    )


def _spoken(notes: Sequence[Json]) -> list[Json]:
    """Return the notes written by people and bots, without GitLab's system notes."""
    return [note for note in notes if not note.get("system")] or [{}]


def _files(answers: Iterable[Json]) -> dict[str, ChangedFile]:
    files = {}
    for file in answers:
        old, new, is_new = file["old_path"], file["new_path"], bool(file.get("new_file"))
        is_gone = bool(file.get("deleted_file"))
        diff = file_diff(old, new, file.get("diff") or "", is_new=is_new, is_gone=is_gone)
        files[new] = ChangedFile("" if is_new else old, diff)
    return files


def _awards(api: Api, reference: PullReference) -> dict[str, list[str]]:
    """Return the names of the emoji on each note, by its number; empty before GitLab 16."""
    variables = {"path": reference.project, "number": str(reference.number)}
    return {
        note["id"].rpartition("/")[2]: [award["name"] for award in note["awardEmoji"]["nodes"]]
        for note in api.nodes(_AWARDS, variables, ("project", "mergeRequest", "notes"))
    }


def _thread(notes: Sequence[Json], awards: dict[str, list[str]], web_url: str) -> Thread:
    first, *replies = _spoken(notes)
    author, position = login(first.get("author")), first["position"]
    is_removed = not position.get("new_line")
    lines = "old_line" if is_removed else "new_line"
    start = (position.get("line_range") or {}).get("start") or {}
    is_outdated = any(note.get("system") and note["body"].startswith(_MOVED) for note in notes)
    outcomes: dict[str, float] = {"outdated": is_outdated}
    if first.get("resolvable") and first.get("resolved") is not None:
        outcomes["resolved"] = first["resolved"]
    if (names := awards.get(str(first["id"]))) is not None:
        for outcome, emoji in (("thumbs_up", "thumbsup"), ("thumbs_down", "thumbsdown")):
            outcomes[outcome] = sum(name.startswith(emoji) for name in names)  # any skin tone
    if suggestions := first.get("suggestions"):
        outcomes["suggestion_applied"] = any(one.get("applied") for one in suggestions)
    return Thread(
        id=str(first["id"]),
        url=f"{web_url}#note_{first['id']}",
        system=author,
        created=first["created_at"],
        text=first["body"],
        commit=position["head_sha"],
        path=position.get("new_path") or position.get("old_path") or "",
        first=start.get(lines),
        last=position.get(lines),
        is_removed=is_removed,
        replies=tuple(one["body"] for one in replies if login(one.get("author")) != author),
        outcomes={f"outcome_{name}": value for name, value in outcomes.items()},
    )
