"""Every error that this package raises on purpose.

    CRScoreError
    └── InputError            what the caller gave cannot be used
        ├── DiffError         a change that cannot be read; names the line
        ├── ReviewError       a review that cannot be scored
        ├── ClaimsError       given claims, or a claims backend, that cannot be used
        │   ├── MissingPackageError   a backend's package is not installed
        │   ├── MissingWeightsError   a language model's files are not there, or not usable
        │   ├── MissingCudaError      a GPU is wanted and there is none
        │   ├── ModelMemoryError      a language model, or a batch, does not fit into memory
        │   └── EndpointError         a server of a language model cannot be reached, or fails
        ├── EncoderError      an encoder that cannot be loaded, or fails its checksum
        ├── ThresholdError    a tau that is no threshold, or no preset for an encoder
        ├── LanguageError     a declared language that is not known
        ├── AnalyzerError     rules for an analyzer that do not exist
        ├── WholeFileError    a full file that is not the one the change is about
        ├── SampleError       a damaged illustrative sample
        ├── StudyError        a human study that is missing, damaged, or cannot be downloaded
        ├── CorpusError       a file of reviews that cannot be read, or a saved run, not usable
        ├── BatchError        a run over a whole corpus that cannot go on, or cannot be read
        ├── CalibrationError  a calibrated model that cannot be read, or fitted
        ├── StatisticsError   numbers from which a statistic cannot be computed
        └── SimilarityError   a matrix that holds no similarities

Messages say what is wrong, where, and what to do. Exit codes and page messages are made
at the edge, never here.
"""

__all__ = [
    "AnalyzerError",
    "BatchError",
    "CRScoreError",
    "CalibrationError",
    "ClaimsError",
    "CorpusError",
    "DiffError",
    "EncoderError",
    "EndpointError",
    "InputError",
    "LanguageError",
    "MissingCudaError",
    "MissingPackageError",
    "MissingWeightsError",
    "ModelMemoryError",
    "ReviewError",
    "SampleError",
    "SimilarityError",
    "StatisticsError",
    "StudyError",
    "ThresholdError",
    "WholeFileError",
]


class CRScoreError(Exception):
    """Root of the tree: catching it catches everything raised on purpose."""


class InputError(CRScoreError):
    """What the caller gave cannot be used."""


class DiffError(InputError):
    """A change that cannot be read.

    `line` is the 1-based line of the given text at fault, or None where the whole text is.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        self.reason = reason
        self.line = line
        super().__init__(f"diff, line {line}: {reason}" if line else f"diff: {reason}")


class ReviewError(InputError):
    """A review that cannot be scored, such as an empty one."""


class ClaimsError(InputError):
    """Given claims, or a claims backend, that cannot be used."""


class MissingPackageError(ClaimsError):
    """A claims backend whose package is not installed."""


class MissingWeightsError(ClaimsError):
    """A language model whose files are not there, cannot be downloaded, or are not usable."""


class MissingCudaError(ClaimsError):
    """A language model that was to run on a GPU, where there is none."""


class ModelMemoryError(ClaimsError):
    """A language model, or a batch for it, that does not fit into memory."""


class EndpointError(ClaimsError):
    """A server of a language model that cannot be reached, refuses, or answers nonsense."""


class EncoderError(InputError):
    """An encoder that cannot be loaded, or whose weights fail their checksum."""


class ThresholdError(InputError):
    """A tau outside [-1, 1], or an encoder without a preset and no tau given."""


class LanguageError(InputError):
    """A declared language that is not known."""


class AnalyzerError(InputError):
    """Rules for an analyzer that do not exist."""


class WholeFileError(InputError):
    """A full file that does not belong to the change, or does not agree with it."""


class SampleError(InputError):
    """A damaged illustrative sample."""


class StudyError(InputError):
    """A human study that is missing, damaged, or cannot be downloaded; names file and row."""


class CorpusError(InputError):
    """A file of reviews that cannot be read, or a saved run that cannot be used."""


class BatchError(InputError):
    """A run over a whole corpus that cannot begin, go on or be read; nothing of it is lost."""


class CalibrationError(InputError):
    """A calibrated model that cannot be read, or ratings that none can be fitted to."""


class StatisticsError(InputError):
    """Numbers from which a statistic cannot be computed: of unequal lengths, or not finite."""


class SimilarityError(InputError):
    """A matrix that is empty, not two-dimensional, or not finite."""
