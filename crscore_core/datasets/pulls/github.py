"""Read a pull request of GitHub."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from urllib.parse import quote

from crscore_core.datasets.pulls.client import Api, Json, NotThereError
from crscore_core.datasets.pulls.reference import PullReference
from crscore_core.datasets.pulls.threads import ChangedFile, PullRequest, Thread, file_diff, login

_MOST_FILES = 3_000
_THREADS = """
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { isResolved isOutdated comments(first: 1) { nodes { url } } }
      }
    }
  }
}
"""


def read_github(api: Api, reference: PullReference, *, with_reviews: bool) -> PullRequest:
    """Read comments on lines and, `with_reviews`, the texts of whole reviews, with their changes.

    Raises:
        PullRequestError, CancelledError: those of `Api.get`.
        AttributeError, KeyError, TypeError, ValueError: an answer is damaged.
    """
    repository = f"/repos/{reference.project}"
    path = f"{repository}/pulls/{reference.number}"
    pull = api.get(path)
    head = pull["head"]["sha"]
    # By number, since a list that grows while it is read shows some comments twice.
    comments = {one["id"]: one for one in api.items(f"{path}/comments")}
    reviews = list(api.items(f"{path}/reviews")) if with_reviews else []
    reviews = [one for one in reviews if one.get("body") and one.get("commit_id")]
    commits = {one.get("original_commit_id") or "" for one in comments.values()}
    commits |= {one["commit_id"] for one in reviews}
    changes: dict[str, dict[str, ChangedFile]] = {}
    if commits:
        with suppress(NotThereError):  # GitHub fails on changes that are too large
            changes[head] = _files(islice(api.items(f"{path}/files"), _MOST_FILES))
    for commit in sorted(commits - {"", head}):
        span = f"{quote(pull['base']['sha'], safe='')}...{quote(commit, safe='')}"
        with suppress(NotThereError):  # the commit is gone or too large; its excerpt is there
            answer = api.get(f"{repository}/compare/{span}", is_fixed=True)
            changes[commit] = _files(answer.get("files") or [])
    states = _states(api, reference) if commits and api.has_token else {}
    replies: dict[int, list[Json]] = {}
    for _, one in sorted(comments.items()):
        replies.setdefault(one.get("in_reply_to_id") or one["id"], []).append(one)
    return PullRequest(
        name=reference.name,
        author=login(pull.get("user")),
        head=head,
        threads=(*(_thread(of, states) for of in replies.values()), *map(_review, reviews)),
        changes=changes,
    )


def _files(answers: Iterable[Json]) -> dict[str, ChangedFile]:
    files = {}
    for file in answers:
        new, status = file["filename"], file.get("status")
        old, patch = file.get("previous_filename") or new, file.get("patch") or ""
        is_new = status == "added"
        diff = file_diff(old, new, patch, is_new=is_new, is_gone=status == "removed")
        files[new] = ChangedFile("" if is_new or status == "copied" else old, diff)
    return files


def _states(api: Api, reference: PullReference) -> dict[str, Json]:
    """Return, by the page of its first comment, what GraphQL reports of each thread."""
    owner, name = reference.project.split("/")
    variables = {"owner": owner, "name": name, "number": reference.number}
    path = ("repository", "pullRequest", "reviewThreads")
    return {
        first.get("url"): state
        for state in api.nodes(_THREADS, variables, path)
        for first in state["comments"]["nodes"]
    }


def _thread(comments: Sequence[Json], states: dict[str, Json]) -> Thread:
    """Make a thread of its comments; a reply is the first if the first was deleted."""
    first = comments[0]
    author = login(first.get("user"))
    outcomes: dict[str, float] = {}
    if state := states.get(first["html_url"]):
        outcomes = {"resolved": state["isResolved"], "outdated": state["isOutdated"]}
    elif "position" in first and first.get("subject_type") != "file":
        outcomes = {"outdated": first["position"] is None}
    if thumbs := first.get("reactions"):
        outcomes |= {"thumbs_up": thumbs["+1"], "thumbs_down": thumbs["-1"]}
    return Thread(
        id=str(first["id"]),
        url=first["html_url"],
        system=author,
        created=first["created_at"],
        text=first["body"],
        commit=first.get("original_commit_id") or "",
        path=first["path"],
        first=first.get("original_start_line"),
        last=first.get("original_line"),
        is_removed=first.get("side") == "LEFT",
        hunk=first["diff_hunk"],
        replies=tuple(one["body"] for one in comments if login(one.get("user")) != author),
        outcomes={f"outcome_{name}": value for name, value in outcomes.items()},
    )


def _review(review: Json) -> Thread:
    return Thread(
        id=f"review-{review['id']}",
        url=review["html_url"],
        system=login(review.get("user")),
        created=review["submitted_at"],
        text=review["body"],
        commit=review["commit_id"],
    )
