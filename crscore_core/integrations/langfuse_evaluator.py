"""An evaluator for Langfuse experiments: `evaluators=[crscore]`."""

from langfuse import Evaluation

from crscore_core.errors import InputError
from crscore_core.integrations.measures import Measured, measure


def crscore(*, input: object, output: object, **_: object) -> list[Evaluation]:  # noqa: A002 - Langfuse's names
    """Score the output of a task as a review of the item's input.

    The input is the unified diff, or contains it under the key `diff`. A review without a score
    gets only the category "none", with the reason.
    """
    diff = input.get("diff") if isinstance(input, dict) else input
    try:
        measured = measure(str(diff or ""), str(output or ""))
    except InputError as error:
        measured = Measured({}, str(error))
    said = measured.explanation
    if not measured.values:
        return [Evaluation(name="crscore", value="none", comment=said, data_type="CATEGORICAL")]
    return [
        Evaluation(name=name, value=value, comment=said) for name, value in measured.values.items()
    ]
