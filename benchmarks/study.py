"""Write the data that come with this project from a folder of the released study.

`python -m benchmarks.study RELEASE [--to FOLDER]` writes the tables of the study, its rated reviews
as a run with a column for each metric, vectors of its pseudo-references, and the claims of GPT-4o.
RELEASE must hold only the changes that come with the project; the metrics take minutes.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from crscore_core.scoring import load_encoder
from crscore_eval.commonness import VECTORS
from crscore_eval.data.shipped import SHIPPED
from crscore_eval.data.study import read_study
from crscore_eval.data.study_run import score_addressed_pairs, score_rated_reviews
from crscore_eval.metrics.registry import METRICS
from crscore_eval.metrics.values import metric_values
from crscore_eval.run.folder import write_part, write_settings
from crscore_eval.table import METRIC_PREFIX, Run

_GPT_4O = Path("experiments", "code_change_summ_finetune_impl", "gpt-4o.jsonl")
_CLAIM_FIELDS = ("code_change", "response")


def main() -> None:
    """Read the release and write the files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.study", description=__doc__)
    parser.add_argument("release", type=Path)
    parser.add_argument("--to", type=Path, default=SHIPPED, metavar="FOLDER")
    arguments = parser.parse_args()
    write_shipped(arguments.release, arguments.to)


def write_shipped(release: Path, folder: Path) -> None:
    """Write the files that `crscore_eval.data.shipped` reads.

    Raises:
        InputError: RELEASE is not the study, or is damaged.
    """
    study = read_study(release)
    pairs = score_addressed_pairs(study).astype({"similarity": "float32"})
    tables = folder / "study"
    tables.mkdir(parents=True, exist_ok=True)
    for name, table in [*study._asdict().items(), ("pairs", pairs)]:
        table.to_parquet(tables / f"{name}.parquet", compression="zstd", index=False)
    run = score_rated_reviews(study)
    computed = {}
    for name in (name for name, metric in METRICS.items() if metric.compute is not None):
        print(f"computing {name}", flush=True)
        computed[f"{METRIC_PREFIX}{name}"] = metric_values(run, name)
    target = folder / "run"
    target.mkdir(parents=True, exist_ok=True)
    write_part(target, 0, run.reviews.assign(**computed), run.changes)
    write_settings(target, run.settings | {"n_reviews": len(run.reviews), "is_finished": True})
    write_vectors(run, folder)
    lines = (release / _GPT_4O).read_text(encoding="utf-8").splitlines()
    rows = ({name: row[name] for name in _CLAIM_FIELDS} for row in map(json.loads, lines))
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (folder / _GPT_4O.name).write_text(text, encoding="utf-8")


def write_vectors(run: Run, folder: Path) -> None:
    """Write the vectors of the study's run, which `crscore_eval.commonness` reads."""
    entries = json.loads((SHIPPED / "examples.json").read_text(encoding="utf-8"))
    examples = {(entry["change"], system) for entry in entries for system in entry["systems"]}
    reviews = run.reviews.set_index(["change", "system"])["sentences"]
    sentences = sorted({text for key in examples for text in reviews.loc[key]})
    references = run.changes["references"]
    texts = [reference["text"] for of_change in references for reference in of_change]
    vectors, sentence_vectors = (
        load_encoder().encode(part).vectors.astype(np.float16) for part in (texts, sentences)
    )
    np.savez_compressed(
        folder / VECTORS.name,
        vectors=vectors,
        starts=np.cumsum([0, *references.map(len)[:-1]]),
        sentences=np.array(sentences),
        sentence_vectors=sentence_vectors,
    )


if __name__ == "__main__":
    main()
