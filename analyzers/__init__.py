"""Static analyzers: source files in, smells on changed lines out."""

from crscore_core.analyzers.model import Analyzer as Analyzer
from crscore_core.analyzers.model import AnalyzerResult as AnalyzerResult
from crscore_core.analyzers.model import Fragment as Fragment
from crscore_core.analyzers.model import Smell as Smell
from crscore_core.analyzers.model import SourceFile as SourceFile
from crscore_core.analyzers.model import Status as Status
from crscore_core.analyzers.registry import ANALYZERS as ANALYZERS
from crscore_core.analyzers.registry import analyze_files as analyze_files
from crscore_core.analyzers.registry import find_smells as find_smells
from crscore_core.analyzers.use import AnalyzerUse as AnalyzerUse
from crscore_core.analyzers.use import analyzer_uses as analyzer_uses
from crscore_core.analyzers.use import sum_uses as sum_uses
