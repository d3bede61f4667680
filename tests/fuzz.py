"""Coverage-guided fuzzing of whatever reads untrusted bytes, by atheris.

    python -m tests.fuzz TARGET [SECONDS]

It begins with the sample data, and goes on from what it found before, in `.fuzz/TARGET`.

A target may raise the typed errors of bad input and nothing else. An input that fails is written
to the working folder; its bytes belong into a table of the tests of what it broke.
"""

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import atheris

with atheris.instrument_imports(include=["crscore_core"]):
    from crscore_core.change import parse_change
    from crscore_core.change.diff_lines import diff_lines
    from crscore_core.claims.given import parse_claims
    from crscore_core.claims.response import claims_of_response
    from crscore_core.claims.symbolic import SymbolicClaims
    from crscore_core.corpus.reading import RowStream, guess_mapping
    from crscore_core.corpus.run.intake import import_corpus
    from crscore_core.datasets.examples import load_samples
    from crscore_core.datasets.pulls.fetch import read_pull
    from crscore_core.datasets.pulls.reference import PullReference
    from crscore_core.datasets.pulls.rows import corpus_text, rows_of_pulls
    from crscore_core.errors import InputError
    from crscore_core.rendered import rendered
    from crscore_core.scoring import split_sentences

_NAMES = ("a.csv", "a.tsv", "a.jsonl", "a.csv.gz")
_USUAL_SECONDS = 3600
_PULL = Path(__file__).with_name("fuzz_pull.json").read_text(encoding="utf-8")
"""A pull request, a comment, a change and a list of GraphQL in one, whatever is asked for."""


def _diff(content: bytes) -> None:
    change = parse_change(content)
    text = content.decode("utf-8", "replace")
    assert len(diff_lines(text).lines) >= sum(len(file.hunks) for file in change.files)


def _symbolic(content: bytes) -> None:
    SymbolicClaims().generate(parse_change(content))


def _claims(content: bytes) -> None:
    text = content.decode("utf-8", "replace")
    claims_of_response(text, "fuzz", is_complete=bool(len(text) % 2))
    parse_claims(text)


def _splitter(content: bytes) -> None:
    text = content.decode("utf-8", "surrogatepass" if len(content) % 2 else "replace")
    rendered(text)
    for sentence in split_sentences(text):
        assert sentence.strip()


def _importer(content: bytes) -> None:
    if content:
        stream = RowStream(content[1:], _NAMES[content[0] % len(_NAMES)], seconds=60)
        import_corpus(stream, guess_mapping(stream.columns()), "fuzz")


def _pulls(content: bytes) -> None:
    """Read a pull request of a host whose every answer is this, or an item of it."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        return
    host = Mock()
    host.get.return_value = answer
    host.items.side_effect = host.nodes.side_effect = lambda *_: iter([answer])
    for version in ("v3", "v4"):
        reference = PullReference(f"https://host/api/{version}", "octo/stuff", 1)
        pull = read_pull(host, reference)
        corpus_text(rows_of_pulls([pull]).rows).encode()


TARGETS: dict[str, Callable[[bytes], None]] = {
    "diff": _diff,
    "symbolic": _symbolic,
    "claims": _claims,
    "splitter": _splitter,
    "importer": _importer,
    "pulls": _pulls,
}


def _seeds(target: str) -> Iterator[bytes]:
    for sample in load_samples().values():
        if target in ("diff", "symbolic"):
            yield sample.diff.encode()
            continue
        for review in sample.reviews:
            row = {"diff": sample.diff, "review": review, "relevance": "3", "label_ok": "yes"}
            text = io.StringIO()
            writer = csv.DictWriter(text, row)
            writer.writeheader()
            writer.writerow(row)
            hunk = sample.diff[sample.diff.index("@@") :]
            pull = _PULL.replace('"BODY"', json.dumps(review)).replace('"HUNK"', json.dumps(hunk))
            yield from {
                "pulls": (pull.encode(),),
                "claims": (
                    f"1. {review}\n\n**Implications**\n- {review}".encode(),
                    json.dumps({"claims": [{"text": review, "kind": "claim"}]}).encode(),
                ),
                "splitter": (review.encode(),),
                "importer": (
                    b"\0" + text.getvalue().encode(),
                    b"\2" + json.dumps(row).encode(),
                    b"\2" + json.dumps({"changes": [row], "reviews": [row]}, indent=1).encode(),
                ),
            }[target]


def main(target: str, seconds: int = _USUAL_SECONDS) -> None:
    """Fuzz one target; end with an exception at the first input that fails."""
    corpus = Path(".fuzz") / target
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(_seeds(target)):
        (corpus / f"seed-{number}").write_bytes(seed)

    def check(content: bytes) -> None:
        try:
            TARGETS[target](content)
        except (InputError, UnicodeDecodeError):
            return

    limits = [f"-max_total_time={seconds}", "-timeout=60", "-rss_limit_mb=4096", "-max_len=8192"]
    atheris.Setup([sys.argv[0], *limits, str(corpus)], check)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
