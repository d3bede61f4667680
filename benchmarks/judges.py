"""Print how well metrics and a judge rate six kinds of reviews whose worth is known.

`python -m benchmarks.judges` prints the table of docs/validity.md. With `--base-url URL --model M`,
or `--backend magicoder`, a language model judges the 144 reviews first. Intervals resample the 24
commits.
"""

import argparse
from typing import NamedTuple

from benchmarks.measuring import print_table
from crscore_core.claims import CLAIM_BACKENDS, LanguageModel, ModelOptions, language_model
from crscore_eval.data.sources import open_data
from crscore_eval.formatting import format_figure
from crscore_eval.judge.judge import judge_reviews
from crscore_eval.metrics.values import metric_title
from crscore_eval.table import JUDGE_PREFIX, LABEL_PREFIX, Run
from crscore_eval.validity.compare import compare_metrics

METRICS = ("con", "comp", "rel", "no_threshold", "words", "shared_identifiers")

FINDINGS = "insight", "long", "wrong"
ON_TOPIC = (*FINDINGS, "recital")


class Question(NamedTuple):
    """A label, the judge's figure for it, and the kinds of reviews it is about; empty for all."""

    text: str
    label: str
    figure: str
    kinds: tuple[str, ...] = ()


QUESTIONS = (
    Question("about the change?", "on_topic", "relevance"),
    Question("right?", "right_by_model", "right", ON_TOPIC),
    Question("right?", "right_by_model", "right", FINDINGS),
    Question("right?", "right_by_model", "right", ("insight", "wrong")),
    Question("worth, 1 to 5", "worth_by_model", "worth"),
    Question("worth, 1 to 5", "worth_by_model", "worth", ON_TOPIC),
)


def main() -> None:
    """Judge if a model is named, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judges", description=__doc__)
    models = [name for name, backend in CLAIM_BACKENDS.items() if backend.model]
    parser.add_argument("--backend", choices=models)
    parser.add_argument("--base-url")
    parser.add_argument("--model")
    arguments = parser.parse_args()
    run = open_data("kinds")
    if arguments.backend or arguments.base_url or arguments.model:
        options = ModelOptions(model=arguments.model, base_url=arguments.base_url)
        run = judged(run, language_model(arguments.backend or "endpoint", options))
    title = "AUC for yes or no, Spearman for grades; 95% intervals over 24 commits"
    print_table(title, *table(run))


def judged(run: Run, model: LanguageModel) -> Run:
    """Return the run with a judge's columns; print the number of reviews without a judgement."""
    diffs = run.changes.set_index("change")["diff"]
    reviews = run.reviews.assign(diff=run.reviews["change"].map(diffs))
    figures = judge_reviews(model, reviews)
    print(f"{model.name}: {figures['worth'].isna().sum()} reviews without a judgement")
    return run._replace(reviews=run.reviews.join(figures.add_prefix(JUDGE_PREFIX)))


def table(run: Run, metrics: tuple[str, ...] = METRICS) -> tuple[list[str], list[list[str]]]:
    """Return the head of the table and a row for each question."""
    has_judge = f"{JUDGE_PREFIX}worth" in run.reviews
    rows = []
    for question in QUESTIONS:
        reviews = run.reviews
        if question.kinds:
            reviews = reviews[reviews["system"].isin(question.kinds)]
        names = [*metrics, *([f"{JUDGE_PREFIX}{question.figure}"] if has_judge else [])]
        asked = run._replace(reviews=reviews)
        compared = compare_metrics(asked, names, labels=[question.label])
        figures = compared.set_index("metric")
        n_reviews = f"{reviews[f'{LABEL_PREFIX}{question.label}'].notna().sum()}"
        kinds = f": {', '.join(question.kinds)}" if question.kinds else ""
        cells = []
        for name in names:
            figure = figures.loc[name]
            cells.append(format_figure(*figure[["value", "low", "high"]].astype(float)))
            if name.startswith(JUDGE_PREFIX):
                cells[-1] += f", {figure['rows']} reviews"
        rows.append([question.text, f"{n_reviews}{kinds}", *cells])
    titles = [metric_title(name) for name in metrics] + (["judge"] if has_judge else [])
    return ["question", "reviews", *titles], rows


if __name__ == "__main__":
    main()
