"""Static analyzers as safe subprocesses: source files in, smells on changed lines out."""

from analyzers.java.rulesets import SHIPPED as PMD_RULESETS
from analyzers.model import Analyzer, AnalyzerResult, Fragment, Smell, SourceFile, Status
from analyzers.registry import (
    ANALYZERS,
    JSHINT_CONFIGURATIONS,
    analyze_each,
    analyzers_with,
)

__all__ = [
    "ANALYZERS",
    "JSHINT_CONFIGURATIONS",
    "PMD_RULESETS",
    "Analyzer",
    "AnalyzerResult",
    "Fragment",
    "Smell",
    "SourceFile",
    "Status",
    "analyze_each",
    "analyzers_with",
]
