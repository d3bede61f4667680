"""Every error that this package raises on purpose.

Messages say what is wrong, where, and what to do. Exit codes and page messages are made at the
edge, never here.
"""


class CRScoreError(Exception):
    """Root of all errors raised on purpose."""


class InputError(CRScoreError):
    """Input that cannot be used."""


class DiffError(InputError):
    """A change that cannot be read.

    `line` is the line of the text at fault, counted from 1, or None if the whole text is at fault.
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
    """A language model that was to run on a GPU, on a machine without one."""


class ModelMemoryError(ClaimsError):
    """A language model, or a batch for it, that does not fit into memory."""


class EndpointError(ClaimsError):
    """A server of a language model that cannot be reached, refuses, or answers nonsense."""


class EncoderError(InputError):
    """An encoder that cannot be loaded, or whose weights fail their checksum."""


class ThresholdError(InputError):
    """A tau outside [-1, 1], or an encoder without a preset and no tau given."""


class LanguageError(InputError):
    """A declared language whose name is blank or too long."""


class AnalyzerError(InputError):
    """Rules for an analyzer that do not exist."""


class WholeFileError(InputError):
    """A full file that does not belong to the change, or does not agree with it."""


class SampleError(InputError):
    """A damaged illustrative sample."""


class StudyError(InputError):
    """A human study that is missing, damaged, or cannot be downloaded; names file and row."""


class DatasetError(InputError):
    """A data set with human labels that is missing or damaged, or lacks a label or metric."""


class PullRequestError(InputError):
    """Pull requests that cannot be named, fetched or read, or a host that refuses to show them."""


class CorpusError(InputError):
    """A file of reviews that cannot be read, or a saved run that cannot be used."""


class BatchError(InputError):
    """A run over a whole corpus that cannot begin, go on or be read; nothing of it is lost."""


class StatisticsError(InputError):
    """Numbers without a statistic: lists of unequal lengths, or numbers that are not finite."""


class SimilarityError(InputError):
    """A matrix that is empty, not two-dimensional, or not finite."""
