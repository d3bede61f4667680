"""Code changes: unified diff text in, `CodeChange` out."""

from crscore_core.change.cursor import MAX_DIFF_BYTES as MAX_DIFF_BYTES
from crscore_core.change.language import LANGUAGE_TITLES as LANGUAGE_TITLES
from crscore_core.change.language import NOT_CODE as NOT_CODE
from crscore_core.change.language import is_known_language as is_known_language
from crscore_core.change.language import normalise_language as normalise_language
from crscore_core.change.model import ChangedLine as ChangedLine
from crscore_core.change.model import CodeChange as CodeChange
from crscore_core.change.model import FileChange as FileChange
from crscore_core.change.model import FileStatus as FileStatus
from crscore_core.change.model import Hunk as Hunk
from crscore_core.change.model import LineKind as LineKind
from crscore_core.change.model import other_side as other_side
from crscore_core.change.parse import parse_change as parse_change
