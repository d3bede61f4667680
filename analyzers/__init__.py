"""Static analyzers as safe subprocesses: source files in, smells on changed lines out."""

from analyzers.model import Analyzer, AnalyzerResult, Fragment, Smell, SourceFile, Status
from analyzers.registry import ANALYZERS, analyze_each

__all__ = [
    "ANALYZERS",
    "Analyzer",
    "AnalyzerResult",
    "Fragment",
    "Smell",
    "SourceFile",
    "Status",
    "analyze_each",
]
