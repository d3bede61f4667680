"""Static analyzers as safe subprocesses: source files in, smells on changed lines out."""

from analyzers.model import Analyzer, AnalyzerResult, Fragment, Smell, SourceFile, Status

__all__ = ["Analyzer", "AnalyzerResult", "Fragment", "Smell", "SourceFile", "Status"]
