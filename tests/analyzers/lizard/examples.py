"""A function in each language, of given length, parameters and decisions."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["FUNCTIONS", "FunctionText"]


@dataclass(frozen=True, slots=True)
class FunctionText:
    """How a language writes a function `work`: its head, its statements, its end."""

    head: Callable[[str], str]
    parameter: str
    statement: str
    decision: str
    end: str
    head_rows: int = 1

    def text(self, statements: int = 0, parameters: int = 0, decisions: int = 0) -> str:
        """Each statement and each decision is a line, head and end are one each."""
        names = ", ".join(self.parameter.format(index) for index in range(parameters))
        body = self.statement * statements + self.decision * decisions
        return f"{self.head(names)}{body}{self.end}"


def _c(names: str) -> str:
    return f"int work({names}) {{\n"


def _java(names: str) -> str:
    return f"class Shop {{ int work({names}) {{\n"


FUNCTIONS = {
    "java": FunctionText(_java, "int a{}", "step();\n", "if (x) { step(); }\n", "} }\n"),
    "javascript": FunctionText(
        lambda names: f"function work({names}) {{\n", "a{}", "step();\n", "if (x) step();\n", "}\n"
    ),
    "typescript": FunctionText(
        lambda names: f"export function work({names}): void {{\n",
        "a{}: number",
        "step();\n",
        "if (x) { step(); }\n",
        "}\n",
    ),
    "c": FunctionText(_c, "int a{}", "step();\n", "if (x) step();\n", "}\n"),
    "cpp": FunctionText(
        lambda names: f"int Shop::work({names}) const {{\n",
        "std::vector<int> a{}",
        "step();\n",
        "if (x) { step(); }\n",
        "}\n",
    ),
    "csharp": FunctionText(_java, "int a{}", "Step();\n", "if (x) { Step(); }\n", "} }\n"),
    "go": FunctionText(
        lambda names: f"func (s *Shop) work({names}) error {{\n",
        "a{} int",
        "step()\n",
        "if x { step() }\n",
        "}\n",
    ),
    "php": FunctionText(
        lambda names: f"<?php\nfunction work({names}) {{\n",
        "$a{}",
        "step();\n",
        "if ($x) { step(); }\n",
        "}\n",
        head_rows=2,
    ),
    "ruby": FunctionText(
        lambda names: f"def work({names})\n", "a{}", "step\n", "if x then step end\n", "end\n"
    ),
}
