"""The exceptions of this package.

Messages say what is wrong, where, and what to do. Exit codes and page messages are chosen by the
command line and the pages, never here.
"""


class CRScoreError(Exception):
    """Base class of all errors raised on purpose."""


class InputError(CRScoreError):
    """Input that cannot be used."""


class DiffError(InputError):
    """A change that cannot be read.

    `line` is the number of the faulty line, from 1, or None if the error is about the whole text.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        self.reason = reason
        self.line = line
        super().__init__(f"diff, line {line}: {reason}" if line else f"diff: {reason}")


class ReviewError(InputError):
    """A review that cannot be scored, such as an empty one."""


class ClaimsError(InputError):
    """Claims, or a claims backend, that cannot be used."""


class MissingPackageError(ClaimsError):
    """A claims backend whose package is not installed."""


class MissingWeightsError(ClaimsError):
    """A language model whose files are missing, cannot be downloaded, or are unusable."""


class MissingCudaError(ClaimsError):
    """A language model that needs a GPU, on a machine without one."""


class ModelMemoryError(ClaimsError):
    """A language model, or a batch for it, that does not fit in memory."""


class EndpointError(ClaimsError):
    """A language model server that cannot be reached, refuses, or returns an invalid answer."""


class EncoderError(InputError):
    """An encoder that cannot be loaded, or whose weights fail their checksum."""


class ThresholdError(InputError):
    """A tau outside [-1, 1], or a missing tau for an encoder without a preset."""


class LanguageError(InputError):
    """A declared language whose name is blank or too long."""


class AnalyzerError(InputError):
    """A rule set or configuration that an analyzer does not have."""


class WholeFileError(InputError):
    """A full file that does not belong to the change, or contradicts it."""


class SampleError(InputError):
    """A damaged illustrative sample."""


class StudyError(InputError):
    """A human study that is missing, damaged, or cannot be downloaded; names file and row."""


class DatasetError(InputError):
    """A data set with human labels that is missing or damaged, or lacks a label or metric."""


class PullRequestError(InputError):
    """Pull requests that cannot be resolved, fetched or read, or that a host refuses to show."""


class CorpusError(InputError):
    """A file of reviews that cannot be read, or a saved run that cannot be used."""


class BatchError(InputError):
    """A run over a corpus that cannot start, resume or be read; its data is kept."""


class StatisticsError(InputError):
    """Invalid input of a statistic: lists of unequal lengths, or numbers that are not finite."""


class SimilarityError(InputError):
    """A matrix that is empty, not two-dimensional, or not finite."""
