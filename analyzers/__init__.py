"""Static analyzers as safe subprocesses: source files in, smells on changed lines out."""

from analyzers.model import Analyzer as Analyzer
from analyzers.model import AnalyzerResult as AnalyzerResult
from analyzers.model import Fragment as Fragment
from analyzers.model import Smell as Smell
from analyzers.model import SourceFile as SourceFile
from analyzers.model import Status as Status
from analyzers.registry import ANALYZERS as ANALYZERS
from analyzers.registry import analyze_files as analyze_files
