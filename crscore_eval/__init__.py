"""CRScore over many reviews: everything is a function of a table of reviews."""

import crscore_core.bundle  # noqa: F401 - finds the analyzers
