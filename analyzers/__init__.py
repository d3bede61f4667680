"""Static analyzers as safe subprocesses: source files in, smells on changed lines out."""

from crscore_core.analyzers.model import Analyzer as Analyzer
from crscore_core.analyzers.model import AnalyzerResult as AnalyzerResult
from crscore_core.analyzers.model import Fragment as Fragment
from crscore_core.analyzers.model import Smell as Smell
from crscore_core.analyzers.model import SourceFile as SourceFile
from crscore_core.analyzers.model import Status as Status
from crscore_core.analyzers.registry import ANALYZERS as ANALYZERS
from crscore_core.analyzers.registry import analyze_files as analyze_files
