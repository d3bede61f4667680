"""Scoring of tables: changes and their reviews in, the same with scores out."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzers import ANALYZERS, Analyzer
from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import (
    DEFAULT_CLAIMS,
    ClaimGenerator,
    ClaimSet,
    claim_generator,
    claims_of_items,
)
from crscore_core.errors import InputError
from crscore_core.scoring import (
    DEFAULT_ENCODER,
    Encoder,
    canonical_name,
    load_encoder,
    resolve_tau,
    split_sentences,
)
from crscore_core.scoring.pipeline import ChangeInput, ScoredChange, Tools, score_changes
from crscore_core.scoring.references import PseudoReference, ReferenceKind
from crscore_core.scoring.signature import package_version
from crscore_core.scoring.smells import patched_files
from crscore_eval.table import (
    DIMENSIONS,
    REVIEW_COLUMNS,
    SCORES,
    UNNAMED,
    Run,
    change_schema,
    no_threshold,
    review_schema,
    scores_at,
    to_frame,
)

if TYPE_CHECKING:
    import pandas as pd

CHANGES_PER_PART, REVIEWS_PER_PART = 200, 1_000
"""Most changes and reviews that are scored together and stored in one file."""

SLOW_CHANGES_PER_PART = 20
"""Most changes of a part if a language model makes the claims, which takes seconds each."""

CHANGE_KEY = ("diff", "language", "claims", "new_file", "old_file")
"""Columns that decide whether two reviews are of the same change."""

_GIVEN = ("row", "id", "change", "system", "language", "review")
_NO_REFERENCES = "it gives no pseudo-references"
_NO_DIFF = "it has no diff"


def make_tools(
    claims: str | ClaimGenerator | None = DEFAULT_CLAIMS,
    encoder: str | Encoder = DEFAULT_ENCODER,
    tau: float | str | None = None,
    analyzers: Mapping[str, Sequence[Analyzer]] = ANALYZERS,
) -> Tools:
    """Return what scores are made with; `claims` None is for changes that bring theirs.

    Raises:
        InputError: there is no such backend or encoder, or no preset of tau for it.
    """
    generator = claim_generator(claims) if isinstance(claims, str) else claims
    if isinstance(encoder, str):
        # Checked before the encoder is loaded, which takes seconds.
        resolve_tau(tau, canonical_name(encoder), claims_name(generator))
        encoder = load_encoder(encoder)
    threshold = resolve_tau(tau, encoder.name, claims_name(generator))
    return Tools(generator, encoder, threshold, analyzers)


def claims_name(generator: ClaimGenerator | None) -> str:
    """Return the name of the source of claims."""
    return "given" if generator is None else generator.name


def score_part(
    changes: "pd.DataFrame", reviews: "pd.DataFrame", tools: Tools, *, is_first: bool = True
) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Score all reviews of some changes: the one way from tables to scores.

    `changes` has `change, title, language, diff`, and may have `claims` (JSON), `new_file`,
    `old_file`, and `references` (pseudo-references that are used as they are). `reviews` has `row,
    id, change, system, language, review` and any other columns, which are kept. The results have
    the columns of `CHANGE_COLUMNS` and `REVIEW_COLUMNS`. `is_first` tells that no part before has
    shown the claims backend to work.

    Raises:
        InputError: the claims backend is unavailable or fails for every change.
        UnavailableError: the encoder cannot be loaded.
    """
    rows = list(changes.to_dict("records"))
    texts = {change: list(group) for change, group in reviews.groupby("change")["review"]}
    inputs, warnings = [], []
    for row in rows:
        given, warning = _input(row, tuple(texts.get(row["change"], ())))
        inputs.append(given)
        warnings.append(warning)
    known = [given for given in inputs if given is not None]
    found = iter(score_changes(known, tools, is_first=is_first) if known else ())
    scored = [
        ScoredChange("", None, (), _NO_DIFF) if given is None else next(found) for given in inputs
    ]
    table = [
        _change_row(row, one, more) for row, one, more in zip(rows, scored, warnings, strict=True)
    ]
    return _frame(table, change_schema()), _reviews(reviews, rows, scored, tools.tau)


def score_table(
    reviews: "pd.DataFrame",
    changes: "pd.DataFrame | None" = None,
    *,
    tools: Tools | None = None,
    name: str = "",
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Run:
    """Score a table of reviews in memory.

    Args:
        reviews: a row a review, with `review` and either `change`, a key into `changes`, or `diff`.
            Other columns of `score_part` get defaults; all others are kept.
        changes: as `score_part` takes them; None takes each distinct diff in `reviews`.
        tools: None for `make_tools()`.
        name: name of the run, for people.
        on_progress: receives the number of reviews scored, and of all.

    Raises:
        InputError: as `score_part` does, or a column is missing.
    """
    import pandas as pd

    tools = tools or make_tools()
    reviews, changes = _completed(reviews, changes)
    parts = []
    done = 0
    for start in range(0, len(changes), CHANGES_PER_PART):
        of_changes = changes.iloc[start : start + CHANGES_PER_PART]
        of_reviews = reviews[reviews["change"].isin(of_changes["change"])]
        parts.append(score_part(of_changes, of_reviews, tools, is_first=not start))
        done += len(of_reviews)
        on_progress(done, len(reviews))
    if not parts:
        raise InputError("there are no reviews to score")
    scored = pd.concat([part for _, part in parts]).sort_values("row", kind="stable")
    settings = {
        "name": name,
        "encoder": tools.encoder.name,
        "claims": claims_name(tools.generator),
        "analyzers": bool(tools.analyzers),
        "tau": tools.tau,
        "version": package_version(),
        "created": None,
        "rejected": [],
        "n_rejected": 0,
        "columns": [],
        "warnings": [],
    }
    of_changes = pd.concat([part for part, _ in parts])
    return Run(scored.reset_index(drop=True), of_changes.reset_index(drop=True), settings)


def _completed(
    reviews: "pd.DataFrame", changes: "pd.DataFrame | None"
) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Return both tables with all columns that scoring needs."""
    import pandas as pd

    needed = {"review", "diff" if changes is None else "change"}
    if missing := needed - {*reviews.columns}:
        raise InputError(f"the table of reviews has no column {', '.join(sorted(missing))}")
    reviews = reviews.reset_index(drop=True)
    numbers = pd.Series(range(1, len(reviews) + 1))
    defaults: dict[str, Any] = {"system": UNNAMED, "language": "", "row": numbers}
    for column, default in (defaults | {"id": numbers.astype(str)}).items():
        if column not in reviews:
            reviews = reviews.assign(**{column: default})
    if changes is None:
        key = [name for name in CHANGE_KEY if name in reviews]
        of_each = reviews.groupby(key, sort=False, dropna=False).ngroup() + 1
        reviews = reviews.assign(change=[f"change {number}" for number in of_each])
        of_changes = [name for name in (*key, "title") if name in reviews]
        changes = reviews.drop_duplicates("change")[["change", *of_changes]]
        reviews = reviews.drop(columns=[name for name in of_changes if name != "language"])
    texts = {name: "" for name in ("title", "language") if name not in changes}
    return reviews, changes.reset_index(drop=True).assign(**texts)


def _input(row: Mapping[Any, Any], texts: tuple[str, ...]) -> tuple[ChangeInput | None, str]:
    """Return a change as scoring takes it, None without a diff, and a warning, mostly empty."""
    language = _text(row.get("language")) or None
    references = row.get("references")
    if isinstance(references, list | np.ndarray):
        given = tuple(
            PseudoReference(
                one["text"], ReferenceKind(one["kind"]), one["source"], one["path"], one["line"],
                tuple(one["wordings"] or ()),
            )
            for one in references
        )  # fmt: skip
        return ChangeInput(row["diff"], texts, language, references=given), ""
    if not _text(row["diff"]).strip():
        return None, ""
    claims = _text(row.get("claims"))
    made = ClaimSet(claims_of_items(json.loads(claims))) if claims else None
    diff, new_files, warning = _with_whole_file(row, language)
    return ChangeInput(diff, texts, language, made, None, new_files), warning


def _with_whole_file(
    row: Mapping[Any, Any], language: str | None
) -> tuple[str | CodeChange, str | dict[str, str] | None, str]:
    """Return the change, its file after it, and why that is not used; an old file is patched."""
    new_file, old_file = _text(row.get("new_file")), _text(row.get("old_file"))
    if new_file or not old_file:
        return row["diff"], new_file or None, ""
    try:
        change = parse_change(row["diff"], language=language)
    except InputError:
        return row["diff"], None, ""  # scoring reports why
    try:
        if len(change.files) == 1:
            return change, patched_files(change, {change.files[0].old_path or "": old_file}), ""
    except InputError as error:
        return change, None, f"its whole file is not used: {error}"
    return change, None, "its whole file is not used: the diff changes several files"


def _change_row(row: Mapping[Any, Any], scored: ScoredChange, warning: str) -> dict[str, Any]:
    references = scored.references.pseudo_references if scored.references else ()
    left_out = scored.left_out if references or scored.left_out else _NO_REFERENCES
    warnings = [*(scored.references.warnings if scored.references else ()), warning]
    return {
        "change": row["change"],
        "title": _text(row["title"]),
        "language": scored.language or _text(row["language"]),
        "diff": _text(row["diff"]),
        "references": [
            {
                "text": one.text,
                "kind": one.kind.value,
                "source": one.source,
                "path": one.path,
                "line": one.line,
                "wordings": list(one.wordings),
            }
            for one in references
        ],
        "warnings": [one for one in warnings if one],
        "left_out": left_out,
    }


def _reviews(
    reviews: "pd.DataFrame",
    rows: Sequence[Mapping[Any, Any]],
    scored: Sequence[ScoredChange],
    tau: float,
) -> "pd.DataFrame":
    """Return the reviews with their sentences, similarities and scores."""
    import pandas as pd

    by_change = dict(zip([row["change"] for row in rows], scored, strict=True))
    taken: dict[str, Iterator[Any]] = {
        change: iter(one.scores) for change, one in by_change.items()
    }
    columns: dict[str, list[Any]] = {
        name: [] for name in REVIEW_COLUMNS if name not in {*_GIVEN, *SCORES}
    }
    languages = []
    for change, text, language in zip(
        reviews["change"], reviews["review"], reviews["language"], strict=True
    ):
        one = by_change[change]
        languages.append(one.language or _text(language))
        if one.references is None:
            sentences: Sequence[str] = split_sentences(text)
            similarity = np.zeros((0, len(sentences)), np.float32)
            warnings = [f"cannot be scored: {one.left_out}"]
        else:
            score = next(taken[change])
            sentences, similarity = score.sentence_texts, score.similarity
            warnings = [*score.warnings, *score.not_analysed]
        is_scored = bool(similarity.size)
        columns["n_pseudo_references"].append(similarity.shape[0])
        columns["n_sentences"].append(similarity.shape[1])
        columns["sentences"].append(list(sentences))
        columns["similarity"].append(similarity.ravel())
        columns["sentence_maxima"].append(similarity.max(axis=0) if is_scored else [])
        columns["reference_maxima"].append(similarity.max(axis=1) if is_scored else [])
        columns["warnings"].append(warnings)
        columns["tau"].append(tau)
    schema = review_schema()
    made = _frame(columns, schema.empty_table().select(list(columns)).schema)
    made[list(DIMENSIONS)] = scores_at(made, tau)
    made["no_threshold"] = no_threshold(made)["relevance"]
    given = reviews.reset_index(drop=True).assign(language=languages)
    whole = pd.concat([given[list(_GIVEN)], made, given.drop(columns=list(_GIVEN))], axis=1)
    own = [name for name in whole.columns if name not in REVIEW_COLUMNS]
    return whole[[*REVIEW_COLUMNS, *own]]


def _frame(values: Any, schema: Any) -> "pd.DataFrame":  # noqa: ANN401 - rows or columns, Arrow
    import pyarrow as pa

    make = pa.Table.from_pylist if isinstance(values, list) else pa.Table.from_pydict
    return to_frame(make(values, schema=schema))


def _text(value: object) -> str:
    """Return a text, empty for None and NaN."""
    return value if isinstance(value, str) else ""
