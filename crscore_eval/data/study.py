"""The human study of the paper (sections 4.1 to 4.3), read from a clone of its release.

Two annotators worked on the same changes. In phase 1 they coded generated claims; in phase 2 they
edited the pseudo-references and rated reviews from 1 to 5. Each annotator has a file with the same
rows. In each file, the first annotator's entries count up to a fixed change, then the second's.
"""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from crscore_core.errors import InputError, quoted
from crscore_eval.table import GROUND_TRUTH, HUMAN

LANGUAGE_OF_SUFFIX = {"py": "python", "java": "java", "js": "javascript"}
"""Programming languages by their short names in the study."""

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
_DOUBLE_RATED = "human_study/phase2/phase2_agreement_annot_last100_{annotator}.csv"
_DOUBLE_RATED_ROWS = slice(800, 900)
# The first change for which the second annotator's entries count.
_FIRST_OF_SECOND = {
    _PHASE_1: {"py": "125", "java": "3740", "js": "1668"},
    _PHASE_2: {"py": "125", "java": "3740", "js": "6873"},
}
_ENTRIES = {_PHASE_1: ["Correctness", "additional claims"], _PHASE_2: ["Con (P)"]}
_RATINGS = dict(zip(("Con (P)", "Comp (R)", "Rel (F)"), HUMAN.values(), strict=True))


class Study(NamedTuple):
    """The study as tables; `change` is a change's number in CodeReviewer's test set, as a string.

    changes: a row for each change, in the order of the files: change, language, diff, is_rated.
    references: a row for each edited pseudo-reference: change, number (from 1 in the change),
        text, kind (claim or smell), is_necessary (false if ratings ignore it as redundant).
    reviews: a row for each rated review: id, change, system, language, review, the columns of
        `HUMAN`, addressed (list of reference numbers).
    claims: a row for each claim: change, text, code (a value of `CODES`, "missing", or "" if
        nobody coded it).
    double_ratings: a row for each rater of a review that both annotators rated: item, change,
        rater and the three ratings.
    """

    changes: pd.DataFrame
    references: pd.DataFrame
    reviews: pd.DataFrame
    claims: pd.DataFrame
    double_ratings: pd.DataFrame


def read_study(folder: Path) -> Study:
    """Read the study, or a part of it, from a clone of the release or its folder `human_study`.

    Raises:
        InputError: a file or column is missing, or a cell cannot be read.
    """
    release = folder.parent if folder.name == "human_study" else folder
    if not (release / "human_study").is_dir():
        raise InputError(f"{folder}: there is no folder human_study", "give a clone of the release")
    coded = pd.concat([_phase_rows(release, _PHASE_1, language) for language in LANGUAGE_OF_SUFFIX])
    rated = pd.concat([_phase_rows(release, _PHASE_2, language) for language in LANGUAGE_OF_SUFFIX])
    reviews = _reviews(rated)
    return Study(
        _changes(coded, rated, set(reviews["change"])),
        _references(rated),
        reviews,
        _claims(coded),
        _double_ratings(release),
    )


def _changes(coded: pd.DataFrame, rated: pd.DataFrame, rated_changes: set[str]) -> pd.DataFrame:
    changes = pd.concat([coded, rated])[["change", "language", "diff"]]
    order = changes["change"].drop_duplicates()
    changes = changes[changes["diff"].str.strip() != ""]
    # Spreadsheet programs replaced the tabs of some diffs with spaces: the shorter diff is intact.
    shortest = changes["diff"].str.len().groupby(changes["change"]).transform("min")
    changes = changes[changes["diff"].str.len() == shortest].drop_duplicates("change")
    changes = changes.set_index("change").loc[order].reset_index()
    place = [*LANGUAGE_OF_SUFFIX.values()].index
    changes = changes.sort_values("language", key=lambda names: names.map(place), kind="stable")
    return changes.assign(is_rated=changes["change"].isin(rated_changes)).reset_index(drop=True)


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
    _reject(rows[~system.isin(SYSTEM_TITLES)], "system", "a system of the study")
    _reject(rows[rows.duplicated(["change", "system"])], "system", "rated once for each change")
    numbers = rows["claims addressed"].str.findall(r"(?<![-\d.])[1-9]\d{0,3}(?![\d.])")
    return pd.DataFrame(
        {
            "id": rows["change"] + "/" + system,
            "change": rows["change"],
            "system": system,
            "language": rows["language"],
            "review": rows["review"],
            **_ratings(rows),
            "addressed": numbers.map(lambda texts: [int(number) for number in texts]),
        }
    ).reset_index(drop=True)


def _claims(coded: pd.DataFrame) -> pd.DataFrame:
    _reject(coded[~coded["Correctness"].isin([*CODES, ""])], "Correctness", "a code of the study")
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
    tables = [
        _read_table(release, _PHASE_2, _DOUBLE_RATED.format(annotator=name))
        for name in ("Marcus", "Atharva")
    ]
    is_shared = (tables[0]["Con (P)"] != "") & (tables[1]["Con (P)"] != "")
    change = (tables[0]["index"] != "").cumsum()
    rows = is_shared.index[_DOUBLE_RATED_ROWS][is_shared[_DOUBLE_RATED_ROWS]]
    by_rater = [
        _ratings(table.loc[rows]).assign(
            item=range(len(rows)), change=change.loc[rows], rater=rater
        )
        for rater, table in enumerate(tables)
    ]
    return pd.concat(by_rater).sort_values(["item", "rater"], ignore_index=True)


def _ratings(rows: pd.DataFrame) -> pd.DataFrame:
    for column in _RATINGS:
        _reject(rows[~rows[column].isin(list("12345"))], column, "a whole number from 1 to 5")
    return rows[[*_RATINGS]].rename(columns=_RATINGS).astype(float)


def _phase_rows(release: Path, phase: str, language: str) -> pd.DataFrame:
    """Return the rows of a phase, each from the annotator whose entries count for its change."""
    first, second = (
        _read_table(release, phase, phase.format(language=language, annotator=name))
        for name in ("marcus", "atharva")
    )
    if len(first) != len(second) or (first["index"] != second["index"]).any():
        file = phase.format(language=language, annotator="atharva")
        raise InputError(f"{file}: its changes differ from the other annotator's file")
    number = (first["index"] != "").cumsum()
    is_second = (first["index"] == _FIRST_OF_SECOND[phase][language]).cummax()
    if not is_second.any():  # a part of the study without that change
        has_first, has_second = (
            (table[_ENTRIES[phase]] != "").any(axis=1).groupby(number).transform("any")
            for table in (first, second)
        )
        is_second = has_second & ~(has_first & (has_first & ~has_second)[::-1].cummax()[::-1])
    rows = first.where(~is_second, second)
    rows["diff"] = first["diff"]
    rows["change"] = first["index"].mask(first["index"] == "").ffill()
    _reject(rows[rows["change"].isna()], "index", "the number of a change")
    return rows.assign(language=LANGUAGE_OF_SUFFIX[language])


def _read_table(release: Path, phase: str, file: str) -> pd.DataFrame:
    """Read a CSV file as text, without the ".0" that spreadsheet programs add to whole numbers."""
    try:
        table = pd.read_csv(release / file, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: it cannot be read: {error}") from error
    table.columns = table.columns.str.partition("\n").get_level_values(0).str.strip()
    needed = {"index", "claim", *_ENTRIES[phase]} | ({*_RATINGS} if phase == _PHASE_2 else set())
    if missing := sorted(needed - {*table.columns}):
        raise InputError(f"{file}: the column {missing[0]!r} is missing")
    for name in table.columns.difference(["diff", "review"]):  # these keep their white space
        table[name] = table[name].str.strip().str.replace(r"(?<=\d)\.0+$", "", regex=True)
    return table.assign(file=file, row=range(2, len(table) + 2))


def _reject(rows: pd.DataFrame, column: str, expected: str) -> None:
    for _, row in rows.head(1).iterrows():
        place = f"{row['file']}, row {row['row']}"
        raise InputError(f"{place}: {column} is {quoted(row[column])}, not {expected}")
