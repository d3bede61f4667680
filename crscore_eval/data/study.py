"""The human study of the paper (sections 4.1 to 4.3), read from a clone of its release.

Two annotators worked on the same changes. In phase 1 they coded generated claims; in phase 2 they
edited the pseudo-references and rated reviews from 1 to 5. Each annotator has a file with the same
rows. From a fixed change of each file on, the second annotator's entries count.
"""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from crscore_core.errors import InputError

GROUND_TRUTH = "msg"
"""The "system" whose reviews are those of the original reviewers."""

LANGUAGES = {"py": "python", "java": "java", "js": "javascript"}
"""Languages by their short names in the study."""

SYSTEM_TITLES = {
    "knn": "BM-25 retriever",
    "lstm": "LSTM",
    "codereviewer": "CodeReviewer",
    "stable_code": "Stable-Code-3B",
    "deepseekcoder": "DeepSeekCoder-6.7B-Instruct",
    "magicoder": "Magicoder-S-DS-6.7B",
    "llama3": "LLaMA-3-8B-Instruct",
    "codellama_13b": "CodeLLaMA-13B",
    "gpt3.5": "GPT-3.5",
    GROUND_TRUTH: "Ground Truth",
}
"""Names of the rated systems in the order of the paper's Table 10."""

CODES = {
    "1": "correct",
    "0": "incorrect",
    "-1": "unverifiable",
    "-2": "incomplete",
    "2": "ambiguous",
}
"""Verdicts on a generated claim (Table 8); a claim that a person added is "missing"."""

_PHASE_1 = "human_study/phase1/{language}_claim_acc_annot_{annotator}.csv"
_PHASE_2 = "human_study/phase2/{language}_{annotator}_review_qual_final.csv"
_SHARED = "human_study/phase2/phase2_agreement_annot_last100_{annotator}.csv"
_SHARED_ROWS = slice(800, 900)
_SWITCH = {
    _PHASE_1: {"py": "125", "java": "3740", "js": "1668"},
    _PHASE_2: {"py": "125", "java": "3740", "js": "6873"},
}
_FILLED = {_PHASE_1: ["Correctness", "additional claims"], _PHASE_2: ["Con (P)"]}
_RATINGS = {
    "Con (P)": "human_conciseness",
    "Comp (R)": "human_comprehensiveness",
    "Rel (F)": "human_relevance",
}
_TEXTS = ("diff", "review")  # the only columns whose white space at the ends counts


class Study(NamedTuple):
    """The study as tables; `change` is a change's number in the test set of CodeReviewer, as text.

    Attributes:
        changes: change, language, diff, is_rated; in the order of the files.
        references: change, number, text, kind (claim or smell), is_necessary: pseudo-references as
            the annotators edited them. `number` counts from 1 within a change. Those that
            are not necessary are redundant, and ratings leave them out.
        reviews: id, change, system, language, review, human_conciseness, human_comprehensiveness,
            human_relevance (1 to 5), addressed (list of reference numbers); rated reviews only.
        claims: change, text, code (a value of `CODES`, "missing", or "" if nobody coded it).
        double_ratings: item, change, rater and the three ratings, a row for each rater of a review.
    """

    changes: pd.DataFrame
    references: pd.DataFrame
    reviews: pd.DataFrame
    claims: pd.DataFrame
    double_ratings: pd.DataFrame


def read_study(folder: Path) -> Study:
    """Read the study, or a part of it in the same layout.

    Args:
        folder: a clone of the release, or its folder `human_study`.

    Raises:
        InputError: a file or column is missing, or a cell cannot be read; names file and row.
    """
    release = folder.parent if folder.name == "human_study" else folder
    if not (release / "human_study").is_dir():
        raise InputError(f"{folder}: no folder human_study; name a clone of the study's release")
    coded = pd.concat([_phase(release, _PHASE_1, language) for language in LANGUAGES])
    rated = pd.concat([_phase(release, _PHASE_2, language) for language in LANGUAGES])
    reviews = _reviews(rated)
    study = Study(
        _changes(coded, rated, set(reviews["change"])),
        _references(rated),
        reviews,
        _claims(coded),
        _double_ratings(release),
    )
    if study.changes.empty:
        raise InputError(f"{folder}: the study has no changes")
    return study


def _changes(coded: pd.DataFrame, rated: pd.DataFrame, with_ratings: set[str]) -> pd.DataFrame:
    starts = pd.concat([coded, rated])[["change", "language", "diff"]]
    starts = starts[starts["diff"].str.strip() != ""]
    # Spreadsheet programs replaced the tabs of some diffs by spaces: the shorter diff is intact.
    shortest = starts["diff"].str.len().groupby(starts["change"]).transform("min")
    starts = starts[starts["diff"].str.len() == shortest].drop_duplicates("change")
    place = {language: number for number, language in enumerate(LANGUAGES.values())}
    order = pd.concat([coded, rated])["change"].drop_duplicates()
    starts = starts.set_index("change").loc[order].reset_index()
    starts = starts.sort_values("language", key=lambda names: names.map(place), kind="stable")
    return starts.assign(is_rated=starts["change"].isin(with_ratings)).reset_index(drop=True)


def _references(rated: pd.DataFrame) -> pd.DataFrame:
    rows = rated[rated["claim"] != ""]
    return pd.DataFrame(
        {
            "change": rows["change"],
            "number": rows.groupby("change").cumcount() + 1,
            "text": rows["claim"],
            "kind": rows["type"].str.lower().map({"issue": "smell"}).fillna("claim"),
            "is_necessary": rows["necessary?"] != "0",
        }
    ).reset_index(drop=True)


def _reviews(rated: pd.DataFrame) -> pd.DataFrame:
    rows = rated[(rated["system"] != "") & (rated["Con (P)"] != "")]
    system = rows["system"].str.removesuffix("_pred")
    _refuse(rows[~system.isin(SYSTEM_TITLES)], "system", "a system of the study")
    _refuse(rows[rows.duplicated(["change", "system"])], "system", "rated once for each change")
    numbers = rows["claims addressed"].str.findall(r"(?<![-\d.])[1-9]\d{0,3}(?![\d.])")
    ratings = {name: _rating(rows, column) for column, name in _RATINGS.items()}
    return pd.DataFrame(
        {
            "id": rows["change"] + "/" + system,
            "change": rows["change"],
            "system": system,
            "language": rows["language"],
            "review": rows["review"],
            **ratings,
            "addressed": numbers.map(lambda texts: [int(number) for number in texts]),
        }
    ).reset_index(drop=True)


def _claims(coded: pd.DataFrame) -> pd.DataFrame:
    _refuse(coded[~coded["Correctness"].isin([*CODES, ""])], "Correctness", "a code of the study")
    generated = coded[coded["claim"] != ""]
    added = coded[coded["additional claims"] != ""]
    code = generated["Correctness"].map({**CODES, "": ""})
    return pd.concat(
        [
            generated[["change"]].assign(text=generated["claim"], code=code),
            added[["change"]].assign(text=added["additional claims"], code="missing"),
        ]
    ).reset_index(drop=True)


def _double_ratings(release: Path) -> pd.DataFrame:
    tables = [_table(release, _SHARED.format(annotator=name)) for name in ("Marcus", "Atharva")]
    is_shared = (tables[0]["Con (P)"] != "") & (tables[1]["Con (P)"] != "")
    change = (tables[0]["index"] != "").cumsum()
    rows = is_shared.index[_SHARED_ROWS][is_shared[_SHARED_ROWS]]
    by_rater = [
        pd.DataFrame(
            {name: _rating(table.loc[rows], column) for column, name in _RATINGS.items()}
        ).assign(item=range(len(rows)), change=change.loc[rows], rater=rater)
        for rater, table in enumerate(tables)
    ]
    return pd.concat(by_rater).sort_values(["item", "rater"], ignore_index=True)


def _rating(rows: pd.DataFrame, column: str) -> "pd.Series[float]":
    _refuse(rows[~rows[column].isin(list("12345"))], column, "a whole number from 1 to 5")
    return rows[column].astype(float)


def _phase(release: Path, phase: str, language: str) -> pd.DataFrame:
    """Return the rows of a phase, each by the person whose entries count for its change."""
    first, second = (
        _table(release, phase.format(language=language, annotator=name))
        for name in ("marcus", "atharva")
    )
    if len(first) != len(second) or (first["index"] != second["index"]).any():
        file = phase.format(language=language, annotator="atharva")
        raise InputError(f"{file}: its changes are not those of the other annotator's file")
    number = (first["index"] != "").cumsum()
    is_second = (first["index"] == _SWITCH[phase][language]).cummax()
    if not is_second.any():  # a part of the study without that change
        by_first, by_second = (
            (table[_FILLED[phase]] != "").any(axis=1).groupby(number).transform("any")
            for table in (first, second)
        )
        is_second = by_second & ~(by_first & (by_first & ~by_second)[::-1].cummax()[::-1])
    rows = first.where(~is_second, second)
    rows["diff"] = first["diff"]
    rows["change"] = first["index"].mask(first["index"] == "").ffill()
    _refuse(rows[rows["change"].isna()], "index", "the number of a change")
    return rows.assign(language=LANGUAGES[language])


def _table(release: Path, file: str) -> pd.DataFrame:
    """Read a spreadsheet as text; whole numbers lose the ".0" that spreadsheet programs add."""
    try:
        table = pd.read_csv(release / file, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: cannot be read: {error}") from error
    table.columns = table.columns.str.partition("\n").get_level_values(0).str.strip()
    phase = next((name for name in _FILLED if name.split("/")[1] in file), _PHASE_2)
    needed = {"index", "claim", *_FILLED[phase]} | ({*_RATINGS} if phase == _PHASE_2 else set())
    if missing := sorted(needed - {*table.columns}):
        raise InputError(f"{file}: the column {missing[0]!r} is missing")
    for name in table.columns.difference([*_TEXTS]):
        table[name] = table[name].str.strip().str.replace(r"(?<=\d)\.0+$", "", regex=True)
    return table.assign(file=file, row=range(2, len(table) + 2))


def _refuse(rows: pd.DataFrame, column: str, expected: str) -> None:
    """Raise an error about the first of these rows, if there is one."""
    for _, row in rows.head(1).iterrows():
        raise InputError(
            f"{row['file']}, row {row['row']}: {column} is {row[column][:40]!r}, not {expected}"
        )
