"""Validity on the development part of the human study, read from its files or written to them.

`python -m crscore_core.validity.shipped RELEASE` writes `sample_data/human_study` from a folder of
the released study that holds those changes.
"""

import json
import shutil
import sys
from pathlib import Path

from crscore_core.corpus.run.finished import write_reviews
from crscore_core.corpus.run.folder import RunFolder
from crscore_core.datasets.study.corpus import GPT_4O_FILE, study_corpus
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import GPT_4O_CLAIMS, find_release
from crscore_core.datasets.study.shipped import (
    SHIPPED,
    SHIPPED_RUN,
    shipped_comparison,
    shipped_study,
    write_study,
)
from crscore_core.scoring import CachedEncoder
from crscore_core.validity.addressed import addressed_pairs
from crscore_core.validity.study_validity import StudyValidity
from crscore_eval.statistics import ClusteredMatches

_PAIRS = SHIPPED / "pairs.parquet"


def shipped_validity(n_resamples: int = 1000) -> StudyValidity:
    """Open the development part, compared with its own claims and smells; nothing is embedded.

    Raises:
        InputError: too few resamples.
    """
    return StudyValidity(shipped_study(), shipped_comparison(), shipped_pairs, n_resamples)


def shipped_pairs() -> ClusteredMatches:
    """Read what people say that reviews address, with similarities; see `addressed_pairs`."""
    import pandas as pd

    pairs = pd.read_parquet(_PAIRS)
    return ClusteredMatches(*(pairs[name].to_numpy() for name in pairs))


def ship(release: Path) -> None:
    """Write the files of the development part from a folder of the released study.

    Raises:
        InputError: there is no study here, or it is damaged.
    """
    import pandas as pd

    study, encoder = load_study(release), CachedEncoder()
    reviews = study_corpus(study).score(encoder)
    pairs = addressed_pairs(study, encoder)
    shutil.rmtree(SHIPPED_RUN, ignore_errors=True)
    SHIPPED_RUN.mkdir(parents=True)
    write_study(study, SHIPPED)
    write_reviews(RunFolder(SHIPPED_RUN), reviews, "Human study", created=None)
    if pairs is not None:
        columns = {"similarity": pairs.similarity.astype("float32"), "addressed": pairs.is_match}
        pd.DataFrame(columns | {"change": pairs.cluster}).to_parquet(_PAIRS)
    with (find_release(release) / GPT_4O_CLAIMS).open(encoding="utf-8") as answers:
        rows = [json.loads(line) for line in answers]
    kept = [{name: row[name] for name in ("code_change", "response")} for row in rows]
    text = "".join(f"{json.dumps(row)}\n" for row in kept)
    (SHIPPED / GPT_4O_FILE).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    ship(Path(sys.argv[1]))
